import type { HolderChanged, Received } from "../../contract/events.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { spellingsOf } from "../../kernel/numbers/phone-numbers.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { findHolder, type HolderRow, putHolder } from "../../store/tables/conversations/holders.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { type InboundContext, learnIdentity, readContactOn } from "../channels/identity.ts";
import { type Contact, contactOf, type HeldBy, type HolderCause, isMany } from "../domain-event.ts";
import { publish } from "../events/publish.ts";
import type { ConversationsEnv } from "./env.ts";

/** After this time without a message of the person no app leads a conversation: the network decides so. */
const IDLE_MS = DAY_MS;

/** A change of the app that leads a conversation, with its time. `lastUserAt`: with a message that the person wrote. */
type Change = { chat: Contact; at: number; heldBy: { role?: string } | null; cause: HolderCause; lastUserAt?: number };

/** Every key under which the person's row may be: an earlier row is found after a better id has been learned. */
const keysOf = ({ canonicalKey, pn, lid, bsuid }: Contact): string[] => [
  canonicalKey,
  ...(pn === null ? [] : spellingsOf(pn).map((spelling) => `pn:${spelling}`)),
  ...(lid === null ? [] : [`lid:${lid}`]),
  ...(bsuid === undefined ? [] : [`bsuid:${bsuid}`]),
];

const isIdle = ({ lastUserAt }: HolderRow, now: number): boolean => lastUserAt + IDLE_MS <= now;

/** The app that leads a chat, under any key of the person; null if this app does, or no app. */
export const findChatHolder = async (
  { clock }: Pick<ConversationsEnv, "clock">,
  r: Reader,
  channelId: ChannelId,
  key: string,
): Promise<HeldBy | null> => {
  const row = await findHolder(r, channelId, keysOf(await readContactOn(r, channelId, key)));
  return row?.isHeld && !isIdle(row, clock.now()) ? { role: row.role, since: row.since } : null;
};

/** The apps that lead these chats of one channel, in their order; null if this app does, or no app. */
export const readChatHolders = (
  env: Pick<ConversationsEnv, "clock" | "db">,
  chats: readonly { channelId: ChannelId; key: string }[],
): Promise<(HeldBy | null)[]> =>
  env.db.read(async (reader) => {
    const holders: (HeldBy | null)[] = [];
    for (const { channelId, key } of chats) holders.push(await findChatHolder(env, reader, channelId, key));
    return holders;
  });

/** Whether several apps may share the numbers of this channel's kind. */
export const isShared = (env: Pick<ConversationsEnv, "registry">, { kind }: Pick<ChannelRow, "kind">): boolean =>
  env.registry.declared(kind)?.network.sharesConversations === true;

/**
 * Records a message's evidence about the leader of its chat: a message for this app makes this app the leader; a
 * message for information shows another leader. The network's time decides: a late message changes nothing.
 */
export const recordMessageHolder = async (
  env: ConversationsEnv,
  tx: Tx,
  context: InboundContext,
  { chat, event }: { chat: Contact; event: Pick<Received, "at" | "heldBy" | "isOwn" | "isHistory"> },
): Promise<HeldBy | null> => {
  const { channel, environment } = context;
  if (environment !== "live" || event.isHistory || isMany(chat) || !isShared(env, channel)) return null;
  // a message that the owner wrote in the network's own app says nothing about apps
  if (event.isOwn && !event.heldBy) return null;
  return recordChange(env, tx, channel, {
    chat,
    at: event.at,
    heldBy: event.heldBy ?? null,
    cause: event.heldBy ? "standby" : "message",
    ...(event.isOwn ? {} : { lastUserAt: event.at }),
  });
};

/** Records that the network passed a conversation on. A request of another app to lead it is logged. */
export const receiveHolder = async (
  env: ConversationsEnv,
  tx: Tx,
  context: InboundContext,
  event: HolderChanged,
): Promise<void> => {
  const { channel } = context;
  if (event.isRequest)
    return env.log.info({ channelId: channel.id, role: event.heldBy?.role }, "another app asks to lead a conversation");
  const chat = contactOf(await learnIdentity(tx, context, { identity: event.chat, at: event.at }));
  const { at, heldBy } = event;
  await recordChange(env, tx, channel, { chat, at, heldBy, cause: "handover" });
};

