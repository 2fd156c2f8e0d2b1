import { GraphError } from "../graph/errors.ts";

type Entry = readonly [httpStatus: number, type: "OAuthException" | "IGApiException", message: string];

/**
 * The errors of graph.instagram.com by `code` or `code/subcode`: HTTP status, type and message. If Meta's pages and
 * people's logs disagree on the status, the table has the seen one. A test gets another one by `httpStatus`.
 */
const CATALOGUE: Record<string, Entry> = {
  "1": [500, "OAuthException", "An unknown error has occurred."],
  "1/1357046": [500, "OAuthException", "An unknown error has occurred."],
  "2": [500, "OAuthException", "Service temporarily unavailable"],
  "4": [403, "OAuthException", "Application request limit reached"],
  "10": [403, "IGApiException", "Application does not have permission for this action"],
  "10/2534022": [403, "IGApiException", "This message is sent outside of allowed window."],
  "10/1893063": [403, "IGApiException", "This account is temporarily restricted from sending messages."],
  "10/2534122": [403, "IGApiException", "This account is restricted from sending messages."],
  "10/2018300": [403, "IGApiException", "Another app is controlling this thread now."],
  "100/2534068": [400, "IGApiException", "Several images in one message are not supported."],
  "17": [400, "OAuthException", "User request limit reached"],
  "100": [400, "IGApiException", "Invalid parameter"],
  "100/2534014": [400, "IGApiException", "The requested user cannot be found."],
  "100/2534025": [400, "IGApiException", "The comment is invalid for a private reply."],
  "100/2534029": [400, "IGApiException", "This account is blocked from the Instagram Messaging API."],
  // the two of attachments are Messenger's, because Instagram's own are not documented
  "100/2018008": [400, "IGApiException", "Failed to fetch the file from the url"],
  "100/2018047": [
    400,
    "IGApiException",
    "Upload attachment failure. The media type does not match the type of the file, or the file is too large.",
  ],
  "104": [401, "OAuthException", "An access token is required to request this resource."],
  "190": [401, "OAuthException", "Invalid OAuth access token - Cannot parse access token"],
  "190/458": [401, "OAuthException", "Error validating access token: The user has not authorized application."],
  "190/460": [
    401,
    "OAuthException",
    "Error validating access token: The session has been invalidated because the user changed their password or for security reasons.",
  ],
  "190/463": [401, "OAuthException", "Error validating access token: Session has expired."],
  "190/467": [
    401,
    "OAuthException",
    "Error validating access token: The session is invalid because the user logged out.",
  ],
  "200": [403, "IGApiException", "Permissions error"],
  "200/2534041": [403, "IGApiException", "The owner of this account has disabled access to messages."],
  "230": [400, "IGApiException", "User consent is required to access user profile"],
  "551": [400, "IGApiException", "This person isn't receiving messages from you right now."],
  "613": [429, "OAuthException", "Calls to this api have exceeded the rate limit"],
  "613/2534040": [429, "OAuthException", "Calls to this api have exceeded the rate limit"],
  "2500": [400, "OAuthException", "An active access token must be used to query information about the current user."],
};

const TRANSIENT = new Set([1, 2, 4, 17, 613]);
const UNKNOWN: Entry = [400, "IGApiException", "An unknown error occurred"];

const entryOf = (code: number, subcode: number | undefined): Entry =>
  CATALOGUE[`${code}/${subcode}`] ?? CATALOGUE[String(code)] ?? UNKNOWN;

/** The codes of the catalogue, for tests that walk over them. */
export const ERRORS: readonly { code: number; subcode?: number }[] = Object.keys(CATALOGUE).map((key) => {
  const [code, subcode] = key.split("/").map(Number);
  return { code: code ?? 0, ...(subcode === undefined ? {} : { subcode }) };
});

type ErrorParts = { subcode?: number | undefined; message?: string | undefined; httpStatus?: number | undefined };

/** A refusal in the form of graph.instagram.com. Missing parts come from the catalogue. */
export const refusal = (code: number, { subcode, message, httpStatus }: ErrorParts = {}): GraphError => {
  const [usualStatus, , usualMessage] = entryOf(code, subcode);
  return new GraphError(code, {
    message: message ?? usualMessage,
    httpStatus: httpStatus ?? usualStatus,
    ...(subcode === undefined ? {} : { subcode }),
  });
};

export const invalid = (message: string): GraphError => refusal(100, { message: `(#100) ${message}` });

/** The answer to every call whose method, app or account is not allowed: Instagram does not say which. */
export const unsupported = (method: string): GraphError =>
  refusal(100, { message: `Unsupported request - method type: ${method.toLowerCase()}` });

/** The answer to an id that does not exist or that this token may not see. */
export const unknownObject = (method: string, id: string): GraphError =>
  refusal(100, {
    subcode: 33,
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });

/** A refusal of www.instagram.com and api.instagram.com, which have their own codes. */
export const loginRefusal = (message: string): GraphError => new GraphError(400, { message, httpStatus: 400 });

/** A refusal of the host of attachments: a status and a line of text. */
export const linkRefusal = (httpStatus: number, message: string): GraphError =>
  new GraphError(httpStatus, { message, httpStatus });

/** The body of an error of graph.instagram.com. */
export const envelopeOf = (
  { code, message, parts: { subcode } }: GraphError,
  traceId: string,
): Record<string, unknown> => ({
  error: {
    message,
    type: entryOf(code, subcode)[1],
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(TRANSIENT.has(code) ? { is_transient: true } : {}),
    fbtrace_id: traceId,
  },
});

/** The body of an error of www.instagram.com and api.instagram.com. */
export const loginEnvelopeOf = ({ code, message }: GraphError): Record<string, unknown> => ({
  error_type: "OAuthException",
  code,
  error_message: message,
});
