import { EventEmitter } from "node:events";
import {
  Curve,
  encodeWAMessage,
  generateSignalPubKey,
  type proto,
  type SignalRepositoryWithLIDStore,
  type WASocket,
} from "@whiskeysockets/baileys";
import type { ReadMessage, Stanza } from "../../../plugins/session/active-socket.ts";
import { type ChannelKeys, openKeys } from "../../../plugins/session/keys/keys.ts";
import { createSignals } from "../../../plugins/session/keys/repository.ts";
import type { ProviderMessageId, Received } from "../../../src/contract/events.ts";
import { createLog } from "../../../src/kernel/log.ts";
import type { KeyDisk } from "./key-disk.ts";

/** A party with its own keys and an unconnected socket. It encrypts and decrypts as a channel does. */
export type Party = {
  readonly jid: string;
  readonly keys: ChannelKeys;
  readonly repository: SignalRepositoryWithLIDStore;
  /** The reason with which its socket was ended. */
  readonly ends: (Error | undefined)[];
  readonly logLines: string[];
  /** The keys to begin a session with it. */
  bundle(): Promise<Bundle>;
  /** Encrypts for a person, as one part of a stanza. */
  write(to: string, message: string | proto.IMessage, id?: string): Promise<Stanza>;
  /** Encrypts for a group: the part, and the message with which a member can read it. */
  writeTo(group: string, text: string): Promise<{ skmsg: Stanza; skdm: proto.IMessage }>;
  /** Handles a stanza like its socket: decrypts every part. Resolves with the number of successes. */
  postInbound(stanza: Stanza): Promise<number>;
};

type Bundle = Parameters<SignalRepositoryWithLIDStore["injectE2ESession"]>[0]["session"];

const silent = { level: "silent", child: () => silent, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Emits every message with a text as `message`. */
export const emitText: ReadMessage = async (stanza, message) =>
  message.conversation ? { events: [received(stanza, message.conversation)] } : {};

const received = (stanza: Stanza, text: string): Received => {
  const from = { pn: (stanza.attrs["from"] ?? "").split("@")[0] ?? "" };
  return {
    kind: "received",
    key: (stanza.attrs["id"] ?? "") as ProviderMessageId,
    at: 0,
    from,
    chat: from,
    pushName: null,
    content: { type: "text", content: { text } },
  };
};

let lastId = 0;

export const party = async (
  jid: string,
  disk: Pick<KeyDisk, "openKeyStore">,
  read: ReadMessage = emitText,
): Promise<Party> => {
  const logLines: string[] = [];
  const host = { channelId: "channel", log: createLog("debug", { write: (line) => void logLines.push(line) }) };
  const keys = await openKeys({
    ...host,
    vault: { read: async () => ({}), write: async () => {}, openKeyStore: disk.openKeyStore },
  });
  await keys.saveCreds();
  const ends: (Error | undefined)[] = [];
  const ws = new EventEmitter();
  const signals = createSignals(host, keys, read);
  const repository = signals.makeSignalRepository(keys.auth, silent, async () => undefined);
  const sock = {
    ws,
    ev: new EventEmitter(),
    end: async (error: Error | undefined) => void ends.push(error),
  } as unknown as WASocket;
  signals.attach({ sock, keyStore: keys.keyStore, isCurrent: () => ends.length === 0 });
  let preKeys = 0;

  const decrypt = async (stanza: Stanza, { attrs, content }: Stanza): Promise<void> => {
    const from = stanza.attrs["participant"] ?? stanza.attrs["from"] ?? "";
    const ciphertext = content as Uint8Array;
    if (attrs["type"] === "skmsg")
      await repository.decryptGroupMessage({ group: stanza.attrs["from"] ?? "", authorJid: from, msg: ciphertext });
    else await repository.decryptMessage({ jid: from, type: attrs["type"] as "msg" | "pkmsg", ciphertext });
  };

  return {
    jid,
    keys,
    repository,
    ends,
    logLines,
    async bundle() {
      preKeys += 1;
      const preKey = Curve.generateKeyPair();
      await keys.auth.keys.set({ "pre-key": { [preKeys]: preKey } });
      const { registrationId, signedIdentityKey, signedPreKey } = keys.auth.creds;
      return {
        registrationId,
        identityKey: generateSignalPubKey(signedIdentityKey.public),
        signedPreKey: {
          keyId: signedPreKey.keyId,
          publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
          signature: signedPreKey.signature,
        },
        preKey: { keyId: preKeys, publicKey: generateSignalPubKey(preKey.public) },
      };
    },
    async write(to, message, id = `M${++lastId}`) {
      const data = encodeWAMessage(typeof message === "string" ? { conversation: message } : message);
      const { type, ciphertext } = await repository.encryptMessage({ jid: to, data });
      return {
        tag: "message",
        attrs: { id, from: jid, t: "1" },
        content: [{ tag: "enc", attrs: { v: "2", type }, content: ciphertext }],
      };
    },
    async writeTo(group, text) {
      const data = encodeWAMessage({ conversation: text });
      const { ciphertext, senderKeyDistributionMessage: key } = await repository.encryptGroupMessage({
        group,
        meId: jid,
        data,
      });
      return {
        skmsg: { tag: "enc", attrs: { v: "2", type: "skmsg" }, content: ciphertext },
        skdm: { senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: key } },
      };
    },
    async postInbound(stanza) {
      ws.emit("CB:message", stanza);
      let read = 0;
      for (const part of stanza.content as Stanza[]) {
        // like Baileys, it tries all parts, even after one that it cannot decrypt
        await decrypt(stanza, part).then(
          () => (read += 1),
          () => {},
        );
      }
      return read;
    },
  };
};

/** Lets `one` write to `other`. */
export const introduce = async (one: Party, other: Party): Promise<void> =>
  one.repository.injectE2ESession({ jid: other.jid, session: await other.bundle() });

/** The received texts on a disk. */
export const textsOn = ({ events }: Pick<KeyDisk, "events">): string[] =>
  events.flatMap((event) =>
    event.kind === "received" && event.content.type === "text" ? [event.content.content.text] : [],
  );
