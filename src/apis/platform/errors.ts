import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { codesByStatus } from "../shared/description/codes.ts";
import { SHARED_ERRORS } from "../shared/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

/** TABLE: the platform's status and code for every refusal of the core. */
export const ERROR_MAP = {
  ...SHARED_ERRORS,
  TENANT_NOT_FOUND: [404, "INSTITUTION_NOT_FOUND"],
  CHANNEL_NOT_FOUND: [404, "CHANNEL_NOT_FOUND"],
  EVENT_NOT_FOUND: [404, "EVENT_NOT_FOUND"],
  EMAIL_IN_USE: [400, "EMAIL_IN_USE"],
  LOGIN_REFUSED: [401, "UNAUTHORIZED"],
  TOO_MANY_GUESSES: [429, "RATE_LIMIT_EXCEEDED"],
  REGISTRATION_CLOSED: [403, "REGISTRATION_CLOSED"],
  ALREADY_MEMBER: [409, "ALREADY_MEMBER"],
  CHANNEL_CREDENTIALS_REQUIRED: [400, "VALIDATION_ERROR"],
  CHANNEL_NOT_CONNECTED: [409, "CHANNEL_NOT_CONNECTED"],
  CHANNEL_ALREADY_CONNECTED: [409, "CHANNEL_ALREADY_CONNECTED"],
  NUMBER_ALREADY_LINKED: [409, "CHANNEL_ALREADY_CONNECTED"],
  PAIRING_UNAVAILABLE: [503, "QR_NOT_AVAILABLE"],
  RECIPIENT_INVALID: [400, "VALIDATION_ERROR"],
  ADDRESS_INVALID: [400, "VALIDATION_ERROR"],
  CONTENT_UNSUPPORTED: [400, "VALIDATION_ERROR"],
  TEMPLATE_UNSUPPORTED: [400, "VALIDATION_ERROR"],
  CAPTION_TOO_LARGE: [400, "VALIDATION_ERROR"],
  MESSAGE_KEY_UNKNOWN: [404, "MESSAGE_NOT_FOUND"],
  SHARED_WEBHOOK_UNKNOWN: [404, "WEBHOOK_NOT_FOUND"],
  DAY_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  RECEIVER_NOT_CONFIGURED: [503, "NOT_CONFIGURED"],
  SIGNATURE_REFUSED: [403, "FORBIDDEN"],
  TEMPLATE_EXISTS: [409, "TEMPLATE_EXISTS"],
  TEMPLATE_NOT_APPROVED: [400, "VALIDATION_ERROR"],
  UPSTREAM_REFUSED: [400, "VALIDATION_ERROR"],
  UPSTREAM_TOKEN_REFUSED: [502, "UPSTREAM_UNAVAILABLE"],
  UPLOAD_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  LOOKUP_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  OPERATION_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  UPSTREAM_PACE_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  CHANNEL_EXISTS: [409, "CHANNEL_EXISTS"],
  CONTACT_EXISTS: [409, "CONTACT_ALREADY_EXISTS"],
} as const satisfies Record<CoreCode, readonly [number, string]>;

/** The field of a refusal without issues, for the bodies that name fields. */
const FIELD: Partial<Record<CoreCode, { path: string; rule: string }>> = {
  CHANNEL_CREDENTIALS_REQUIRED: { path: "credentials", rule: "required" },
  RECIPIENT_INVALID: { path: "to", rule: "pattern" },
  ADDRESS_INVALID: { path: "to", rule: "pattern" },
  CONTENT_UNSUPPORTED: { path: "channelId", rule: "enum" },
  TEMPLATE_UNSUPPORTED: { path: "channelId", rule: "enum" },
  CAPTION_TOO_LARGE: { path: "text", rule: "maxLength" },
  TEMPLATE_NOT_APPROVED: { path: "name", rule: "enum" },
};

/**
 * The shape of this API's errors, by route. `text`: register and login, `{error}`. `webhooks`: `{error: code, message,
 * …}`. `logs`: `{message, code, …}` as elsewhere, but any failed authentication is UNAUTHORIZED.
 */
export type ErrorShape = "text" | "webhooks" | "logs" | "plain";

