import type { ChannelEvent } from "../../../src/contract/events.ts";
import { type KeyChanges, type KeyStore, KeyStoreLost } from "../../../src/contract/key-store.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { AppError } from "../../../src/kernel/errors.ts";

/** An event that was refused so often will be refused for ever. */
const MOST_TRIES = 3;
/** So many events that were refused are remembered. */
const REMEMBERED = 1000;

/**
 * The writing of a ring that gives up an event which is never taken in, though everything else can be written: the
 * third time it is told as something unknown, with the keys and copies that came with it, or the network would bring it
 * again for ever, and nothing behind it would come. Where nothing can be written, nothing is given up.
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

  /** Each alone, so that none goes with another; what is told twice is recognised by its key. */
  const writeApart = async ({ events = [], ...changes }: KeyChanges): Promise<void> => {
    const unheard: ChannelEvent[] = [];
    for (const event of events) {
      try {
        await write({ messages: changes.messages ?? [], events: [event] });
      } catch (error) {
        if (isKeyStoreError(error)) throw error;
        unheard.push({ kind: "unknown", at: event.at, what: `${event.kind} that cannot be taken in` });
      }
    }
    await write({ ...changes, events: unheard });
    if (unheard.length > 0)
      log.error(
        { channelId, count: unheard.length },
        "what the network told could not be taken in, time and again, and is given up",
      );
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

/** Whether it would have failed whatever was to be written. */
const isKeyStoreError = (error: unknown): boolean =>
  error instanceof KeyStoreLost || (error instanceof AppError && error.code === "OVERLOADED");

/** By what an event is recognised when it comes again; those of some kinds go by one name. */
const nameOf = (event: ChannelEvent): string =>
  [event.kind, "nativeId" in event ? event.nativeId : "", "key" in event ? event.key : ""].join("/");
