import { Type } from "@sinclair/typebox";
import { numberPattern } from "../../kernel/numbers/phone-numbers.ts";
import { AnyText, described, Nullable, PhoneNumber } from "../../kernel/schema.ts";
import { describedAs } from "../shared/description/json-schema.ts";
import { CODES } from "./errors.ts";

/** Schemas that several routes of this API share. */

export const Instant = Type.String({ format: "date-time" });
export const InstantOrNull = Nullable(Instant);

/** A code of the tables. Clients need a default for codes that a later version adds. */
const ErrorCode = Type.String(
  describedAs({ title: "ErrorCode", enum: [...new Set(Object.values(CODES).flat())].toSorted() }),
);

const ErrorView = Type.Object(
  {
    message: Type.String({
      description: "The failure, for people; the words may change",
      examples: ["The channel was not found."],
    }),
    code: described(ErrorCode, "The failure, as a word", "VALIDATION_ERROR"),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ description: "Nested names are joined by dots", examples: ["to"] }),
            message: Type.String({ description: "The problem", examples: ["is required"] }),
            validation: Type.String({ description: "The short name of the broken rule", examples: ["required"] }),
          },
          { title: "FieldError" },
        ),
        { description: "One for each faulty field" },
      ),
    ),
  },
  { title: "Error" },
);
const WebhookErrorView = Type.Object(
  {
    error: described(ErrorCode, "The code of the refusal", "VALIDATION_ERROR"),
    message: Type.String({
      description: "The failure, for people; the words may change",
      examples: ["The request is not valid."],
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: Type.String({ description: "Nested names are joined by dots", examples: ["url"] }),
            message: Type.String({ description: "The problem", examples: ["must be a URL"] }),
          },
          { title: "WebhookFieldError" },
        ),
        { description: "One for each faulty field" },
      ),
    ),
    retryAfter: Type.Optional(
      Type.Integer({ description: "How many seconds to wait before the next request", examples: [12] }),
    ),
  },
  { title: "WebhookError" },
);
export const TextErrorView = Type.Object(
  {
    error: Type.String({
      description: "The failure, for people; the words may change",
      examples: ["Invalid credentials."],
    }),
    code: Type.Optional(
      Type.String({ description: "Only if a client can act on it", examples: ["SECOND_STEP_REQUIRED"] }),
    ),
  },
  { title: "TextError" },
);
/** The fields of a second step beside a password or a link. */
export const SECOND_STEP_FIELDS = {
  totp: Type.Optional(
    described(AnyText(), "A code of the user's app, if the user has a second step of sign-in", "492039"),
  ),
  recovery: Type.Optional(described(AnyText(), "A recovery code, instead of a code of the app", "ABCD-EFGH-IJKL-MNOP")),
};

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

/** The address of a person whose number the network hides. */
const HIDDEN_PATTERN = "^[0-9]{5,20}@lid$";

/** The recipient of a message: a number, or a person without one. */
export const Addressee = Type.String({
  pattern: `${Recipient.pattern}|${HIDDEN_PATTERN}`,
  description: `${Recipient.description}; or the address of a person without a number, as \`98765432@lid\``,
  examples: ["5511988887777"],
});

export const Nothing = Type.Void();

export const Meta = Type.Object(
  {
    total: Type.Integer({ description: "How many entries the whole list has", examples: [2] }),
    limit: Type.Integer({ description: "How many entries a page has at most", examples: [20] }),
    offset: Type.Integer({ description: "Items before this page", examples: [0] }),
    hasMore: Type.Boolean({ description: "Whether a further page follows", examples: [false] }),
  },
  { title: "PageInfo" },
);

/** The query of a paginated list. */
export const PAGE = {
  page: Type.Optional(
    described(Type.String(describedAs({ type: "integer", minimum: 1, default: 1 })), "The page, from 1"),
  ),
  limit: Type.Optional(
    described(
      Type.String(describedAs({ type: "integer", minimum: 1, maximum: 100, default: 20 })),
      "How many at most; 50 by default, up to 200",
    ),
  ),
};

/** The pagination fields of a page. */
export const metaOf = (rows: number, total: number, { limit, offset }: { limit: number; offset: number }) => ({
  total,
  limit,
  offset,
  hasMore: offset + rows < total,
});
