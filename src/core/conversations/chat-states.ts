import type { Label } from "../../contract/abilities/chats.ts";
import type { ChatChanged, ChatChanges, ChatLabelled, LabelChanged } from "../../contract/events.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import {
  addChatLabel,
  type ChatStateRow,
  deleteChatLabel,
  deleteLabel,
  listChatLabels,
  listChatStates,
  listLabels,
  MOST_LABELS,
  putChatState,
  putLabel,
} from "../../store/tables/conversations/chat-states.ts";
import { type InboundContext, learnIdentity } from "../channels/identity.ts";
import { type Contact, contactOf } from "../domain-event.ts";
import { type PublishEnv, publish } from "../events/publish.ts";

export type Named = { channelId: ChannelId; key: string };
export type ChatState = Omit<ChatStateRow, "channelId" | "chat"> & { labels: Label[] };

const usual = (channelId: ChannelId, chat: string): ChatStateRow => ({
  channelId,
  chat,
  isArchived: false,
  isPinned: false,
  isMarkedUnread: false,
  mutedUntil: null,
});

const after = (before: ChatStateRow, { archived, pinned, markedUnread, mutedUntil }: ChatChanges): ChatStateRow => ({
  ...before,
  ...(archived === undefined ? {} : { isArchived: archived }),
  ...(pinned === undefined ? {} : { isPinned: pinned }),
  ...(markedUnread === undefined ? {} : { isMarkedUnread: markedUnread }),
  ...(mutedUntil === undefined ? {} : { mutedUntil }),
});

/** How the account's app shows each of these chats, in their order; a chat without a key has no state there. */
export const chatStatesOf = async (r: Reader, chats: readonly (Named | null)[]): Promise<ChatState[]> => {
  const found = new Map<string, ChatState>();
  const named = chats.flatMap((one) => one ?? []);
  for (const [channelId, ofChannel] of Map.groupBy(named, (one) => one.channelId))
    for (const [key, state] of await statesOn(r, channelId, ofChannel)) found.set(`${channelId} ${key}`, state);
  return chats.map((one) => (one && found.get(`${one.channelId} ${one.key}`)) ?? { ...shownOf(undefined), labels: [] });
};

const shownOf = (row: ChatStateRow | undefined): Omit<ChatState, "labels"> => {
  const { channelId: _, chat: __, ...state } = row ?? usual("" as ChannelId, "");
  return state;
};

const statesOn = async (r: Reader, channelId: ChannelId, named: readonly Named[]): Promise<Map<string, ChatState>> => {
  const keys = named.map(({ key }) => key);
  const rows = new Map((await listChatStates(r, channelId, keys)).map((row) => [row.chat, row]));
  const given = Map.groupBy(await listChatLabels(r, channelId, keys), ({ chat }) => chat);
  const labels = given.size === 0 ? [] : await listLabels(r, channelId);
  return new Map(
    keys.map((key) => {
      const ids = new Set(given.get(key)?.map(({ labelId }) => labelId));
      return [key, { ...shownOf(rows.get(key)), labels: labels.filter(({ id }) => ids.has(id)).map(labelOf) }];
    }),
  );
};

/** A label as events show it. The network may name it before it says what it is called. */
export const shownLabel = (known: readonly Label[], labelId: string): Label => {
  const found = known.find(({ id }) => id === labelId);
  return found ? labelOf(found) : { id: labelId, name: "", color: 0 };
};

const labelOf = ({ id, name, color }: Label): Label => ({ id, name, color });

type Change = { chat: Contact; changes: ChatChanges; at: number; isHistory?: boolean };

/**
 * Stores a change of a chat, and publishes it. A repeat changes nothing and publishes nothing; neither does a state from
 * before the channel was connected.
 */
export const recordChat = async (
  env: PublishEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { chat, changes, at, isHistory = false }: Change,
): Promise<void> => {
  const { canonicalKey } = chat;
  const [stored] = await listChatStates(tx, channel.id, [canonicalKey]);
  const before = stored ?? usual(channel.id, canonicalKey);
  const row = after(before, changes);
  const changed = [
    ...(row.isArchived === before.isArchived ? [] : (["archived"] as const)),
    ...(row.isPinned === before.isPinned ? [] : (["pinned"] as const)),
    ...(row.mutedUntil === before.mutedUntil ? [] : (["muted"] as const)),
    ...(row.isMarkedUnread === before.isMarkedUnread ? [] : (["markedUnread"] as const)),
  ];
  if (changed.length > 0) await putChatState(tx, row);
  const all = [...changed, ...(changes.gone === undefined ? [] : [changes.gone])];
  if (all.length === 0 || isHistory) return;
  const { isArchived, isPinned, isMarkedUnread, mutedUntil } = row;
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    { type: "chat.changed", chat, at, changed: all, isArchived, isPinned, isMarkedUnread, mutedUntil },
  );
};

/** A change that the owner made on the phone, or that was so before. */
export const receiveChat = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { at, chat, changes, isHistory = false }: ChatChanged,
): Promise<void> =>
  recordChat(env, tx, context, {
    chat: contactOf(await learnIdentity(tx, context, { identity: chat, at })),
    changes,
    at,
    isHistory,
  });

type Edited = { label: Label; isDeleted: boolean; at: number; isHistory?: boolean };

/** Stores a label, or deletes it, and publishes the change. More than a hundred labels are not kept. */
export const recordLabel = async (
  env: PublishEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { label, isDeleted, at, isHistory = false }: Edited,
): Promise<void> => {
  const stored = await listLabels(tx, channel.id);
  const before = stored.find(({ id }) => id === label.id);
  if (isDeleted ? !before : before?.name === label.name && before.color === label.color) return;
  if (!isDeleted && !before && stored.length >= MOST_LABELS) return;
  if (isDeleted) deleteLabel(tx, channel.id, label.id);
  else await putLabel(tx, { channelId: channel.id, ...labelOf(label) });
  if (isHistory) return;
  const shown = isDeleted && before ? labelOf(before) : labelOf(label);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    { type: "label.changed", label: shown, isDeleted, at },
  );
};

export const receiveLabel = (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { at, id, name, color, isDeleted = false, isHistory = false }: LabelChanged,
): Promise<void> => recordLabel(env, tx, context, { label: { id, name, color }, isDeleted, at, isHistory });

type Labelled = { chat: Contact; labelId: string; isLabelled: boolean; at: number; isHistory?: boolean };

/**
 * Stores that a chat has a label or has it no longer, and publishes it. A repeat changes nothing. More than a hundred
 * labels of a chat are not kept.
 */
export const recordChatLabel = async (
  env: PublishEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { chat, labelId, isLabelled, at, isHistory = false }: Labelled,
): Promise<void> => {
  const row = { channelId: channel.id, chat: chat.canonicalKey, labelId };
  const given = await listChatLabels(tx, channel.id, [row.chat]);
  if (given.some((one) => one.labelId === labelId) === isLabelled) return;
  if (isLabelled && given.length >= MOST_LABELS) return;
  if (isLabelled) await addChatLabel(tx, row);
  else deleteChatLabel(tx, row);
  if (isHistory) return;
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    {
      type: "chat.labelled",
      chat,
      label: shownLabel(await listLabels(tx, channel.id), labelId),
      isLabelled,
      at,
    },
  );
};

export const receiveChatLabel = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { at, chat, labelId, isLabelled, isHistory = false }: ChatLabelled,
): Promise<void> =>
  recordChatLabel(env, tx, context, {
    chat: contactOf(await learnIdentity(tx, context, { identity: chat, at })),
    labelId,
    isLabelled,
    at,
    isHistory,
  });
