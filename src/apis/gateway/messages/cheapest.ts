import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { CONTENT } from "../../../contract/content/content.ts";
import { type Accepted, acceptMessage } from "../../../core/messaging/sending/accept.ts";
import {
  type Choice,
  chooseCheapest,
  MOST_COMPARED,
  type Route,
  UNABLE_REASONS,
} from "../../../core/messaging/sending/cheapest.ts";
import { described, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import { DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { IDS, Id } from "../../shared/fields.ts";
import { askedBy } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { SendBody } from "./messages.ts";

const { to, type, content } = SendBody.properties;

const CheapestBody = Type.Object(
  {
    to,
    type: described(type, "The type of the message, which decides what `content` has"),
    content,
    template: Type.Optional(
      described(
        CONTENT.template,
        "The template that a phone sends in place of the content, if its network takes only a template",
      ),
    ),
    phoneIds: Type.Optional(
      Type.Array(Uuid(), {
        minItems: 1,
        maxItems: MOST_COMPARED,
        description: "The phones to choose from; by default the newest 20 of the account",
        examples: [[IDS.phone]],
      }),
    ),
    fallbackAfterMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1440,
        description: "The next cheapest phone sends the template, if the chosen phone does not get through",
      }),
    ),
  },
  { title: "SendCheapest" },
);

const Cost = Type.Object(
  {
    category: Type.String({ description: "The network's category", examples: ["UTILITY"] }),
    currency: Type.String({ description: "ISO 4217", examples: ["BRL"] }),
    amountMicros: Nullable(
      Type.Integer({ description: "Millionths of the currency; null if no price is known", examples: [800000] }),
    ),
  },
  { title: "RouteCost", description: "By today's price list; null if the network charges nothing" },
);
const WAY = {
  phoneId: Id("The phone that sends", "phone"),
  by: OneOf(["content", "template"], { title: "RouteContent", description: "Whether `content` or `template` is sent" }),
  cost: described(
    Type.Unsafe<Static<typeof Cost> | null>(Nullable(Cost)),
    "The network's charge; null if no price is known",
  ),
  isOpenChat: Type.Boolean({ description: "True: a chat with the person is open on this phone" }),
};
const RouteWay = Type.Object(WAY, { title: "RouteWay" });
const CHOICE = {
  chosen: described(RouteWay, "The phone that sends, with its price"),
  fallbackPhoneId: Nullable(
    Type.String({
      description: "The phone of the fallback; null without one",
      examples: ["019a1b2c-1111-4a12-8b22-c32d42e52f03"],
    }),
  ),
  others: Type.Array(RouteWay, { description: "Phones that could send it too, cheapest first" }),
  unable: Type.Array(
    Type.Object(
      {
        phoneId: Id("The phone that cannot send", "phone"),
        reason: OneOf(UNABLE_REASONS, { title: "UnableReason", description: "Why the phone cannot send" }),
      },
      { title: "UnablePhone" },
    ),
    { description: "Phones that cannot send the message, and why" },
  ),
};
const SentCheapest = Type.Object(
  {
    messageId: Id("The message that was accepted", "message"),
    status: OneOf(["QUEUED"], { description: "The message waits to be sent" }),
    ...CHOICE,
  },
  { title: "SentCheapest" },
);
const DryRunCheapest = Type.Object(
  { dryRun: Type.Literal(true, { description: "Nothing was done" }), ...CHOICE },
  { title: "DryRunCheapest" },
);

const routeView = ({ channelId: phoneId, by, price: cost, isOpenChat }: Route): Static<typeof RouteWay> => ({
  phoneId,
  by,
  cost,
  isOpenChat,
});

const choiceView = ({ route, envelope, others, unable }: Choice) => ({
  chosen: routeView(route),
  fallbackPhoneId: envelope.fallback?.channelId ?? null,
  others: others.map(routeView),
  unable: unable.map(({ channelId: phoneId, reason }) => ({ phoneId, reason })),
});

/** Sends through the cheapest phone that can send it. */
export const cheapest = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/messages", tags: ["messages"] }).use(auth).post(
    "/cheapest",
    async ({ principal, body: { phoneIds, ...body }, query, request }) => {
      const choice = await chooseCheapest(env, principal, { ...body, ...(phoneIds ? { channelIds: phoneIds } : {}) });
      const shown = choiceView(choice);
      const isDry = isDryRun(query);
      const sent = (accepted: Accepted) => ({ messageId: accepted.messageId, status: "QUEUED" as const, ...shown });
      const accepted = await acceptMessage(env, principal, choice.envelope, {
        environment: "live",
        mustBeConnected: true,
        ...askedBy(principal, request),
        isDryRun: isDry,
        ...storingAnswer(env, request, (made: Accepted) => ({ status: 202, body: sent(made) })),
      });
      return isDry ? status(200, { dryRun: true as const, ...shown }) : status(202, sent(accepted));
    },
    {
      body: CheapestBody,
      query: DryRunQuery,
      response: { 200: DryRunCheapest, 202: SentCheapest, ...REFUSALS, 500: UPSTREAM_REFUSALS[500] },
      detail: {
        ...route({
          operationId: "sendCheapest",
          acts: "none: daily work",
          isolation: { phoneIds: "channel" },
          countsAsSend: true,
          storesAnswer: true,
          takesDryRun: true,
        }),
        summary: "Send a message through the cheapest phone that can send it",
        description:
          "A chat that is open on a phone, with a message of the last 24 hours, stays there. Otherwise the " +
          "lowest price in the price list decides: a session costs nothing. The answer names the chosen " +
          "phone, and says why the others were not chosen. `content` is checked against `type`, `template` " +
          "as the content of a template. Repeat the request with the header `Idempotency-Key`.",
      },
    },
  );
