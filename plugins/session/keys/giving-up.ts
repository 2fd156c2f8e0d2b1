import type { ChannelEvent } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type KeyChanges, type KeyStore, KeyStoreLost } from "../../../src/contract/ports/key-store.ts";
import { AppError } from "../../../src/kernel/errors.ts";

/** After this many refusals an event is not tried again. */
const MOST_TRIES = 3;
/** The maximum number of refused events to remember. */
const REMEMBERED = 1000;

/**
 * A `write` that skips an event which can never be stored while everything else can. At the third failure an `unknown`
 * event takes its place, and its keys and cached messages are written. Otherwise the network would send it again for
 * ever, and nothing after it. While nothing at all can be written, nothing is skipped.
 */
export const givingUp = (
  write: KeyStore["write"],
  { channelId, log }: Pick<ChannelHost, "channelId" | "log">,
): KeyStore["write"] => {
  const failures = new Map<string, number>();

  /** Whether one of them has failed too often. */
  const haveFailed = (events: readonly ChannelEvent[]): boolean => {
    const names = events.map(nameOf);
    for (const name of names) {
      const count = (failures.get(name) ?? 0) + 1;
      failures.delete(name);
      failures.set(name, count);
    }
    const isEnough = names.some((name) => (failures.get(name) ?? 0) >= MOST_TRIES);
    for (const oldest of failures.keys()) {
      if (failures.size <= REMEMBERED) break;
      failures.delete(oldest);
    }
    return isEnough;
  };

  /** Writes each event alone, so that no event fails because of another. A repeated event is recognised by its key. */
  const writeApart = async ({ events = [], ...changes }: KeyChanges): Promise<void> => {
    const skipped: ChannelEvent[] = [];
    for (const event of events) {
      try {
        await write({ messages: changes.messages ?? [], events: [event] });
      } catch (error) {
        if (isKeyStoreError(error)) throw error;
        skipped.push({ kind: "unknown", at: event.at, what: `${event.kind} that cannot be stored` });
      }
    }
    await write({ ...changes, events: skipped });
    if (skipped.length > 0)
      log.error({ channelId, count: skipped.length }, "events of the network could not be stored and are skipped");
  };

  return async (changes) => {
    const { events = [] } = changes;
    try {
      await write(changes);
    } catch (error) {
      if (isKeyStoreError(error) || !haveFailed(events)) throw error;
      await writeApart(changes);
    }
    for (const event of events) failures.delete(nameOf(event));
  };
};

/** Whether the write failed for a reason that is not in its content. */
const isKeyStoreError = (error: unknown): boolean =>
  error instanceof KeyStoreLost || (error instanceof AppError && error.code === "OVERLOADED");

/** The name under which failures of an event are counted. All events of a kind without ids share one. */
const nameOf = (event: ChannelEvent): string =>
  [event.kind, "nativeId" in event ? event.nativeId : "", "key" in event ? event.key : ""].join("/");
