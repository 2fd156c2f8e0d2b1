import type { CoreCode } from "../../../kernel/errors.ts";
import { SHARED_ERRORS } from "../errors.ts";

const SHARED = Object.fromEntries(Object.entries(SHARED_ERRORS).map(([code, [status]]) => [code, status])) as Record<
  keyof typeof SHARED_ERRORS,
  number
>;

/**
 * TABLE: the status for every refusal of the core, in the APIs that are compatible with programs of others. The refusals
 * that all APIs share have the same status here.
 */
export const STATUS_OF: Record<CoreCode, number> = {
  ...SHARED,
  TENANT_NOT_FOUND: 404,
  CHANNEL_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  EMAIL_IN_USE: 409,
  LOGIN_REFUSED: 401,
  TOO_MANY_GUESSES: 429,
  REGISTRATION_CLOSED: 403,
  ALREADY_MEMBER: 409,
  CHANNEL_CREDENTIALS_REQUIRED: 400,
  CHANNEL_NOT_CONNECTED: 400,
  CHANNEL_ALREADY_CONNECTED: 400,
  NUMBER_ALREADY_LINKED: 409,
  PAIRING_UNAVAILABLE: 425,
  RECIPIENT_INVALID: 400,
  ADDRESS_INVALID: 400,
  CONTENT_UNSUPPORTED: 400,
  TEMPLATE_UNSUPPORTED: 400,
  CAPTION_TOO_LARGE: 400,
  MESSAGE_KEY_UNKNOWN: 404,
  SHARED_WEBHOOK_UNKNOWN: 409,
  DAY_LIMIT_REACHED: 429,
  RECEIVER_NOT_CONFIGURED: 503,
  SIGNATURE_REFUSED: 403,
  TEMPLATE_EXISTS: 409,
  TEMPLATE_NOT_APPROVED: 400,
  UPSTREAM_REFUSED: 400,
  UPSTREAM_TOKEN_REFUSED: 500,
  UPLOAD_LIMIT_REACHED: 429,
  LOOKUP_LIMIT_REACHED: 429,
  OPERATION_LIMIT_REACHED: 429,
  UPSTREAM_PACE_REACHED: 429,
  CHANNEL_EXISTS: 403,
  CONTACT_EXISTS: 409,
};

/** TABLE: the words of the statuses above. */
export const REASONS: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  408: "Request Timeout",
  413: "Payload Too Large",
  414: "URI Too Long",
  421: "Misdirected Request",
  422: "Unprocessable Entity",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
};
