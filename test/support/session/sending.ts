import { copyOf } from "../../../plugins/session/copies.ts";
import { newKey } from "../../../plugins/session/native-key.ts";
import { createLimits } from "../../../plugins/session/outbound/limits.ts";
import { createSender, type Sender } from "../../../plugins/session/outbound/sender.ts";
import type { Wire } from "../../../plugins/session/wire.ts";
import { createHttp } from "../../../src/adapters/http.ts";
import type { Content } from "../../../src/contract/content.ts";
import type { NativeKey } from "../../../src/contract/events.ts";
import type { KeyRing } from "../../../src/contract/key-ring.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { testCa } from "../hostile.ts";
import { type RecordingHost, recordingHost } from "../recording-host.ts";
import { untilTrue } from "../waiting.ts";
import { type Client, connect, linked } from "../whatsapp/baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";

/** A linked session that sends, on a network of its own. */
export type Session = {
  readonly net: WhatsApp;
  readonly phone: Phone;
  readonly host: RecordingHost;
  readonly sender: Sender;
  readonly ring: KeyRing;
  /** The client of the moment. */
  readonly client: Client;
  /** Somebody new with a phone. */
  contact(options?: Parameters<WhatsApp["contact"]>[0]): Contact;
  newKey(): NativeKey;
  send(content: Content, more: { to: string; key?: NativeKey; quotedKey?: NativeKey }): Promise<SendOutcome>;
  /** Ends the connection; from now on there is none. */
  leave(): void;
  /** Connects anew. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
};

/** How long the client waits for the network to answer a question, in real time. */
const QUERY_TIMEOUT_MS = 400;
const PN = "5511900000001";

export const sendingSession = async (): Promise<Session> => {
  const net = await startWhatsApp();
  const http = createHttp({ allow: ["127.0.0.1", "localhost"], extraCa: `${net.mediaCa}\n${await testCa()}` });
  const host = recordingHost({ http, vault: {} });
  const ring = await host.vault.openRing();
  const config = { defaultQueryTimeoutMs: QUERY_TIMEOUT_MS, getMessage: async ({ id }: { id?: string | null }) => (await copyOf(ring, id as NativeKey))?.message };
  let client = await linked(net, PN, config);
  const wireOf = (of: Client): Wire => ({ sock: of.sock, ring, isCurrent: () => of === client });
  let wire: Wire | undefined = wireOf(client);
  const limits = createLimits(host, 1_000_000);
  const sender = createSender(host, { wire: () => wire, settings: { url: net.url }, limits });
  sender.attach(wire);
  let contacts = 0;

  return {
    net,
    phone: net.phone(PN),
    host,
    sender,
    ring,
    get client() {
      return client;
    },
    contact: (options = {}) => net.contact({ pn: `55119111${String(++contacts).padStart(5, "0")}`, ...options }),
    newKey: () => newKey(host.random),
    send: (content, { to, key = newKey(host.random), quotedKey }) =>
      sender.send({ ...content, messageId: "6a0c2b1e-0000-4000-8000-000000000001", to, key, ...(quotedKey === undefined ? {} : { quotedKey }) }),
    leave() {
      wire = undefined;
      client.end();
    },
    async rejoin() {
      client = connect(net, client.identity, config);
      const fresh = wireOf(client);
      sender.attach(fresh);
      await client.opened();
      wire = fresh;
    },
    async stop() {
      client.end();
      await net.stop();
      http.close();
    },
  };
};

export const text = (words: string): Content => ({ type: "text", content: { text: words } });

/** Resolves when so many sends wait for the network's answer: their time limits run. */
export const untilWaiting = async ({ host }: Pick<Session, "host">, sends = 1): Promise<void> => {
  await untilTrue(() => host.clock.pendingTimers >= sends);
};
