import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import type { Estimate } from "../../../core/billing/estimate.ts";
import { FORECAST_REFUSALS, type Forecast, forecastBatch } from "../../../core/billing/forecast.ts";
import { limitsOf } from "../../../core/tenancy/accounts/plans.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { AnyText, Nullable, OneOf, Text, Time } from "../../../kernel/schema.ts";
import type { PlatformAuth } from "../auth.ts";
import { shownChannel } from "../channels.ts";
import type { PlatformEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";
import { LONGEST_DELAY_MS, SHORTEST_DELAY_MS } from "./batch-schemas.ts";

/** How many recipients a batch has at most. */
const MOST_RECIPIENTS = 10_000;

const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({ ...schema, description });

const Template = Type.Object(
  { name: Text(1, 512), language: Type.Optional(Text(2, 20)) },
  { title: "ForecastTemplate", description: "One of the channel's templates; without one, a text is sent" },
);
const ForecastBody = Type.Object({
  channelId: AnyText(),
  to: Type.Array(Text(1, 200), { minItems: 1, maxItems: MOST_RECIPIENTS }),
  template: Type.Optional(Template),
  startsAt: Type.Optional(
    described(Time(), "When the first message would be sent, in the future and at most a year ahead"),
  ),
  delay: Type.Optional(Type.Integer({ minimum: SHORTEST_DELAY_MS, maximum: LONGEST_DELAY_MS })),
  respectHours: Type.Optional(Type.Boolean()),
  fallback: Type.Optional(
    Type.Object(
      { channelId: AnyText(), template: Template },
      { title: "ForecastFallback", description: "The template that another channel may send in place of each message" },
    ),
  ),
});

const Cost = Type.Object(
  {
    isCharged: Type.Boolean({ description: "False where the network does not charge for messages" }),
    category: Type.String(),
    currency: Type.String({ description: "ISO 4217" }),
    amountMicros: Type.Integer({ description: "Millionths of the currency" }),
    rated: Type.Integer({ description: "Recipients with a known price" }),
    unrated: Type.Integer({ description: "Recipients without one: they are not in the amount" }),
    byCountry: Type.Array(
      Type.Object(
        {
          country: Type.String({ description: "ISO 3166" }),
          count: Type.Integer({ description: "How many recipients" }),
          amountMicros: Type.Integer({ description: "Millionths of the currency" }),
        },
        { title: "ForecastCountry" },
      ),
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
          code: OneOf(FORECAST_REFUSALS, { title: "ForecastRefusalCode" }),
          count: Type.Integer({ description: "How many recipients; of a limit: by how many it is exceeded" }),
          isWhole: Type.Boolean({ description: "True: the batch is refused whole" }),
        },
        { title: "ForecastRefusal" },
      ),
      { description: "What is going to be refused, by reason" },
    ),
    cost: Cost,
    fallbackCost: described(
      Type.Unsafe<Static<typeof Cost> | null>(Nullable(Cost)),
      "What the fallback costs at most besides: for every recipient; null without one",
    ),
    startsAt: Instant,
    endsAt: described(Instant, "When the last message is sent, at the pace and in business hours"),
    latestEndsAt: described(
      InstantOrNull,
      "The same when everybody is new to the phone, and its daily number of new chats counts; null without one",
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

/** What a batch would cost, how long it would take, and what would be refused. */
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
      const { messagesPerDay } = limitsOf(principal.plan);
      return forecastView(await forecastBatch(env, principal, planned, { messagesPerDay }));
    },
    {
      perMinute: 30,
      permission: "bulk-send.write",
      body: ForecastBody,
      response: { 200: ForecastView, ...REFUSALS },
      detail: {
        ...routeOptions({ link: "optional" }),
        operationId: "forecastBatch",
        summary: "Forecast a batch: its price, its time, and what would be refused",
        description:
          "Nothing is made. The price is that of the price list, by country; a price that is not known is counted in " +
          "`unrated`, and is never 0.",
      },
    },
  );
