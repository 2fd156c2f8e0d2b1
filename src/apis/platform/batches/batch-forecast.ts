import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import type { Estimate } from "../../../core/billing/costs/estimate.ts";
import { FORECAST_REFUSALS, type Forecast, forecastBatch } from "../../../core/billing/costs/forecast.ts";
import { planLimits } from "../../../core/tenancy/accounts/plans.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { AnyText, described, Nullable, OneOf, Text, Time } from "../../../kernel/schema.ts";
import { IDS } from "../../shared/fields.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";
import { LONGEST_DELAY_MS, SHORTEST_DELAY_MS } from "./batch-schemas.ts";

/** The maximum number of recipients of a batch. */
const MOST_RECIPIENTS = 10_000;

const Template = Type.Object(
  {
    name: described(Text(1, 512), "The name of an approved template", "confirmacao_pedido"),
    language: Type.Optional(described(Text(2, 20), "A language code, such as pt_BR", "pt_BR")),
  },
  { title: "ForecastTemplate", description: "One of the channel's templates; without one, a text is sent" },
);
const ForecastBody = Type.Object({
  channelId: described(AnyText(), "The channel that would send", IDS.phone),
  to: Type.Array(Text(1, 200), {
    minItems: 1,
    maxItems: MOST_RECIPIENTS,
    description: "The numbers of the recipients",
    examples: [["5511988887777"]],
  }),
  template: Type.Optional(described(Template, "The template that would be sent")),
  startsAt: Type.Optional(
    described(Time(), "When the first message would be sent, in the future and at most a year ahead"),
  ),
  delay: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_DELAY_MS,
      maximum: LONGEST_DELAY_MS,
      description: "Milliseconds between two messages",
      examples: [3000],
    }),
  ),
  respectHours: Type.Optional(Type.Boolean({ description: "Whether business hours apply to it" })),
  fallback: Type.Optional(
    described(
      Type.Object(
        {
          channelId: described(AnyText(), "The official channel that would send the template", IDS.phone),
          template: described(Template, "The template that would be sent"),
        },
        {
          title: "ForecastFallback",
          description: "The template that another channel may send in place of each message",
        },
      ),
      "The fallback for messages that do not get through",
    ),
  ),
});

const Cost = Type.Object(
  {
    isCharged: Type.Boolean({ description: "False if the network does not charge for messages" }),
    category: Type.String({ description: "The network's category of the messages", examples: ["UTILITY"] }),
    currency: Type.String({ description: "The currency of the amounts, by ISO 4217", examples: ["BRL"] }),
    amountMicros: Type.Integer({ description: "Millionths of the currency", examples: [80_000] }),
    rated: Type.Integer({ description: "Recipients with a known price", examples: [2] }),
    unrated: Type.Integer({
      description: "Recipients without a known price: they are not in the amount",
      examples: [0],
    }),
    byCountry: Type.Array(
      Type.Object(
        {
          country: Type.String({ description: "The recipients' country, by ISO 3166", examples: ["BR"] }),
          count: Type.Integer({ description: "How many recipients are in the country", examples: [2] }),
          amountMicros: Type.Integer({ description: "Millionths of the currency", examples: [80_000] }),
        },
        { title: "ForecastCountry" },
      ),
      { description: "The cost of each country, the most expensive first" },
    ),
  },
  { title: "ForecastCost", description: "By the price list of today: an estimate, and never an amount that is due" },
);
const ForecastView = Type.Object(
  {
    recipients: Type.Integer({ description: "How many people would get a message" }),
    refused: Type.Array(
      Type.Object(
        {
          code: OneOf(FORECAST_REFUSALS, {
            title: "ForecastRefusalCode",
            description: "Why the batch would be refused",
          }),
          count: Type.Integer({
            description: "The number of recipients; for a limit, the number above the limit",
            examples: [2],
          }),
          isWhole: Type.Boolean({ description: "True: the batch is refused whole" }),
        },
        { title: "ForecastRefusal" },
      ),
      { description: "Recipients who would be refused, by reason" },
    ),
    cost: described(Cost, "The network's charge for all messages"),
    fallbackCost: described(
      Type.Unsafe<Static<typeof Cost> | null>(Nullable(Cost)),
      "The maximum price of the fallback, for every recipient; null without a fallback",
    ),
    startsAt: described(Instant, "When the first message would be sent"),
    endsAt: described(Instant, "When the last message is sent, at the pace and in business hours"),
    latestEndsAt: described(
      InstantOrNull,
      "The end if everybody is new to the phone and its daily limit of new chats applies; null without " +
        "such a limit",
    ),
  },
  { title: "BatchForecast" },
);

const costView = ({ byCountry, ...rest }: Estimate) => ({ ...rest, byCountry: [...byCountry] });

const forecastView = ({ cost, fallbackCost, ...rest }: Forecast): Static<typeof ForecastView> => ({
  ...rest,
  cost: costView(cost),
  fallbackCost: fallbackCost && costView(fallbackCost),
  startsAt: iso(rest.startsAt),
  endsAt: iso(rest.endsAt),
  latestEndsAt: isoOrNull(rest.latestEndsAt),
});

const withLanguage = ({ name, language = DEFAULT_LANGUAGE }: Static<typeof Template>) => ({ name, language });

/** The cost and the duration of a batch, and its refused recipients, before it is sent. */
export const batchForecast = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia().use(auth).post(
    "/forecast",
    async ({ principal, body: { channelId, to, template, startsAt, delay, respectHours, fallback } }) => {
      await shownChannel(env, principal, channelId);
      if (fallback) await shownChannel(env, principal, fallback.channelId);
      const planned = {
        channelId,
        to,
        ...(template ? { template: withLanguage(template) } : {}),
        ...(startsAt === undefined ? {} : { startsAt: Date.parse(startsAt) }),
        ...(delay === undefined ? {} : { delayMs: delay }),
        ...(respectHours === undefined ? {} : { respectHours }),
        ...(fallback ? { fallback: { channelId: fallback.channelId, template: withLanguage(fallback.template) } } : {}),
      };
      const { messagesPerDay } = planLimits(principal.plan);
      return forecastView(await forecastBatch(env, principal, planned, { messagesPerDay }));
    },
    {
      body: ForecastBody,
      response: { 200: ForecastView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "forecastBatch",
          perMinute: 30,
          permission: "bulk-send.write",
          acts: "none: no change",
          isolation: { channelId: "channel" },
          link: "optional",
        }),
        summary: "Forecast a batch: its price, its time, and what would be refused",
        description:
          "Nothing is created. The price comes from the price list, by country. An unknown price is counted " +
          "in `unrated`, and is never 0.",
      },
    },
  );
