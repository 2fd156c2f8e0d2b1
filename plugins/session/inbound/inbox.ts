import { isJidStatusBroadcast, proto } from "@whiskeysockets/baileys";
import type { MediaApi } from "../../../src/contract/content/media.ts";
import type { ChannelEvent, Receipt } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { HttpOpen } from "../../../src/contract/ports/http.ts";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { type ActiveSocket, type Attach, childrenOf, type ReadMessage, type Stanza } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import type { AppState } from "../app-state/sync.ts";
import { groupTimerRows } from "../chat-timers.ts";
import type { Creations } from "../groups/creations.ts";
import type { Importer } from "../history/importer.ts";
import { providerMessageIdOf } from "../message-cache.ts";
import { changesIn, countedIn } from "../newsletters/reports.ts";
import type { PhoneSettings } from "../phone-settings.ts";
import { isNewsletter, postIn, type Receives } from "./broadcasts.ts";
import { merged } from "./changes.ts";
import { turnsOf } from "./chat-turns.ts";
import { groupUpdatesIn } from "./groups.ts";
import { knownBy, usernamesBy, watchPairs } from "./known.ts";
import { sessionMedia } from "./media.ts";
import { missingMessages } from "./missing.ts";
import { type Me, originOf } from "./origin.ts";
import { messageReader, placeholderOf } from "./read.ts";
import { receiptsIn } from "./receipts.ts";
import { ridingTokenRows } from "./tokens.ts";

/** All that a channel receives, over all its sockets. */
export type Inbox = {
  read: ReadMessage;
  attach: Attach;
  media: MediaApi;
  /** Ends all waits: nothing is retried or published until a socket is attached again. */
  close(): void;
};

/** The maximum number of stanzas that wait to be written; the network keeps the others when the socket ends. */
const MOST_WAITING = 20_000;
/** After a night without the network thousands of receipts come at once: this many are one write. */
const RECEIPTS_AT_ONCE = 200;

const { CIPHERTEXT } = proto.WebMessageInfo.StubType;

/** The host of the network's files, and the way there. */
export type MediaPlace = { host(): Promise<string>; stream: HttpOpen };

/**
 * `creations`: the new groups that were requested. `history`: imports earlier messages. `settings`: of the owner.
 * `appState`: takes the keys that the phone shares.
 */
type Ports = {
  mediaPlace: MediaPlace;
  receives: Receives;
  creations: Pick<Creations, "settled">;
  history: Pick<Importer, "announced" | "close">;
  settings: Pick<PhoneSettings, "current">;
  appState: Pick<AppState, "keysIn">;
};

export const createInbox = (
  host: ChannelHost,
  { mediaPlace, receives, creations, history, settings, appState }: Ports,
): Inbox => {
  let activeSocket: ActiveSocket | undefined;
  let isClosed = false;
  const missing = missingMessages(host);
  const media = sessionMedia(host, { ...mediaPlace, activeSocket: () => (isClosed ? undefined : activeSocket) });
  const read = messageReader(host, () => meOn(activeSocket), receives);
  /** The keys of a group's messages are kept all the same, so that its messages can be read later. */
  const isIgnored = async ({ attrs: { from = "" } }: Stanza): Promise<boolean> =>
    isGroup(from) && (await settings.current()).ignoreGroups;

  const attach: Attach = (attached) => {
    activeSocket = attached;
    isClosed = false;
    const { sock } = attached;
    const inTurn = turns(host, attached);
    // before Baileys' own listeners: the writes of these turns are on disk when Baileys, which takes the same turns,
    // acknowledges the stanza
    const receipts: Stanza[] = [];
    sock.ws.prependListener("CB:receipt", (stanza: Stanza) => {
      receipts.push(stanza);
      inTurn(sock.receiptMutex, () => receiptsBy(attached, receipts.splice(0, RECEIPTS_AT_ONCE)));
    });
    sock.ws.prependListener("CB:message", (stanza: Stanza) => {
      const ofChat = turnsOf(sock, stanza);
      if (isOnPhoneAlone(stanza))
        inTurn(ofChat, async () => ((await isIgnored(stanza)) ? [] : [await placeholderIn(attached, stanza)]));
      if (childrenOf(stanza).some(({ tag }) => tag === "tctoken"))
        inTurn(ofChat, async () => [{ rows: await ridingTokenRows(attached.keyStore, stanza) }]);
    });
    sock.ws.prependListener("CB:notification,type:w:gp2", (stanza: Stanza) =>
      inTurn(sock.notificationMutex, async () => {
        // our request publishes our own new group, and its answer comes by another way
        if (childrenOf(stanza).some(({ tag }) => tag === "create")) await creations.settled();
        const events = await groupUpdatesIn(attached.keyStore, stanza);
        return [{ events, rows: await groupTimerRows(attached.keyStore, stanza, host.clock.now()) }];
      }),
    );
    watchNewsletters(sock, inTurn, receives);
    watchPairs(sock, (pairs) => inTurn(sock.messageMutex, () => knownBy(attached.keyStore, pairs, host.clock.now())));
    sock.ev.on("contacts.upsert", (entries) => {
      if (entries.some(({ username }) => username))
        inTurn(sock.messageMutex, () => usernamesBy(attached.keyStore, entries, host.clock.now()));
    });
    sock.ev.on("messages.upsert", ({ messages }) => {
      for (const { key, messageStubType } of attached.isCurrent() ? messages : [])
        if (messageStubType === CIPHERTEXT && key.id && !key.fromMe && !isJidStatusBroadcast(key.remoteJid ?? ""))
          missing.expect(key.id);
    });
  };

  return {
    async read(stanza, message, activeSocketOf) {
      if (await isIgnored(stanza)) {
        const id = providerMessageIdOf(stanza.attrs["id"]);
        if (id !== undefined) missing.came(id);
        return {};
      }
      const changes = await read(stanza, message, activeSocketOf);
      for (const { key } of changes.messages ?? []) missing.came(key);
      const origin = stanza.attrs["category"] === "peer" ? originOf(stanza, meOn(activeSocket)) : undefined;
      if (!origin?.key.fromMe) return changes;
      const withKeys = merged([changes, appState.keysIn(message)]);
      if (!message.protocolMessage?.historySyncNotification) return withKeys;
      return merged([withKeys, await history.announced(activeSocketOf, origin.id, message)]);
    },
    attach,
    media,
    close() {
      isClosed = true;
      history.close();
      missing.close();
      media.close();
    },
  };
};

