import type { AppError, CoreCode } from "../../../kernel/errors.ts";
import type { Issue } from "../../../kernel/schema.ts";
import { SHARED_ERRORS } from "../errors.ts";
import type { Fault } from "../http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../http/paths.ts";

const SHARED = Object.fromEntries(Object.entries(SHARED_ERRORS).map(([code, [status]]) => [code, status])) as Record<
  keyof typeof SHARED_ERRORS,
  number
>;

/**
 * TABLE: the status for every refusal of the core, in the APIs that are compatible with programs of others. The refusals
 * that all APIs share have the same status here.
 */
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

type Message = string | readonly string[];
type Parts = { message: Message; headers?: Record<string, string> };

/** How the errors of one such API look. */
export type ErrorForm = {
  /** The body of an error. `reason`: the words of its status. */
  bodyOf: (error: { status: number; reason: string; message: Message }) => object;
  /** The core's words in this API. */
  words: (text: string) => string;
  /** TABLE: the core's fields as the clients of this API send them; other paths are already the client's own. */
  fields: readonly (readonly [field: RegExp, own: string])[];
  /** TABLE: the statuses that these clients expect where the others have others. */
  ownStatus?: Readonly<Partial<Record<CoreCode, number>>>;
  /** Whether a text alone is a list, as the texts about fields are. */
  hasListsOnly: boolean;
};

/** The errors of an API that is compatible with programs of others. */
export const errorsOf = ({ bodyOf, words, fields, ownStatus = {}, hasListsOnly }: ErrorForm) => {
  const refuse = (status: number, { message, headers = {} }: Parts): Response =>
    Response.json(bodyOf({ status, reason: REASONS[status] ?? "Error", message }), { status, headers });

  const fieldOf = (path: string): string => fields.reduce((named, [field, own]) => named.replace(field, own), path);

  const textsOf = (issues: readonly Issue[]): string[] =>
    issues.map(({ path, message }) => (path === "" ? message : `${fieldOf(path)} ${message}`)).map(words);

  const alone = (text: string): Message => (hasListsOnly ? [text] : text);

  const refused = (error: AppError): Response => {
    const text = error.code === "UPSTREAM_REFUSED" ? error.message : words(error.message);
    return refuse(ownStatus[error.code] ?? STATUS_OF[error.code], {
      message: error.issues.length > 0 ? textsOf(error.issues) : alone(text),
      headers: error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) },
    });
  };

  const faultResponse = (fault: Fault, asked: string): Response => {
    switch (fault.kind) {
      case "refused":
        return refused(fault.error);
      case "invalid":
        return refuse(400, { message: textsOf(fault.issues) });
      case "malformed":
        return refuse(400, { message: alone(fault.message) });
      case "too-large":
        return refuse(413, { message: alone("The body is too large.") });
      case "long-target":
        return refuse(414, { message: alone(LONG_TARGET_MESSAGE) });
      case "no-route":
        return refuse(404, { message: alone(`Cannot ${asked}`) });
      case "broken":
        return refuse(500, { message: alone("Something went wrong on our side.") });
    }
  };

  return {
    /** An error in the shape of this API. */
    refuse,
    /** The response to an error of any kind. `asked`: the method and path, for the refusal of an unknown route. */
    faultResponse,
  };
};
