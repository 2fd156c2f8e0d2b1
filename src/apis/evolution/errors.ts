import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { instanceWords } from "../shared/channel-words.ts";
import { SHARED_ERRORS } from "../shared/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

const SHARED = Object.fromEntries(Object.entries(SHARED_ERRORS).map(([code, [status]]) => [code, status])) as Record<
  keyof typeof SHARED_ERRORS,
  number
>;

/** TABLE: the status for every refusal of the core. The refusals that all APIs share have the same status here. */
const STATUS_OF: Record<CoreCode, number> = {
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
const REASONS: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  413: "Payload Too Large",
  422: "Unprocessable Entity",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

type Parts = { message: string | readonly string[]; headers?: Record<string, string> };

/** An error in Evolution's shape. */
export const refuse = (status: number, { message, headers = {} }: Parts): Response =>
  Response.json({ status, error: REASONS[status] ?? "Error", response: { message } }, { status, headers });

/** TABLE: the core's fields as Evolution's clients send them; other paths are already the client's own. */
const FIELDS: readonly (readonly [field: RegExp, own: string])[] = [
  [/^content\.mimeType$/, "mimetype"],
  [/^content\.filename$/, "fileName"],
  [/^content\.question$/, "name"],
  [/^content\.options/, "values"],
  [/^content\.maxSelections$/, "selectableCount"],
  [/^content\.mentions/, "mentioned"],
  [/^content\.contacts\.(\d+)\.name$/, "contact.$1.fullName"],
  [/^content\.contacts\.(\d+)\.phone$/, "contact.$1.phoneNumber"],
  [/^content\.contacts/, "contact"],
  [/^content\.buttons\.(\d+)\.text$/, "buttons.$1.displayText"],
  [/^content\.(sections\.\d+\.rows\.\d+)\.id$/, "$1.rowId"],
  [/^content\./, ""],
];
const fieldOf = (path: string): string => FIELDS.reduce((named, [field, own]) => named.replace(field, own), path);

const textsOf = (issues: readonly Issue[]): string[] =>
  issues.map(({ path, message }) => (path === "" ? message : `${fieldOf(path)} ${message}`)).map(instanceWords);

const refused = (error: AppError): Response => {
  const text = error.code === "UPSTREAM_REFUSED" ? error.message : instanceWords(error.message);
  return refuse(STATUS_OF[error.code], {
    message: error.issues.length > 0 ? textsOf(error.issues) : [text],
    headers: error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) },
  });
};

/** The response to an error of any kind. `asked`: the method and path, for the refusal of an unknown route. */
export const faultResponse = (fault: Fault, asked: string): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(fault.error);
    case "invalid":
      return refuse(400, { message: textsOf(fault.issues) });
    case "malformed":
      return refuse(400, { message: [fault.message] });
    case "too-large":
      return refuse(413, { message: ["The body is too large."] });
    case "long-target":
      return refuse(414, { message: [LONG_TARGET_MESSAGE] });
    case "no-route":
      return refuse(404, { message: [`Cannot ${asked}`] });
    case "broken":
      return refuse(500, { message: ["Something went wrong on our side."] });
  }
};
