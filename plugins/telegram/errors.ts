import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { UpstreamFailure } from "../../src/contract/upstream.ts";
import type { Fault } from "./api.ts";

/** A send or an operation that did not succeed. */
export type SendFailure = Extract<SendOutcome, { ok: false }>;

type ErrorFault = Extract<Fault, { kind: "error" }>;

const DEFAULT_LIMIT_WAIT_MS = 30_000;

/**
 * The error for a chat that the bot has never seen. The API has no finer code, so a change of this text costs only the
 * name of the failure.
 */
const UNKNOWN_CHAT = /chat not found|user not found|PEER_ID_INVALID/i;

/**
 * The errors for a chat that takes no messages of this bot: a person who blocked it or never wrote to it, a group or
 * channel that removed it, a business account that ended its connection. As above, a changed text costs only the name of the failure.
 */
const UNREACHABLE =
  /blocked by the user|can't initiate conversation|bots can't send messages to bots|(?:bot )?was kicked|is not a member|chat was deleted|CHAT_WRITE_FORBIDDEN|not enough rights to send|business connection not found|BUSINESS_CONNECTION_INVALID/i;
const GONE_PERSON = /user is deactivated/i;

/**
 * The error (404) for a method that a server does not have, because it is older than the method:
 * https://github.com/tdlib/telegram-bot-api, Client.cpp.
 */
const METHOD_UNKNOWN = /method not found/i;
/** The methods that every server has: a 404 of theirs speaks of the token. */
const OLDEST_METHODS: readonly string[] = ["getMe", "getUpdates"];

const isMethodUnknown = ({ code, text }: ErrorFault): boolean => code === 404 && METHOD_UNKNOWN.test(text);

/**
 * Whether the network does not accept the token: 401 for a revoked token, 404 for an invalid token
 * (https://github.com/tdlib/telegram-bot-api, ClientManager.cpp), 421 for a bot that a local server does not serve.
 * An operator's server, or a proxy before it, also answers 404 to what it does not know.
 */
export const isTokenRefused = (fault: Fault): boolean => {
  if (fault.kind !== "error") return false;
  if (fault.code === 404) return OLDEST_METHODS.includes(fault.method) && !isMethodUnknown(fault);
  return fault.code === 401 || fault.code === 421;
};

/** Whether another program takes this bot's updates: https://core.telegram.org/bots/api#getupdates. */
export const isConflict = (fault: Fault): boolean => fault.kind === "error" && fault.code === 409;

/** A fault in words, without secrets. */
export const textOfFault = (fault: Fault): string => {
  if (fault.kind === "error") return fault.text;
  return fault.kind === "silence"
    ? `no answer came (${fault.failure})`
    : `the answer (HTTP ${fault.status}) could not be read`;
};

const refused = (code: SendFailure["code"], { text, code: upstreamCode }: ErrorFault): SendFailure => ({
  ok: false,
  kind: "refused",
  code,
  reason: text,
  upstreamCode,
});

const unknown = (reason: string): SendFailure => ({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason });

/** The message certainly was not sent, but may be sent later. */
export const later = (reason: string): SendFailure => ({
  ok: false,
  kind: "retry",
  code: "UPSTREAM_UNAVAILABLE",
  reason,
});

/** The message will never be sent. */
export const never = (reason: string): SendFailure => ({
  ok: false,
  kind: "refused",
  code: "UPSTREAM_BAD_REQUEST",
  reason,
});

/**
 * The meaning of a failed call for a send; decided by code. Too many requests (429) concern one chat: its limit of a
 * message a second, or 20 a minute in a group, is reached long before that of the bot, and a chat that must wait holds up
 * no other one. The network lets no sender choose a message's id and
 * recognises no repeat. So a message that may have arrived is `unknown`, even after an error of its servers (5xx). A 404
 * without a word of the method is tried again: the connection finds out whether the token is meant.
 */
export const failureOf = (fault: Fault): SendFailure => {
  if (fault.kind === "silence")
    return fault.mayHaveArrived
      ? unknown(textOfFault(fault))
      : later(`the network could not be reached (${fault.failure})`);
  if (fault.kind === "unreadable" || fault.code >= 500) return unknown(textOfFault(fault));
  const upstream = { reason: fault.text, upstreamCode: fault.code };
  if (isTokenRefused(fault)) return { ok: false, kind: "retry", code: "CREDENTIALS_REFUSED", ...upstream };
  if (isMethodUnknown(fault)) return refused("UPSTREAM_UNSUPPORTED", fault);
  if (fault.code === 404) return { ...later(fault.text), upstreamCode: fault.code };
  if (fault.code === 429)
    return {
      ok: false,
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      ...upstream,
      isRateLimit: true,
      isOfChat: true,
      retryAfterMs: fault.retryAfterMs ?? DEFAULT_LIMIT_WAIT_MS,
    };
  return refused(codeOf(fault.text), fault);
};

const codeOf = (text: string): SendFailure["code"] => {
  if (UNKNOWN_CHAT.test(text) || GONE_PERSON.test(text)) return "RECIPIENT_NOT_ON_NETWORK";
  return UNREACHABLE.test(text) ? "RECIPIENT_UNREACHABLE" : "UPSTREAM_BAD_REQUEST";
};

/** The meaning of a failed call for a waiting request, such as for a file. */
export const upstreamFailureOf = (fault: Fault): UpstreamFailure => {
  const { kind, code, reason, retryAfterMs } = failureOf(fault);
  if (code === "CREDENTIALS_REFUSED") return { ok: false, kind: "token", reason };
  if (kind === "refused")
    return {
      ok: false,
      kind: "refused",
      error: { code: fault.kind === "error" ? fault.code : null, error_subcode: null, message: reason },
    };
  return {
    ok: false,
    kind: "unavailable",
    reason,
    mayHaveHappened: kind === "unknown",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};
