import type { Issue } from "./schema.ts";

/**
 * Every refusal of the core. Each API maps them to its status and code in a table that the compiler keeps complete.
 * `AppError.message` is public; `cause` never leaves the process.
 */
export const CORE_CODES = [
  "VALIDATION",
  "TENANT_NOT_FOUND",
  "USER_NOT_FOUND",
  "KEY_NOT_FOUND",
  "PLAN_NOT_FOUND",
  "CHANNEL_NOT_FOUND",
  "MESSAGE_NOT_FOUND",
  "SUBSCRIPTION_NOT_FOUND",
  "EVENT_NOT_FOUND",
  "EMAIL_IN_USE",
  "LOGIN_REFUSED",
  "TOO_MANY_GUESSES",
  "SESSION_NOT_FOUND",
  "SECOND_STEP_REFUSED",
  "SECOND_STEP_REQUIRED",
  "REAUTHENTICATION_NEEDED",
  "NO_INSTITUTION",
  "PASSKEY_NOT_FOUND",
  "PASSKEY_UNUSABLE",
  "SECOND_STEP_MISSING",
  "OPERATOR_NOT_FOUND",
  "LAST_OPERATOR",
  "REGISTRATION_CLOSED",
  "ALREADY_MEMBER",
  "LAST_MEMBER",
  "LAST_OWNER",
  "ROLE_REFUSED",
  "EMAIL_NOT_VERIFIED",
  "INVITATION_LIMIT_REACHED",
  "LINK_UNKNOWN",
  "JOIN_REFUSED",
  "MAIL_NOT_CONFIGURED",
  "ALERTS_NOT_CONFIGURED",
  "CHANNEL_CREDENTIALS_REQUIRED",
  "LIMIT_REACHED",
  "STORAGE_QUOTA_EXCEEDED",
  "CHANNEL_NOT_CONNECTED",
  "ADAPTER_MISSING",
  "PROXY_UNREACHABLE",
  "CHANNEL_ALREADY_CONNECTED",
  "NUMBER_ALREADY_LINKED",
  "PAIRING_UNAVAILABLE",
  "RECIPIENT_INVALID",
  "ADDRESS_INVALID",
  "CONTENT_UNSUPPORTED",
  "TEMPLATE_UNSUPPORTED",
  "CAPTION_TOO_LARGE",
  "MESSAGE_KEY_UNKNOWN",
  "IDEMPOTENCY_KEY_REUSED",
  "IDEMPOTENCY_IN_PROGRESS",
  "IDEMPOTENCY_ANSWER_LOST",
  "SHARED_WEBHOOK_UNKNOWN",
  "EVENT_ALREADY_DELIVERED",
  "HANDSHAKE_REFUSED",
  "DAY_LIMIT_REACHED",
  "RECEIVER_NOT_CONFIGURED",
  "SIGNATURE_REFUSED",
  "TEMPLATE_NOT_FOUND",
  "TEMPLATE_EXISTS",
  "TEMPLATE_NOT_SUBMITTED",
  "TEMPLATE_NOT_APPROVED",
  "UPSTREAM_REFUSED",
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_PACE_REACHED",
  "UPSTREAM_TOKEN_REFUSED",
  "CREDENTIALS_INCOMPLETE",
  "CREDENTIALS_MISSING",
  "CREDENTIALS_LOST",
  "CREDENTIALS_NOT_APPLICABLE",
  "CREDENTIALS_MISMATCH",
  "SOCIAL_CREDENTIALS_MISSING",
  "TOKEN_REFUSED",
  "SCHEDULED_NOT_FOUND",
  "SCHEDULED_NOT_PENDING",
  "SCHEDULE_TOO_SOON",
  "SCHEDULE_QUOTA_EXCEEDED",
  "OPERATION_UNSUPPORTED",
  "UPSTREAM_UNSUPPORTED",
  "RECIPIENT_OPTED_OUT",
  "THREAD_HELD",
  "THREAD_ROLE_REFUSED",
  "MESSAGE_KEY_DAMAGED",
  "MEDIA_NOT_FOUND",
  "MEDIA_EXPIRED",
  "MEDIA_DELETED",
  "LINK_REFUSED",
  "UPLOAD_LIMIT_REACHED",
  "IDENTITY_NOT_FOUND",
  "LOOKUP_UNSUPPORTED",
  "LOOKUP_LIMIT_REACHED",
  "OPERATION_LIMIT_REACHED",
  "LOOKUP_NOT_FOUND",
  "QR_NOT_APPLICABLE",
  "PAIRING_NOT_APPLICABLE",
  "PAIRING_IN_PROGRESS",
  "PAIRING_NOT_READY",
  "PASSKEY_NOT_REQUESTED",
  "PASSKEY_REFUSED",
  "CONSOLE_OFF",
  "APP_ID_MISSING",
  "APP_NOT_CONFIGURED",
  "COEXISTENCE_EXPECTED",
  "CHANNEL_EXISTS",
  "SOCIAL_NOT_CONFIGURED",
  "FLOW_NOT_FOUND",
  "FLOW_NOT_SYNCED",
  "FLOW_KEY_MISSING",
  "FLOW_KEY_INVALID",
  "FLOW_UNREADABLE",
  "FLOW_SIGNATURE_REFUSED",
  "FLOW_ENDPOINT_FAILED",
  "CONTACT_NOT_FOUND",
  "CONTACT_EXISTS",
  "CANNED_REPLY_NOT_FOUND",
  "CANNED_REPLY_EXISTS",
  "CONVERSATION_NOT_FOUND",
  "CONVERSATION_CLOSED",
  "CONVERSATION_OPEN",
  "BATCH_NOT_FOUND",
  "BATCH_LIMIT_REACHED",
  "NO_PHONE_CAN_SEND",
  "BATCH_FINISHED",
  "AGENT_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "TOOL_NOT_FOUND",
  "DOCUMENT_LIMIT_REACHED",
  "TRIAL_RUN_NOT_FOUND",
  "LLM_KEY_REQUIRED",
  "LLM_BUDGET_EXHAUSTED",
  "LLM_FAILED",
  "LLM_BAD_OUTPUT",
  "INVOICE_NOT_FOUND",
  "ERASURE_NOT_FOUND",
  "INVOICE_NOT_OPEN",
  "PLAN_EXISTS",
  "JOB_UNKNOWN",
  "CPF_CNPJ_REQUIRED",
  "PROCESSOR_NOT_CONFIGURED",
  "PROCESSOR_REFUSED",
  "PROCESSOR_UNAVAILABLE",
  "GROUP_NOT_FOUND",
  "GROUP_SUSPENDED",
  "NOT_OFFERED_UPSTREAM",
  "EMPTY_BATCH",
  "BATCH_TOO_LARGE",
  "CALL_NOT_FOUND",
  "CALL_INVALID_STATE",
  "UPSTREAM_NO_CALL_ID",
  "RECORDING_NOT_FOUND",
  "RECORDING_EMPTY",
  "BODY_TOO_LARGE",
  "BODY_TIMEOUT",
  "OVERLOADED",
  "STORAGE_FULL",
] as const;

