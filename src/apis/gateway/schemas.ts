import { type TProperties, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Text, Url } from "../../kernel/schema.ts";
import { EVENT_TYPES } from "./render.ts";

/** Schemas that several routes of this API share. */

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

/** A text of a query, whose meaning the handler checks. */
export const QueryText = Type.Optional(Type.String());

/** The time of a field that its schema has validated. */
export const msOf = (datetime: string | undefined): number | undefined =>
  datetime === undefined ? undefined : Date.parse(datetime);

const ErrorView = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Object({}, { additionalProperties: Type.Unknown() }),
  }),
});

/** The refusals of any authenticated route, for the OpenAPI description. */
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
/** Those of a route that depends on an upstream, which may be unreachable. */
export const UPSTREAM_REFUSALS = { ...REFUSALS, 500: ErrorView, 502: ErrorView };
/** Those of a route that needs an app in the operator's settings. */
export const APP_REFUSALS = { ...UPSTREAM_REFUSALS, 503: ErrorView };
/** The resource existed, and is gone. */
export const GONE = ErrorView;
/** The resource is not ready: the client retries after a second. */
export const NOT_YET = ErrorView;
export const ADMIN_REFUSALS = {
  400: ErrorView,
  403: ErrorView,
  404: ErrorView,
  413: ErrorView,
  429: ErrorView,
  503: ErrorView,
};

/** A JSON body that is read as bytes, because they are signed. */
export const RawJson = Type.Unsafe<Uint8Array>(Type.Any());

/** Refusals in the OpenAPI description of a route whose success has no schema. */
export const refusalsOf = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: `Response for status ${status}`, content: { "application/json": { schema: ErrorView } } },
    ]),
  );

/** A page of a list, with `nextCursor` for the next one. */
export const Page = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Nullable(Type.String()) });

/** The tokens of a call to the account's provider of language models. */
export const TokenUsage = Type.Object({ promptTokens: Type.Integer(), completionTokens: Type.Integer() });

/**
 * A body that may be missing. It allows unknown fields, because Elysia does not remove them from a union.
 */
export const OptionalBody = <Fields extends TProperties>(fields: Fields) =>
  Nullable(Type.Object(fields, { additionalProperties: true }));

/** A response without a body. */
export const Nothing = Type.Void();

/** The waiting deliveries of a webhook will be tried. */
export const RetryView = Type.Object({ id: Type.String(), status: OneOf(["enqueued"]) });