const meOn = (activeSocket: ActiveSocket | undefined): Me => {
  const me = activeSocket?.sock.authState.creds.me;
  if (!me) throw new Error("no account is logged in");
  return me;
};

type Mutex = { mutex<T>(work: () => Promise<T>): Promise<T> };

/**
 * Runs `find` in the order of its queue, and writes the changes that it returns. When a write fails the socket ends
 * without an acknowledgement, so the network sends the same stanzas on the next one.
 */
const turns = ({ channelId, log }: ChannelHost, activeSocket: ActiveSocket) => {
  let waiting = 0;
  const turn = async (find: () => Promise<readonly KeyChanges[]>) => {
    if (!activeSocket.isCurrent()) return;
    try {
      for (const changes of await find()) if (activeSocket.isCurrent()) await activeSocket.keyStore.write(changes);
    } catch (error) {
      log.warn({ channelId, err: error }, "stanzas of the network could not be written");
      await activeSocket.sock.end(undefined);
    }
  };
  return (queue: Mutex, find: () => Promise<readonly KeyChanges[]>): void => {
    if (waiting === MOST_WAITING) return void activeSocket.sock.end(undefined);
    waiting += 1;
    void queue.mutex(() => turn(find)).finally(() => (waiting -= 1));
  };
};

/** Posts of newsletters, if they are received, and the network's reports about newsletters. */
const watchNewsletters = (sock: ActiveSocket["sock"], inTurn: ReturnType<typeof turns>, receives: Receives): void => {
  sock.ws.prependListener("CB:message", (stanza: Stanza) => {
    if (receives.includes("newsletters") && isNewsletter(stanza))
      inTurn(turnsOf(sock, stanza), async () => [postIn(stanza)]);
  });
  const taking = (read: (stanza: Stanza) => ChannelEvent[]) => (stanza: Stanza) => {
    const events = read(stanza);
    if (events.length > 0) inTurn(sock.notificationMutex, async () => [{ events }]);
  };
  sock.ws.prependListener("CB:notification,type:mex", taking(changesIn));
  sock.ws.prependListener("CB:notification,type:newsletter", taking(countedIn));
};

/** One run writes all receipts that wait; later runs find nothing to do. */
const receiptsBy = async (activeSocket: ActiveSocket, stanzas: readonly Stanza[]): Promise<KeyChanges[]> => {
  const events: Receipt[] = [];
  for (const stanza of stanzas) events.push(...(await receiptsIn(activeSocket.keyStore, stanza, meOn(activeSocket))));
  return events.length > 0 ? [{ events }] : [];
};

const isOnPhoneAlone = (stanza: Stanza): boolean => {
  const parts = childrenOf(stanza);
  return (
    parts.some(({ tag, attrs }) => tag === "unavailable" && attrs["type"]?.startsWith("view_once")) &&
    !parts.some(({ tag }) => tag === "enc")
  );
};

const placeholderIn = async (activeSocket: ActiveSocket, stanza: Stanza): Promise<KeyChanges> => {
  const origin = originOf(stanza, meOn(activeSocket));
  return origin ? placeholderOf(activeSocket.keyStore, origin) : {};
};
