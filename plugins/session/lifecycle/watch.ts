import type { WASocket } from "@whiskeysockets/baileys";
import { type Cancel, type Clock, SECOND_MS } from "../../../src/kernel/clock.ts";
import { every } from "./ticking.ts";

/** The time for a socket to show a QR code or be open: Baileys does not notice a refused upgrade. */
const OPENS_WITHIN_MS = 25 * SECOND_MS;
/** After how much silence the network is asked for a sign of life, if no setting says so. */
export const KEEP_ALIVE_MS = 25 * SECOND_MS;
/** Two ticks are a little longer than that: 14 s each of 25 s. */
const TICKS_IN = 25 / 14;
/** A link is dead after three ticks without a frame; Baileys would report that after up to 95 s. */
const DEAD_AFTER_TICKS = 3;
/** Baileys holds events back until a marker that may never come, or for 30 s. */
const FLUSH_MS = 1.5 * SECOND_MS;

/** The watchdog of one socket. */
export type Watch = {
  /** When the network last sent a frame. */
  readonly lastReceivedAt: number;
  /** The socket shows a QR code or is open, so the first deadline is met. */
  arrived(): void;
  /** A phone has accepted the identity. The network must now end the socket, within the time for opening it. */
  paired(): void;
  /** It is open. */
  opened(): void;
  stop(): void;
};

/**
 * Watches a socket from before it connects. `dead` is called at most once: when it did not open in time, or went
 * silent.
 */
export const watchSocket = (
  sock: WASocket,
  clock: Clock,
  dead: () => void,
  keepAliveMs: number = KEEP_ALIVE_MS,
): Watch => {
  let silentTicks = 0;
  let lastReceivedAt = clock.now();
  const onFrame = () => {
    silentTicks = 0;
    lastReceivedAt = clock.now();
  };
  sock.ws.on("frame", onFrame);

  const stop = () => {
    for (const cancel of cancels) cancel();
    sock.ws.off("frame", onFrame);
  };
  const give = () => {
    stop();
    dead();
  };
  const tick = () => {
    silentTicks += 1;
    if (silentTicks > DEAD_AFTER_TICKS) give();
    else if (silentTicks > 1) ping(sock);
  };
  const deadline = (): Cancel => clock.timer(OPENS_WITHIN_MS, give);
  const cancelFirst = deadline();
  const cancels = [cancelFirst, every(clock, keepAliveMs / TICKS_IN, tick)];

  return {
    get lastReceivedAt() {
      return lastReceivedAt;
    },
    arrived: cancelFirst,
    paired: () => void cancels.push(deadline()),
    opened: () => void cancels.push(every(clock, FLUSH_MS, () => void (sock.ev.isBuffering() && sock.ev.flush()))),
    stop,
  };
};

const ping = (sock: WASocket): void => {
  const ping = {
    tag: "iq",
    attrs: { id: sock.generateMessageTag(), to: "s.whatsapp.net", type: "get", xmlns: "w:p" },
    content: [{ tag: "ping", attrs: {} }],
  };
  // a socket that cannot be written to stays silent, and the ticks count that
  sock.sendNode(ping).catch(() => {});
};
