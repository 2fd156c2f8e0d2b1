import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { validateNumbers } from "../../../core/messaging/batches/batch-validate.ts";
import { AnyText, described, OneOf } from "../../../kernel/schema.ts";
import { IDS } from "../../shared/fields.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";
import { MOST_AT_ONCE } from "./batch-schemas.ts";

const ValidateBody = Type.Object({
  numbers: Type.Array(AnyText(), {
    minItems: 1,
    maxItems: MOST_AT_ONCE,
    description: "The numbers that are checked; at most 1,000",
    examples: [["5511988887777", "5511977776666"]],
  }),
  channelId: Type.Optional(
    described(AnyText(), "The channel that asks the network; without it only the form is checked", IDS.phone),
  ),
});
const ValidatedView = Type.Object(
  {
    total: Type.Integer({ description: "How many numbers were checked", examples: [2] }),
    valid: Type.Array(Type.String(), { description: "Numbers that can be written to", examples: [["5511988887777"]] }),
    invalid: Type.Array(
      Type.Object(
        {
          number: Type.String({ description: "The number as it was given", examples: ["123"] }),
          reason: OneOf(["invalid_format", "not_on_network"], { description: "Why it cannot be written to" }),
        },
        { title: "InvalidNumber" },
      ),
      { description: "Numbers that cannot be written to" },
    ),
    unchecked: Type.Optional(
      Type.Array(Type.String(), {
        description: "Valid numbers about which the network gives no answer now; absent if it was not asked",
        examples: [[]],
      }),
    ),
  },
  { title: "ValidatedNumbers" },
);

/** Checks numbers before a batch is made of them. */
export const batchValidation = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia().use(auth).post(
    "/validate",
    async ({ principal, body: { numbers, channelId } }) => {
      const channel = channelId === undefined ? undefined : await shownChannel(env, principal, channelId);
      return { total: numbers.length, ...(await validateNumbers(env, numbers, channel, principal.environment)) };
    },
    {
      body: ValidateBody,
      response: { 200: ValidatedView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "validateNumbers",
          permission: "bulk-send.write",
          acts: "none: no change",
          isolation: { channelId: "channel" },
          link: "optional",
        }),
        summary: "Check numbers before a batch",
        description:
          "Checks the form of the numbers and, through a connected CHAT_SESSION, whether they exist. Without " +
          "`channelId` only the form is checked.",
      },
    },
  );
