import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import type { Fault } from "../shared/faults.ts";

/** TABLE: the gateway's status and code for every refusal of the core. */
const WIRE = {
  VALIDATION: [400, "VALIDATION_ERROR"],
  TENANT_NOT_FOUND: [404, "ACCOUNT_NOT_FOUND"],
  USER_NOT_FOUND: [404, "USER_NOT_FOUND"],
  KEY_NOT_FOUND: [404, "API_KEY_NOT_FOUND"],
  PLAN_NOT_FOUND: [404, "PLAN_NOT_FOUND"],
  CHANNEL_NOT_FOUND: [404, "PHONE_NOT_FOUND"],
  MESSAGE_NOT_FOUND: [404, "MESSAGE_NOT_FOUND"],
  SUBSCRIPTION_NOT_FOUND: [404, "WEBHOOK_NOT_FOUND"],
  EVENT_NOT_FOUND: [404, "DELIVERY_NOT_FOUND"],
  EMAIL_IN_USE: [409, "ALREADY_EXISTS"],
  LOGIN_REFUSED: [401, "AUTH_INVALID"],
  REGISTRATION_CLOSED: [403, "ADMIN_FORBIDDEN"],
  ALREADY_MEMBER: [409, "ALREADY_EXISTS"],
  LAST_MEMBER: [409, "LAST_MEMBER"],
  CHANNEL_CREDENTIALS_REQUIRED: [400, "WABA_CREDENTIALS_REQUIRED"],
  CHANNEL_LIMIT_REACHED: [403, "PLAN_LIMIT_EXCEEDED"],
  CHANNEL_NOT_CONNECTED: [409, "PHONE_NOT_CONNECTED"],
  CHANNEL_ALREADY_CONNECTED: [409, "ALREADY_CONNECTED"],
  PAIRING_UNAVAILABLE: [425, "QR_NOT_READY"],
  RECIPIENT_INVALID: [400, "INVALID_TO"],
  ADDRESS_INVALID: [400, "INVALID_JID"],
  CONTENT_UNSUPPORTED: [400, "UNSUPPORTED_TYPE"],
  TEMPLATE_UNSUPPORTED: [400, "TEMPLATE_NOT_SUPPORTED_SESSION"],
  CAPTION_TOO_LARGE: [400, "CAPTION_TOO_LARGE"],
  MESSAGE_KEY_UNKNOWN: [404, "MESSAGE_KEY_NOT_FOUND"],
  SHARED_WEBHOOK_UNKNOWN: [409, "FK_VIOLATION"],
  EVENT_ALREADY_DELIVERED: [409, "ALREADY_DELIVERED"],
  DAY_LIMIT_REACHED: [429, "RATE_LIMITED"],
  RECEIVER_NOT_CONFIGURED: [503, "UPSTREAM_APP_NOT_CONFIGURED"],
  SIGNATURE_REFUSED: [403, "SIGNATURE_INVALID"],
  TEMPLATE_NOT_FOUND: [404, "TEMPLATE_NOT_FOUND"],
  TEMPLATE_EXISTS: [409, "ALREADY_EXISTS"],
  TEMPLATE_NOT_SUBMITTED: [409, "TEMPLATE_NOT_SUBMITTED"],
  TEMPLATE_NOT_APPROVED: [400, "TEMPLATE_NOT_APPROVED"],
  UPSTREAM_REFUSED: [400, "UPSTREAM_BAD_REQUEST"],
  UPSTREAM_UNAVAILABLE: [502, "UPSTREAM_UNAVAILABLE"],
  UPSTREAM_TOKEN_REFUSED: [500, "WABA_TOKEN_INVALID"],
  CREDENTIALS_INCOMPLETE: [400, "WABA_CREDS_INCOMPLETE"],
  CREDENTIALS_MISSING: [400, "WABA_CREDS_MISSING"],
  CREDENTIALS_LOST: [500, "WABA_CREDS_MISSING"],
  SOCIAL_CREDENTIALS_MISSING: [400, "IG_CREDS_MISSING"],
  TOKEN_REFUSED: [400, "INVALID_TOKEN"],
  SCHEDULED_NOT_FOUND: [404, "SCHEDULED_NOT_FOUND"],
  SCHEDULED_NOT_PENDING: [409, "SCHEDULED_NOT_PENDING"],
  SCHEDULE_TOO_SOON: [400, "SCHEDULE_TOO_SOON"],
  SCHEDULE_QUOTA_EXCEEDED: [429, "SCHEDULE_QUOTA_EXCEEDED"],
  OPERATION_UNSUPPORTED: [400, "UNSUPPORTED_TYPE"],
  MESSAGE_KEY_DAMAGED: [500, "QUOTED_KEY_INVALID"],
  MEDIA_NOT_FOUND: [404, "MEDIA_NOT_FOUND"],
  MEDIA_EXPIRED: [410, "MEDIA_EXPIRED"],
  MEDIA_DELETED: [410, "MEDIA_DELETED"],
  LINK_REFUSED: [403, "FORBIDDEN"],
  UPLOAD_LIMIT_REACHED: [429, "RATE_LIMITED"],
  IDENTITY_NOT_FOUND: [404, "IDENTITY_NOT_FOUND"],
  LOOKUP_UNSUPPORTED: [400, "LOOKUP_UNSUPPORTED_CHANNEL"],
  LOOKUP_LIMIT_REACHED: [429, "RATE_LIMITED"],
  LOOKUP_NOT_FOUND: [404, "TASK_NOT_FOUND"],
  QR_NOT_APPLICABLE: [400, "QR_NOT_APPLICABLE"],
  PAIRING_NOT_APPLICABLE: [400, "PAIRING_NOT_APPLICABLE"],
  PAIRING_IN_PROGRESS: [425, "PAIRING_IN_PROGRESS"],
  PAIRING_NOT_READY: [425, "PAIRING_NOT_READY"],
  APP_ID_MISSING: [503, "UPSTREAM_APP_ID_MISSING"],
  APP_NOT_CONFIGURED: [503, "UPSTREAM_APP_NOT_CONFIGURED"],
  COEXISTENCE_EXPECTED: [409, "COEXISTENCE_EXPECTED"],
  CHANNEL_EXISTS: [409, "ALREADY_EXISTS"],
  SOCIAL_NOT_CONFIGURED: [503, "IG_NOT_CONFIGURED"],
  FLOW_NOT_FOUND: [404, "FLOW_NOT_FOUND"],
  FLOW_NOT_SYNCED: [400, "FLOW_NOT_SYNCED"],
  FLOW_KEY_MISSING: [404, "NO_PUBLIC_KEY"],
  FLOW_KEY_INVALID: [500, "KEYPAIR_INVALID"],
  FLOW_UNREADABLE: [421, "FLOW_UNREADABLE"],
  FLOW_SIGNATURE_REFUSED: [432, "SIGNATURE_INVALID"],
  FLOW_ENDPOINT_FAILED: [502, "FLOW_ENDPOINT_FAILED"],
  CONTACT_NOT_FOUND: [404, "CONTACT_NOT_FOUND"],
  CONTACT_EXISTS: [409, "ALREADY_EXISTS"],
  CONVERSATION_NOT_FOUND: [404, "CONVERSATION_NOT_FOUND"],
  CONVERSATION_CLOSED: [409, "CONVERSATION_CLOSED"],
  BATCH_NOT_FOUND: [404, "BATCH_NOT_FOUND"],
  BATCH_LIMIT_REACHED: [409, "BATCH_LIMIT_REACHED"],
  BATCH_FINISHED: [409, "BATCH_FINISHED"],
  AGENT_NOT_FOUND: [404, "AGENT_NOT_FOUND"],
  DOCUMENT_NOT_FOUND: [404, "DOC_NOT_FOUND"],
  DOCUMENT_LIMIT_REACHED: [409, "DOC_LIMIT_REACHED"],
  LLM_KEY_REQUIRED: [400, "LLM_KEY_REQUIRED"],
  LLM_FAILED: [502, "AI_PROVIDER_ERROR"],
  LLM_BAD_OUTPUT: [502, "AI_BAD_OUTPUT"],
  INVOICE_NOT_FOUND: [404, "INVOICE_NOT_FOUND"],
  INVOICE_NOT_OPEN: [409, "INVOICE_NOT_OPEN"],
  PLAN_EXISTS: [409, "ALREADY_EXISTS"],
  JOB_UNKNOWN: [404, "NOT_FOUND"],
  CPF_CNPJ_REQUIRED: [400, "CPF_CNPJ_REQUIRED"],
  PROCESSOR_NOT_CONFIGURED: [503, "PROCESSOR_NOT_CONFIGURED"],
  PROCESSOR_REFUSED: [400, "UPSTREAM_BAD_REQUEST"],
  PROCESSOR_UNAVAILABLE: [503, "PROCESSOR_CONNECTION_ERROR"],
  GROUP_NOT_FOUND: [404, "GROUP_NOT_FOUND"],
  GROUP_SUSPENDED: [409, "GROUP_SUSPENDED"],
  NOT_OFFERED_UPSTREAM: [400, "UPSTREAM_BAD_REQUEST"],
  EMPTY_BATCH: [400, "EMPTY_BATCH"],
  BATCH_TOO_LARGE: [400, "BATCH_TOO_LARGE"],
  CALL_NOT_FOUND: [404, "CALL_NOT_FOUND"],
  CALL_INVALID_STATE: [409, "CALL_INVALID_STATE"],
  UPSTREAM_NO_CALL_ID: [500, "UPSTREAM_NO_CALL_ID"],
  RECORDING_NOT_FOUND: [404, "RECORDING_NOT_FOUND"],
  RECORDING_EMPTY: [400, "RECORDING_EMPTY"],
  BODY_TOO_LARGE: [413, "PAYLOAD_TOO_LARGE"],
  OVERLOADED: [503, "OVERLOADED"],
} as const satisfies Record<CoreCode, readonly [number, string]>;

