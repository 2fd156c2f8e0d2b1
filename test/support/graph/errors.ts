/**
 * The Graph API's errors by code: the title it shows and the HTTP status it answers with. One table for synchronous
 * answers and for the `errors[]` of failed statuses. Throttling answers 400, as the documents' table says; a test that
 * wants the 429 of the OpenAPI file asks for it by `httpStatus`.
 */
const CATALOGUE: Record<number, readonly [httpStatus: number, title: string]> = {
  0: [401, "AuthException"],
  1: [400, "API Unknown"],
  2: [503, "API Service"],
  3: [500, "API Method"],
  4: [400, "Application request limit reached"],
  10: [403, "Application does not have permission for this action"],
  17: [400, "User request limit reached"],
  33: [400, "Parameter value is not valid"],
  100: [400, "Invalid parameter"],
  101: [400, "Error validating application. Invalid application ID."],
  104: [401, "An access token is required to request this resource."],
  190: [401, "Invalid OAuth access token - Cannot parse access token"],
  200: [403, "Permissions error"],
  368: [403, "Temporarily blocked for policies violations"],
  613: [429, "Calls to this api have exceeded the rate limit"],
  803: [404, "Some of the aliases you requested do not exist"],
  2046: [400, "The order's status cannot change so"],
  2047: [400, "Unknown order reference"],
  2200: [400, "Callback verification failed"],
  2500: [401, "An active access token must be used to query information about the current user."],
  80007: [400, "Rate limit issues"],
  130429: [400, "Rate limit hit"],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, "Business account is restricted from messaging users in this country"],
  131000: [500, "Something went wrong"],
  131005: [403, "Access denied"],
  131008: [400, "Required parameter is missing"],
  131009: [400, "Parameter value is not valid"],
  131016: [500, "Service unavailable"],
  131020: [400, "Invalid group"],
  131021: [400, "Recipient cannot be sender"],
  131026: [400, "Message undeliverable"],
  131030: [400, "Recipient phone number not in allowed list"],
  131031: [403, "Account has been locked"],
  131037: [400, "WhatsApp provided number needs display name approval before message can be sent"],
  131041: [400, "Unknown group"],
  131042: [400, "Business eligibility payment issue"],
  131044: [400, "Business eligibility payment issue for calls"],
  131045: [500, "Incorrect certificate"],
  131047: [400, "Re-engagement message"],
  131048: [400, "Spam rate limit hit"],
  131049: [400, "Meta chose not to deliver"],
  131050: [400, "User has stopped receiving marketing messages"],
  131051: [400, "Unsupported message type"],
  131052: [400, "Media download error"],
  131053: [400, "Media upload error"],
  131055: [400, "Only marketing templates may be sent here"],
  131056: [400, "(Business Account, Consumer Account) pair rate limit hit"],
  131057: [500, "Account in maintenance mode"],
  131059: [400, "Invalid cursor"],
  131060: [400, "This message is currently unavailable"],
  131061: [400, "Bid templates are sent as marketing messages"],
  131062: [400, "Business-scoped user ID recipients are not supported for this message"],
  131063: [400, "Marketing is not sent here"],
  131064: [400, "Rate limit hit"],
  131065: [400, "Not available in this country"],
  131070: [400, "The thread is controlled by another app"],
  131201: [206, "Partial success"],
  131202: [400, "Duplicate participant"],
  131203: [400, "Failed to join the group"],
  131204: [400, "Too many participants"],
  131207: [403, "Group is suspended"],
  131208: [429, "Group rate limit hit"],
  131211: [400, "Group limit reached"],
  131212: [400, "Not a participant"],
  131213: [400, "Join request unknown"],
  131214: [400, "Group creation is temporarily disabled"],
  131215: [400, "Not eligible for groups"],
  132000: [400, "Number of parameters does not match the expected number of params"],
  132001: [404, "Template name does not exist in the translation"],
  132005: [400, "Template hydrated text too long"],
  132007: [400, "Template format character policy violated"],
  132008: [400, "Parameter value is not valid"],
  132012: [400, "Parameter format does not match format in the created template"],
  132015: [400, "Template is paused"],
  132016: [400, "Template is disabled"],
  132018: [400, "There's an issue with the parameters in your template"],
  132068: [400, "Flow is blocked"],
  132069: [400, "Flow is throttled"],
  133000: [500, "Incomplete deregistration"],
  133004: [503, "Server temporarily unavailable"],
  133005: [400, "Two step verification PIN mismatch"],
  133006: [400, "Phone number re-verification needed"],
  133008: [400, "Too many two step verification PIN guesses"],
  133009: [400, "Two step verification PIN guessed too fast"],
  133010: [400, "Phone number not registered"],
  133015: [400, "Please wait a few minutes before attempting to register this phone number"],
  133016: [400, "Account register or deregister rate limit exceeded"],
  134100: [400, "Only marketing templates are supported"],
  134101: [400, "The template is still being synchronized"],
  135000: [400, "Generic user error"],
  136024: [400, "Phone number is already verified"],
  136025: [400, "Verify code error"],
  137000: [400, "Identity key hash mismatch"],
  138000: [401, "Calling not enabled"],
  138001: [400, "Receiver uncallable"],
  138002: [429, "Concurrent calls limit reached"],
  138003: [400, "Duplicate call"],
  138004: [500, "Connection error"],
  138005: [429, "Call rate limit exceeded"],
  138006: [401, "No approved call permission from the recipient"],
  138007: [500, "Connection timeout error"],
  138009: [400, "Call permission request limit reached"],
  138012: [400, "Business initiated calls limit reached"],
  138013: [400, "Calling not available"],
  138015: [400, "Calling is not available below a messaging limit of 2,000"],
  138038: [400, "Not the primary responder"],
  139000: [400, "Blocked By Integrity"],
  139001: [400, "Flow can't be updated"],
  139002: [400, "Flow can't be published"],
  139003: [400, "Flow can't be deprecated"],
  139004: [400, "Can't delete published Flow"],
  139006: [400, "Metrics threshold is not reached"],
  147005: [400, "The username must be transferred"],
  2494191: [400, "Only the escalation app may take the thread"],
  2593107: [400, "Synchronization request limit exceeded"],
  2593108: [400, "Synchronization request made outside of the allowed time window"],
  2593109: [400, "History sync is turned off by the business from the WhatsApp Business App"],
};

