import { processSyncAction, type proto } from "@whiskeysockets/baileys";
import { MUTED_FOR_EVER } from "../../../src/contract/abilities/chats.ts";
import {
  type ChannelEvent,
  type ChatChanges,
  type ChatsShown,
  type Identity,
  isKnown,
} from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { completedMessagePlace } from "../inbound/people.ts";
import { socketLog } from "../lifecycle/socket-log.ts";
import { providerMessageIdOf } from "../message-cache.ts";
import type { Collection, Mutation } from "./patches.ts";

type Value = proto.ISyncActionValue;

/** TABLE: what the network's values say of a chat, by the first part of their index. A removed value is undefined. */
const OF_CHATS: Readonly<Record<string, (value: Value | undefined) => ChatChanges>> = {
  archive: (value) => ({ archived: value?.archiveChatAction?.archived === true }),
  pin_v1: (value) => ({ pinned: value?.pinAction?.pinned === true }),
  mute: (value) => ({ mutedUntil: muteEnd(value?.muteAction) }),
  markChatAsRead: (value) => ({ markedUnread: value?.markChatAsReadAction?.read === false }),
  clearChat: (value) => (value ? { gone: "cleared" } : {}),
  deleteChat: (value) => (value ? { gone: "deleted" } : {}),
};

/** A mute without an end, or with -1, lasts until somebody ends it. */
const muteEnd = (mute: Value["muteAction"]): number | null => {
  if (!mute?.muted) return null;
  const end = Number(mute.muteEndTimestamp ?? 0);
  return end > 0 ? Math.min(end, MUTED_FOR_EVER) : MUTED_FOR_EVER;
};

/**
 * Values of a collection. `origin`: whether the phone or another device has just set them (`patch`), or they are all
 * values of the collection: those from before this device (`first`), those that are read again on request (`again`), or
 * those by which a damaged copy is mended (`mended`).
 */
export type Values = { mutations: readonly Mutation[]; origin: "patch" | "first" | "again" | "mended" };

/** The events of values. Those of values that are no news are marked as history. */
export const eventsIn = async (
  { clock }: Pick<ChannelHost, "clock">,
  keyStore: Pick<KeyStore, "read">,
  { mutations, origin }: Values,
): Promise<ChannelEvent[]> => {
  const events: ChannelEvent[] = [];
  for (const mutation of mutations) {
    const at = Number(mutation.value.timestamp ?? 0) || clock.now();
    const event = await eventOf(keyStore, mutation, at);
    if (!event || (origin !== "patch" && isPast(event)) || (origin === "first" && isUsual(event))) continue;
    events.push(origin === "first" || origin === "again" ? { ...event, isHistory: true } : event);
  }
  return events;
};

/** The most chats of a list, and labels: of more, nothing is said of the others. */
const MOST_SHOWN = 10_000;
const MOST_LABELS_SHOWN = 1000;

/**
 * What the events of a snapshot say of all chats and messages: those that it does not name are shown as usual, for a
 * value that was removed is in no snapshot. Undefined for a collection that says nothing of them.
 */
export const shownBy = (name: Collection, events: readonly ChannelEvent[], at: number): ChatsShown | undefined => {
  const chats = (is: (changes: ChatChanges) => boolean) =>
    events.flatMap((event) => (event.kind === "chat" && is(event.changes) ? [event.chat] : []));
  switch (name) {
    case "regular_low":
      return {
        kind: "shown",
        at,
        ...listed(
          "archived",
          chats(({ archived }) => archived === true),
        ),
        ...listed(
          "pinned",
          chats(({ pinned }) => pinned === true),
        ),
        ...listed(
          "markedUnread",
          chats(({ markedUnread }) => markedUnread === true),
        ),
      };
    case "regular_high":
      return {
        kind: "shown",
        at,
        ...listed(
          "muted",
          chats(({ mutedUntil }) => typeof mutedUntil === "number"),
        ),
        ...listed(
          "starred",
          events.flatMap((event) => (event.kind === "starred" && event.isStarred ? [event.key] : [])),
        ),
      };
    case "regular": {
      const labels = events.flatMap((event) => (event.kind === "label" && !event.isDeleted ? [event.id] : []));
      const labelled = events.flatMap((event) =>
        event.kind === "labelled" && event.isLabelled ? [{ chat: event.chat, labelId: event.labelId }] : [],
      );
      const labelledMessages = events.flatMap((event) =>
        event.kind === "message-labelled" && event.isLabelled ? [{ key: event.key, labelId: event.labelId }] : [],
      );
      return {
        kind: "shown",
        at,
        ...(labels.length > MOST_LABELS_SHOWN ? {} : { labels }),
        ...listed("labelled", labelled),
        ...listed("labelledMessages", labelledMessages),
      };
    }
    default:
      return undefined;
  }
};

