import { isOpenState } from "../contract/events.ts";
import { DAY_MS } from "../kernel/clock.ts";
import type { ChannelId } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Tx } from "../store/engine/db.ts";
import { deleteAgent } from "../store/tables/ai/agents.ts";
import { deletePermissionsOf, takeRecordingsOf } from "../store/tables/calls.ts";
import { type ChannelRow, deleteChannel, findChannelsByRoute } from "../store/tables/channels/channels.ts";
import { deleteChatwootRowsOf } from "../store/tables/channels/chatwoot.ts";
import { deleteIdentitiesOf } from "../store/tables/channels/identities.ts";
import { deleteInboxOf } from "../store/tables/channels/inbox.ts";
import { deleteCachedMessagesOf } from "../store/tables/channels/key-store.ts";
import { deleteChatStatesOf } from "../store/tables/conversations/chat-states.ts";
import { deleteHoldersOf } from "../store/tables/conversations/holders.ts";
import { detachPhoneSubscription, findPhoneSubscription } from "../store/tables/events/subscriptions.ts";
import { deleteGroupsOf } from "../store/tables/groups.ts";
import { deleteBusinessHours } from "../store/tables/messaging/business-hours.ts";
import { deleteEarlyActsOf } from "../store/tables/messaging/early-acts.ts";
import { deleteFlowsOf } from "../store/tables/messaging/flows.ts";
import { deleteHistoryImport, forgetAdded } from "../store/tables/messaging/history-imports.ts";
import { deleteLookupsOf } from "../store/tables/messaging/lookups.ts";
import { cancelScheduledOf } from "../store/tables/messaging/scheduled.ts";
import { deleteTemplatesOf } from "../store/tables/messaging/templates.ts";
import { dropQueue } from "../store/tables/queues.ts";
import { insertDeparted } from "../store/tables/tenancy/departed.ts";
import { getChannel, holdsAccount, isCoexistent } from "./channels/channel.ts";
import { queuesOfChannel, resumeSends } from "./channels/links/channel-queues.ts";
import { isPublishedConnected } from "./channels/links/report.ts";
import { unknownChannel } from "./channels/refusals.ts";
import { publishSimulatedEnd } from "./channels/sandbox.ts";
import { forgetAppNumber } from "./channels/settings/app-numbers.ts";
import { forgetApps } from "./channels/settings/apps.ts";
import type { Env } from "./env.ts";
import { publish } from "./events/publish.ts";
import { cancelBatchesOf } from "./messaging/batches/batches.ts";
import { type Caller, recordAct } from "./tenancy/audit/audit.ts";

/**
 * Deletes a channel with its secrets, its agent, its flows and its templates; the network keeps its copies of the last
 * two.
 * - Deliveries on their way, and the event of the disconnection, still reach the webhook.
 * - Queued messages fail, each with its event. Scheduled messages and batches are cancelled. Sent messages stay for
 *   audit.
 * - The network is asked to release the number; its errors are logged and do not stop the deletion. A number that the
 *   owner's app also uses is never taken off the network.
 * - A claim to the account that the network never confirmed does not count there.
 * Resolves with the steps that only the owner can take.
 * @throws AppError CHANNEL_NOT_FOUND.
 */
