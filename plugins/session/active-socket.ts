import type { proto, WASocket } from "@whiskeysockets/baileys";
import type { KeyChanges, KeyStore } from "../../src/contract/ports/key-store.ts";

/** A stanza of the network's protocol, as Baileys decodes it. */
export type Stanza = { tag: string; attrs: Record<string, string>; content?: Stanza[] | string | Uint8Array };

/** The stanzas in a stanza. Without the network's library, which is loaded late. */
export const childrenOf = (stanza: Stanza | undefined): Stanza[] =>
  Array.isArray(stanza?.content) ? stanza.content : [];

/** The first stanza of a tag in a stanza. */
export const childOf = (stanza: Stanza | undefined, tag: string): Stanza | undefined =>
  childrenOf(stanza).find((child) => child.tag === tag);

/** One socket, from before it connects until it has ended; a reconnect makes another. */
export type ActiveSocket = {
  readonly sock: WASocket;
  readonly keyStore: KeyStore;
  /** False once another socket has replaced it or the link was closed: it must not publish anything any more. */
  isCurrent(): boolean;
};

/** Installs listeners that do not concern the connection itself; called with every new socket before it connects. */
export type Attach = (activeSocket: ActiveSocket) => void;

/** The place where a decrypted message is read. `bytes`: the message as its writer encoded it. */
export type Decrypted = Pick<ActiveSocket, "keyStore"> & { bytes: Uint8Array };

/**
 * Reads a message as soon as it is decrypted. Its changes are written together with the keys that its decryption
 * changed; only then is it acknowledged to the network. Called once per decrypted part of a stanza.
 */
export type ReadMessage = (stanza: Stanza, message: proto.IMessage, decrypted: Decrypted) => Promise<KeyChanges>;