const listed = (field: keyof ChatsShown, all: readonly unknown[]) => (all.length > MOST_SHOWN ? {} : { [field]: all });

type StateEvent = Extract<
  ChannelEvent,
  { kind: "chat" | "label" | "labelled" | "message-labelled" | "starred" | "hidden" }
>;

/** Whether an event tells of an act that cannot be undone: a snapshot names it again for ever. */
const isPast = (event: StateEvent): boolean => event.kind === "chat" && event.changes.gone !== undefined;

/** Whether an event of a first snapshot says what is true of any chat, or concerns messages from before this device. */
const isUsual = (event: StateEvent): boolean => {
  if (event.kind === "chat") return Object.values(event.changes).every((value) => value === false || value === null);
  if (event.kind === "label") return event.isDeleted === true;
  if (event.kind === "labelled" || event.kind === "message-labelled") return !event.isLabelled;
  return event.kind === "hidden" || !event.isStarred;
};

const eventOf = async (
  keyStore: Pick<KeyStore, "read">,
  { index, value: given, isRemoved }: Mutation,
  at: number,
): Promise<StateEvent | undefined> => {
  const [what = "", first = "", second = "", third = ""] = index;
  const value = isRemoved ? undefined : given;
  if (what === "label_edit") return labelEvent(first, value, at);
  if (what === "label_jid") return labelledChat(keyStore, first, second, { value, at });
  if (what === "label_message") return labelledMessage(first, third, { value, at });
  const read = ownValue(OF_CHATS, what);
  if (!read) return messageEvent(what, second, { value, at });
  const [chat, changes] = [await chatAt(keyStore, first), read(value)];
  return chat && Object.keys(changes).length > 0 ? { kind: "chat", at, chat, changes } : undefined;
};

type Valued = { value: Value | undefined; at: number };

const labelledChat = async (
  keyStore: Pick<KeyStore, "read">,
  labelId: string,
  jid: string,
  { value, at }: Valued,
): Promise<StateEvent | undefined> => {
  const chat = isLabelId(labelId) ? await chatAt(keyStore, jid) : undefined;
  const isLabelled = value?.labelAssociationAction?.labeled === true;
  return chat && { kind: "labelled", at, chat, labelId, isLabelled };
};

const labelledMessage = (labelId: string, id: string, { value, at }: Valued): StateEvent | undefined => {
  const key = isLabelId(labelId) ? providerMessageIdOf(id) : undefined;
  const isLabelled = value?.labelAssociationAction?.labeled === true;
  return key && { kind: "message-labelled", at, key, labelId, isLabelled };
};

const messageEvent = (what: string, id: string, { value, at }: Valued): StateEvent | undefined => {
  const key = providerMessageIdOf(id);
  if (!key) return undefined;
  if (what === "star") return { kind: "starred", at, key, isStarred: value?.starAction?.starred === true };
  return what === "deleteMessageForMe" && value ? { kind: "hidden", at, key } : undefined;
};

const MOST_NAME = 200;
const COLOURS = 20;
const isLabelId = (id: string): boolean => id !== "" && id.length <= MOST_NAME;

const labelEvent = (id: string, value: Value | undefined, at: number): StateEvent | undefined => {
  if (!isLabelId(id)) return undefined;
  const { name, color, deleted } = value?.labelEditAction ?? {};
  if (!value || deleted) return { kind: "label", at, id, name: name ?? "", color: 0, isDeleted: true };
  return { kind: "label", at, id, name: (name ?? "").slice(0, MOST_NAME), color: Math.abs(color ?? 0) % COLOURS };
};

const chatAt = async (keyStore: Pick<KeyStore, "read">, jid: string): Promise<Identity | undefined> => {
  const { chat } = await completedMessagePlace(keyStore, { remoteJid: jid, fromMe: true, id: "" });
  return isKnown(chat) ? chat : undefined;
};

/** The values that the library itself uses: names of the address book, pairs of addresses, the account's own name. */
const OF_LIBRARY: ReadonlySet<string> = new Set([
  "contact",
  "lid_contact",
  "pnForLidChat",
  "setting_pushName",
  "setting_unarchiveChats",
]);

export const passToLibrary = (
  { log }: Pick<ChannelHost, "log">,
  { sock }: ActiveSocket,
  mutations: readonly Mutation[],
): void => {
  for (const { index, value, isRemoved } of mutations)
    if (!isRemoved && OF_LIBRARY.has(index[0] ?? ""))
      processSyncAction(
        { syncAction: { value }, index },
        sock.ev,
        sock.authState.creds.me ?? { id: "" },
        undefined,
        socketLog(log),
      );
};
