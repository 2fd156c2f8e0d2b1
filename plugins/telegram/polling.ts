import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { Api, Fault } from "./api.ts";
import { ALLOWED_UPDATES, callbackIdOf, eventOf } from "./inbound.ts";
import { type Json, listOf, numberOf, recordOf } from "./json.ts";

/** The longest that the network waits with an answer is 50 s (https://github.com/tdlib/telegram-bot-api, Client.h). */
const LONG_POLL_S = 50;
const LONG_POLL_TIMEOUT_MS = 65_000;
const UPDATES_AT_ONCE = 50;
/** Fifty updates of the longest messages with all their entities. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** An empty answer that comes at once is not asked for again at once. */
const EMPTY_WAIT_MS = 1000;

/**
 * How far updates have been taken. The network forgets an update when a later call names a higher `offset`
 * (https://core.telegram.org/bots/api#getupdates): `next` grows only when the event of an update is on disk.
 */
export type Cursor = { next: number | undefined; limit: number };

export const newCursor = (): Cursor => ({ next: undefined, limit: UPDATES_AT_ONCE });

/** One attempt to be connected; what comes of an attempt that is over counts for nothing. */
export type Attempt = { api: Api; signal: AbortSignal; isCurrent(): boolean };

/** What follows: the next question at once, or after a while; or why there is none. */
export type Step = { waitMs: number } | { fault: Fault } | "not-taken";

/** Asks once. `isFirst`: without waiting for updates to come, to see that nobody else takes them. */
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

/**
 * Takes updates in their order, each only when the one before it is on disk. False when one was not taken, or the
 * attempt is over.
 */
export const takeAll = async (
  host: Pick<ChannelHost, "emit" | "log">,
  attempt: Attempt,
  cursor: Cursor,
  updates: readonly Json[],
): Promise<boolean> => {
  for (const update of updates) {
    try {
      await host.emit(eventOf(update));
    } catch {
      host.log.error({ updateId: update["update_id"] }, "an update was not taken; it is asked for again");
      return false;
    }
    if (!attempt.isCurrent()) return false;
    const id = numberOf(update["update_id"]);
    if (id !== undefined) cursor.next = id + 1;
    const callbackId = callbackIdOf(update);
    // nobody waits for it, and a press that is answered too late is no fault
    if (callbackId !== undefined)
      void attempt.api({ method: "answerCallbackQuery", fields: { callback_query_id: callbackId } });
  }
  if (updates.length > 0) cursor.limit = UPDATES_AT_ONCE;
  return true;
};

/** One long poll, and all that it brings. */
export const pollOnce = async (
  host: Pick<ChannelHost, "emit" | "log" | "clock">,
  attempt: Attempt,
  cursor: Cursor,
  onHeard: () => void,
): Promise<Step> => {
  const askedAt = host.clock.now();
  const answer = await ask(attempt, cursor, false);
  if (!attempt.isCurrent()) return { waitMs: 0 };
  if ("fault" in answer) return answer;
  onHeard();
  if (!(await takeAll(host, attempt, cursor, answer.updates))) return "not-taken";
  return { waitMs: answer.updates.length === 0 && host.clock.now() - askedAt < EMPTY_WAIT_MS ? EMPTY_WAIT_MS : 0 };
};
