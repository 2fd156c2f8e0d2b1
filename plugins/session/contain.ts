import type { WASocket } from "@whiskeysockets/baileys";

type Failed = (error: unknown, event: string) => void;
type Listener = (...given: unknown[]) => unknown;

/**
 * Catches errors of Baileys' own listeners, and passes them to `failed`. Their promises are not awaited, so a rejection
 * (the connection broke, or a frame cannot be read) would end the process with all its channels. Covers the listeners
 * that are registered at the time of the call.
 */
export const containFailures = (sock: Pick<WASocket, "ws">, failed: Failed): void => {
  for (const event of sock.ws.eventNames()) {
    const listeners = sock.ws.listeners(event) as Listener[];
    sock.ws.removeAllListeners(event);
    for (const listener of listeners)
      sock.ws.on(
        event,
        contained(listener, (error) => failed(error, String(event))),
      );
  }
};

const contained =
  (listener: Listener, failed: (error: unknown) => void): Listener =>
  async (...given) => {
    try {
      await listener(...given);
    } catch (error) {
      failed(error);
    }
  };
