import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import { KeyStoreLost } from "../../../src/contract/ports/key-store.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";

/** Why a channel is paused, as its owner reads it. */
export type PauseReason = "BANNED" | "CLIENT_OUTDATED";

/**
 * The action after the end of a socket.
 * - `restart`: the network wants a new socket, at once.
 * - `retry`: an interruption; after a growing wait. `isOutage`: the network itself is out of order. `isForged`: the
 *   answer was not the network's. `isUnacked`: it misses acknowledgements. `isTooFast`: it wants fewer connections.
 *   `isKeyless`: it has no one-time keys of this device.
 * - `replaced`: another socket has taken over the identity.
 * - `park`: no new socket until the owner asks for one, or until `retryAfterMs` is over. The identity stays.
 *   `isOutdated`: unless a newer version of the client is available.
 * - `logged-out`: the network has withdrawn the identity. Only here it is wiped.
 * - `draft`: an identity that was never accepted is unusable; it is deleted and nothing is reported.
 * - `superseded`: another link holds the channel's keys now.
 */
export type Disconnect =
  | { is: "restart" }
  | { is: "replaced" }
  | { is: "logged-out" }
  | { is: "draft" }
  | { is: "superseded" }
  | {
      is: "retry";
      isOutage?: boolean;
      isForged?: boolean;
      isUnacked?: boolean;
      isTooFast?: boolean;
      isKeyless?: boolean;
    }
  | { is: "park"; reason: PauseReason; retryAfterMs?: number; restriction?: Restriction; isOutdated?: true };

const RETRY: Disconnect = { is: "retry" };
/** The protocol was refused: waiting does not help. */
const REFUSED: Disconnect = { is: "park", reason: "CLIENT_OUTDATED" };
const BANNED = { is: "park", reason: "BANNED" } as const satisfies Disconnect;

/**
 * TABLE: the action after each code; any other code is an interruption. 400, 401 and 402 depend on more than the code.
 */
const ENDINGS: Readonly<Record<number, Disconnect>> = {
  405: { is: "park", reason: "CLIENT_OUTDATED", retryAfterMs: 5 * MINUTE_MS, isOutdated: true },
  406: { ...BANNED, restriction: { reason: "BANNED", until: null, allows: "none" } },
  408: RETRY,
  409: REFUSED,
  411: REFUSED,
  413: REFUSED,
  414: REFUSED,
  415: REFUSED,
  418: REFUSED,
  428: RETRY,
  429: { is: "retry", isTooFast: true },
  440: { is: "replaced" },
  503: { is: "retry", isOutage: true },
  515: { is: "restart" },
};

/** The duration of a temporary ban without an end, and the longest that is accepted. */
const UNSAID_BAN_MS = HOUR_MS;
const LONGEST_BAN_MS = 30 * 24 * HOUR_MS;

/** The fields of Baileys' error at a socket's end that are read here. */
type Cause = { message?: unknown; data?: unknown; output?: { statusCode?: unknown } };

/**
 * The action after a socket that ended with `error` (Baileys' `lastDisconnect.error`). `account`: exists if a phone has
 * accepted the identity. `now`: in milliseconds.
 */
export const disconnectOf = (error: unknown, { account }: { account?: unknown }, now: number): Disconnect => {
  if (error instanceof KeyStoreLost) return { is: "superseded" };
  const { message, data, output }: Cause = typeof error === "object" && error !== null ? error : {};
  // an HTTP status of a proxy, as the websocket reports it: it does not come from the network
  if (data instanceof Error) return RETRY;
  switch (output?.statusCode) {
    case 400:
      return { is: "retry", isForged: String(message).includes("certificate") };
    case 401:
      if (!account) return { is: "draft" };
      // without data of the network the error is Baileys' own, and the identity is still linked
      return isSaid(data) ? { is: "logged-out" } : RETRY;
    case 402:
      return banFor(data, now);
    case 403:
      return { ...BANNED, restriction: lockOf(data) };
    case 500:
      return String(message).includes("(ack)") ? { is: "retry", isUnacked: true } : RETRY;
    default:
      return ENDINGS[Number(output?.statusCode)] ?? RETRY;
  }
};

const isSaid = (data: unknown): boolean => typeof data === "object" && data !== null;

/** TABLE: why an account is banned for a while, as a word and for people (W26 §7.3.1). */
const BANS: Readonly<Record<string, readonly [reason: string, text: string]>> = {
  101: ["TOO_MANY_STRANGERS", "Too many messages went to people who do not have the number in their contacts."],
  102: ["BLOCKED_BY_MANY", "Too many people have blocked the number."],
  103: ["GROUPS_WITH_STRANGERS", "Too many groups were made with people who do not have the number in their contacts."],
  104: ["SAME_MESSAGE_TO_MANY", "The same message went to too many people."],
  106: ["BROADCAST_LIST", "Too many messages went to a broadcast list."],
};

const banFor = (data: unknown, now: number): Disconnect => {
  const said = (isSaid(data) ? data : {}) as { code?: unknown };
  const code = String(said.code);
  const [reason, text] = ownValue(BANS, code) ?? [
    /^\d{1,4}$/.test(code) ? `TEMPORARY_BAN_${code}` : "TEMPORARY_BAN",
    "",
  ];
  const retryAfterMs = banOf(data);
  const restriction: Restriction = { reason, until: now + retryAfterMs, allows: "none", ...(text ? { text } : {}) };
  return { is: "park", reason: "BANNED", retryAfterMs, restriction };
};

const LONGEST_TEXT = 500;

/** A lock without an end, with the network's text for the owner. */
const lockOf = (data: unknown): Restriction => {
  const said = (isSaid(data) ? data : {}) as Record<string, unknown>;
  const text = ["logout_message_header", "logout_message_subtext"]
    .flatMap((name) => (typeof said[name] === "string" && said[name] !== "" ? [said[name]] : []))
    .join("\n")
    .slice(0, LONGEST_TEXT);
  return { reason: "LOCKED", until: null, allows: "none", ...(text ? { text } : {}) };
};

const banOf = (data: unknown): number => {
  const { expire } = (isSaid(data) ? data : {}) as { expire?: unknown };
  const banMs = Number(expire) * SECOND_MS;
  return banMs > 0 ? Math.min(banMs, LONGEST_BAN_MS) : UNSAID_BAN_MS;
};
