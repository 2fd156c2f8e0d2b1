import type { LinkReport, LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/plugin.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { issue, issuesOf } from "../../kernel/schema.ts";
import { type ChannelRow, countChannels, deleteChannel, findChannel, findChannelsByRoute, insertChannel, listChannels, updateChannel, writeVault } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { deleteFlowsOf } from "../../store/flows.ts";
import { releaseLane } from "../../store/jobs.ts";
import type { Environment } from "../../store/keys.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/scope.ts";
import { detachPhoneSubscription, insertSubscription, type SubscriptionRow } from "../../store/subscriptions.ts";
import { deleteTemplatesOf } from "../../store/templates.ts";
import type { Env } from "../env.ts";
import { publish } from "../events/publish.ts";
import { newSubscription } from "../events/subscriptions.ts";
import { unknownChannel } from "./refusals.ts";
import { sealedFields } from "./vault.ts";
import { checkedWebhook, type WebhookInput } from "./webhooks.ts";

/** What is sent through a channel runs in this lane; what is only simulated waits for nothing, in its own. */
export const channelLane = (channelId: ChannelId, environment: Environment): string => (environment === "live" ? `channel:${channelId}` : `channel:${channelId}/test`);

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
    if (input.state !== "DISCONNECTED") tx.afterCommit(() => env.supervisor.connect(channel));
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

/** Throws CHANNEL_NOT_FOUND, for another tenant's too. */
export const getChannel = async (env: Pick<Env, "db">, scope: TenantScope, id: string): Promise<ChannelRow> => {
  const channel = await env.db.read((reader) => findChannel(reader, scope, id));
  if (!channel) throw unknownChannel();
  return channel;
};

export const channelsOf = (env: Env, scope: TenantScope, kinds?: readonly ChannelKind[]): Promise<ChannelRow[]> => env.db.read((reader) => listChannels(reader, scope, kinds));

/**
 * Deletes a channel with its secrets, and its flows and templates, which the network keeps. What is on its way to its webhook still arrives, its
 * departure too; what waits to be sent fails; what was sent stays for audit. The network's side is let go of as well as it goes; what only the owner
 * can do there is returned. A number that its owner's app uses as well is never taken off the network. Throws CHANNEL_NOT_FOUND.
 */
export const removeChannel = async (env: Env, scope: TenantScope, id: string, { deregister } = { deregister: false }): Promise<OwnerAction | undefined> => {
  const channel = await getChannel(env, scope, id);
  const { accountId, kind } = channel;
  const isShared = isCoexistent(channel);
  const ofAccount = accountId === null ? [] : await env.db.read((reader) => findChannelsByRoute(reader, kind, { by: "account", id: accountId }));
  await env.supervisor.release(channel, { deregister: deregister && !isShared, isLastOfAccount: ofAccount.every((other) => other.id === channel.id) });
  await env.db.write(async (tx) => {
    const gone = await deleteChannel(tx, scope, id);
    if (!gone) throw unknownChannel();
    await publish(env, tx, { tenantId: gone.tenantId, channel: gone }, { type: "channel.disconnected", reason: "MANUAL_DELETE", phoneNumber: gone.phoneNumber });
    await detachPhoneSubscription(tx, gone.id);
    await deleteFlowsOf(tx, gone.id);
    await deleteTemplatesOf(tx, gone.id);
    letSendsGoOn(env, tx, gone.id);
  });
  return isShared ? { action: "DISCONNECT_IN_BUSINESS_APP", reason: "The number is used by the business app too: only there can its owner disconnect the account." } : undefined;
};

/** What is left to the owner of a deleted channel's number. */
export type OwnerAction = { action: "DISCONNECT_IN_BUSINESS_APP"; reason: string };

/** Whether the number is used by the network's own business app beside us. */
export const isCoexistent = ({ profile }: Pick<ChannelRow, "profile">): boolean => profile["wabaCoexistence"] === true;

/** Whatever waits in the channel's lane is looked at again now. */
export const letSendsGoOn = (env: Pick<Env, "jobs">, tx: Tx, channelId: ChannelId): void => {
  releaseLane(tx, channelLane(channelId, "live"));
  env.jobs.wakeAfter(tx);
};

/** Ends the connection at its owner's wish; repeating it changes nothing. Throws CHANNEL_NOT_FOUND. */
export const disconnectChannel = async (env: Env, scope: TenantScope, id: string): Promise<void> => {
  const channel = await getChannel(env, scope, id);
  await env.supervisor.close(channel.id);
  await recordReport(env, channel.id, { state: "DISCONNECTED", reason: "LOGOUT" });
};

/**
 * Starts to connect a channel that its owner wants connected. Throws CHANNEL_NOT_FOUND, CHANNEL_ALREADY_CONNECTED,
 * VALIDATION when it needs credentials and has none, and PAIRING_UNAVAILABLE when nothing here can connect its kind.
 */
export const connectChannel = async (env: Env, scope: TenantScope, id: string): Promise<ChannelRow> => {
  const channel = await getChannel(env, scope, id);
  if (channel.state === "CONNECTED") throw new AppError("CHANNEL_ALREADY_CONNECTED", { message: "The channel is connected already." });
  const plugin = env.registry.ofKind(channel.kind);
  if (!plugin) throw new AppError("PAIRING_UNAVAILABLE", { message: "No QR code is available for this channel at the moment." });
  if (plugin.credentials && channel.numberId === null) throw invalid(issue("credentials", "required", "are required to connect a channel of this type"));
  return startConnecting(env, scope, channel, plugin.credentials ? "PENDING_WEBHOOK" : "CONNECTING");
};

/**
 * Has a channel connect anew with the credentials it has now; one that is connected is left alone. What comes of it is told by its state.
 * Throws CHANNEL_NOT_FOUND.
 */
export const reconnectChannel = async (env: Env, scope: TenantScope, id: string): Promise<void> => {
  const channel = await getChannel(env, scope, id);
  const plugin = env.registry.ofKind(channel.kind);
  if (channel.state === "CONNECTED" || !plugin) return; // without an adapter nothing can begin
  const isConfirmed = channel.validatedAt !== null;
  await startConnecting(env, scope, channel, isConfirmed || !plugin.credentials ? "CONNECTING" : "PENDING_WEBHOOK");
};

const startConnecting = (env: Env, scope: TenantScope, { id }: ChannelRow, state: LinkState): Promise<ChannelRow> =>
  env.db.write(async (tx) => {
    const changed = await updateChannel(tx, scope, id, { state, updatedAt: env.clock.now() });
    if (!changed) throw unknownChannel();
    tx.afterCommit(() => env.supervisor.connect(changed));
    return changed;
  });

const ENDED: readonly LinkState[] = ["DISCONNECTED", "TOKEN_EXPIRED", "FAILED"];

/** Whether a report ends a connection for good, rather than interrupting it. */
const isEnd = (channel: ChannelRow, state: LinkState): boolean =>
  ENDED.includes(state) && (channel.state === "CONNECTED" || (channel.state === "CONNECTING" && channel.connectedAt !== null && channel.disconnectedAt === null));

/** A channel that its owner has disconnected stays so, although calls that need no connection find out about its token. */
const isRevived = (channel: ChannelRow, { state }: LinkReport): boolean => channel.state === "DISCONNECTED" && state === "TOKEN_EXPIRED";

/**
 * Records what a link says of itself, and publishes only what is a change: connected, or gone for good. A channel that connects sends on
 * what waited for it.
 */
export const recordReport = (env: Pick<Env, "db" | "clock" | "random" | "jobs" | "renderers" | "stream">, channelId: ChannelId, report: LinkReport): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await findChannel(tx, EVERY_TENANT, channelId);
    if (!channel || isRevived(channel, report)) return;
    const now = env.clock.now();
    const isArrival = report.state === "CONNECTED" && channel.state !== "CONNECTED";
    const isDeparture = isEnd(channel, report.state);
    const phoneNumber = report.phoneNumber ?? channel.phoneNumber;
    const changed = await updateChannel(tx, EVERY_TENANT, channelId, {
      state: report.state,
      phoneNumber,
      profile: { ...channel.profile, ...report.profile },
      ...(report.state === "CONNECTED" && channel.validatedAt === null ? { validatedAt: now } : {}),
      ...(isArrival ? { connectedAt: now, disconnectedAt: null } : {}),
      ...(isDeparture ? { disconnectedAt: now } : {}),
      updatedAt: now,
    });
    if (!changed) return;
    const origin = { tenantId: channel.tenantId, channel: changed };
    if (isArrival) {
      await publish(env, tx, origin, { type: "channel.connected", phoneNumber, connectedAt: now });
      letSendsGoOn(env, tx, channelId);
    }
    if (isDeparture) await publish(env, tx, origin, { type: "channel.disconnected", reason: report.reason ?? "CONNECTION_LOST", phoneNumber });
  });

export type { ChannelRow as Channel } from "../../store/channels.ts";
