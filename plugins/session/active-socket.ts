import type { proto, WASocket } from "@whiskeysockets/baileys";
import type { KeyChanges, KeyStore } from "../../src/contract/key-store.ts";

/** A stanza of the network's protocol, as Baileys decodes it. */
export type Stanza = { tag: string; attrs: Record<string, string>; content?: Stanza[] | string | Uint8Array };

/** The stanzas in a stanza. Without the network's library, which is loaded late. */
export const childrenOf = (stanza: Stanza | undefined): Stanza[] =>
  Array.isArray(stanza?.content) ? stanza.content : [];

/** One socket, from before it connects until it has ended; a reconnect makes another. */
export type ActiveSocket = {
  readonly sock: WASocket;
  readonly keyStore: KeyStore;
  /** False once another socket or the end has taken its place: nothing of it may be told any more. */
  isCurrent(): boolean;
};

/** What happens on a socket that is no matter of its life; installed on every new one before it connects. */
export type Attach = (activeSocket: ActiveSocket) => void;

/**
 * Reads a message as soon as it is decrypted: what it changes is written together with the keys that its decryption
 * changed, and only then does the network hear that it arrived. Called once per decrypted part of a stanza.
 */
export type ReadMessage = (
  stanza: Stanza,
  message: proto.IMessage,
  activeSocket: Pick<ActiveSocket, "keyStore">,
) => Promise<KeyChanges>;
