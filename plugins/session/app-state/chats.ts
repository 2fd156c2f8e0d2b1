import type { proto } from "@whiskeysockets/baileys";
import {
  type ChatAct,
  type ChatOrder,
  type ChatsApi,
  type FreeId,
  type Label,
  MUTED_FOR_EVER,
} from "../../../src/contract/abilities/chats.ts";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { UpstreamFailure } from "../../../src/contract/upstream.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isSameUser } from "../address.ts";
import { Ended, failureOf, onSocket, refusal, tooSoon } from "../ask.ts";
import { cachedMessage } from "../message-cache.ts";
import { type Addressing, destinationOf } from "../outbound/addressing.ts";
import type { Numbers } from "../outbound/numbers.ts";
import { later, refused } from "../outbound/outcomes.ts";
import type { Collection, Written } from "./patches.ts";
import type { AppState } from "./sync.ts";

/** Changes of chats in a minute. What the network takes is not known; a person does not do more. */
const CHANGES_PER_MINUTE = 30;

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  appState: AppState;
  numbers: Pick<Numbers, "resolve">;
  addressing: Addressing;
};
type Change = { name: Collection; written: Written[] };

/** The operations on a message that only the account's own apps show. */
export type OwnOperation = Extract<Operation, { name: "star" | "label" | "delete-for-me" }>;

export const isOwnOperation = (operation: Operation): operation is OwnOperation =>
  operation.name === "star" || operation.name === "label" || operation.name === "delete-for-me";

export type Chats = ChatsApi & { operate(active: ActiveSocket, operation: OwnOperation): Promise<OperationOutcome> };

/** The chats of a session's account, as its phone shows them. */
export const createChats = (
  { clock }: Pick<ChannelHost, "clock">,
  { activeSocket, appState, numbers, addressing }: Deps,
): Chats => {
  const count = createCount(clock);
  const set = async (active: ActiveSocket, { name, written }: Change): Promise<true> => {
    count();
    const at = clock.now();
    await appState.set(active, name, async () => ({ written: timed(written, at) }));
    return true;
  };
  /** Makes a label. Its event is ingested with it, so that the next label's id is another. */
  const make = async (active: ActiveSocket, named: Omit<Label, "id">, freeId: FreeId): Promise<Label> => {
    count();
    const at = clock.now();
    let label: Label = { id: "", ...named };
    await appState.set(active, "regular", async () => {
      const id = await freeId();
      if (id === undefined) throw new Ended(refusal("the phone has too many labels"));
      label = { id, ...named };
      return { written: timed(labelChange(label, false).written, at), events: [{ kind: "label", at, ...label }] };
    });
    return label;
  };
  const addressOf = async (active: ActiveSocket, chat: string): Promise<string> => {
    const found = await numbers.resolve(active, chat);
    if (!found.ok) throw new Ended(refusal(found.reason));
    return (await destinationOf(active, found, addressing)).jid;
  };
  const tried = async (work: () => Promise<true>): Promise<OperationOutcome> => {
    try {
      await work();
      return { ok: true };
    } catch (thrown) {
      return outcomeOf(failureOf(thrown));
    }
  };

  return {
    act: async (order) => {
      const active = activeSocket();
      if (!active) return later("the channel is not connected", "CHANNEL_UNAVAILABLE");
      return tried(async () => {
        const jid = await addressOf(active, order.chat);
        return set(active, changeOf(order, jid, await rangeUpTo(active, order, jid)));
      });
    },
    operate: (active, operation) =>
      tried(async () => set(active, await messageChange(active, operation, { addressing, nowMs: clock.now() }))),
    makeLabel: (label, freeId) => onSocket(activeSocket(), (active) => make(active, label, freeId)),
    putLabel: (label) => onSocket(activeSocket(), (active) => set(active, labelChange(label, false))),
    removeLabel: (label) => onSocket(activeSocket(), (active) => set(active, labelChange(label, true))),
    resync: () =>
      onSocket(activeSocket(), async (active): Promise<true> => {
        count();
        await appState.resync(active);
        return true;
      }),
  };
};

/** What is written about a message. @throws Ended for a message that is no longer kept */
const messageChange = async (
  active: ActiveSocket,
  operation: OwnOperation,
  { addressing, nowMs }: { addressing: Addressing; nowMs: number },
): Promise<Change> => {
  const copy = await cachedMessage(active.keyStore, operation.key);
  if (!copy) throw new Ended(refusal("the message is too old for this"));
  const { fromMe, participant } = copy.key;
  const chat = (await destinationOf(active, { jid: copy.key.remoteJid }, addressing)).jid;
  if (operation.name === "label") return messageLabel(operation, chat);
  const author = participant === undefined || fromMe || isSameUser(participant, chat) ? "0" : participant;
  const rest = [chat, operation.key, fromMe ? "1" : "0", author];
  const [index, version, value] =
    operation.name === "star"
      ? (["star", 2, { starAction: { starred: operation.isStarred } }] as const)
      : ([
          "deleteMessageForMe",
          3,
          {
            deleteMessageForMeAction: {
              deleteMedia: true,
              messageTimestamp: Math.floor((operation.at ?? nowMs) / SECOND_MS),
            },
          },
        ] as const);
  return { name: "regular_high", written: [{ index: [index, ...rest], version, value }] };
};

