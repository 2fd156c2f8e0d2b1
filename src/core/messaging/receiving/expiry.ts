import { DAY_MS, SECOND_MS } from "../../../kernel/clock.ts";
import type { ChannelId, MessageId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { listReceived } from "../../../store/tables/conversations/received.ts";
import { findMessageOf } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { readContactOn } from "../../channels/identity.ts";
import { actsOn, keepAct, keepHeldExpiry, NO_ACTS } from "../../conversations/acts.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/** A message that disappears. `chat`: a canonical key. */
export type ExpirePayload = { messageId: MessageId; channelId: ChannelId; chat: string; environment: Environment };
type ExpireJob = Job<ExpirePayload>;
type ExpiryEnv = Pick<MessagingEnv, "clock" | "jobs">;

/** Writers name any time. The network's own apps offer 90 days at most. */
const LONGEST_MS = 366 * DAY_MS;

/** Has the end of a message come, `seconds` after `from`, or after now if that is later. A message without a time stays. */
export const expireLater = (
  { clock, jobs }: ExpiryEnv,
  tx: Tx,
  message: ExpirePayload,
  { from, seconds }: { from: number; seconds: number | undefined },
): void => {
  const lifetimeMs = (seconds ?? 0) * SECOND_MS;
  if (lifetimeMs <= 0 || lifetimeMs > LONGEST_MS) return;
  const { messageId, channelId, chat, environment } = message;
  jobs.replace(
    tx,
    "message.expire",
    { messageId, channelId, chat, environment },
    { runAt: Math.min(from, clock.now()) + lifetimeMs },
  );
};

/** Ends a message, unless it was deleted before, here or by retention. A kept one ends with its keep. */
export const expireMessage = async (env: MessagingEnv, job: ExpireJob): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const channel = await findChannel(tx, EVERY_TENANT, job.payload.channelId);
    if (channel) await end(env, tx, channel, job.payload);
    job.end(tx);
  });
  return { is: "settled" };
};

const end = async (
  env: MessagingEnv,
  tx: Tx,
  channel: ChannelRow,
  { messageId, chat, environment }: ExpirePayload,
): Promise<void> => {
  const { tenantId } = channel;
  if (!(await isStored(tx, channel, messageId))) return;
  const acts = (await actsOn(tx, { tenantId }, [messageId])).get(messageId) ?? NO_ACTS;
  if (acts.deletedAt !== null || acts.expiredAt !== null) return;
  if (acts.isKept) return keepHeldExpiry(env, tx, { tenantId, messageId, chat });
  const contact = await readContactOn(tx, channel.id, chat);
  const domainEvent: DomainEvent = { type: "message.expired", messageId, at: env.clock.now(), chat: contact };
  await keepAct(env, tx, channel, { domainEvent, author: "" });
  await publish(env, tx, { tenantId, channel, environment }, domainEvent);
};

/** Messages are of another tenant for a while after a channel has joined one. */
const isStored = async (tx: Tx, { id: channelId }: ChannelRow, messageId: MessageId): Promise<boolean> =>
  (await findMessageOf(tx, channelId, messageId)) !== undefined ||
  (await listReceived(tx, EVERY_TENANT, [messageId])).length > 0;

/** Has a message end at once that only its keep has held, when that is taken back. */
export const endWithKeep = async (
  { jobs }: ExpiryEnv,
  tx: Tx,
  { id: channelId, tenantId }: Pick<ChannelRow, "id" | "tenantId">,
  { domainEvent, environment }: { domainEvent: DomainEvent; environment: Environment },
): Promise<void> => {
  if (domainEvent.type !== "message.kept" || domainEvent.isKept) return;
  const messageId = domainEvent.messageId as MessageId;
  if (!(await actsOn(tx, { tenantId }, [messageId])).get(messageId)?.isOnlyKept) return;
  jobs.replace(tx, "message.expire", { messageId, channelId, chat: domainEvent.chat.canonicalKey, environment });
};