/** The codes whose answers carry `is_transient: true`. */
const TRANSIENT = new Set([1, 2, 4, 17, 80007, 131000, 131016, 131057, 133004]);

/** `user`: Meta's text for people, in the language of the account, which the management of templates answers. */
export type ErrorParts = {
  subcode?: number;
  details?: string;
  httpStatus?: number;
  message?: string;
  user?: { title: string; message: string };
};

/** A refusal in the form of the Graph API. */
export class GraphError extends Error {
  readonly code: number;
  readonly httpStatus: number;
  readonly parts: ErrorParts;

  constructor(code: number, parts: ErrorParts = {}) {
    super(parts.message ?? messageOf(code));
    this.name = "GraphError";
    this.code = code;
    this.httpStatus = parts.httpStatus ?? CATALOGUE[code]?.[0] ?? 400;
    this.parts = parts;
  }
}

/** Graph's own sentences stand alone; those of WhatsApp begin with their number. */
const messageOf = (code: number): string =>
  [104, 190, 2500].includes(code) ? titleOf(code) : `(#${code}) ${titleOf(code)}`;

/** The title of a code; a code the catalogue does not know is an unknown error. */
const titleOf = (code: number): string => CATALOGUE[code]?.[1] ?? "An unknown error occurred";

/** The codes of the catalogue, for tests that walk over them. */
export const CATALOGUE_CODES: readonly number[] = Object.keys(CATALOGUE).map(Number);

export const missing = (param: string): GraphError =>
  new GraphError(131008, { details: `Parameter ${param} is missing.` });
export const badValue = (details: string): GraphError => new GraphError(131009, { details });
export const badParameter = (details: string): GraphError => new GraphError(100, { details });

/** Graph's answer to an id that does not exist or that this token may not see. It never says which. */
export const unknownObject = (method: string, id: string): GraphError =>
  new GraphError(100, {
    subcode: 33,
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  });

/** The body of an error answer. */
export const envelopeOf = (error: GraphError, traceId: string): Record<string, unknown> => ({
  error: {
    message: error.message,
    type: error.code === 100 && error.parts.subcode === 33 ? "GraphMethodException" : "OAuthException",
    code: error.code,
    ...(error.parts.subcode === undefined ? {} : { error_subcode: error.parts.subcode }),
    ...(error.parts.details === undefined
      ? {}
      : { error_data: { messaging_product: "whatsapp", details: error.parts.details } }),
    ...(TRANSIENT.has(error.code) ? { is_transient: true } : {}),
    ...(error.parts.user === undefined
      ? {}
      : { is_transient: false, error_user_title: error.parts.user.title, error_user_msg: error.parts.user.message }),
    fbtrace_id: traceId,
  },
});

/** One of the `errors[]` of a failed status or of an unsupported message. */
export const webhookError = (code: number, details?: string): Record<string, unknown> => ({
  code,
  title: titleOf(code),
  message: titleOf(code),
  error_data: { details: details ?? `${titleOf(code)}.` },
  href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
});
