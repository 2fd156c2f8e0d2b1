import type { ActiveSocket } from "../../../plugins/session/active-socket.ts";
import { userOf } from "../../../plugins/session/address.ts";
import { cachedMessage } from "../../../plugins/session/message-cache.ts";
import { newKey } from "../../../plugins/session/message-ids.ts";
import { createLimits, type Limits } from "../../../plugins/session/outbound/limits/limits.ts";
import { createSender, type Sender } from "../../../plugins/session/outbound/sender.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { testCa } from "../servers/hostile.ts";
import { untilTrue } from "../waiting.ts";
import { type Client, connect, linked } from "../whatsapp/baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";

/** A linked session that sends, on a separate network. */
export type Session = {
  readonly net: WhatsApp;
  readonly phone: Phone;
  readonly host: RecordingHost;
  readonly sender: Sender;
  readonly keyStore: KeyStore;
  /** The present client. */
  readonly client: Client;
  /** A new person with a phone. */
  contact(options?: Parameters<WhatsApp["contact"]>[0]): Contact;
  limits: Limits;
  newKey(): ProviderMessageId;
  send(
    content: Content,
    more: { to: string; key?: ProviderMessageId; quotedProviderMessageId?: ProviderMessageId },
  ): Promise<SendOutcome>;
  /** Ends the connection for good. */
  leave(): void;
  /** Connects anew. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The time for which the client waits for an answer of the network, in real time. At a load of 28 on two processors
 * answers took over 400 ms.
 */
const QUERY_TIMEOUT_MS = 2000;
const PN = "5511900000001";

export const sendingSession = async (
  parts: Pick<ChannelHost, "makeVoice" | "makeSticker" | "makeThumbnail" | "makeStandard" | "openFile"> = {},
): Promise<Session> => {
  const net = await startWhatsApp();
  const http = createHttp({ allow: ["127.0.0.1", "localhost"], extraCa: `${net.mediaCa}\n${await testCa()}` });
  const host = recordingHost({ http, vault: {}, ...parts });
  const keyStore = await host.vault.openKeyStore();
  const config = {
    defaultQueryTimeoutMs: QUERY_TIMEOUT_MS,
    getMessage: async ({ id }: { id?: string | null }) =>
      (await cachedMessage(keyStore, id as ProviderMessageId))?.message,
  };
  let client = await linked(net, PN, config);
  const wireOf = (of: Client): ActiveSocket => {
    keepPairs(of, keyStore);
    return { sock: of.sock, keyStore, isCurrent: () => of === client };
  };
  let activeSocket: ActiveSocket | undefined = wireOf(client);
  const limits = createLimits(host, 1_000_000);
  const settings = { url: net.url };
  const stream = host.http.guardedStream;
  const sender = createSender(host, { activeSocket: () => activeSocket, settings, limits, stream });
  sender.attach(activeSocket);
  let contacts = 0;

  return {
    net,
    limits,
    phone: net.phone(PN),
    host,
    sender,
    keyStore,
    get client() {
      return client;
    },
    contact: (options = {}) => net.contact({ pn: `55119111${String(++contacts).padStart(5, "0")}`, ...options }),
    newKey: () => newKey(host.random),
    send: (content, { to, key = newKey(host.random), quotedProviderMessageId }) =>
      sender.send({
        ...content,
        messageId: "6a0c2b1e-0000-4000-8000-000000000001",
        to,
        key,
        ...(quotedProviderMessageId === undefined ? {} : { quotedProviderMessageId }),
      }),
    leave() {
      activeSocket = undefined;
      client.end();
    },
    async rejoin() {
      client = connect(net, client.identity, config);
      const fresh = wireOf(client);
      sender.attach(fresh);
      await client.opened();
      activeSocket = fresh;
    },
    async stop() {
      client.end();
      await net.stop();
      http.close();
    },
  };
};

/** The client has its own keys. The channel also has to know which LID belongs to which number. */
const keepPairs = ({ sock }: Client, keyStore: KeyStore): void => {
  const { lidMapping } = sock.signalRepository;
  const store = lidMapping.storeLIDPNMappings.bind(lidMapping);
  const row = (id: string, value: string) => ({ kind: "lid-mapping", id, value: JSON.stringify(value) });
  lidMapping.storeLIDPNMappings = async (pairs) => {
    await store(pairs);
    const rows = pairs.flatMap(({ lid, pn }) => [
      row(userOf(pn), userOf(lid)),
      row(`${userOf(lid)}_reverse`, userOf(pn)),
    ]);
    await keyStore.write({ rows });
  };
};

export const text = (words: string): Content => ({ type: "text", content: { text: words } });

/** Resolves when so many sends wait for the network's answer: their time limits run. */
export const untilWaiting = async ({ host }: Pick<Session, "host">, sends = 1): Promise<void> => {
  await untilTrue(() => host.clock.pendingTimers >= sends);
};
