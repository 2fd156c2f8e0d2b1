import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/plugin.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { issue, issuesOf } from "../../kernel/schema.ts";
import { deleteAgent } from "../../store/agents.ts";
import { cancelBatchesOf } from "../../store/batches.ts";
import { type ChannelRow, countChannels, deleteChannel, findChannelsByRoute, insertChannel, listChannels, writeVault } from "../../store/channels.ts";
import { deleteFlowsOf } from "../../store/flows.ts";
import { dropLane } from "../../store/jobs.ts";
import { cancelScheduledOf } from "../../store/scheduled.ts";
import type { TenantScope } from "../../store/scope.ts";
import { detachPhoneSubscription, insertSubscription, type SubscriptionRow } from "../../store/subscriptions.ts";
import { deleteTemplatesOf } from "../../store/templates.ts";
import type { Env } from "../env.ts";
import { publish } from "../events/publish.ts";
import { newSubscription } from "../events/subscriptions.ts";
import { recordAct } from "../tenancy/audit.ts";
import { requireChannel, unknownChannel } from "./refusals.ts";
import { bulkLane, letSendsGoOn, lookupLane, pairingLane, scheduledLane } from "./report.ts";
import { sealedFields } from "./vault.ts";
import { checkedWebhook, type WebhookInput } from "./webhooks.ts";

export type NewChannel = { kind: ChannelKind; label: string; state: LinkState; credentials?: unknown; webhook?: WebhookInput; maxChannels?: number };

/**
 * Makes a channel, its credentials sealed, and starts connecting it when its state says that it is on its way. Throws VALIDATION,
 * CHANNEL_CREDENTIALS_REQUIRED when its kind needs some and they are not complete, and CHANNEL_LIMIT_REACHED.
 */
export const createChannel = async (env: Env, scope: TenantScope, input: NewChannel): Promise<{ channel: ChannelRow; webhook: SubscriptionRow | undefined }> => {
  const credentials = checkedCredentials(env, input);
  const webhook = input.webhook && checkedWebhook(env, input.webhook);
  const channel = newChannelRow(env, scope, input, credentials);
  const subscription = webhook && newSubscription(env, scope.tenantId, "phone", { ...webhook, name: input.label, channelId: channel.id });
  await env.db.write(async (tx) => {
    if ((await countChannels(tx, scope)) >= (input.maxChannels ?? Number.POSITIVE_INFINITY))
      throw new AppError("CHANNEL_LIMIT_REACHED", { message: "The plan's number of channels is reached." });
    await insertChannel(tx, channel);
    await writeVault(tx, sealedFields(env, channel.id, credentials));
    if (subscription) await insertSubscription(tx, subscription);
    await recordAct(env, tx, { action: "channel.create", target: channel.id, tenantId: scope.tenantId, details: { kind: channel.kind } });
    if (input.state !== "DISCONNECTED") await env.supervisor.connect(tx, channel);
  });
  return { channel, webhook: subscription };
};

