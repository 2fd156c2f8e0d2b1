import type { AppError, CoreCode } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import type { Fault } from "../shared/faults.ts";

/** TABLE: the platform's status and code for every refusal of the core. */
const WIRE = {
  VALIDATION: [400, "VALIDATION_ERROR"],
  TENANT_NOT_FOUND: [404, "INSTITUTION_NOT_FOUND"],
  USER_NOT_FOUND: [404, "USER_NOT_FOUND"],
  KEY_NOT_FOUND: [404, "API_KEY_NOT_FOUND"],
  PLAN_NOT_FOUND: [404, "PLAN_NOT_FOUND"],
  CHANNEL_NOT_FOUND: [404, "CHANNEL_NOT_FOUND"],
  MESSAGE_NOT_FOUND: [404, "MESSAGE_NOT_FOUND"],
  SUBSCRIPTION_NOT_FOUND: [404, "WEBHOOK_NOT_FOUND"],
  EVENT_NOT_FOUND: [404, "EVENT_NOT_FOUND"],
  EMAIL_IN_USE: [400, "EMAIL_IN_USE"],
  LOGIN_REFUSED: [401, "UNAUTHORIZED"],
  REGISTRATION_CLOSED: [403, "REGISTRATION_CLOSED"],
  ALREADY_MEMBER: [409, "ALREADY_MEMBER"],
  LAST_MEMBER: [409, "LAST_MEMBER"],
  CHANNEL_CREDENTIALS_REQUIRED: [400, "VALIDATION_ERROR"],
  CHANNEL_LIMIT_REACHED: [403, "PLAN_LIMIT_EXCEEDED"],
  CHANNEL_NOT_CONNECTED: [409, "CHANNEL_NOT_CONNECTED"],
  CHANNEL_ALREADY_CONNECTED: [409, "CHANNEL_ALREADY_CONNECTED"],
  PAIRING_UNAVAILABLE: [503, "QR_NOT_AVAILABLE"],
  RECIPIENT_INVALID: [400, "VALIDATION_ERROR"],
  ADDRESS_INVALID: [400, "VALIDATION_ERROR"],
  CONTENT_UNSUPPORTED: [400, "VALIDATION_ERROR"],
  TEMPLATE_UNSUPPORTED: [400, "VALIDATION_ERROR"],
  CAPTION_TOO_LARGE: [400, "VALIDATION_ERROR"],
  MESSAGE_KEY_UNKNOWN: [404, "MESSAGE_NOT_FOUND"],
  SHARED_WEBHOOK_UNKNOWN: [404, "WEBHOOK_NOT_FOUND"],
  EVENT_ALREADY_DELIVERED: [409, "ALREADY_DELIVERED"],
  DAY_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  RECEIVER_NOT_CONFIGURED: [503, "NOT_CONFIGURED"],
  SIGNATURE_REFUSED: [403, "FORBIDDEN"],
  TEMPLATE_NOT_FOUND: [404, "TEMPLATE_NOT_FOUND"],
  TEMPLATE_EXISTS: [409, "TEMPLATE_EXISTS"],
  TEMPLATE_NOT_SUBMITTED: [409, "TEMPLATE_NOT_SUBMITTED"],
  TEMPLATE_NOT_APPROVED: [400, "VALIDATION_ERROR"],
  UPSTREAM_REFUSED: [400, "VALIDATION_ERROR"],
  UPSTREAM_UNAVAILABLE: [502, "UPSTREAM_UNAVAILABLE"],
  UPSTREAM_TOKEN_REFUSED: [502, "UPSTREAM_UNAVAILABLE"],
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
  UPLOAD_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  IDENTITY_NOT_FOUND: [404, "IDENTITY_NOT_FOUND"],
  LOOKUP_UNSUPPORTED: [400, "LOOKUP_UNSUPPORTED_CHANNEL"],
  LOOKUP_LIMIT_REACHED: [429, "RATE_LIMIT_EXCEEDED"],
  LOOKUP_NOT_FOUND: [404, "TASK_NOT_FOUND"],
  QR_NOT_APPLICABLE: [400, "QR_NOT_APPLICABLE"],
  PAIRING_NOT_APPLICABLE: [400, "PAIRING_NOT_APPLICABLE"],
  PAIRING_IN_PROGRESS: [425, "PAIRING_IN_PROGRESS"],
  PAIRING_NOT_READY: [425, "PAIRING_NOT_READY"],
  APP_ID_MISSING: [503, "UPSTREAM_APP_ID_MISSING"],
  APP_NOT_CONFIGURED: [503, "UPSTREAM_APP_NOT_CONFIGURED"],
  COEXISTENCE_EXPECTED: [409, "COEXISTENCE_EXPECTED"],
  CHANNEL_EXISTS: [409, "CHANNEL_EXISTS"],
  SOCIAL_NOT_CONFIGURED: [503, "IG_NOT_CONFIGURED"],
  FLOW_NOT_FOUND: [404, "FLOW_NOT_FOUND"],
  FLOW_NOT_SYNCED: [400, "FLOW_NOT_SYNCED"],
  FLOW_KEY_MISSING: [404, "NO_PUBLIC_KEY"],
  FLOW_KEY_INVALID: [500, "KEYPAIR_INVALID"],
  FLOW_UNREADABLE: [421, "FLOW_UNREADABLE"],
  FLOW_SIGNATURE_REFUSED: [432, "SIGNATURE_INVALID"],
  FLOW_ENDPOINT_FAILED: [502, "FLOW_ENDPOINT_FAILED"],
  CONTACT_NOT_FOUND: [404, "CONTACT_NOT_FOUND"],
  CONTACT_EXISTS: [409, "CONTACT_ALREADY_EXISTS"],
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

/** The field that a refusal without issues of its own is about, for the bodies that name fields. */
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
 * The bodies of this face's errors, by route. `text`: register and login, `{error}`. `webhooks`: `{error: code, message, …}`. `logs`: as
 * everywhere else, `{message, code, …}`, but what is not authenticated is UNAUTHORIZED whatever the reason.
 */
export type ErrorShape = "text" | "webhooks" | "logs" | "plain";

export const shapeOf = (path: string): ErrorShape => {
  const route = path.replace(/\/$/, "");
  if (route === "/v1/auth/register" || route === "/v1/auth/login") return "text";
  if (!`${route}/`.startsWith("/v1/webhooks/")) return "plain";
  return route.split("/").length > 4 ? "logs" : "webhooks";
};

const OWN = {
  AUTHENTICATION_REQUIRED: [401, "The header Authorization is missing."],
  UNAUTHORIZED: [401, "The credentials are missing or not valid."],
  INVALID_API_KEY: [401, "The API key is not known, has expired or was revoked."],
  INVALID_TOKEN: [401, "The token is not valid or has expired."],
  FORBIDDEN_PERMISSION: [403, "The credentials do not allow this."],
  RATE_LIMIT_EXCEEDED: [429, "Too many requests."],
  NOT_FOUND: [404, "There is no such route."],
  METHOD_NOT_ALLOWED: [405, "The route does not take this method."],
  PAYLOAD_TOO_LARGE: [413, "The body is too large."],
  INTERNAL_ERROR: [500, "Something went wrong on our side."],
} as const;

export type PlatformCode = keyof typeof OWN;

type Facts = { status: number; code: string; message: string; issues?: readonly Issue[]; retryAfterSeconds?: number };

const bodyOf = (shape: ErrorShape, { code, message, issues, retryAfterSeconds, status }: Facts): object => {
  if (shape === "text") return { error: issues?.[0] ? `${issues[0].path} ${issues[0].message}`.trim() : message };
  if (shape === "webhooks" && (status === 400 || status === 401 || status === 429)) {
    return {
      error: code,
      message,
      ...(issues ? { details: issues.map((one) => ({ field: one.path, message: one.message })) } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    };
  }
  return { message, code, ...(issues ? { errors: issues.map((one) => ({ path: one.path, message: one.message, validation: one.rule })) } : {}) };
};

const answer = (shape: ErrorShape, facts: Facts): Response =>
  Response.json(bodyOf(shape, facts), { status: facts.status, headers: facts.retryAfterSeconds === undefined ? {} : { "Retry-After": String(facts.retryAfterSeconds) } });

/** A refusal of this face itself. */
export const refuse = (shape: ErrorShape, code: PlatformCode, facts: { message?: string; retryAfterSeconds?: number } = {}): Response =>
  answer(shape, {
    status: OWN[code][0],
    code,
    message: facts.message ?? OWN[code][1],
    ...(facts.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: facts.retryAfterSeconds }),
  });

const invalid = (shape: ErrorShape, issues: readonly Issue[], message = "The request is not valid."): Response =>
  answer(shape, { status: 400, code: "VALIDATION_ERROR", message, issues: issues.map(ownField) });

/** The core says where in a message's content a fault is; here the fields of the content are those of the body. */
const ownField = (one: Issue): Issue => ({ ...one, path: one.path.replace(/^content\./, "") });

const refused = (shape: ErrorShape, error: AppError): Response => {
  const [status, code] = WIRE[error.code];
  const field = FIELD[error.code];
  if (code === "VALIDATION_ERROR")
    return invalid(shape, error.issues.length > 0 || !field ? error.issues : [{ path: field.path, rule: field.rule as Issue["rule"], message: error.message }], error.message);
  return answer(shape, { status, code, message: error.message, ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }) });
};

/** The answer to whatever went wrong, in the shape of its route. */
export const faultResponse = (shape: ErrorShape, fault: Fault, isKnownPath: boolean): Response => {
  switch (fault.kind) {
    case "refused":
      return refused(shape, fault.error);
    case "invalid":
      return invalid(shape, fault.issues);
    case "malformed":
      return invalid(shape, [], "The body is not valid JSON.");
    case "too-large":
      return refuse(shape, "PAYLOAD_TOO_LARGE");
    case "no-route":
      return refuse(shape, isKnownPath ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
    case "broken":
      return refuse(shape, "INTERNAL_ERROR");
  }
};
