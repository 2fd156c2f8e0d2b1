import { type TProperties, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Text, Url } from "../../kernel/schema.ts";
import { EVENT_TYPES } from "./render.ts";

/** Shapes that recur in this face. */

export const EventNames = Type.Array(OneOf(EVENT_TYPES), {
  maxItems: 100,
  description: "Event types; empty means all",
});
export const Secret = Text(16, 512, "Key of the HMAC signature");

/** The webhook block of a phone. */
export const WebhookBlock = Type.Object({
  url: Type.Optional(Url()),
  secret: Type.Optional(Secret),
  events: Type.Optional(EventNames),
});

export const Instant = Type.String({ format: "date-time" });
export const InstantOrNull = Nullable(Instant);

/** Something that a query may name; whether it is such a thing is for the handler to say. */
export const QueryText = Type.Optional(Type.String());

/** The time of a field that its schema has found to be one. */
export const msOf = (datetime: string | undefined): number | undefined =>
  datetime === undefined ? undefined : Date.parse(datetime);

const ErrorView = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Object({}, { additionalProperties: Type.Unknown() }),
  }),
});

/** The refusals that any authenticated route may answer, for the description. */
export const REFUSALS = {
  400: ErrorView,
  401: ErrorView,
  402: ErrorView,
  403: ErrorView,
  404: ErrorView,
  409: ErrorView,
  413: ErrorView,
  429: ErrorView,
};
/** The same where the answer depends on an upstream, which may be out of reach. */
export const UPSTREAM_REFUSALS = { ...REFUSALS, 500: ErrorView, 502: ErrorView };
/** The same where the operator must have named an app. */
export const APP_REFUSALS = { ...UPSTREAM_REFUSALS, 503: ErrorView };
/** What is asked for was there, and is no longer. */
export const GONE = ErrorView;
/** What is asked for is on its way: ask again in a second. */
export const NOT_YET = ErrorView;
export const ADMIN_REFUSALS = {
  400: ErrorView,
  403: ErrorView,
  404: ErrorView,
  413: ErrorView,
  429: ErrorView,
  503: ErrorView,
};

/** A body whose bytes are read as they come, because they are signed; it must be JSON all the same. */
export const RawJson = Type.Unsafe<Uint8Array>(Type.Any());

/** Refusals as the description shows them, for a route whose good answer no schema describes. */
export const refusalsOf = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: `Response for status ${status}`, content: { "application/json": { schema: ErrorView } } },
    ]),
  );

/** A page of a list that goes on with `nextCursor`. */
export const Page = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Nullable(Type.String()) });

/** What a call to the account's provider of language models took. */
export const TokenUsage = Type.Object({ promptTokens: Type.Integer(), completionTokens: Type.Integer() });

/**
 * A body that may be missing. Of a choice of shapes unknown keys are not taken away beforehand, so that they have to be
 * allowed.
 */
export const OptionalBody = <Fields extends TProperties>(fields: Fields) =>
  Nullable(Type.Object(fields, { additionalProperties: true }));

/** For answers without a body. */
export const Nothing = Type.Void();

/** What waits for a webhook is on its way to be tried. */
export const RetryView = Type.Object({ id: Type.String(), status: OneOf(["enqueued"]) });
