import { Agent } from "node:https";
import type { proto } from "@whiskeysockets/baileys";
import { createStore, type WaAuthCredentials, WaClient } from "zapo-js";
import { decodeAddonPlaintext, decryptAddonPayload, identifyEncryptedAddon } from "zapo-js/message";
import type { Phone, WhatsApp } from "./index.ts";

/** What is read here of a message that zapo-js has decrypted. */
type Incoming = {
  stanzaId?: string;
  chatJid?: string;
  senderJid?: string;
  isGroupChat: boolean;
  message?: proto.IMessage;
};

/** An act on a message, as zapo-js tells it: its event, and the event's content. */
export type Acted = { event: "message_addon" | "message_protocol"; said: any };

/** An account on zapo-js, an implementation of the protocol that shares no code with Baileys. */
export type ZapoClient = {
  readonly client: WaClient;
  readonly phone: Phone;
  /** The messages that it has read, in order. */
  readonly received: readonly Incoming[];
  /** The first received message, past or future, that matches. */
  until(matches: (event: Incoming) => boolean): Promise<Incoming>;
  /** What it has read of acts on messages, in order: edits, revocations, votes, and the rest. */
  readonly acts: readonly Acted[];
  /** The first act, past or future, that matches. */
  untilAct(matches: (act: Acted) => boolean): Promise<Acted>;
  /** What it could not do. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
};

const IN_MEMORY = [
  "signal",
  "preKey",
  "session",
  "identity",
  "senderKey",
  "appState",
  "privacyToken",
  "messages",
  "threads",
  "contacts",
] as const;

/** A store whose contents end with the process. */
const memoryStore = () => {
  let credentials: WaAuthCredentials | null = null;
  const auth = {
    load: async () => credentials,
    save: async (saved: WaAuthCredentials) => {
      credentials = saved;
    },
    clear: async () => {
      credentials = null;
    },
  };
  return createStore({
    backends: { own: { stores: { auth: () => auth }, caches: {} } },
    providers: { auth: "own", ...Object.fromEntries(IN_MEMORY.map((domain) => [domain, "memory"])) },
  });
};

/**
 * Opens what is hidden under the secret of a message, by the ciphers of zapo-js. Its client does that by itself for
 * addresses with their device; the network's apps, and sessions, hide under those without.
 */
export const openedByZapo = async (parent: Incoming, { message = {}, senderJid = "" }: Incoming) => {
  const hidden = identifyEncryptedAddon(message);
  if (!hidden) throw new Error("nothing is hidden in this message");
  const { kind, modificationType, encPayload: ciphertext, encIv: iv } = hidden;
  const bare = (jid = "") => jid.replace(/:\d+@/, "@");
  const plain = await decryptAddonPayload({
    messageSecret: parent.message?.messageContextInfo?.messageSecret ?? new Uint8Array(),
    stanzaId: parent.stanzaId ?? "",
    parentMsgOriginalSender: bare(parent.senderJid),
    modificationSender: bare(senderJid),
    modificationType,
    ciphertext,
    iv,
  });
  return decodeAddonPlaintext(kind, plain);
};

/** A client of this number that is linked with its phone, and active. */
export const zapoClient = async (net: WhatsApp, pn: string): Promise<ZapoClient> => {
  const phone = net.phone(pn);
  const received: Incoming[] = [];
  const failures: string[] = [];
  const waiting = new Set<() => void>();
  const files = new Agent({ ca: net.mediaCa });
  const noted = (level: string) => (message: string, context?: unknown) => {
    // it reconnects after the pairing, with nothing under way
    if (message !== "clearing pending node queries")
      failures.push(`${level}: ${message} ${JSON.stringify(context ?? {})}`);
  };
  const nothing = () => {};
  const client = new WaClient(
    {
      store: memoryStore(),
      sessionId: pn,
      chatSocketUrls: [net.url],
      testHooks: { noiseRootCa: { publicKey: Buffer.from(net.root, "hex"), serial: 0 } },
      proxy: { mediaUpload: files, mediaDownload: files },
    },
    {
      level: "warn",
      trace: nothing,
      debug: nothing,
      info: nothing,
      warn: noted("warn"),
      error: noted("error"),
      child: () => {
        throw new Error("a child of this log is not expected");
      },
    },
  );
  const acts: Acted[] = [];
  for (const event of ["message_addon", "message_protocol"] as const)
    client.on(event, (said: unknown) => {
      acts.push({ event, said });
      for (const look of waiting) look();
    });
  client.on("message", (event: Incoming) => {
    received.push(event);
    for (const look of waiting) look();
  });
  const scanned = Promise.withResolvers<void>();
  client.once("auth_qr", ({ qr }: { qr: string }) => {
    phone.scan(qr).then(() => scanned.resolve(), scanned.reject);
  });
  const firstOf = <Item>(items: readonly Item[], matches: (item: Item) => boolean): Promise<Item> => {
    const { promise, resolve } = Promise.withResolvers<Item>();
    const look = () => {
      const found = items.find(matches);
      if (found !== undefined) resolve(found);
    };
    waiting.add(look);
    look();
    return promise.finally(() => waiting.delete(look));
  };
  // it connects anew by itself; a network that ends the connection at once, as this one, cuts it off in the middle of that
  const withRestart = net.faults.noRestart({ phone });
  await client.connect();
  await scanned.promise;
  await phone.open();
  withRestart();
  await net.until(() => (phone.devices.at(-1)?.preKeys ?? 0) > 0); // nobody can write to it before
  return {
    client,
    phone,
    received,
    failures,
    acts,
    until: (matches) => firstOf(received, matches),
    untilAct: (matches) => firstOf(acts, matches),
    async stop() {
      await client.disconnect();
      files.destroy();
    },
  };
};