/** This face's word for a refusal of the core that was kept; other words stay as they are. */
export const codeOf = (code: string): string => (Object.hasOwn(WIRE, code) ? WIRE[code as CoreCode][1] : code);

/** Refusals that only this face knows. */
const OWN = {
  AUTH_MISSING: [401, "The header X-API-Key is missing."],
  AUTH_INVALID: [401, "The API key or token is not known."],
  AUTH_REVOKED: [401, "The API key has been revoked."],
  AUTH_EXPIRED: [401, "The API key has expired."],
  ACCOUNT_SUSPENDED: [402, "The account is suspended for unpaid invoices."],
  ACCOUNT_INACTIVE: [403, "The account is not active."],
  ADMIN_FORBIDDEN: [403, "The admin token is missing or wrong."],
  ADMIN_DISABLED: [503, "This server has no admin token."],
  RATE_LIMITED: [429, "Too many requests in this minute."],
  NOT_FOUND: [404, "There is no such route."],
  METHOD_NOT_ALLOWED: [405, "The route does not take this method."],
  PAYLOAD_TOO_LARGE: [413, "The body is too large."],
  MISSING_PHONE_ID: [400, "The header X-Phone-Id is missing."],
  FORBIDDEN: [403, "The verify token is wrong."],
  INTERNAL_ERROR: [500, "Something went wrong on our side."],
} as const;

