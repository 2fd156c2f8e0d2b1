import { areJidsSameUser, proto, unpadRandomMax16 } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { type ActiveSocket, type Attach, childrenOf, type ReadMessage, type Stanza } from "../active-socket.ts";
import { millisecondsOf } from "../inbound/origin.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";

/** A decrypted message, and its bytes. */
export type Plain = { message: proto.IMessage; bytes: Uint8Array };

/** A part of a stanza that is being decrypted. */
export type Part = {
  author: string;
  /** Whether the stanza was read before; then a failed decryption is expected. */
  wasRead(): Promise<boolean>;
  /** The events of its message, and the rows that change with it. */
  changesOf(plain: Plain): Promise<KeyChanges>;
};

export type Reading = {
  attach: Attach;
  /** The stanza's part of a ciphertext. Throws when it must not be read; then the socket has ended. */
  partOf(ciphertext: object): Part;
  /** The message in a plaintext; undefined if there is none. */
  messageIn(plaintext: Uint8Array): Plain | undefined;
};

/**
 * Finds the stanza of each ciphertext that a socket passes to its repository. Baileys passes the very buffer that came
 * with the stanza.
 */
export const createReading = (
  { channelId, log }: Pick<ChannelHost, "channelId" | "log">,
  keyStore: KeyStore,
  read: ReadMessage,
): Reading => {
  const stanzas = new WeakMap<object, Stanza>();
  let activeSocket: ActiveSocket | undefined;

  const remember = (stanza: Stanza): void => {
    for (const { content } of childrenOf(stanza)) if (content instanceof Uint8Array) stanzas.set(content, stanza);
  };
  /** A message that cannot be read becomes an `unknown` event, so that it does not block the later ones. */
  const changesOf = async (stanza: Stanza, { message, bytes }: Plain): Promise<KeyChanges> => {
    try {
      return await read(stanza, message, { keyStore, bytes });
    } catch (error) {
      log.error({ channelId, err: error }, "message could not be read");
      return { events: [{ kind: "unknown", at: millisecondsOf(stanza.attrs["t"]), what: "unreadable message" }] };
    }
  };

  const wasRead = async (stanza: Stanza, author: string): Promise<boolean> => {
    const key = providerMessageIdOf(stanza.attrs["id"]);
    const copy = key && (await cachedMessage(keyStore, key));
    return copy !== undefined && areJidsSameUser(copy.sender, author);
  };

  return {
    attach(attached) {
      activeSocket = attached;
      attached.sock.ws.prependListener("CB:message", remember);
    },
    partOf(ciphertext) {
      const stanza = stanzas.get(ciphertext);
      if (!stanza || !activeSocket?.isCurrent()) {
        // without its connection Baileys can neither acknowledge the message nor ask for another copy: the network
        // brings it again
        void activeSocket?.sock.end(undefined);
        throw new Error("this socket reads no more messages");
      }
      const author = stanza.attrs["participant"] ?? stanza.attrs["from"] ?? "";
      return { author, wasRead: () => wasRead(stanza, author), changesOf: (plain) => changesOf(stanza, plain) };
    },
    messageIn(plaintext) {
      try {
        const bytes = unpadRandomMax16(plaintext);
        return { message: proto.Message.decode(bytes), bytes };
      } catch {
        // Baileys, which finds the same, reports it to the network
        return undefined;
      }
    },
  };
};
