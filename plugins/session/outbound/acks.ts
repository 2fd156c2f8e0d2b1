import type { ProviderMessageId, Receipt } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach, Stanza } from "../active-socket.ts";
import { rejection, STALE_ADDRESSING, STALE_DEVICES, UNKNOWN_DEVICE } from "./outcomes.ts";

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

/** Takes a refusal that comes after the wait, if the send can be repeated in another form: undefined if it cannot. */
export type LateRefusal = (error: number) => Promise<void> | undefined;

export type Acks = {
  readonly attach: Attach;
  expect(activeSocket: ActiveSocket, key: ProviderMessageId, lateRefusal?: LateRefusal): Expected;
};

type Waiting = { activeSocket: ActiveSocket; settle(ack: Ack): void };

const notRepeated: LateRefusal = () => undefined;

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
    const lateRefusal = unanswered.take(key);
    if (lateRefusal && activeSocket.isCurrent()) publishLate(host, key, { ack, lateRefusal });
  };

  const waitFor = (
    activeSocket: ActiveSocket,
    key: ProviderMessageId,
    lateRefusal: LateRefusal,
  ): Waiting & { answer: Promise<Ack> } => {
    const { promise, resolve } = Promise.withResolvers<Ack>();
    const settle = (ack: Ack) => {
      if (waiting.get(key)?.settle !== settle) return;
      waiting.delete(key);
      if (ack.is === "lost") unanswered.add(key, lateRefusal);
      resolve(ack);
    };
    waiting.get(key)?.settle({ is: "lost", reason: "the message was sent again meanwhile" });
    waiting.set(key, { activeSocket, settle });
    unanswered.take(key);
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
    expect(activeSocket, key, lateRefusal = notRepeated) {
      const { answer, settle } = waitFor(activeSocket, key, lateRefusal);
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
  { ack, lateRefusal }: { ack: Ack; lateRefusal: LateRefusal },
): void => {
  const receipt = { kind: "receipt", key, at: clock.now() } as const;
  const published =
    ack.is === "rejected"
      ? (lateRefusal(ack.error) ?? emitRefusal(emit, receipt, ack.error))
      : emit({ ...receipt, status: "sent" });
  published?.catch((thrown: unknown) => log.error({ error: reasonOf(thrown) }, "a late answer could not be stored"));
};

/** The refusals of old addresses: the repeat goes to those of now. */
const OLD: ReadonlySet<number> = new Set([STALE_DEVICES, UNKNOWN_DEVICE, STALE_ADDRESSING]);

const emitRefusal = (
  emit: ChannelHost["emit"],
  receipt: Pick<Receipt, "kind" | "key" | "at">,
  error: number,
): Promise<void> | undefined => {
  const { kind, code, reason } = rejection(error);
  return kind !== "refused" || OLD.has(error)
    ? undefined
    : emit({ ...receipt, status: "failed", error: { code: error, reason, failure: code } });
};

/** The newest sends without an answer; the oldest above `most` are forgotten. */
const newestOf = (most: number) => {
  const sends = new Map<ProviderMessageId, LateRefusal>();
  return {
    add(key: ProviderMessageId, lateRefusal: LateRefusal): void {
      sends.set(key, lateRefusal);
      const [oldest] = sends.keys();
      if (sends.size > most && oldest !== undefined) sends.delete(oldest);
    },
    take(key: ProviderMessageId): LateRefusal | undefined {
      const lateRefusal = sends.get(key);
      sends.delete(key);
      return lateRefusal;
    },
  };
};
