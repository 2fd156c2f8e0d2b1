import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { type Json, recordOf } from "../../kernel/texts/json.ts";
import { phoneWords } from "../shared/channel-words.ts";
import { SHARED_ERRORS } from "../shared/errors.ts";
import type { Fault } from "../shared/http/faults.ts";
import { LONG_TARGET_MESSAGE } from "../shared/http/paths.ts";

/**
 * TABLE: the errors of the Cloud API that this API answers with, by their name here: the HTTP status, the code, the
 * title, and the subcode if there is one (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 */
export const GRAPH_ERRORS = {
  unknown: [500, 1, "An unknown error occurred"],
  unavailable: [503, 2, "Service temporarily unavailable"],
  permission: [403, 10, "Permission denied"],
  invalid: [400, 100, "Invalid parameter"],
  missing: [400, 100, "Unsupported request", 33],
  tooLarge: [413, 100, "The request is too large"],
  longTarget: [414, 100, "The address of the request is too long"],
  token: [401, 190, "Invalid OAuth access token"],
  tokenExpired: [401, 190, "Error validating access token: the token has expired", 463],
  noToken: [401, 190, "An access token is required"],
  handshake: [400, 2200, "Callback verification failed"],
  noFile: [404, 100, "The address is no longer valid, or never was", 33],
  path: [400, 2500, "Unknown path components"],
  strangers: [429, 4, "Application request limit reached"],
  calls: [429, 80007, "There have been too many calls to this account"],
  throughput: [429, 130429, "Rate limit hit"],
  failed: [500, 131000, "Something went wrong"],
  denied: [403, 131005, "Access denied"],
  required: [400, 131008, "Required parameter is missing"],
  value: [400, 131009, "Parameter value is not valid"],
  notReady: [503, 131016, "Service unavailable"],
  recipient: [400, 131026, "Message undeliverable"],
  locked: [403, 131031, "Account has been locked"],
  type: [400, 131051, "Unsupported message type"],
  download: [400, 131052, "Media download error"],
  upload: [400, 131053, "Media upload error"],
  template: [404, 132001, "Template name does not exist in the translation"],
  templateParameters: [400, 132000, "Number of parameters does not match the expected number of params"],
  templateFormat: [400, 132012, "Parameter format does not match"],
  templateButton: [400, 132018, "There is an issue with the parameters in your template"],
  templateTooLong: [400, 132005, "The template's text is too long with its values"],
  notRegistered: [400, 133010, "Phone number not registered"],
} as const satisfies Record<string, readonly [status: number, code: number, title: string, subcode?: number]>;
export type GraphError = keyof typeof GRAPH_ERRORS;

/** The error for a status that both other APIs give. */
const ofStatus = (status: number): GraphError => {
  if (status === 404 || status === 410) return "missing";
  if (status === 429) return "throughput";
  if (status === 401 || status === 403) return "denied";
  if (status === 413) return "tooLarge";
  if (status === 502 || status === 503) return "notReady";
  return status >= 500 ? "failed" : "invalid";
};

const SHARED = Object.fromEntries(
  Object.entries(SHARED_ERRORS).map(([code, [status]]) => [code, ofStatus(status)]),
) as Record<keyof typeof SHARED_ERRORS, GraphError>;

/** TABLE: the error for every refusal of the core. The refusals that both other APIs share follow their status. */
const ERROR_MAP: Record<CoreCode, GraphError> = {
  ...SHARED,
  RECIPIENT_OPTED_OUT: "recipient",
  HANDSHAKE_REFUSED: "handshake",
  TENANT_NOT_FOUND: "missing",
  CHANNEL_NOT_FOUND: "missing",
  EVENT_NOT_FOUND: "missing",
  EMAIL_IN_USE: "invalid",
  LOGIN_REFUSED: "token",
  TOO_MANY_GUESSES: "strangers",
  REGISTRATION_CLOSED: "denied",
  ALREADY_MEMBER: "invalid",
  CHANNEL_CREDENTIALS_REQUIRED: "notRegistered",
  CHANNEL_NOT_CONNECTED: "notReady",
  CHANNEL_ALREADY_CONNECTED: "invalid",
  NUMBER_ALREADY_LINKED: "invalid",
  PAIRING_UNAVAILABLE: "notReady",
  RECIPIENT_INVALID: "value",
  ADDRESS_INVALID: "value",
  CONTENT_UNSUPPORTED: "type",
  TEMPLATE_UNSUPPORTED: "template",
  CAPTION_TOO_LARGE: "value",
  MESSAGE_KEY_UNKNOWN: "value",
  SHARED_WEBHOOK_UNKNOWN: "invalid",
  DAY_LIMIT_REACHED: "throughput",
  RECEIVER_NOT_CONFIGURED: "notReady",
  SIGNATURE_REFUSED: "denied",
  TEMPLATE_EXISTS: "invalid",
  TEMPLATE_NOT_APPROVED: "template",
  TEMPLATE_NOT_FOUND: "missing",
  UPSTREAM_REFUSED: "invalid",
  UPSTREAM_TOKEN_REFUSED: "denied",
  UPLOAD_LIMIT_REACHED: "calls",
  LOOKUP_LIMIT_REACHED: "calls",
  OPERATION_LIMIT_REACHED: "calls",
  UPSTREAM_PACE_REACHED: "throughput",
  CHANNEL_EXISTS: "invalid",
  CONTACT_EXISTS: "invalid",
  OPERATION_UNSUPPORTED: "type",
  UPSTREAM_UNSUPPORTED: "type",
};

