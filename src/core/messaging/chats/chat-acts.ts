import type { ChatAct, ChatOrder, ChatsApi, Label } from "../../../contract/abilities/chats.ts";
import type { OperationOutcome } from "../../../contract/abilities/operations.ts";
import { type ChatChanges, isOpenState } from "../../../contract/events.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import type { ChannelId, ConversationId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { listChatLabels, listLabels, MOST_LABELS } from "../../../store/tables/conversations/chat-states.ts";
import { newestOfConversations } from "../../../store/tables/conversations/conversation-pages.ts";
import { hasJob } from "../../../store/tables/jobs.ts";
import { findKnown } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireValue } from "../../channels/links/upstream.ts";
import { notConnected, notOffered } from "../../channels/refusals.ts";
import { recordChat, recordChatLabel, recordLabel } from "../../conversations/chat-states.ts";
import { type Chat, getChat, keyOfChat } from "../../conversations/chats.ts";
import { contactOfKey } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { tryLater, waitForChannel } from "../sending/queue.ts";

/** `newest`: the newest message of the chat when the act was accepted. */
type ChatActPayload = {
  channelId: ChannelId;
  chat: string;
  act: ChatAct;
  newest: ChatOrder["newest"];
};
type ChatActJob = Job<ChatActPayload>;

/** How long an act may wait for its channel. */
const TTL_MS = DAY_MS;

/** @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without this API, CHANNEL_NOT_CONNECTED */
const requireChats = async (
  env: MessagingEnv,
  scope: TenantScope,
  channelId: string,
): Promise<{ channel: ChannelRow; api: ChatsApi }> => {
  const channel = await getChannel(env, scope, channelId);
  const api = env.supervisor.linkOf(channel, "live")?.chats;
  if (!api) throw notOffered("change how its own app shows a chat");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return { channel, api };
};

/** The key of the job of an act: a newer act of the same name, or about the same label, replaces a waiting one. */
export const chatActKey = ({ channelId, chat, act }: Pick<ChatActPayload, "channelId" | "chat" | "act">): string =>
  `chat:${channelId}:${chat}:${act.name}${"labelId" in act ? `:${act.labelId}` : ""}`;

/**
 * Accepts acts on a chat; their jobs are on disk when this resolves. A newer act replaces a waiting one of the same
 * name.
 * @throws AppError CONVERSATION_NOT_FOUND, CONTACT_NOT_FOUND, and as `requireChats`
 */
export const acceptChatActs = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  acts: readonly ChatAct[],
): Promise<void> => {
  const chat = await getChat(env, scope, id);
  await requireChats(env, scope, chat.conversation.channelId);
  await env.db.write((tx) => enqueueActs(env, tx, chat, acts));
};

/**
 * Accepts acts on a chat of many, by its canonical key; as `acceptChatActs`.
 * @throws AppError as `requireChats`
 */
export const acceptActsOnGroup = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, chat }: { channelId: ChannelId; chat: string },
  acts: readonly ChatAct[],
): Promise<void> => {
  await requireChats(env, scope, channelId);
  await env.db.write(async (tx) => {
    for (const act of acts) env.jobs.replace(tx, "chat.act", { channelId, chat, act, newest: null });
  });
};

const enqueueActs = async (env: MessagingEnv, tx: Tx, chat: Chat, acts: readonly ChatAct[]): Promise<void> => {
  if (acts.length === 0) return;
  const { channelId, id } = chat.conversation;
  const newest = await newestIn(tx, channelId, id);
  for (const act of acts) env.jobs.replace(tx, "chat.act", { channelId, chat: keyOfChat(chat), act, newest });
};

/**
 * Accepts that a chat has these labels and no others.
 * @throws AppError VALIDATION for an unknown label, and as `acceptChatActs`
 */
export const acceptChatLabels = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  labelIds: readonly string[],
): Promise<void> => {
  const chat = await getChat(env, scope, id);
  const { channelId } = chat.conversation;
  await requireChats(env, scope, channelId);
  await env.db.write(async (tx) => {
    const known = new Set((await listLabels(tx, channelId)).map((label) => label.id));
    for (const [place, labelId] of labelIds.entries())
      if (!known.has(labelId)) throw invalid(issue(`labels.${place}`, "enum", "is no label of the phone"));
    const given = (await listChatLabels(tx, channelId, [keyOfChat(chat)])).map(({ labelId }) => labelId);
    const acts: ChatAct[] = [];
    for (const labelId of known.union(new Set(given))) {
      const act = { name: "label", labelId, isLabelled: labelIds.includes(labelId) } as const;
      // an earlier act that is not done yet may be the opposite of this one
      const isOpen = await hasJob(tx, chatActKey({ channelId, chat: keyOfChat(chat), act }));
      if (isOpen || given.includes(labelId) !== act.isLabelled) acts.push(act);
    }
    await enqueueActs(env, tx, chat, acts);
  });
};

