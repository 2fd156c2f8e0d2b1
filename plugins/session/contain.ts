import type { WASocket } from "@whiskeysockets/baileys";

type Failed = (error: unknown, event: string) => void;
type Listener = (...given: unknown[]) => unknown;

/**
 * Baileys listens with functions whose promises nobody holds: one that fails, because the connection broke at the wrong
 * moment or a frame cannot be read, would end the process, and every other channel with it. From here on such failures
 * are told to `failed`. For what listens by now.
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
