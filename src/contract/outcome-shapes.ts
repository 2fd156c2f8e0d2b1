import { Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf, OneOf, Text } from "../kernel/schema.ts";
import { RestrictionShape } from "./abilities/restriction.ts";
import { LINK_STATES } from "./events.ts";
import type { FailureCode } from "./outcome.ts";

/** TABLE: every failure code. The compiler reports a missing one. */
const CODES: Readonly<Record<FailureCode, true>> = {
  CREDENTIALS_REFUSED: true,
  UPSTREAM_BAD_REQUEST: true,
  UPSTREAM_RATE_LIMIT: true,
  UPSTREAM_UNAVAILABLE: true,
  UPSTREAM_NO_ID: true,
  UPSTREAM_ACCOUNT_RESTRICTED: true,
  PRIVACY_TOKEN_MISSING: true,
  RECIPIENT_NOT_ON_NETWORK: true,
  RECIPIENT_UNREACHABLE: true,
  RECIPIENT_OPTED_OUT: true,
  SESSION_NO_ID: true,
  INVALID_PTT_FORMAT: true,
  WABA_TOKEN_INVALID: true,
  WABA_CREDS_MISSING: true,
  IG_TOKEN_BAD: true,
  IG_CREDS_MISSING: true,
  UPSTREAM_UNSUPPORTED: true,
  THREAD_HELD: true,
  OUTCOME_UNKNOWN: true,
  ADAPTER_FAULT: true,
  CHANNEL_UNAVAILABLE: true,
  CHANNEL_DELETED: true,
  BATCH_CANCELLED: true,
  FALLBACK_TAKEN: true,
  WITHDRAWN: true,
  INTERNAL_ERROR: true,
};

const DAY_MS = 86_400_000;
/** A time that a Date can represent, in ms since the epoch. */
const Instant = Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 });
const Keys = Type.Optional(Type.Array(Text(1, 512), { maxItems: 100 }));
const Flag = Type.Optional(Type.Boolean());

const Failed = Type.Object({
  ok: Type.Literal(false),
  kind: OneOf(["refused", "retry", "unknown"]),
  code: OneOf(Object.keys(CODES)),
  reason: Text(0, 4096),
  upstreamCode: Type.Optional(Type.Number()),
  retryAfterMs: Type.Optional(Type.Number({ minimum: 0, maximum: 31 * DAY_MS })),
  isRateLimit: Flag,
  isUncertain: Flag,
  isOfChat: Flag,
  isQuota: Flag,
  isTemplateMisfit: Flag,
  furtherKeys: Keys,
});
/** `Measured`, as a part of an outcome or a receipt. */
export const MEASURED = {
  parts: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  price: Type.Optional(
    Type.Object({
      amount: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
      currency: Type.String({ pattern: "^[A-Z]{3}$", description: "must be the three capital letters of a currency" }),
    }),
  ),
};
const Sent = Type.Object({
  ok: Type.Literal(true),
  ...MEASURED,
  key: Text(1, 512),
  recipient: Type.Optional(Text(1, 512)),
  identity: Type.Optional(Type.Record(Type.String(), Text(1, 256), { minProperties: 1, maxProperties: 16 })),
  furtherKeys: Keys,
  plainer: Type.Optional(
    Type.Object({ sentAs: OneOf(["text"]), reason: Text(0, 4096), upstreamCode: Type.Optional(Type.Number()) }),
  ),
  disappearsAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_294_967_295 })),
});
const Done = Type.Object({ ok: Type.Literal(true) });
const Report = Type.Object({
  state: OneOf(LINK_STATES),
  reason: Type.Optional(Text(0, 512)),
  phoneNumber: Type.Optional(Type.String({ pattern: "^[0-9]{1,20}$", description: "must be digits" })),
  profile: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 })),
  restriction: Type.Optional(RestrictionShape),
  pairing: Type.Optional(
    Type.Object({
      code: Text(1, 64),
      at: Instant,
      until: Instant,
      passkeyId: Type.Optional(Text(1, 128)),
    }),
  ),
});
const MAX_PROFILE_CHARS = 16 * 1024;

const isOk = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === true;

/** The issues that keep a value from being the outcome of a send; empty when there are none. */
export const sendOutcomeIssues = (outcome: unknown): Issue[] => issuesOf(isOk(outcome) ? Sent : Failed, outcome);

/** The same for the outcome of an operation. */
export const operationOutcomeIssues = (outcome: unknown): Issue[] => issuesOf(isOk(outcome) ? Done : Failed, outcome);

/** The issues that keep a value from being a link's report. */
export const reportIssues = (report: unknown): Issue[] => {
  const issues = issuesOf(Report, report);
  if (issues.length > 0) return issues;
  const { profile = {} } = report as { profile?: object }; // the shape has been checked
  return charsOf(profile) <= MAX_PROFILE_CHARS
    ? []
    : [issue("profile", "maxLength", `must be JSON of at most ${MAX_PROFILE_CHARS} characters`)];
};

const charsOf = (value: object): number => {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY; // a circular value, or a number that JSON cannot hold
  }
};

/** The issues that keep a value from being an `UpstreamResult`. */
export const upstreamResultIssues = (result: unknown): Issue[] => {
  if (isOk(result)) return [];
  const kind = Type.Object({
    ok: Type.Literal(false),
    kind: OneOf(["refused", "token", "credentials", "unavailable"]),
  });
  const issues = issuesOf(kind, result);
  if (issues.length > 0) return issues;
  const isRefused = (result as { kind: string }).kind === "refused";
  return issuesOf(
    isRefused
      ? Type.Object({
          error: Type.Object({ message: Text(0, 4096) }),
          fileFault: Type.Optional(OneOf(["too-large", "gone"])),
        })
      : Type.Object({ reason: Text(0, 4096) }),
    result,
  );
};

const HandoverFailed = Type.Object({
  ok: Type.Literal(false),
  kind: OneOf(["held", "role", "unsupported"]),
  reason: Text(0, 4096),
});

/** Whether a value is the outcome of a request about who leads a conversation. */
export const isHandoverOutcome = (outcome: unknown): boolean =>
  upstreamResultIssues(outcome).length === 0 || issuesOf(HandoverFailed, outcome).length === 0;

/** The issues as one line. */
export const issueLine = (issues: readonly Issue[]): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path || "it"} ${message}`)
    .join("; ");
