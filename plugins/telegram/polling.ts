import type { ChannelEvent } from "../../src/contract/events.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import type { Api, Fault } from "./api.ts";
import { ALLOWED_UPDATES, callbackIdOf, eventsOf } from "./inbound.ts";
import { numberOf } from "./json.ts";

/** The network holds an answer for at most 50 s (https://github.com/tdlib/telegram-bot-api, Client.h). */
const LONG_POLL_S = 50;
const LONG_POLL_TIMEOUT_MS = 65_000;
const UPDATES_AT_ONCE = 50;
/** Fifty updates of the longest messages with all their entities. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** The wait after an answer that came at once and brought nothing new. */
const EMPTY_WAIT_MS = 1000;
/** The number of attempts for an update before it is skipped. */
const MAX_TRIES = 5;

/**
 * The position up to which updates are stored. The network forgets an update when a later call names a higher `offset`
 * (https://core.telegram.org/bots/api#getupdates): `next` grows only when the event of an update is on disk. `failed`
 * is the update that could not be stored, with its number of attempts.
 */
export type Cursor = {
  next: number | undefined;
  limit: number;
  failed: { updateId: number | undefined; tries: number } | undefined;
};

export const newCursor = (): Cursor => ({ next: undefined, limit: UPDATES_AT_ONCE, failed: undefined });

/** One attempt to be connected. Results of an attempt that is no longer current are ignored. */
export type Attempt = { api: Api; signal: AbortSignal; isCurrent(): boolean };

/**
 * The step after a poll: the next poll after `waitMs`; the fault that ended it; or an update that could not be stored.
 */
export type Step = { waitMs: number } | { fault: Fault } | "not-stored";

/** Asks once. `isFirst`: without waiting for updates, so that a second program that takes them is found at once. */
export const ask = async (
  { api, signal }: Attempt,
  cursor: Cursor,
  isFirst: boolean,
): Promise<{ updates: readonly Json[] } | { fault: Fault }> => {
  const offset = cursor.next === undefined ? {} : { offset: cursor.next };
  const fields = {
    ...offset,
    limit: cursor.limit,
    timeout: isFirst ? 0 : LONG_POLL_S,
    allowed_updates: ALLOWED_UPDATES,
  };
  const call = { method: "getUpdates", fields, maxResponseBytes: MAX_RESPONSE_BYTES };
  const result = await api(isFirst ? call : { ...call, timeoutMs: LONG_POLL_TIMEOUT_MS, signal });
  if (result.ok) return { updates: listOf(result.result).map(recordOf) };
  if (result.fault.kind === "unreadable") cursor.limit = 1; // an answer that is too long is cut
  return { fault: result.fault };
};

type PollingHost = Pick<ChannelHost, "emit" | "log">;

/**
 * Stores updates in their order, each only when the previous one is on disk. False when an update could not be stored,
 * or when the attempt is over.
 */
export const storeAll = async (
  host: PollingHost,
  attempt: Attempt,
  cursor: Cursor,
  updates: readonly Json[],
): Promise<boolean> => {
  for (const update of updates) {
    if (!(await storeOrSkip(host, cursor, update))) return false;
    if (!attempt.isCurrent()) return false;
    const id = numberOf(update["update_id"]);
    if (id !== undefined) cursor.next = id + 1;
    const callbackId = callbackIdOf(update);
    // not awaited: an answer that comes too late harms nothing
    if (callbackId !== undefined)
      void attempt.api({ method: "answerCallbackQuery", fields: { callback_query_id: callbackId } });
  }
  if (updates.length > 0) cursor.limit = UPDATES_AT_ONCE;
  return true;
};

/**
 * Stores the events of an update; events that are stored already are recognised when it is asked for again. An update that fails for the fifth time is skipped, so that later ones come: an
 * `unknown` event is stored in its place, which is counted and logged. If that one fails too, the update is not the
 * cause and nothing is skipped.
 */
const storeOrSkip = async (host: PollingHost, cursor: Cursor, update: Json): Promise<boolean> => {
  const updateId = numberOf(update["update_id"]);
  try {
    for (const event of eventsOf(update)) await host.emit(event);
  } catch (error) {
    const tries =
      (cursor.failed?.updateId === updateId ? (cursor.failed?.tries ?? 0) : 0) + (isOverload(error) ? 0 : 1);
    cursor.failed = { updateId, tries };
    const isSkipped = tries >= MAX_TRIES && (await isStored(host, { kind: "unknown", at: 0, what: NOT_STORED }));
    if (isSkipped) host.log.error({ updateId, tries }, "an update cannot be stored and is skipped");
    else host.log.error({ updateId, tries }, "an update could not be stored; it is asked for again");
    if (!isSkipped) return false;
  }
  cursor.failed = undefined;
  return true;
};

const NOT_STORED = "update that cannot be stored";

/** Recado refuses work for a moment; the update is not the cause. */
const isOverload = (error: unknown): boolean => recordOf(error)["code"] === "OVERLOADED";

const isStored = (host: PollingHost, event: ChannelEvent): Promise<boolean> =>
  host.emit(event).then(
    () => true,
    () => false,
  );

/** One long poll; stores all updates that it brings. `onAnswer` is called when the network has answered. */
export const pollOnce = async (
  host: PollingHost & Pick<ChannelHost, "clock">,
  attempt: Attempt,
  cursor: Cursor,
  onAnswer: () => void,
): Promise<Step> => {
  const [askedAt, askedFrom] = [host.clock.now(), cursor.next];
  const answer = await ask(attempt, cursor, false);
  if (!attempt.isCurrent()) return { waitMs: 0 };
  if ("fault" in answer) return answer;
  onAnswer();
  if (!(await storeAll(host, attempt, cursor, answer.updates))) return "not-stored";
  const isTooSoon = cursor.next === askedFrom && host.clock.now() - askedAt < EMPTY_WAIT_MS;
  return { waitMs: isTooSoon ? EMPTY_WAIT_MS : 0 };
};