/** The parts of an error besides its name: the details, and the parameter that they concern. */
type ErrorParts = { details: string; headers: Record<string, string>; traceId: string; ofNetwork: Json };

/** A refusal of this API itself, by its name in the table. */
export class Refused extends Error {
  readonly named: GraphError;

  constructor(named: GraphError, details: string) {
    super(details);
    this.named = named;
  }
}

/** The answer in the envelope of the Cloud API. */
export const graphError = (
  name: GraphError,
  { details, headers = {}, traceId = "", ofNetwork = {} }: Partial<ErrorParts> = {},
): Response => {
  const [status, code, title, subcode] = GRAPH_ERRORS[name] as readonly [number, number, string, number?];
  return Response.json(
    {
      error: {
        message: `(#${code}) ${title}`,
        type: "OAuthException",
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...ofNetwork,
        error_data: { messaging_product: "whatsapp", details: details ?? `${title}.` },
        fbtrace_id: traceId,
      },
    },
    { status, headers },
  );
};

const PASSED_ON = ["message", "code", "error_subcode", "error_user_title", "error_user_msg"];

/** The network's own words and codes for a call that it refused. */
const ofNetwork = ({ details }: AppError): Json =>
  Object.fromEntries(Object.entries(recordOf(details["upstreamError"])).filter(([name]) => PASSED_ON.includes(name)));

/** The core's fields as the Cloud API names them; other paths are already the client's own. */
const PARAMETERS: readonly (readonly [RegExp, string])[] = [
  [/^content\.text$/, "text"],
  [/^content\.mediaUrl$/, "link"],
  [/^content\.mediaHandle$/, "id"],
  [/^content\./, ""],
];
const parameterOf = (path: string): string =>
  PARAMETERS.reduce((named, [form, name]) => named.replace(form, name), path);

/** A message that sends the client to the gateway API keeps that API's names. */
const inParameters = (message: string): string =>
  message.includes("gateway API")
    ? message
    : message.replaceAll(/\bmediaUrl\b/g, "link").replaceAll(/\bmediaHandle\b/g, "id");

/** The issues in words, with the names of the Cloud API. */
export const textOf = (issues: readonly Issue[]): string =>
  phoneWords(
    issues
      .map(({ path, message }) => `${path === "" ? "" : `${parameterOf(path)} `}${inParameters(message)}`)
      .join("; "),
  );

const refused = (error: AppError, traceId: string): Response =>
  graphError(ERROR_MAP[error.code], {
    details: error.issues.length > 0 ? textOf(error.issues) : phoneWords(error.message),
    headers: error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) },
    traceId,
    ofNetwork: ofNetwork(error),
  });

/** The response to an error of any kind. */
export const faultResponse = (fault: Fault, traceId: string): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(fault.error, traceId);
    case "invalid":
      return graphError(fault.issues[0]?.rule === "required" ? "required" : "value", {
        details: textOf(fault.issues),
        traceId,
      });
    case "malformed":
      return graphError("invalid", { details: fault.message, traceId });
    case "too-large":
      return graphError("tooLarge", { traceId });
    case "long-target":
      return graphError("longTarget", { details: LONG_TARGET_MESSAGE, traceId });
    case "no-route":
      return graphError("path", { traceId });
    case "broken":
      return graphError("failed", { traceId });
  }
};