/** TABLE: the refusals of this API alone, with their status and message. */
export const OWN = {
  AUTHENTICATION_REQUIRED: [401, "The header Authorization is missing."],
  UNAUTHORIZED: [401, "The credentials are missing or not valid."],
  INVALID_API_KEY: [401, "The API key is not known, has expired or was revoked."],
  INVALID_TOKEN: [401, "The token is not valid or has expired."],
  FORBIDDEN_PERMISSION: [403, "The credentials do not allow this."],
  ACCOUNT_INACTIVE: [403, "The institution's account is not active."],
  RATE_LIMIT_EXCEEDED: [429, "Too many requests."],
  NOT_FOUND: [404, "There is no such route."],
  METHOD_NOT_ALLOWED: [405, "The route does not take this method."],
  PAYLOAD_TOO_LARGE: [413, "The body is too large."],
  URI_TOO_LONG: [414, LONG_TARGET_MESSAGE],
  INTERNAL_ERROR: [500, "Something went wrong on our side."],
} as const;

/** The codes of each status, for the description. */
export const CODES = codesByStatus(ERROR_MAP, OWN);

export type PlatformCode = keyof typeof OWN;

type ErrorParts = {
  status: number;
  code: string;
  message: string;
  issues?: readonly Issue[];
  retryAfterSeconds?: number;
};

const bodyOf = (shape: ErrorShape, { code, message, issues, retryAfterSeconds, status }: ErrorParts): object => {
  if (shape === "text")
    return {
      error: issues?.[0] ? `${issues[0].path} ${issues[0].message}`.trim() : message,
      ...(code === ERROR_MAP.SECOND_STEP_REQUIRED[1] ? { code } : {}),
    };
  if (shape === "webhooks" && (status === 400 || status === 401 || status === 429)) {
    return {
      error: code,
      message,
      ...(issues ? { details: issues.map((one) => ({ field: one.path, message: one.message })) } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    };
  }
  return {
    message,
    code,
    ...(issues
      ? { errors: issues.map((one) => ({ path: one.path, message: one.message, validation: one.rule })) }
      : {}),
  };
};

const answer = (shape: ErrorShape, routeOptions: ErrorParts): Response =>
  Response.json(bodyOf(shape, routeOptions), {
    status: routeOptions.status,
    headers:
      routeOptions.retryAfterSeconds === undefined ? {} : { "Retry-After": String(routeOptions.retryAfterSeconds) },
  });

/** A refusal of this API itself. */
export const refuse = (
  shape: ErrorShape,
  code: PlatformCode,
  routeOptions: { message?: string; retryAfterSeconds?: number } = {},
): Response =>
  answer(shape, {
    status: OWN[code][0],
    code,
    message: routeOptions.message ?? OWN[code][1],
    ...(routeOptions.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: routeOptions.retryAfterSeconds }),
  });

const invalid = (shape: ErrorShape, issues: readonly Issue[], message = "The request is not valid."): Response =>
  answer(shape, { status: 400, code: "VALIDATION_ERROR", message, issues: issues.map(ownField) });

/** Removes `content` from the paths of issues: in this API the fields of the content are fields of the body. */
const ownField = (one: Issue): Issue => ({ ...one, path: one.path.replace(/^content\./, "") });

const refused = (shape: ErrorShape, error: AppError): Response => {
  const [status, code] = ERROR_MAP[error.code];
  const field = FIELD[error.code];
  if (code === "VALIDATION_ERROR")
    return invalid(
      shape,
      error.issues.length > 0 || !field
        ? error.issues
        : [{ path: field.path, rule: field.rule as Issue["rule"], message: error.message }],
      error.message,
    );
  return answer(shape, {
    status,
    code,
    message: error.message,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
};

/** The response to an error, in the shape of its route. */
export const faultResponse = (shape: ErrorShape, fault: Fault, isKnownPath: boolean): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(shape, fault.error);
    case "invalid":
      return invalid(shape, fault.issues);
    case "malformed":
      return invalid(shape, [], fault.message);
    case "too-large":
      return refuse(shape, "PAYLOAD_TOO_LARGE");
    case "long-target":
      return refuse(shape, "URI_TOO_LONG");
    case "no-route":
      return refuse(shape, isKnownPath ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
    case "broken":
      return refuse(shape, "INTERNAL_ERROR");
  }
};