export type CoreCode = (typeof CORE_CODES)[number];

type ErrorDetails = {
  message?: string;
  details?: Record<string, unknown>;
  issues?: readonly Issue[];
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** The refusal of a request. The core throws it; each API maps it in one place. */
export class AppError extends Error {
  readonly code: CoreCode;
  readonly details: Record<string, unknown>;
  readonly issues: readonly Issue[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: CoreCode, parts: ErrorDetails = {}) {
    super(parts.message ?? code.toLowerCase().replaceAll("_", " "), { cause: parts.cause });
    this.name = "AppError";
    this.code = code;
    this.details = parts.details ?? {};
    this.issues = parts.issues ?? [];
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/** The refusal of one or several fields. */
export const invalid = (...issues: Issue[]): AppError =>
  new AppError("VALIDATION", { message: "The request is not valid.", issues });

/** The text of a refusal, with the fields that it concerns. */
export const refusalText = ({ message, issues }: AppError): string =>
  [message, ...issues.map((one) => `${one.path} ${one.message}`)].join(" ");

/** The message of any thrown value. For logs and job rows, never for clients. */
export const reasonOf = (thrown: unknown): string => {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return "something that has no text"; // such as Object.create(null)
  }
};

/** The place in a file of `folder` at which this was thrown, such as `plugin.js:26`; undefined if that is not known. */
export const placeIn = (folder: string, thrown: unknown): string | undefined => {
  try {
    const { stack = "", position } = thrown as { stack?: string; position?: { file: string; line: number } | null };
    // an error of the parser has a position and no stack
    const frames = position ? [`${position.file}:${position.line}`] : stack.split("\n");
    const own = frames.find((frame) => frame.includes(`${folder}/`)) ?? "";
    return /^[^:]+:\d+/.exec(own.slice(own.indexOf(folder) + folder.length + 1))?.[0];
  } catch {
    return undefined; // foreign code threw a value of its own making
  }
};