/** Does an act on a chat. A repeat after a crash changes nothing. */
export const actOnChat = async (env: MessagingEnv, job: ChatActJob): Promise<JobOutcome> => {
  const { channelId, chat, act, newest } = job.payload;
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  if (!channel) return { is: "done" };
  const now = env.clock.now();
  const turn = { place: job.createdAt, until: job.createdAt + TTL_MS };
  const link = isOpenState(channel.state) ? env.supervisor.linkOf(channel, "live") : undefined;
  if (now > turn.until)
    return settle(env, (tx) =>
      giveUp(
        env,
        tx,
        { job, channel },
        { code: "CHANNEL_UNAVAILABLE", reason: "no connection to the network in time" },
      ),
    );
  if (!link) return settle(env, (tx) => waitForChannel({ env, tx, job }, channelId, { ...turn, environment: "live" }));
  const outcome = (await link.chats?.act({ ...act, chat, newest, at: job.createdAt })) ?? NOT_OFFERED;
  return settle(env, async (tx) => {
    if (outcome.ok) {
      await recordAct(env, tx, channel, job.payload);
      return job.end(tx);
    }
    const { code, upstreamCode } = outcome;
    env.log.warn({ channelId, operation: act.name, attempt: job.attempt, code, upstreamCode }, "act on a chat failed");
    if (outcome.kind === "refused" || !tryLater({ env, tx, job }, outcome, turn))
      return giveUp(env, tx, { job, channel }, outcome);
  });
};

const NOT_OFFERED: OperationOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_UNSUPPORTED",
  reason: "the adapter of the network does not change chats",
};

const settle = async (env: MessagingEnv, write: (tx: Tx) => Promise<void>): Promise<JobOutcome> => {
  await env.db.write(write);
  return { is: "settled" };
};

/** The newest message of a conversation that the network knows by now. */
const newestIn = async (r: Reader, channelId: ChannelId, conversationId: ConversationId) => {
  const [ids] = await newestOfConversations(r, [conversationId]);
  const found = [];
  for (const messageId of [ids?.sentId, ids?.receivedId])
    if (messageId) found.push(await findKnown(r, channelId, messageId));
  const known = found.flatMap((one) => (one && one.at !== null ? [{ key: one.key, at: one.at }] : []));
  const last = known.toSorted((one, other) => other.at - one.at)[0];
  // the clock of the network may be ahead of this one
  return last ? { ...last, at: Math.max(last.at, ids?.personAt ?? 0) } : null;
};

/** Stores what a finished act changed, and publishes it. */
const recordAct = async (
  env: MessagingEnv,
  tx: Tx,
  channel: ChannelRow,
  { chat: key, act }: ChatActPayload,
): Promise<void> => {
  const [at, chat, context] = [env.clock.now(), contactOfKey(key), { channel, environment: "live" } as const];
  if (act.name === "label")
    return recordChatLabel(env, tx, context, { chat, labelId: act.labelId, isLabelled: act.isLabelled, at });
  await recordChat(env, tx, context, { chat, changes: changesOf(act), at });
};

const changesOf = (act: Exclude<ChatAct, { name: "label" }>): ChatChanges => {
  switch (act.name) {
    case "archive":
      // an archived chat is not pinned in the network's own apps
      return { archived: act.isArchived, ...(act.isArchived ? { pinned: false } : {}) };
    case "pin":
      return { pinned: act.isPinned };
    case "mark-unread":
      return { markedUnread: act.isUnread };
    case "mute":
      return { mutedUntil: act.until };
    case "clear":
      return { gone: "cleared" };
    case "delete":
      return { gone: "deleted" };
  }
};

type Failure = { code: string; reason: string };

const giveUp = async (
  env: MessagingEnv,
  tx: Tx,
  { job, channel }: { job: ChatActJob; channel: ChannelRow },
  failure: Failure,
): Promise<void> => {
  await publishFailure(env, tx, { channel, payload: job.payload }, failure);
  job.end(tx);
};

