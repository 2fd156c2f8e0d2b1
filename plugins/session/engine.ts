import type { ChatsApi } from "../../src/contract/abilities/chats.ts";
import { HISTORY_FIELD, HISTORY_MODES, type HistoryMode } from "../../src/contract/abilities/history.ts";
import type { NewslettersApi } from "../../src/contract/abilities/newsletters.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { KeyStore } from "../../src/contract/ports/key-store.ts";
import { type Account, createAccount } from "./account/account.ts";
import { keepOnline } from "./account/online.ts";
import { createWatching } from "./account/watching.ts";
import type { ActiveSocket, Attach, ReadMessage } from "./active-socket.ts";
import { type Chats, createChats } from "./app-state/chats.ts";
import { createAppState } from "./app-state/sync.ts";
import { createCalls, type SessionCalls } from "./calls/calls.ts";
import type { ClientVersion } from "./client/client-version.ts";
import { watchExpiry } from "./client/expiry.ts";
import { createRoute, type Route } from "./client/route.ts";
import { createCreations } from "./groups/creations.ts";
import { createGroups, type SessionGroups } from "./groups/groups.ts";
import { createImporter, type Importer } from "./history/importer.ts";
import { createRequests, type Requests } from "./history/requests.ts";
import type { Receives } from "./inbound/broadcasts.ts";
import { createInbox, type Inbox } from "./inbound/inbox.ts";
import { createReading, type Reading } from "./inbound/reading.ts";
import { acknowledgeOthers } from "./inbound/stanza-acks.ts";
import { setTrustRoot } from "./keys/hardening.ts";
import { type ChannelKeys, openKeys } from "./keys/keys.ts";
import { createSignals } from "./keys/repository.ts";
import { remainderOf, unlinkOld } from "./lifecycle/old-identities.ts";
import { type PairingCrypto, pairingCrypto } from "./lifecycle/pairing-crypto.ts";
import { createSocketMemory, makeSocket } from "./lifecycle/socket.ts";
import { createNewsletters } from "./newsletters/newsletters.ts";
import type { Limits } from "./outbound/limits/limits.ts";
import { createSender, type Sender } from "./outbound/sender.ts";
import type { PhoneSettings } from "./phone-settings.ts";
import type { SessionSettings } from "./plugin.ts";

/**
 * The parts of a session that need the network's library, which is large: loaded with the first session that connects.
 */
export type Engine = Account & {
  openKeys: typeof openKeys;
  /** Makes a socket for the identity, with all its listeners; it connects at once. */
  connect(keys: ChannelKeys, isCurrent: () => boolean): ActiveSocket;
  pairingCrypto: PairingCrypto;
  /** The remainder after a wipe of the key store. */
  remainderOf: typeof remainderOf;
  /** Unlinks the identities that could not be unlinked before. Resolves to true when none is left. */
  unlinkOld(keyStore: KeyStore): Promise<boolean>;
  /**
   * The network refused this version, or that of the last socket. Resolves to whether a newer one is available now.
   * Never throws.
   */
  hasNewerClient(than?: number): Promise<boolean>;
  /** The version of the last socket. */
  usedClient(): number;
  /** Why the proxy made no connection the last time; undefined if it did, or if there is no proxy. */
  proxyFault(): string | undefined;
  sender: Sender;
  inbox: Inbox;
  groups: SessionGroups;
  reading: Reading;
  calls: SessionCalls;
  newsletters: NewslettersApi;
  chats: Pick<Chats, keyof ChatsApi> & { close(): void };
  history: Requests;
};

/** `activeSocket`: the socket that is open at the moment. */
export type EngineParts = {
  limits: Limits;
  client: ClientVersion;
  phoneSettings: PhoneSettings;
  activeSocket(): ActiveSocket | undefined;
  /** Called after the network has restricted the account, or lifted the restriction. */
  restrictionChanged?(): void;
};

