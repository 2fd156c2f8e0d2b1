import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { validateNumbers } from "../../../core/messaging/batches/batch-validate.ts";
import { AnyText, OneOf } from "../../../kernel/schema.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";
import { MOST_AT_ONCE } from "./batch-schemas.ts";

const ValidateBody = Type.Object({
  numbers: Type.Array(AnyText(), { minItems: 1, maxItems: MOST_AT_ONCE }),
  channelId: Type.Optional(AnyText()),
});
const ValidatedView = Type.Object(
  {
    total: Type.Integer(),
    valid: Type.Array(Type.String()),
    invalid: Type.Array(
      Type.Object(
        { number: Type.String(), reason: OneOf(["invalid_format", "not_on_network"]) },
        { title: "InvalidNumber" },
      ),
    ),
    unchecked: Type.Optional(
      Type.Array(Type.String(), {
        description: "Valid ones of which the network says nothing now; absent where it was not asked",
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
      permission: "bulk-send.write",
      body: ValidateBody,
      response: { 200: ValidatedView, ...REFUSALS },
      detail: {
        ...routeOptions({ link: "optional" }),
        operationId: "validateNumbers",
        summary: "Check numbers before a batch",
        description:
          "Their form, and through a connected CHAT_SESSION whether they exist. Without `channelId` only the " +
          "form is checked.",
      },
    },
  );
