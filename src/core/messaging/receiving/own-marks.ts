import type { ChatsShown, DeletedForMe, MessageLabelled, Starred } from "../../../contract/events.ts";
import type { MessageId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { listLabelledMessagesAfter, type MessageLabelRow } from "../../../store/tables/conversations/message-labels.ts";
import { listStarredAfter, type StarredRow } from "../../../store/tables/messaging/message-acts.ts";
import { findKnown } from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, readContactOn } from "../../channels/identity.ts";
import { actsOn, keepAct, NO_ACTS } from "../../conversations/acts.ts";
import { recordMessageLabel } from "../../conversations/message-labels.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import { readTarget, type Target } from "./targets.ts";

/**
 * Receives what the owner did to a message in the account's own app alone: a star, a label, or that it is shown no more.
 * A message that is not known here has no marks, and a repeat publishes nothing.
 */
export const receiveOwnMark = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  event: Starred | DeletedForMe | MessageLabelled,
): Promise<void> => {
  const target = await readTarget(tx, context, event.key);
  if (target) await recordMark(env, tx, context, { ...target, mark: event });
};

/** What is marked of a message, whatever its id at the network. */
type Mark = Omit<Starred, "key"> | Omit<DeletedForMe, "key"> | Omit<MessageLabelled, "key">;

const recordMark = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { messageId, chat, mark }: Target & { mark: Mark },
): Promise<void> => {
  if (mark.kind === "message-labelled") return recordMessageLabel(env, tx, context, { messageId, chat, ...mark });
  const { channel, environment } = context;
  const before = (await actsOn(tx, { tenantId: channel.tenantId }, [messageId])).get(messageId) ?? NO_ACTS;
  const isRepeat = mark.kind === "starred" ? before.starred === mark.isStarred : before.deletedForMeAt !== null;
  if (isRepeat) return;
  const { at } = mark;
  const domainEvent: DomainEvent =
    mark.kind === "starred"
      ? { type: "message.starred", messageId, at, isStarred: mark.isStarred, chat }
      : { type: "message.deleted_for_me", messageId, at, chat };
  await keepAct(env, tx, channel, { domainEvent, author: "" });
  if (!mark.isHistory) await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, domainEvent);
};

const PAGE = 500;

/** Takes back the stars and labels of messages that the account's own app no longer shows. */
export const receiveMarksShown = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  { at, starred, labelledMessages, isHistory = false }: ChatsShown,
): Promise<void> => {
  const { channel } = context;
  if (starred) {
    const named = new Set<string>();
    for (const key of starred) named.add((await readTarget(tx, context, key))?.messageId ?? "");
    for await (const { messageId, at: since } of starredOf(tx, channel)) {
      const target = named.has(messageId) ? undefined : await targetOf(tx, channel, messageId);
      // the phone's clock may be ahead
      const mark = { kind: "starred", at: Math.max(at, since), isStarred: false, isHistory } as const;
      if (target) await recordMark(env, tx, context, { ...target, mark });
    }
  }
  if (!labelledMessages) return;
  const named = new Set<string>();
  for (const { key, labelId } of labelledMessages) {
    const target = await readTarget(tx, context, key);
    if (target) named.add(`${target.messageId} ${labelId}`);
  }
  for await (const { messageId, labelId } of labelledOf(tx, channel)) {
    const target = named.has(`${messageId} ${labelId}`) ? undefined : await targetOf(tx, channel, messageId);
    const mark = { kind: "message-labelled", at, labelId, isLabelled: false, isHistory } as const;
    if (target) await recordMark(env, tx, context, { ...target, mark });
  }
};

/** A message of the channel with its chat; undefined for a message of another channel. */
const targetOf = async (r: Reader, channel: ChannelRow, messageId: MessageId): Promise<Target | undefined> => {
  const known = await findKnown(r, channel.id, messageId);
  return known && { messageId, chat: await readContactOn(r, channel.id, known.chat) };
};

const starredOf = async function* (r: Reader, { tenantId }: ChannelRow): AsyncGenerator<StarredRow> {
  for (let after: MessageId | "" | undefined = ""; after !== undefined; ) {
    const page: StarredRow[] = await listStarredAfter(r, { tenantId, after, limit: PAGE });
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1)?.messageId;
  }
};

const labelledOf = async function* (r: Reader, { id: channelId }: ChannelRow): AsyncGenerator<MessageLabelRow> {
  let after: MessageLabelRow | undefined = { channelId, labelId: "", messageId: "" as MessageId };
  while (after) {
    const page: MessageLabelRow[] = await listLabelledMessagesAfter(r, { ...after, limit: PAGE });
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1);
  }
};