/** A time of the network that lies ahead counts as now; otherwise all later events would count as late. */
const notAhead = ({ at, lastUserAt, ...change }: Change, now: number): Change => ({
  ...change,
  at: Math.min(at, now),
  ...(lastUserAt === undefined ? {} : { lastUserAt: Math.min(lastUserAt, now) }),
});

/** Whether another app wrote while no app leads: only templates are allowed then, and they make no app the leader. */
const isTemplateOnly = ({ cause, lastUserAt, at }: Change, known: HolderRow): boolean =>
  cause === "standby" && lastUserAt === undefined && isIdle(known, at);

/** Stores the change, and publishes it if the leader differs from before. */
export const recordChange = async (
  env: ConversationsEnv,
  tx: Tx,
  channel: ChannelRow,
  said: Change,
): Promise<HeldBy | null> => {
  const change = notAhead(said, env.clock.now());
  const { chat, at, cause } = change;
  const known = await findHolder(tx, channel.id, keysOf(chat));
  if (!known && cause === "message") return null; // this app leads a chat that no other app ever led
  if (known && isTemplateOnly(change, known)) return null;
  const lastUserAt = Math.max(known?.lastUserAt ?? at, change.lastUserAt ?? 0);
  if (known && at < known.at) {
    if (lastUserAt > known.lastUserAt) await putHolder(tx, { ...known, lastUserAt });
    return holderIn(known);
  }
  const { row, isNew } = changed({ ...change, lastUserAt }, known, channel.id);
  await putHolder(tx, row);
  if (isNew) await publishHolder(env, tx, channel, { chat, row, cause });
  return holderIn(row);
};

/** The row after a change, and whether the leader is now another app. */
const changed = (
  { chat, at, heldBy, lastUserAt }: Change & { lastUserAt: number },
  known: HolderRow | undefined,
  channelId: ChannelId,
): { row: HolderRow; isNew: boolean } => {
  const before = known ? holderIn(known) : null;
  const role = heldBy === null ? null : (heldBy.role ?? before?.role ?? null);
  const isNew = (heldBy === null) !== (before === null) || role !== (before?.role ?? null);
  const since = known && !isNew ? known.since : at;
  const key = known?.chat ?? chat.canonicalKey;
  return { row: { channelId, chat: key, isHeld: heldBy !== null, role, since, at, lastUserAt }, isNew };
};

const holderIn = ({ isHeld, role, since }: HolderRow): HeldBy | null => (isHeld ? { role, since } : null);

const publishHolder = async (
  env: ConversationsEnv,
  tx: Tx,
  channel: Pick<ChannelRow, "id" | "tenantId" | "kind" | "sharedWebhookId">,
  { chat, row, cause }: { chat: Contact; row: HolderRow; cause: HolderCause },
): Promise<void> => {
  const { isHeld, role, since } = row;
  const idle = { channelId: row.channelId, chat: row.chat };
  if (isHeld) env.jobs.replace(tx, "conversation.release-idle", idle, { runAt: row.lastUserAt + IDLE_MS });
  else if (cause !== "idle") env.jobs.cancel(tx, "conversation.release-idle", idle);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel },
    isHeld
      ? { type: "conversation.held", chat, role, since, cause }
      : { type: "conversation.released", chat, since, cause },
  );
};

/** Publishes that no app leads a conversation any more, once the person was silent for a day. */
export const releaseIdle = async (
  env: ConversationsEnv,
  job: Job<{ channelId: ChannelId; chat: string }>,
): Promise<JobOutcome> => {
  const { channelId, chat: key } = job.payload;
  await env.db.write(async (tx) => {
    const channel = await findChannel(tx, EVERY_TENANT, channelId);
    const known = await findHolder(tx, channelId, [key]);
    const now = env.clock.now();
    if (!channel || !known?.isHeld) return job.end(tx);
    if (!isIdle(known, now)) return job.snooze(tx, known.lastUserAt + IDLE_MS);
    const row = { ...known, isHeld: false, role: null, since: known.lastUserAt + IDLE_MS };
    await putHolder(tx, row);
    await publishHolder(env, tx, channel, { chat: await readContactOn(tx, channelId, key), row, cause: "idle" });
    job.end(tx);
  });
  return { is: "settled" };
};
