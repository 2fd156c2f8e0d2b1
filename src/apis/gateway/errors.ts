import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { phoneWords } from "../shared/channel-words.ts";
import { codesByStatus } from "../shared/description/codes.ts";
import { SHARED_ERRORS } from "../shared/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

/** TABLE: the gateway's status and code for every refusal of the core. */
export const ERROR_MAP = {
  ...SHARED_ERRORS,
  TENANT_NOT_FOUND: [404, "ACCOUNT_NOT_FOUND"],
  CHANNEL_NOT_FOUND: [404, "PHONE_NOT_FOUND"],
  EVENT_NOT_FOUND: [404, "DELIVERY_NOT_FOUND"],
  EMAIL_IN_USE: [409, "ALREADY_EXISTS"],
  LOGIN_REFUSED: [401, "AUTH_INVALID"],
  TOO_MANY_GUESSES: [429, "RATE_LIMITED"],
  REGISTRATION_CLOSED: [403, "ADMIN_FORBIDDEN"],
  ALREADY_MEMBER: [409, "ALREADY_EXISTS"],
  CHANNEL_CREDENTIALS_REQUIRED: [400, "WABA_CREDENTIALS_REQUIRED"],
  CHANNEL_NOT_CONNECTED: [409, "PHONE_NOT_CONNECTED"],
  CHANNEL_ALREADY_CONNECTED: [409, "ALREADY_CONNECTED"],
  NUMBER_ALREADY_LINKED: [409, "PHONE_ALREADY_LINKED"],
  PAIRING_UNAVAILABLE: [425, "QR_NOT_READY"],
  RECIPIENT_INVALID: [400, "INVALID_TO"],
  ADDRESS_INVALID: [400, "INVALID_JID"],
  CONTENT_UNSUPPORTED: [400, "UNSUPPORTED_TYPE"],
  TEMPLATE_UNSUPPORTED: [400, "TEMPLATE_NOT_SUPPORTED_SESSION"],
  CAPTION_TOO_LARGE: [400, "CAPTION_TOO_LARGE"],
  MESSAGE_KEY_UNKNOWN: [404, "MESSAGE_KEY_NOT_FOUND"],
  SHARED_WEBHOOK_UNKNOWN: [409, "FK_VIOLATION"],
  DAY_LIMIT_REACHED: [429, "RATE_LIMITED"],
  RECEIVER_NOT_CONFIGURED: [503, "UPSTREAM_APP_NOT_CONFIGURED"],
  SIGNATURE_REFUSED: [403, "SIGNATURE_INVALID"],
  TEMPLATE_EXISTS: [409, "ALREADY_EXISTS"],
  TEMPLATE_NOT_APPROVED: [400, "TEMPLATE_NOT_APPROVED"],
  UPSTREAM_REFUSED: [400, "UPSTREAM_BAD_REQUEST"],
  UPSTREAM_TOKEN_REFUSED: [500, "WABA_TOKEN_INVALID"],
  UPLOAD_LIMIT_REACHED: [429, "RATE_LIMITED"],
  LOOKUP_LIMIT_REACHED: [429, "RATE_LIMITED"],
  OPERATION_LIMIT_REACHED: [429, "RATE_LIMITED"],
  UPSTREAM_PACE_REACHED: [429, "RATE_LIMITED"],
  CHANNEL_EXISTS: [409, "ALREADY_EXISTS"],
  CONTACT_EXISTS: [409, "ALREADY_EXISTS"],
} as const satisfies Record<CoreCode, readonly [number, string]>;

/** This API's code for a stored refusal of the core; any other text unchanged. */
export const codeOf = (code: string): string =>
  Object.hasOwn(ERROR_MAP, code) ? ERROR_MAP[code as CoreCode][1] : code;

