import {
  Browsers,
  DEFAULT_CONNECTION_CONFIG,
  isJidNewsletter,
  isJidStatusBroadcast,
  makeWASocket,
  proto,
  type SocketConfig,
  type WASocket,
} from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import type { Log } from "../../../src/kernel/log.ts";
import type { Stanza } from "../active-socket.ts";
import { createCache } from "../cache.ts";
import type { SocketRoute } from "../client/route.ts";
import { containFailures } from "../contain.ts";
import type { Receives } from "../inbound/broadcasts.ts";
import { takeTurnsByChat } from "../inbound/chat-turns.ts";
import { completedMessagePlace, isSameChat } from "../inbound/people.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import type { Signals } from "../keys/repository.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";
import { createGroupCache, keepGroups } from "./group-cache.ts";
import { socketLog } from "./socket-log.ts";
import { KEEP_ALIVE_MS } from "./watch.ts";

/**
 * The longest wait of the platform's timers: Baileys shows only the first QR code, the others follow by the clock of
 * the host.
 */
const NEVER_MS = 2 ** 31 - 1;

/** The memory that outlives the sockets of one session, so that a reconnect need not ask the network again. */
export type SocketMemory = ReturnType<typeof createSocketMemory>;

export const createSocketMemory = ({ clock }: Pick<ChannelHost, "clock">) => ({
  userDevicesCache: createCache(clock, { most: 5_000, ttlMs: HOUR_MS }),
  msgRetryCounterCache: createCache(clock, { most: 2_000, ttlMs: HOUR_MS }),
  callOfferCache: createCache(clock, { most: 100, ttlMs: 5 * MINUTE_MS }),
  placeholderResendCache: createCache(clock, { most: 1_000, ttlMs: HOUR_MS }),
});

/**
 * The parts of a socket. `wantsFullHistory`: the phone is asked for its whole history when it is linked. `hasStatus`:
 * whether the account shows a status of this session.
 */
export type SocketSetup = {
  host: ChannelHost;
  route: SocketRoute;
  keys: ChannelKeys;
  signals: Signals;
  memory: SocketMemory;
  receives: Receives;
  wantsFullHistory?: boolean;
  hasStatus?: () => boolean;
  keepAliveMs?: number | undefined;
};

/** The options of every socket. */
export const socketOptions = (
  log: Log,
  { url, version, agent, fetch }: SocketRoute,
  keepAliveMs: number = KEEP_ALIVE_MS,
) => ({
  ...(url === undefined ? {} : { waWebSocketUrl: url }),
  ...(agent === undefined ? {} : { agent }),
  // the patched library fetches files by it
  ...(fetch === undefined ? {} : { options: { fetch } as SocketConfig["options"] }),
  version: [2, 3000, version] satisfies [number, number, number],
  logger: socketLog(log),
  browser: Browsers.ubuntu("Chrome"),
  emitOwnEvents: false,
  markOnlineOnConnect: false,
  syncFullHistory: false,
  defaultQueryTimeoutMs: 20 * SECOND_MS,
  connectTimeoutMs: 20 * SECOND_MS,
  keepAliveIntervalMs: keepAliveMs,
  qrTimeout: NEVER_MS,
});

/** Makes a socket for the identity in `keys`; it connects at once. */
export const makeSocket = ({
  wantsFullHistory,
  host,
  route,
  keys,
  signals,
  memory,
  receives,
  hasStatus = () => false,
  keepAliveMs,
}: SocketSetup): WASocket => {
  const options = socketOptions(host.log, route, keepAliveMs);
  const groups = createGroupCache(host.clock, () => sock);
  const sock: WASocket = makeWASocket({
    ...options,
    syncFullHistory: wantsFullHistory ?? false,
    ...memory,
    auth: keys.auth,
    makeSignalRepository: signals.makeSignalRepository,
    // without a file it is the question whether to wait for a history, and to read the app state then: that is ours
    shouldSyncHistoryMessage: (piece) =>
      hasFile(piece) && (DEFAULT_CONNECTION_CONFIG.shouldSyncHistoryMessage?.(piece) ?? true),
    // neither is a conversation; reactions to the account's own statuses come like statuses of others
    shouldIgnoreJid: (jid) =>
      Boolean(
        (isJidStatusBroadcast(jid) && !receives.includes("statuses") && !hasStatus()) ||
          (isJidNewsletter(jid) && !receives.includes("newsletters")),
      ),
    getMessage: (asked) => messageAskedFor(keys.keyStore, asked),
    cachedGroupMetadata: (jid) => groups.find(jid),
  });
  takeTurnsByChat(sock);
  containFailures(sock, (error, event) => {
    options.logger.warn({ error }, `${event} could not be dealt with`);
    // a frame that cannot be read makes all later ones unreadable
    if (event === "message") void sock.end(error instanceof Error ? error : undefined);
  });
  // this listener of Baileys makes messages of missed calls; they are not used, and its failures cannot be caught
  sock.ev.removeAllListeners("call");
  sock.ws.prependListener("CB:notification,type:w:gp2", ({ attrs }: Stanza) => groups.forget(attrs["from"] ?? ""));
  keepGroups(sock, groups);
  return sock;
};

const hasFile = ({ directPath, initialHistBootstrapInlinePayload }: proto.Message.IHistorySyncNotification): boolean =>
  Boolean(directPath) || Boolean(initialHistBootstrapInlinePayload?.length);

/**
 * The message that a contact asks for again; undefined unless it is ours and went to the chat of the request. A contact
 * could name the id of a message to another person, and must not get that message.
 */
const messageAskedFor = async (
  keyStore: KeyStore,
  { id, remoteJid, participant }: proto.IMessageKey,
): Promise<proto.IMessage | undefined> => {
  const key = providerMessageIdOf(id);
  const copy = key && (await cachedMessage(keyStore, key));
  if (!key || !copy?.key.fromMe) return undefined;
  const asked = await completedMessagePlace(keyStore, {
    remoteJid: remoteJid ?? "",
    fromMe: true,
    id: key,
    ...(participant ? { participant } : {}),
  });
  return isSameChat(asked, await completedMessagePlace(keyStore, copy.key)) ? copy.message : undefined;
};