export const newChannelRow = (env: Env, { tenantId }: TenantScope, input: NewChannel, credentials: Record<string, string>): ChannelRow => {
  const createdAt = env.clock.now();
  return {
    id: newId<ChannelId>(env),
    tenantId,
    kind: input.kind,
    label: input.label,
    state: input.state,
    phoneNumber: null,
    numberId: credentials["phoneNumberId"] ?? null,
    accountId: credentials["businessAccountId"] ?? null,
    verifyTokenHash: credentials["verifyToken"] === undefined ? null : sha256(credentials["verifyToken"]),
    isWebhookConfigured: false,
    profile: {},
    sharedWebhookId: null,
    validatedAt: null,
    connectedAt: null,
    disconnectedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
};

const checkedCredentials = (env: Env, { kind, credentials, state }: NewChannel): Record<string, string> => {
  const schema = env.registry.ofKind(kind)?.credentials;
  if (!schema) {
    if (credentials !== undefined) throw invalid(issue("credentials", "forbidden", "are not for this type"));
    return {};
  }
  if (credentials === undefined && state === "DISCONNECTED") return {}; // they may come when it is connected
  const issues = issuesOf(schema, credentials ?? {}, "credentials");
  if (issues.some((one) => one.rule === "required")) throw new AppError("CHANNEL_CREDENTIALS_REQUIRED", { message: "This type needs complete credentials.", issues });
  if (issues.length > 0) throw invalid(...issues);
  return credentials as Record<string, string>;
};

/** Throws CHANNEL_NOT_FOUND, for another tenant's too, and for one that is of none of these kinds. */
export const getChannel = async (env: Pick<Env, "db">, scope: TenantScope, id: string, kinds?: readonly ChannelKind[]): Promise<ChannelRow> => {
  const channel = await env.db.read((reader) => requireChannel(reader, scope, id));
  if (kinds?.includes(channel.kind) === false) throw unknownChannel();
  return channel;
};

export const channelsOf = (env: Env, scope: TenantScope, kinds?: readonly ChannelKind[]): Promise<ChannelRow[]> => env.db.read((reader) => listChannels(reader, scope, kinds));

/**
 * Deletes a channel with its secrets and its agent, and its flows and templates, which the network keeps. What is on its way to its webhook still arrives, its
 * departure too; what waits to be sent fails; what is scheduled and its batches are cancelled; what was sent stays for audit. The network's side is let go of as well as
 * it goes; what only the owner can do there is returned. A number that its owner's app uses as well is never taken off the network. A claim to the
 * account that the network never confirmed does not count there. Throws CHANNEL_NOT_FOUND.
 */
export const removeChannel = async (env: Env, scope: TenantScope, id: string, { deregister } = { deregister: false }): Promise<OwnerAction | undefined> => {
  const channel = await getChannel(env, scope, id);
  const { accountId, kind } = channel;
  const isShared = isCoexistent(channel);
  const ofAccount = accountId === null ? [] : await env.db.read((reader) => findChannelsByRoute(reader, kind, { by: "account", id: accountId }));
  await env.supervisor.release(channel, {
    deregister: deregister && !isShared,
    isLastOfAccount: !ofAccount.some(({ id: other, validatedAt, profile }) => other !== channel.id && validatedAt !== null && holdsAccount({ profile })),
  });
  await env.db.write(async (tx) => {
    const gone = await deleteChannel(tx, scope, id);
    if (!gone) throw unknownChannel();
    await recordAct(env, tx, { action: "channel.delete", target: gone.id, tenantId: gone.tenantId, details: { kind: gone.kind, deregister } });
    await publish(env, tx, { tenantId: gone.tenantId, channel: gone }, { type: "channel.disconnected", reason: "MANUAL_DELETE", phoneNumber: gone.phoneNumber });
    await detachPhoneSubscription(tx, gone.id);
    await deleteFlowsOf(tx, gone.id);
    await deleteTemplatesOf(tx, gone.id);
    cancelScheduledOf(tx, gone, env.clock.now());
    await cancelBatchesOf(tx, gone.id, env.clock.now());
    for (const lane of [bulkLane(gone.id, "live"), bulkLane(gone.id, "test"), scheduledLane(gone.id), pairingLane(gone.id), lookupLane(gone.id)]) dropLane(tx, lane);
    letSendsGoOn(env, tx, gone.id);
    tx.afterCommit(() => void env.supervisor.close(gone.id)); // what was asked of it meanwhile may have opened another link
    env.jobs.enqueue(tx, "channel.forget", { channelId: gone.id });
    if (await deleteAgent(tx, gone.id)) env.jobs.enqueue(tx, "agent.forget", { channelId: gone.id });
    env.jobs.enqueue(tx, "media.forget", { channelId: gone.id });
  });
  return isShared ? { action: "DISCONNECT_IN_BUSINESS_APP", reason: "The number is used by the business app too: only there can its owner disconnect the account." } : undefined;
};

/** What is left to the owner of a deleted channel's number. */
export type OwnerAction = { action: "DISCONNECT_IN_BUSINESS_APP"; reason: string };

/** Whether the network has confirmed that the account which a channel names is its own. */
export const holdsAccount = ({ profile }: Pick<ChannelRow, "profile">): boolean => profile["wabaAccountConfirmed"] === true;

/** Whether the number is used by the network's own business app beside us. */
export const isCoexistent = ({ profile }: Pick<ChannelRow, "profile">): boolean => profile["wabaCoexistence"] === true;

export type { ChannelRow as Channel } from "../../store/channels.ts";