export const createEngine = (
  host: ChannelHost,
  settings: SessionSettings,
  { limits, client, phoneSettings, activeSocket, restrictionChanged }: EngineParts,
): Engine => {
  const { url, root, receives = [] } = settings;
  if (root !== undefined) setTrustRoot(root);
  const route = createRoute(host, url, client);
  const acknowledge = acknowledgeOthers(host);
  const sender: Sender = createSender(host, {
    activeSocket,
    settings,
    limits,
    stream: route.stream,
    operateOwn: (active, operation) => chats.operate(active, operation),
    ...(restrictionChanged ? { restrictionChanged } : {}),
  });
  const mediaPlace = { host: sender.mediaHost, stream: route.stream };
  const watching = createWatching(host);
  const calls = createCalls(host, { activeSocket, settings: phoneSettings });
  const online = keepOnline(host, { activeSocket, settings: phoneSettings });
  const reading = createReading(host, phoneSettings);
  const creations = createCreations();
  const requests = createRequests(host, { activeSocket, numbers: sender.numbers });
  const history = createImporter(host, { mediaPlace, answered: requests.answered });
  const appState = createAppState(host, { mediaPlace });
  const inbox = createInbox(host, { mediaPlace, receives, creations, history, settings: phoneSettings, appState });
  const chats = createChats(host, {
    activeSocket,
    appState,
    numbers: sender.numbers,
    addressing: settings.addressing ?? "lid",
  });
  const listening = [inbox, sender, watching, calls, reading, history, appState].map(({ attach }) => attach);
  const connector = createConnector(host, {
    client,
    route,
    receives,
    history,
    readMessage: inbox.read,
    hasStatus: limits.statuses.isRecent,
    keepAliveMs: settings.keepAliveMs,
    listening: [...listening, online, watchExpiry(host, client), acknowledge],
  });

  return {
    async openKeys(from) {
      await route.load();
      const keys = await openKeys(from);
      await limits.recall(keys.keyStore);
      phoneSettings.changed(); // another process may have changed them
      history.mode = await historyModeOf(host);
      return keys;
    },
    ...connector,
    pairingCrypto,
    remainderOf,
    async unlinkOld(keyStore) {
      await route.load();
      return unlinkOld(host, route.forSocket(), keyStore);
    },
    proxyFault: () => route.fault,
    sender,
    inbox,
    groups: createGroups(host, { activeSocket, sender, limits, creations }),
    history: requests,
    calls,
    reading,
    newsletters: createNewsletters(host, { activeSocket, limits, acks: sender.acks }),
    chats: { ...chats, close: appState.close },
    ...createAccount(host, { activeSocket, numbers: sender.numbers, watching, appState }),
  };
};

/** The parts of every socket of a session. `listening`: what listens to each of them, after its keys. */
type ConnectorParts = Pick<EngineParts, "client"> & {
  route: Route;
  receives: Receives;
  history: Pick<Importer, "mode">;
  readMessage: ReadMessage;
  hasStatus(): boolean;
  keepAliveMs: number | undefined;
  listening: readonly Attach[];
};

/** Makes the sockets of a session, one after another, and knows the client version of the last. */
const createConnector = (
  host: ChannelHost,
  { client, route, receives, history, readMessage, hasStatus, keepAliveMs, listening }: ConnectorParts,
): Pick<Engine, "connect" | "hasNewerClient" | "usedClient"> => {
  const memory = createSocketMemory(host);
  let used = client.current();
  return {
    connect(keys, isCurrent) {
      const signals = createSignals(host, keys, readMessage);
      const towards = route.forSocket();
      used = towards.version;
      const wantsFullHistory = history.mode === "full";
      const sock = makeSocket({
        host,
        route: towards,
        keys,
        signals,
        memory,
        receives,
        wantsFullHistory,
        hasStatus,
        keepAliveMs,
      });
      const made: ActiveSocket = { sock, keyStore: keys.keyStore, isCurrent };
      for (const attach of [signals.attach, ...listening]) attach(made);
      return made;
    },
    hasNewerClient: (than = used) => client.refused(host, than),
    usedClient: () => used,
  };
};

/** The mode that the channel was made with. */
const historyModeOf = async ({ vault }: Pick<ChannelHost, "vault">): Promise<HistoryMode> => {
  const { [HISTORY_FIELD]: mode } = await vault.read();
  return HISTORY_MODES.find((one) => one === mode) ?? "none";
};