/** Other clients write no side and no author here, in groups and of own messages either. */
const messageLabel = ({ labelId, isLabelled, key }: Extract<OwnOperation, { name: "label" }>, chat: string): Change => {
  const value = { labelAssociationAction: { labeled: isLabelled } };
  return { name: "regular", written: [{ index: ["label_message", labelId, chat, key, "0", "0"], version: 3, value }] };
};

const timed = (written: readonly Written[], timestamp: number): Written[] =>
  written.map(({ index, version, value }) => ({ index, version, value: { ...value, timestamp } }));

/** Counts changes. Its function throws Ended when the account has changed too much in the last minute. */
const createCount = (clock: ChannelHost["clock"]) => {
  let changes: number[] = [];
  return (): void => {
    const now = clock.now();
    changes = changes.filter((at) => at > now - MINUTE_MS);
    const [oldest] = changes;
    if (changes.length >= CHANGES_PER_MINUTE && oldest !== undefined)
      throw new Ended(tooSoon("The chats of this phone change too often.", oldest + MINUTE_MS - now));
    changes.push(now);
  };
};

/**
 * The messages that an act concerns: all until it was accepted. A phone ignores an act on a chat that has newer messages
 * than the act names (mautrix 26.11): an ignored act is better than lost messages.
 */
const rangeUpTo = async (
  { keyStore }: ActiveSocket,
  { newest, at }: ChatOrder,
  remoteJid: string,
): Promise<proto.SyncActionValue.ISyncActionMessageRange> => {
  const seconds = (at: number) => Math.floor(at / SECOND_MS);
  const lastMessageTimestamp = seconds(Math.max(at, newest?.at ?? 0));
  const copy = newest ? await cachedMessage(keyStore, newest.key) : undefined;
  if (!copy || !newest) return { lastMessageTimestamp };
  const { fromMe, id, participant } = copy.key;
  const key = { remoteJid, fromMe, id, ...(participant === undefined || fromMe ? {} : { participant }) };
  return { lastMessageTimestamp, messages: [{ key, timestamp: seconds(newest.at) }] };
};

/** TABLE: the values that an act sets. Version and collection are those of the network's own apps. */
const changeOf = (act: ChatAct, jid: string, messageRange: proto.SyncActionValue.ISyncActionMessageRange): Change => {
  const unpinned: Written = { index: ["pin_v1", jid], version: 5, value: { pinAction: { pinned: false } } };
  switch (act.name) {
    case "archive": {
      const archived = act.isArchived;
      const value = { archiveChatAction: { archived, messageRange } };
      const written = [{ index: ["archive", jid], version: 3, value }];
      return { name: "regular_low", written: archived ? [...written, unpinned] : written };
    }
    case "pin": {
      const value = { pinAction: { pinned: act.isPinned } };
      return { name: "regular_low", written: [{ ...unpinned, value }] };
    }
    case "mark-unread": {
      const value = { markChatAsReadAction: { read: !act.isUnread, messageRange } };
      return { name: "regular_low", written: [{ index: ["markChatAsRead", jid], version: 3, value }] };
    }
    case "mute": {
      const muteEndTimestamp = act.until !== null && act.until >= MUTED_FOR_EVER ? -1 : act.until;
      const value = { muteAction: act.until === null ? { muted: false } : { muted: true, muteEndTimestamp } };
      return { name: "regular_high", written: [{ index: ["mute", jid], version: 2, value }] };
    }
    case "label": {
      const value = { labelAssociationAction: { labeled: act.isLabelled } };
      return { name: "regular", written: [{ index: ["label_jid", act.labelId, jid], version: 3, value }] };
    }
    case "clear": {
      const value = { clearChatAction: { messageRange } };
      return { name: "regular_high", written: [{ index: ["clearChat", jid, "1", "0"], version: 6, value }] };
    }
    case "delete": {
      const value = { deleteChatAction: { messageRange } };
      return { name: "regular_high", written: [{ index: ["deleteChat", jid, "1"], version: 6, value }] };
    }
  }
};

const labelChange = ({ id, name, color }: Label, deleted: boolean): Change => ({
  name: "regular",
  written: [{ index: ["label_edit", id], version: 3, value: { labelEditAction: { name, color, deleted } } }],
});

const outcomeOf = (failure: UpstreamFailure): OperationOutcome => {
  if (failure.kind === "refused")
    return refused(failure.error.message, failure.error.code === null ? {} : { upstreamCode: failure.error.code });
  const outcome = later(failure.reason);
  if (failure.kind !== "unavailable" || failure.retryAfterMs === undefined) return outcome;
  // other sends of the phone need not wait for it
  return {
    ...outcome,
    code: "UPSTREAM_RATE_LIMIT",
    isRateLimit: true,
    isOfChat: true,
    retryAfterMs: failure.retryAfterMs,
  };
};