export type GatewayCode = keyof typeof OWN;

type Facts = { code: string; message: string; details?: object; headers?: Record<string, string> };

const answer = (status: number, { code, message, details = {}, headers = {} }: Facts): Response => Response.json({ error: { code, message, details } }, { status, headers });

/** A refusal of this face itself. */
export const refuse = (code: GatewayCode, headers: Record<string, string> = {}, details: object = {}): Response =>
  answer(OWN[code][0], { code, message: OWN[code][1], headers, details });

/** Field errors keyed by the first name of the path, as clients of such APIs know them. */
const fieldErrorsOf = (issues: readonly Issue[]): { formErrors: string[]; fieldErrors: Record<string, string[]> } => {
  const fieldErrors = Object.create(null) as Record<string, string[]>;
  const formErrors: string[] = [];
  for (const { path, message } of issues) {
    const [field, ...rest] = path.split(".");
    if (!field) formErrors.push(message);
    else fieldErrors[field] = [...(fieldErrors[field] ?? []), rest.length > 0 ? `${rest.join(".")} ${message}` : message];
  }
  return { formErrors, fieldErrors };
};

const invalid = (issues: readonly Issue[]): Response => answer(400, { code: "VALIDATION_ERROR", message: "The request is not valid.", details: fieldErrorsOf(issues) });

const refused = (error: AppError): Response => {
  const [status, code] = WIRE[error.code];
  const details = error.issues.length > 0 ? fieldErrorsOf(error.issues) : error.details;
  const headers = error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) };
  return answer(status, { code, message: error.message, details, headers });
};

const NOT_JSON = "The body is not valid JSON.";

/** The answer to whatever went wrong; `isKnownPath` tells a wrong method from a wrong path. */
export const faultResponse = (fault: Fault, isKnownPath: boolean): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(fault.error);
    case "invalid":
      return invalid(fault.issues);
    case "malformed":
      return answer(400, { code: "VALIDATION_ERROR", message: NOT_JSON, details: { formErrors: [NOT_JSON], fieldErrors: {} } });
    case "too-large":
      return refuse("PAYLOAD_TOO_LARGE");
    case "no-route":
      return refuse(isKnownPath ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
    case "broken":
      return refuse("INTERNAL_ERROR");
  }
};
