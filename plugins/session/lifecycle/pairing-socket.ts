import type { WASocket } from "@whiskeysockets/baileys";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type ActiveSocket, childOf, type Stanza } from "../active-socket.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import type { PairingCrypto } from "./pairing-crypto.ts";

/**
 * A socket without a linked phone. `offered`: the secrets, beside that of the QR codes, under which a phone may vouch
 * for the identity now; in base64. The secret that a phone uses becomes the identity's own.
 */
export type PairingSocket = {
  readonly activeSocket: ActiveSocket;
  readonly keys: ChannelKeys;
  readonly crypto: PairingCrypto;
  readonly offered: Map<"code" | "passkey", string>;
};

/** The answer of the network. `code`: the number of its refusal, 0 without an answer. */
export type Answer = { ok: true; stanza: Stanza } | { ok: false; code: number; reason: string };

const NETWORK = "s.whatsapp.net";

/** The bytes of a stanza's child; undefined if it has none. */
export const bytesIn = (stanza: Stanza | undefined, tag: string): Buffer | undefined => {
  const content = childOf(stanza, tag)?.content;
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : undefined;
};

/** Asks the network a question about linking. Never throws. */
export const askNetwork = async (
  { activeSocket: { sock } }: PairingSocket,
  type: "get" | "set",
  child: Stanza,
): Promise<Answer> => {
  try {
    const attrs = { to: NETWORK, type, id: sock.generateMessageTag(), xmlns: "md" };
    const stanza = (await sock.query({ tag: "iq", attrs, content: [child] })) as Stanza | undefined;
    return stanza ? { ok: true, stanza } : { ok: false, code: 0, reason: "the network did not answer" };
  } catch (thrown) {
    return { ok: false, code: codeOf(thrown), reason: reasonOf(thrown) };
  }
};

/** The library throws a refusal with its number in `data`. */
const codeOf = (thrown: unknown): number => {
  const data: unknown = typeof thrown === "object" && thrown !== null && "data" in thrown ? thrown.data : undefined;
  return typeof data === "number" && Number.isFinite(data) ? data : 0;
};

/** Acknowledges a notification that came before the login. */
export const acknowledge = ({ activeSocket: { sock } }: PairingSocket, { tag, attrs }: Stanza): Promise<void> =>
  sock.sendNode({
    tag: "ack",
    attrs: {
      id: attrs["id"] ?? "",
      to: attrs["from"] ?? NETWORK,
      class: tag,
      ...(attrs["type"] ? { type: attrs["type"] } : {}),
    },
  });

/** Refuses a pair-success under a secret that is not (or no longer) ours. The connection continues. */
export const refuseVouching = ({ activeSocket: { sock } }: PairingSocket, { attrs }: Stanza): Promise<void> =>
  sock.sendNode({
    tag: "iq",
    attrs: { to: attrs["from"] ?? NETWORK, type: "error", id: attrs["id"] ?? "" },
    content: [{ tag: "error", attrs: { code: "401", text: "not-authorized" } }],
  });

/**
 * Takes stanzas of an event instead of the existing listeners: `take` gets each stanza with a function that passes it
 * on to them.
 */
export const divert = (
  { ws }: Pick<WASocket, "ws">,
  event: string,
  take: (stanza: Stanza, passOn: () => void) => void,
): void => {
  const listeners = ws.listeners(event) as ((stanza: Stanza) => unknown)[];
  ws.removeAllListeners(event);
  ws.on(event, (stanza: Stanza) =>
    take(stanza, () => {
      for (const listener of listeners) listener(stanza);
    }),
  );
};
