import type { ChatChanges, ChatsShown, Identity } from "../../contract/events.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import {
  type ChatLabelRow,
  type ChatStateRow,
  listLabelledAfter,
  listLabels,
  listUnusualAfter,
} from "../../store/tables/conversations/chat-states.ts";
import { type InboundContext, readContactOn } from "../channels/identity.ts";
import type { Contact } from "../domain-event.ts";
import type { PublishEnv } from "../events/publish.ts";
import { recordChat, recordChatLabel, recordLabel } from "./chat-states.ts";

const PAGE = 500;

type Shown = "archived" | "pinned" | "markedUnread" | "muted";

/** TABLE: how a chat is shown that a list does not name, and whether a stored chat is shown otherwise. */
const USUAL: Readonly<Record<Shown, { changes: ChatChanges; isOther(row: ChatStateRow): boolean }>> = {
  archived: { changes: { archived: false }, isOther: ({ isArchived }) => isArchived },
  pinned: { changes: { pinned: false }, isOther: ({ isPinned }) => isPinned },
  markedUnread: { changes: { markedUnread: false }, isOther: ({ isMarkedUnread }) => isMarkedUnread },
  muted: { changes: { mutedUntil: null }, isOther: ({ mutedUntil }) => mutedUntil !== null },
};

/**
 * Puts back what the account's own app no longer shows: chats that are not named, and labels that are gone. Each change
 * is published unless it is history.
 */
export const receiveChatsShown = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  shown: ChatsShown,
): Promise<void> => {
  const said = { at: shown.at, isHistory: shown.isHistory ?? false };
  const lists = (["archived", "pinned", "markedUnread", "muted"] as const).flatMap((field) =>
    shown[field] ? [{ ...USUAL[field], named: keysOf(shown[field]) }] : [],
  );
  if (lists.length > 0)
    for await (const row of statesOf(tx, context.channel.id)) {
      const keys = await namesOf(tx, row);
      const changes = lists
        .filter(({ isOther, named }) => isOther(row) && keys.isDisjointFrom(named))
        .reduce<ChatChanges>((all, one) => ({ ...all, ...one.changes }), {});
      if (Object.keys(changes).length > 0)
        await recordChat(env, tx, context, { chat: await chatOf(tx, row), changes, ...said });
    }
  if (shown.labelled) await takeLabels(env, tx, context, { labelled: shown.labelled, ...said });
  if (!shown.labels) return;
  for (const label of await listLabels(tx, context.channel.id))
    if (!shown.labels.includes(label.id)) await recordLabel(env, tx, context, { label, isDeleted: true, ...said });
};

type Given = { labelled: NonNullable<ChatsShown["labelled"]>; at: number; isHistory: boolean };

const takeLabels = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { labelled, ...said }: Given,
): Promise<void> => {
  const given = Map.groupBy(labelled, ({ labelId }) => labelId);
  const named = new Map([...given].map(([id, chats]) => [id, keysOf(chats.map(({ chat }) => chat))]));
  for await (const row of labelledOf(tx, context.channel.id)) {
    const has = named.get(row.labelId);
    if (has && !(await namesOf(tx, row)).isDisjointFrom(has)) continue;
    const taken = { chat: await chatOf(tx, row), labelId: row.labelId, isLabelled: false };
    await recordChatLabel(env, tx, context, { ...taken, ...said });
  }
};

const keysOf = (chats: readonly Identity[]): ReadonlySet<string> =>
  new Set(chats.flatMap((chat) => Object.entries(chat).map(([name, value]) => `${name}:${value}`)));

type Row = Pick<ChatStateRow, "channelId" | "chat">;

/** The chat of a row, with all its names, under the key that it is stored by. */
const chatOf = async (r: Reader, { channelId, chat }: Row): Promise<Contact> => ({
  ...(await readContactOn(r, channelId, chat)),
  canonicalKey: chat,
});

/** All names of a chat: the app may name it by another one than is stored here. */
const namesOf = async (r: Reader, row: Row): Promise<ReadonlySet<string>> => {
  const { canonicalKey, pn, lid } = await chatOf(r, row);
  return new Set([canonicalKey, ...(pn === null ? [] : [`pn:${pn}`]), ...(lid === null ? [] : [`lid:${lid}`])]);
};

const statesOf = async function* (r: Reader, channelId: ChannelId): AsyncGenerator<ChatStateRow> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: ChatStateRow[] = await listUnusualAfter(r, { channelId, after, limit: PAGE });
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1)?.chat;
  }
};

const labelledOf = async function* (r: Reader, channelId: ChannelId): AsyncGenerator<ChatLabelRow> {
  for (let after: Pick<ChatLabelRow, "chat" | "labelId"> | undefined = { chat: "", labelId: "" }; after; ) {
    const page: ChatLabelRow[] = await listLabelledAfter(r, { channelId, ...after, limit: PAGE });
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1);
  }
};
