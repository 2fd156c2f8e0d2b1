import { Type } from "@sinclair/typebox";
import { numberPattern } from "../../kernel/numbers/phone-numbers.ts";
import { AnyText, Nullable, PhoneNumber } from "../../kernel/schema.ts";
import { describedAs } from "../shared/description/json-schema.ts";
import { CODES } from "./errors.ts";

/** Schemas that several routes of this API share. */

export const Instant = Type.String({ format: "date-time" });
export const InstantOrNull = Nullable(Instant);

/** A code of the tables. Clients keep a default for one that a later version adds. */
const ErrorCode = Type.String(
  describedAs({ title: "ErrorCode", enum: [...new Set(Object.values(CODES).flat())].toSorted() }),
);

const ErrorView = Type.Object(
  {
    message: Type.String(),
    code: ErrorCode,
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { path: Type.String(), message: Type.String(), validation: Type.String() },
          { title: "FieldError" },
        ),
      ),
    ),
  },
  { title: "Error" },
);
const WebhookErrorView = Type.Object(
  {
    error: ErrorCode,
    message: Type.String(),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, { title: "WebhookFieldError" })),
    ),
    retryAfter: Type.Optional(Type.Integer()),
  },
  { title: "WebhookError" },
);
export const TextErrorView = Type.Object(
  {
    error: Type.String(),
    code: Type.Optional(
      Type.String({ description: "Only where a client can act on it", examples: ["SECOND_STEP_REQUIRED"] }),
    ),
  },
  { title: "TextError" },
);
/** What a door takes beside a password or a link. */
export const SECOND_STEP_FIELDS = { totp: Type.Optional(AnyText()), recovery: Type.Optional(AnyText()) };

/** The refusals of any authenticated route, for the OpenAPI description. */
export const REFUSALS = {
  400: ErrorView,
  401: ErrorView,
  403: ErrorView,
  404: ErrorView,
  409: ErrorView,
  429: ErrorView,
};
export const WEBHOOK_REFUSALS = {
  400: WebhookErrorView,
  401: WebhookErrorView,
  403: ErrorView,
  404: ErrorView,
  429: WebhookErrorView,
};

const DIGITS = { min: 8, max: 15 };
export const NUMBER_PATTERN = numberPattern(DIGITS);

/** A person's phone number. */
export const Recipient = PhoneNumber(DIGITS);

/** The address of a person whose number the network keeps to itself. */
const HIDDEN_PATTERN = "^[0-9]{5,20}@lid$";

/** Whom a message goes to: a number, or a person without one. */
export const Addressee = Type.String({
  pattern: `${Recipient.pattern}|${HIDDEN_PATTERN}`,
  description: `${Recipient.description}; or the address of a person without a number, as \`98765432@lid\``,
});

export const Nothing = Type.Void();

export const Meta = Type.Object(
  {
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    hasMore: Type.Boolean(),
  },
  { title: "PageInfo" },
);

/** The query of a paginated list. */
export const PAGE = {
  page: Type.Optional(Type.String(describedAs({ type: "integer", minimum: 1, default: 1 }))),
  limit: Type.Optional(Type.String(describedAs({ type: "integer", minimum: 1, maximum: 100, default: 20 }))),
};

/** The pagination fields of a page. */
export const metaOf = (rows: number, total: number, { limit, offset }: { limit: number; offset: number }) => ({
  total,
  limit,
  offset,
  hasMore: offset + rows < total,
});
