import type { WASocket } from "@whiskeysockets/baileys";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { type Clock, SECOND_MS } from "../../../src/kernel/clock.ts";

const CLOSES_WITHIN_MS = 2 * SECOND_MS;
const UNLINKS_WITHIN_MS = 5 * SECOND_MS;

/** Ends a socket; the identity stays. A socket that does not close in time is cut off. */
export const endSocket = async (sock: WASocket, clock: Clock): Promise<void> => {
  await hasEndedWithin(clock, CLOSES_WITHIN_MS, sock.end(undefined));
  cutSocket(sock);
};

/** Ends a socket whose other side is not expected to say goodbye. */
export const cutSocket = (sock: WASocket): void => {
  const inner: unknown = Reflect.get(sock.ws, "socket");
  if (isTerminable(inner)) inner.terminate();
};

const isTerminable = (value: unknown): value is { terminate(): void } =>
  typeof value === "object" && value !== null && "terminate" in value;

/**
 * Asks the network to unlink the identity, so that the owner's phone no longer lists it. Resolves to whether it
 * confirmed that in time. Never throws.
 */
export const unlink = async (sock: WASocket, clock: Clock): Promise<boolean> => {
  const jid = sock.authState.creds.me?.id ?? "";
  const removal = {
    tag: "iq",
    attrs: { to: "s.whatsapp.net", type: "set", xmlns: "md" },
    content: [{ tag: "remove-companion-device", attrs: { jid, reason: "user_initiated" } }],
  };
  let isUnlinked = false;
  const asked = sock.query(removal, UNLINKS_WITHIN_MS).then(() => {
    isUnlinked = true;
  });
  await hasEndedWithin(clock, UNLINKS_WITHIN_MS, asked);
  return isUnlinked;
};