export const removeChannel = async (
  env: Env,
  caller: Caller,
  id: string,
  { deregister } = { deregister: false },
): Promise<OwnerAction | undefined> => {
  const channel = await getChannel(env, caller, id);
  const { accountId, kind } = channel;
  const isShared = isCoexistent(channel);
  const ofAccount =
    accountId === null
      ? []
      : await env.db.read((reader) => findChannelsByRoute(reader, kind, { by: "account", id: accountId }));
  const heir = webhookHeir(env, channel, ofAccount);
  await env.supervisor.release(channel, {
    deregister: deregister && !isShared,
    isLastOfAccount:
      heir === undefined &&
      !ofAccount.some(
        ({ id: other, validatedAt, profile }) =>
          other !== channel.id && validatedAt !== null && holdsAccount({ profile }),
      ),
  });
  await env.db.write(async (tx) => {
    const gone = await deleteChannel(tx, caller, id);
    if (!gone) throw unknownChannel();
    await recordAct(env, tx, caller, {
      action: "channel.delete",
      target: gone.id,
      tenantId: gone.tenantId,
      details: { kind: gone.kind, deregister },
    });
    await publishDisconnected(env, tx, gone);
    await forgetApps(env, tx, gone.id); // before the webhooks are detached
    await departWithWebhooks(tx, gone);
    await forgetAppNumber(env, tx, gone);
    await deleteFlowsOf(tx, gone.id);
    await deleteTemplatesOf(tx, gone.id);
    const atMs = env.clock.now();
    cancelScheduledOf(tx, gone, { atMs, keysUntil: atMs + DAY_MS });
    await cancelBatchesOf(env, tx, gone.id);
    for (const { key } of queuesOfChannel(gone.id, ({ isDropped }) => isDropped)) dropQueue(tx, key);
    resumeSends(env, tx, gone.id);
    if (heir) await env.supervisor.connect(tx, heir);
    // a request may have opened another link meanwhile
    tx.afterCommit(() => void env.supervisor.close(gone.id));
    env.jobs.enqueue(tx, "channel.forget", { channelId: gone.id });
    deleteBusinessHours(tx, { tenantId: gone.tenantId, channelId: gone.id });
    if (await deleteAgent(tx, gone.id)) env.jobs.enqueue(tx, "agent.forget", { channelId: gone.id });
    env.jobs.enqueue(tx, "media.forget", { channelId: gone.id });
  });
  return isShared
    ? {
        action: "DISCONNECT_IN_BUSINESS_APP",
        reason: "The number is used by the business app too: only there can its owner disconnect the account.",
      }
    : undefined;
};

/**
 * The channel that takes over the webhook of its account, where the network calls one address for all numbers of an
 * account: it connects anew, and registers its own address.
 */
const webhookHeir = (
  { registry }: Env,
  { id, kind, tenantId }: ChannelRow,
  ofAccount: readonly ChannelRow[],
): ChannelRow | undefined =>
  registry.ofKind(kind)?.webhook?.servesAccount
    ? ofAccount.find((one) => one.id !== id && one.tenantId === tenantId && isOpenState(one.state))
    : undefined;

/** Queued messages fail in jobs of their own, which publish their events. */
const departWithWebhooks = async (
  tx: Tx,
  { tenantId, id: channelId, kind, sharedWebhookId }: ChannelRow,
): Promise<void> => {
  const webhook = await findPhoneSubscription(tx, { tenantId }, channelId);
  await insertDeparted(tx, { channelId, kind, webhookId: webhook?.id ?? null, sharedWebhookId });
  await detachPhoneSubscription(tx, channelId);
};

const publishDisconnected = async (env: Env, tx: Tx, gone: ChannelRow): Promise<void> => {
  const reason = "MANUAL_DELETE";
  const { tenantId, phoneNumber } = gone;
  await publish(
    env,
    tx,
    { tenantId, channel: gone },
    { type: "channel.disconnected", reason, phoneNumber, wasConnected: isPublishedConnected(gone) },
  );
  await publishSimulatedEnd(env, tx, gone, reason);
};

/** The steps for the owner of a deleted channel's number. */
export type OwnerAction = { action: "DISCONNECT_IN_BUSINESS_APP"; reason: string };

const FORGET_BATCH = 500;

/**
 * Deletes the rows that only a deleted channel needs, a batch at a time: identities, received messages, cached
 * messages, requests, groups, call permissions and recordings. Sent messages and calls stay.
 */
export const forgetChannel = async (env: Env, job: Job<{ channelId: ChannelId }>): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  await env.db.write(async (tx) => {
    deleteHistoryImport(tx, channelId);
    const recordings = await takeRecordingsOf(tx, channelId, FORGET_BATCH);
    for (const key of recordings) env.jobs.enqueue(tx, "media.erase", { key });
    const isMore = [
      await deleteIdentitiesOf(tx, channelId, FORGET_BATCH),
      await deleteInboxOf(tx, channelId, FORGET_BATCH),
      await deleteEarlyActsOf(tx, channelId, FORGET_BATCH),
      await deleteCachedMessagesOf(tx, channelId, FORGET_BATCH),
      await deleteLookupsOf(tx, channelId, FORGET_BATCH),
      await deleteGroupsOf(tx, channelId, FORGET_BATCH),
      await deletePermissionsOf(tx, channelId, FORGET_BATCH),
      await deleteHoldersOf(tx, channelId, FORGET_BATCH),
      await deleteChatStatesOf(tx, channelId, FORGET_BATCH),
      await deleteChatwootRowsOf(tx, channelId, FORGET_BATCH),
      await forgetAdded(tx, channelId, FORGET_BATCH),
      recordings.length === FORGET_BATCH,
    ].includes(true);
    if (isMore) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