const publishFailure = (
  env: MessagingEnv,
  tx: Tx,
  { channel, payload: { chat, act } }: { channel: ChannelRow; payload: ChatActPayload },
  { code, reason }: Failure,
): Promise<void> =>
  publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel },
    { type: "chat.operation_failed", chat: contactOfKey(chat), operation: act.name, code, reason },
  );

/** Publishes the failure of an act when its job is discarded. */
export const discardChatAct = async (
  env: MessagingEnv,
  tx: Tx,
  payload: ChatActPayload,
  reason: string,
): Promise<void> => {
  const channel = await findChannel(tx, EVERY_TENANT, payload.channelId);
  if (channel) await publishFailure(env, tx, { channel, payload }, { code: "INTERNAL_ERROR", reason });
};

/** The labels of a phone, as they are known here. @throws AppError CHANNEL_NOT_FOUND */
export const labelsOfChannel = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<Label[]> => {
  const channel = await getChannel(env, scope, id);
  return env.db.read((reader) => listLabels(reader, channel.id));
};

type LabelChanges = { name?: string | undefined; color?: number | undefined };

/**
 * Makes a label at the network.
 * @throws AppError VALIDATION beyond a hundred labels, as `requireChats`, and what `requireValue` throws
 */
export const makeLabel = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  { name, color }: { name: string; color: number },
): Promise<Label> => {
  const { channel, api } = await requireChats(env, scope, id);
  const freeId = () => env.db.read((reader) => freeLabelId(reader, channel.id));
  if ((await freeId()) === undefined)
    throw invalid(issue("name", "maxItems", `a phone has at most ${MOST_LABELS} labels here`));
  return requireValue(await api.makeLabel({ name, color }, freeId));
};

/** The id after the highest; undefined if the channel has as many labels as are kept. */
const freeLabelId = async (r: Reader, channelId: ChannelId): Promise<string | undefined> => {
  const known = await listLabels(r, channelId);
  if (known.length >= MOST_LABELS) return undefined;
  const numbers = known.map((label) => Number(label.id)).filter((id) => id >= 0 && id < Number.MAX_SAFE_INTEGER);
  return String(Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1);
};

/** Renames or recolours a label. @throws AppError VALIDATION for an unknown label, and as `makeLabel` */
export const changeLabel = async (
  env: MessagingEnv,
  scope: TenantScope,
  { id, labelId, changes }: { id: string; labelId: string; changes: LabelChanges },
): Promise<Label> => {
  const { channel, api } = await requireChats(env, scope, id);
  const before = await findLabel(env, channel, labelId);
  const label = { id: labelId, name: changes.name ?? before.name, color: changes.color ?? before.color };
  await changeAtNetwork(env, channel, { label, isDeleted: false }, () => api.putLabel(label));
  return label;
};

/** Deletes a label; no chat has it any more. @throws AppError VALIDATION for an unknown label, and as `makeLabel` */
export const removeLabel = async (
  env: MessagingEnv,
  scope: TenantScope,
  { id, labelId }: { id: string; labelId: string },
): Promise<void> => {
  const { channel, api } = await requireChats(env, scope, id);
  const label = await findLabel(env, channel, labelId);
  await changeAtNetwork(env, channel, { label, isDeleted: true }, () => api.removeLabel(label));
};

const findLabel = async (env: MessagingEnv, channel: ChannelRow, labelId: string): Promise<Label> => {
  const known = await env.db.read((reader) => listLabels(reader, channel.id));
  const found = known.find((label) => label.id === labelId);
  if (!found) throw invalid(issue("label", "enum", "is no label of the phone"));
  return { id: found.id, name: found.name, color: found.color };
};

const changeAtNetwork = async (
  env: MessagingEnv,
  channel: ChannelRow,
  edited: { label: Label; isDeleted: boolean },
  call: () => ReturnType<ChatsApi["putLabel"]>,
): Promise<void> => {
  requireValue(await call());
  const at = env.clock.now();
  await env.db.write(async (tx) => recordLabel(env, tx, { channel, environment: "live" }, { ...edited, at }));
};

/**
 * Reads everything anew that the phone shares of its chats.
 * @throws AppError as `requireChats`, and what `requireValue` throws
 */
export const resyncChats = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<void> => {
  const { api } = await requireChats(env, scope, id);
  requireValue(await api.resync());
};