/** TABLE: the refusals of this API alone, with their status and message. */
export const OWN = {
  AUTH_MISSING: [401, "The header X-API-Key is missing."],
  AUTH_INVALID: [401, "The API key or token is not known."],
  AUTH_REVOKED: [401, "The API key has been revoked."],
  AUTH_EXPIRED: [401, "The API key has expired."],
  KEY_ADDRESS_FORBIDDEN: [403, "The API key may not be used from this address."],
  KEY_SCOPE_MISSING: [403, "The API key may not do this."],
  ACCOUNT_SUSPENDED: [402, "The account is suspended for unpaid invoices."],
  ACCOUNT_INACTIVE: [403, "The account is not active."],
  ADMIN_FORBIDDEN: [403, "The admin token is missing or wrong."],
  ADMIN_DISABLED: [503, "This server has no admin token."],
  RATE_LIMITED: [429, "Too many requests in this minute."],
  NOT_FOUND: [404, "There is no such route."],
  METHOD_NOT_ALLOWED: [405, "The route does not take this method."],
  PAYLOAD_TOO_LARGE: [413, "The body is too large."],
  URI_TOO_LONG: [414, LONG_TARGET_MESSAGE],
  MISSING_PHONE_ID: [400, "The header X-Phone-Id is missing."],
  FORBIDDEN: [403, "The verify token is wrong."],
  INTERNAL_ERROR: [500, "Something went wrong on our side."],
} as const;

/** The codes of each status, for the description. */
export const CODES = codesByStatus(ERROR_MAP, OWN);

export type GatewayCode = keyof typeof OWN;

type ErrorParts = { code: string; message: string; details?: object; headers?: Record<string, string> };

const answer = (status: number, { code, message, details = {}, headers = {} }: ErrorParts): Response =>
  Response.json({ error: { code, message, details } }, { status, headers });

/** A refusal of this API itself. */
export const refuse = (
  code: GatewayCode,
  headers: Record<string, string> = {},
  details: object = {},
  message: string = OWN[code][1],
): Response => answer(OWN[code][0], { code, message, headers, details });

/** Field errors by the first name of their path, as clients of such APIs expect them. */
const fieldErrorsOf = (issues: readonly Issue[]): { formErrors: string[]; fieldErrors: Record<string, string[]> } => {
  const fieldErrors = Object.create(null) as Record<string, string[]>;
  const formErrors: string[] = [];
  for (const { path, message } of issues) {
    const [field, ...rest] = path.split(".");
    const text = phoneWords(message);
    if (!field) formErrors.push(text);
    else (fieldErrors[field] ??= []).push(rest.length > 0 ? `${rest.join(".")} ${text}` : text);
  }
  return { formErrors, fieldErrors };
};

const NETWORKS_WORDS: ReadonlySet<CoreCode> = new Set(["UPSTREAM_REFUSED", "PROCESSOR_REFUSED"]);

const invalid = (issues: readonly Issue[]): Response =>
  answer(400, { code: "VALIDATION_ERROR", message: "The request is not valid.", details: fieldErrorsOf(issues) });

const refused = (error: AppError): Response => {
  const [status, code] = ERROR_MAP[error.code];
  const details = error.issues.length > 0 ? fieldErrorsOf(error.issues) : error.details;
  const headers = error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) };
  return answer(status, {
    code,
    message: NETWORKS_WORDS.has(error.code) ? error.message : phoneWords(error.message),
    details,
    headers,
  });
};

/** The response to an error. `isKnownPath` distinguishes a wrong method from a wrong path. */
export const faultResponse = (fault: Fault, isKnownPath: boolean): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(fault.error);
    case "invalid":
      return invalid(fault.issues);
    case "malformed":
      return answer(400, {
        code: "VALIDATION_ERROR",
        message: fault.message,
        details: { formErrors: [fault.message], fieldErrors: {} },
      });
    case "too-large":
      return refuse("PAYLOAD_TOO_LARGE");
    case "long-target":
      return refuse("URI_TOO_LONG");
    case "no-route":
      return refuse(isKnownPath ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
    case "broken":
      return refuse("INTERNAL_ERROR");
  }
};
