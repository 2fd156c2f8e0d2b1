import { type TProperties, Type } from "@sinclair/typebox";
import { described, Nullable, OneOf, Text, WebhookUrl } from "../../kernel/schema.ts";
import { describedAs } from "../shared/description/json-schema.ts";
import { Id, limitText } from "../shared/fields.ts";
import { CODES } from "./errors.ts";
import { EVENT_TYPES } from "./events/event-types.ts";

/** Schemas that several routes of this API share. */

export const EventNames = Type.Array(OneOf(EVENT_TYPES, { title: "EventType" }), {
  maxItems: 200,
  description: "Event types; empty means all",
});
export const Secret = described(Text(16, 512), "The key of the HMAC signature", "segredo-de-exemplo");

/** The phone in a path. */
export const PHONE_IN_PATH = { id: Id("The phone, as `GET /v1/phones` lists it", "phone") };

/** The webhook block of a phone. */
export const WebhookBlock = Type.Object(
  {
    url: Type.Optional(
      described(
        WebhookUrl(),
        "A public HTTPS address, or that of a message broker; missing: no webhook",
        "https://padaria-estrela.example/eventos",
      ),
    ),
    secret: Type.Optional(
      described(Text(16, 512), "Key of the HMAC signature; required with `url`", "segredo-de-exemplo"),
    ),
    events: Type.Optional(EventNames),
  },
  { title: "PhoneWebhook" },
);

export { Instant, InstantOrNull } from "./instants.ts";

/** A text of a query, whose meaning the handler checks. */
export const QueryText = Type.Optional(Type.String());

/** The `limit` of a list, as `gatewayLimit` reads it. */
export const QueryLimit = (maximum = 200, fallback = 50) =>
  Type.Optional(
    described(
      Type.String(describedAs({ type: "integer", minimum: 1, maximum, default: fallback })),
      limitText(maximum, fallback),
    ),
  );

/** The time of a field that its schema has validated. */
export const msOf = (datetime: string | undefined): number | undefined =>
  datetime === undefined ? undefined : Date.parse(datetime);

/** A code of the tables. Clients need a default for codes that a later version adds. */
const ErrorCode = Type.String(
  describedAs({ title: "ErrorCode", enum: [...new Set(Object.values(CODES).flat())].toSorted() }),
);

const ErrorView = Type.Object(
  {
    error: described(
      Type.Object(
        {
          code: described(ErrorCode, "The failure, as a word", "VALIDATION_ERROR"),
          message: Type.String({
            description: "The failure, for people; the words may change",
            examples: ["The phone is not connected."],
          }),
          details: described(
            Type.Object({}, { additionalProperties: Type.Unknown() }),
            "More about the refusal; its fields depend on `code`",
          ),
        },
        { title: "ErrorInfo" },
      ),
      "Why the request was refused",
    ),
  },
  { title: "Error" },
);

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
/** The refusals of a route that depends on an upstream, which may be unreachable. */
export const UPSTREAM_REFUSALS = { ...REFUSALS, 500: ErrorView, 502: ErrorView };
/** The refusals of a route that needs an app in the operator's settings. */
export const APP_REFUSALS = { ...UPSTREAM_REFUSALS, 503: ErrorView };
/** Another request or object already holds the requested thing. */
export const CONFLICT = ErrorView;
/** The network cannot be reached through the proxy that a request names. */
export const PROXY_UNREACHABLE = ErrorView;
export const HANDSHAKE_REFUSED = ErrorView;
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

/** A body of a webhook, as its parse hook reads it. `example`: what its sender may send. */
export const RawJsonAs = <Read>(example: object) => Type.Unsafe<Read>(Type.Any({ examples: [example] }));
/** A JSON body that is read as bytes, because they are signed. */
export const RawJson = (example: object) => RawJsonAs<Uint8Array>(example);

type DescribedAnswer = { description: string; content: Record<string, { schema: object }> };

/** An answer in the OpenAPI description of a route whose handler makes the response itself. */
export const answerAs = (description: string, schema: object, type = "application/json"): DescribedAnswer => ({
  description,
  content: { [type]: { schema } },
});
/** A refusal of such a route. */
export const refusalAs = (description: string): DescribedAnswer => answerAs(description, ErrorView);
/** As `refusalAs`, for each of these statuses, in the words of HTTP. */
export const refusalsOf = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, refusalAs(`Response for status ${status}`)]));
/** A file, in a content type of its own. */
export const fileAs = (description: string): DescribedAnswer =>
  answerAs(description, { type: "string", format: "binary" }, "*/*");
export const textAs = (description: string): DescribedAnswer => answerAs(description, { type: "string" }, "text/plain");

/** A page of a list, with `nextCursor` for the next one. */
export const Page = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object(
    {
      items: Type.Array(item, { description: "The entries of this page, in the order of the list" }),
      nextCursor: Nullable(Type.String({ description: "The cursor of the next page; null on the last page" })),
    },
    { title: `${item.title ?? ""}Page` },
  );

/** The tokens of a call to the account's provider of language models. */
export const TokenUsage = Type.Object(
  {
    promptTokens: Type.Integer({ description: "Tokens that went to the model", examples: [120] }),
    completionTokens: Type.Integer({ description: "Tokens that the model wrote", examples: [40] }),
  },
  { title: "TokenUsage" },
);

/**
 * A body that may be missing. It allows unknown fields, because Elysia does not remove them from a union.
 */
export const OptionalBody = <Fields extends TProperties>(fields: Fields) =>
  Nullable(Type.Object(fields, { additionalProperties: true }));

/** A response without a body. */
export const Nothing = Type.Void();

/** The waiting deliveries of a webhook will be tried. */
export const RetryView = Type.Object(
  { id: Id("The webhook's id"), status: OneOf(["enqueued"], { description: "The waiting deliveries are tried soon" }) },
  { title: "EnqueuedRetry" },
);
