import type { ProviderMessageId, Receipt } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach, Stanza } from "../active-socket.ts";
import { rejection, STALE_DEVICES } from "./outcomes.ts";

const ACK_WITHIN_MS = 20 * SECOND_MS;
/** The number of sends to remember after their wait has ended, so that a late answer is recognised. */
const REMEMBERED = 1000;

/**
 * The network's answer to a stanza: accepted, or rejected with an error. `serverId`: the number that it gave to a post
 * of a newsletter. `lost`: no answer.
 */
export type Ack =
  | { is: "taken"; serverId?: string }
  | { is: "rejected"; error: number }
  | { is: "lost"; reason: string };

/** `within` waits for the answer, at most 20 s. `drop` ends the wait when nothing was sent. */
export type Expected = { within(): Promise<Ack>; drop(): void };

export type Acks = { readonly attach: Attach; expect(activeSocket: ActiveSocket, key: ProviderMessageId): Expected };

type Waiting = { activeSocket: ActiveSocket; settle(ack: Ack): void };

/**
 * The network's answers to sends, read from the raw stanzas, because the library reports only refusals. An answer after
 * the end of its wait becomes a receipt.
 */
export const createAcks = (host: Pick<ChannelHost, "clock" | "log" | "emit">): Acks => {
  const waiting = new Map<ProviderMessageId, Waiting>();
  const unanswered = newestOf(REMEMBERED);

  const take = (activeSocket: ActiveSocket, { attrs }: Stanza): void => {
    const key = attrs["id"] as ProviderMessageId | undefined;
    if (key === undefined) return;
    const { error, server_id: serverId } = attrs;
    const ack: Ack =
      error === undefined
        ? { is: "taken", ...(serverId === undefined ? {} : { serverId }) }
        : { is: "rejected", error: Number(error) };
    const expected = waiting.get(key);
    if (expected?.activeSocket === activeSocket) return expected.settle(ack);
    if (unanswered.delete(key) && activeSocket.isCurrent()) publishLate(host, key, ack);
  };

  const waitFor = (activeSocket: ActiveSocket, key: ProviderMessageId): Waiting & { answer: Promise<Ack> } => {
    const { promise, resolve } = Promise.withResolvers<Ack>();
    const settle = (ack: Ack) => {
      if (waiting.get(key)?.settle !== settle) return;
      waiting.delete(key);
      if (ack.is === "lost") unanswered.add(key);
      resolve(ack);
    };
    waiting.get(key)?.settle({ is: "lost", reason: "the message was sent again meanwhile" });
    waiting.set(key, { activeSocket, settle });
    unanswered.delete(key);
    return { activeSocket, settle, answer: promise };
  };

  return {
    attach(activeSocket) {
      activeSocket.sock.ws.on("CB:ack,class:message", (stanza: Stanza) => take(activeSocket, stanza));
      activeSocket.sock.registerSocketEndHandler(() => {
        for (const one of waiting.values())
          if (one.activeSocket === activeSocket)
            one.settle({ is: "lost", reason: "the connection ended before the network answered" });
      });
    },
    expect(activeSocket, key) {
      const { answer, settle } = waitFor(activeSocket, key);
      return {
        within() {
          const cancel = host.clock.timer(ACK_WITHIN_MS, () =>
            settle({ is: "lost", reason: "the network did not answer in time" }),
          );
          return answer.finally(cancel);
        },
        drop: () => settle({ is: "lost", reason: "it did not leave" }),
      };
    },
  };
};

/** Publishes a late answer. A refusal after which a retry may succeed publishes nothing. */
const publishLate = (
  { clock, log, emit }: Pick<ChannelHost, "clock" | "log" | "emit">,
  key: ProviderMessageId,
  ack: Ack,
): void => {
  const receipt = { kind: "receipt", key, at: clock.now() } as const;
  const published =
    ack.is === "rejected" ? emitRefusal(emit, receipt, ack.error) : emit({ ...receipt, status: "sent" });
  published?.catch((thrown: unknown) => log.error({ error: reasonOf(thrown) }, "a late answer could not be stored"));
};

const emitRefusal = (
  emit: ChannelHost["emit"],
  receipt: Pick<Receipt, "kind" | "key" | "at">,
  error: number,
): Promise<void> | undefined => {
  const { kind, code, reason } = rejection(error);
  return kind !== "refused" || error === STALE_DEVICES
    ? undefined
    : emit({ ...receipt, status: "failed", error: { code: error, reason, failure: code } });
};

/** A set that forgets the oldest entries above `most`. */
const newestOf = (most: number): Pick<Set<ProviderMessageId>, "add" | "delete"> => {
  const keys = new Set<ProviderMessageId>();
  return {
    add(key) {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > most && oldest !== undefined) keys.delete(oldest);
      return keys;
    },
    delete: (key) => keys.delete(key),
  };
};
