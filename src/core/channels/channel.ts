import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/plugin.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId, type SubscriptionId } from "../../kernel/ids.ts";
import { type Issue, issue, issuesOf } from "../../kernel/schema.ts";
import {
  type ChannelRow,
  countChannels,
  deleteChannel,
  findChannel,
  findChannelsByRoute,
  insertChannel,
  listChannels,
  updateChannel,
  vault,
  writeVault,
} from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import type { TenantScope } from "../../store/scope.ts";
import {
  detachPhoneSubscription,
  findPhoneSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type SubscriptionRow,
  updateSubscription,
} from "../../store/subscriptions.ts";
import type { Env } from "../env.ts";
import { publish } from "../events/publish.ts";
import { changesOf, newSubscription, urlIssues } from "../events/subscriptions.ts";
import { letSendsGoOn, recordReport } from "./report.ts";

export const vaultRow = (channelId: string, field: string): string => `vault:${channelId}:${field}`;

/** The webhook of a channel, as a client gives it. */
export type WebhookInput = { url?: string; secret?: string; events?: readonly string[] };
type CompleteWebhook = { url: string; secret: string; events: readonly string[] };

/** The webhook to have, undefined for none. Throws VALIDATION for a URL without secret, or one that no webhook may have. */
const checkedWebhook = (env: Env, { url, secret, events = [] }: WebhookInput): CompleteWebhook | undefined => {
  if (url === undefined) return undefined;
  const issues: Issue[] = secret === undefined ? [issue("webhook.secret", "required", "is required when url is given")] : [];
  issues.push(...urlIssues(env, "webhook.url", url));
  if (secret === undefined || issues.length > 0) throw invalid(...issues);
  return { url, secret, events };
};

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

const newChannelRow = (env: Env, { tenantId }: TenantScope, input: NewChannel, credentials: Record<string, string>): ChannelRow => {
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

const sealedFields = (env: Env, channelId: ChannelId, fields: Record<string, string>): (typeof vault.$inferInsert)[] =>
  Object.entries(fields).map(([field, value]) => ({ channelId, field, sealed: env.secrets.seal(vaultRow(channelId, field), value) }));

/** Throws CHANNEL_NOT_FOUND, for another tenant's too. */
export const getChannel = async (env: Pick<Env, "db">, scope: TenantScope, id: string): Promise<ChannelRow> => {
  const channel = await env.db.read((reader) => findChannel(reader, scope, id));
  if (!channel) throw unknownChannel();
  return channel;
};

const unknownChannel = () => new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });

export const channelsOf = (env: Env, scope: TenantScope, kinds?: readonly ChannelKind[]): Promise<ChannelRow[]> => env.db.read((reader) => listChannels(reader, scope, kinds));

/**
 * Replaces the webhook as a whole when one is given (without a URL: removes it), and links the shared webhook or, without one, unlinks
 * it. Throws CHANNEL_NOT_FOUND, VALIDATION, and SHARED_WEBHOOK_UNKNOWN.
 */
export const changeWebhooks = async (env: Env, scope: TenantScope, id: string, input: { webhook?: WebhookInput; sharedWebhookId?: string | null }): Promise<ChannelRow> => {
  const webhook = input.webhook && checkedWebhook(env, input.webhook);
  return env.db.write(async (tx) => {
    const channel = await findChannel(tx, scope, id);
    if (!channel) throw unknownChannel();
    const sharedWebhookId = (input.sharedWebhookId ?? null) as SubscriptionId | null;
    if (sharedWebhookId !== null && !(await findSubscription(tx, scope, "shared", sharedWebhookId)))
      throw new AppError("SHARED_WEBHOOK_UNKNOWN", { message: "There is no such shared webhook." });
    if (input.webhook) await replaceWebhook(env, tx, channel, webhook);
    return (await updateChannel(tx, scope, channel.id, { sharedWebhookId, updatedAt: env.clock.now() })) ?? channel;
  });
};

/** Keeps the row where there is one, so that what waits for the old address follows to the new. */
const replaceWebhook = async (env: Env, tx: Tx, channel: ChannelRow, webhook: CompleteWebhook | undefined): Promise<void> => {
  const current = await findPhoneSubscription(tx, channel, channel.id);
  if (!webhook) return detachPhoneSubscription(tx, channel.id);
  if (current) await updateSubscription(tx, channel, current.id, changesOf(env, current.id, webhook));
  else await insertSubscription(tx, newSubscription(env, channel.tenantId, "phone", { ...webhook, name: channel.label, channelId: channel.id }));
};

/** The phone's webhook; undefined where it has none. */
export const webhookOf = (env: Env, scope: TenantScope, channelId: ChannelId): Promise<SubscriptionRow | undefined> =>
  env.db.read((reader) => findPhoneSubscription(reader, scope, channelId));

/** The webhooks of all the tenant's phones, by channel. */
export const webhooksByChannel = async (env: Env, scope: TenantScope): Promise<Map<ChannelId | null, SubscriptionRow>> =>
  new Map((await env.db.read((reader) => listSubscriptions(reader, scope, "phone"))).map((webhook) => [webhook.channelId, webhook]));

/**
 * Deletes a channel with its secrets. What is on its way to its webhook still arrives, its departure too; what waits to be sent fails; what
 * was sent stays for audit. The network's side is let go of afterwards, as well as it goes. Throws CHANNEL_NOT_FOUND.
 */
export const removeChannel = async (env: Env, scope: TenantScope, id: string, { deregister } = { deregister: false }): Promise<void> => {
  const channel = await getChannel(env, scope, id);
  const { accountId, kind } = channel;
  const ofAccount = accountId === null ? [] : await env.db.read((reader) => findChannelsByRoute(reader, kind, { by: "account", id: accountId }));
  await env.supervisor.release(channel, { deregister, isLastOfAccount: ofAccount.every((other) => other.id === channel.id) });
  await env.db.write(async (tx) => {
    const gone = await deleteChannel(tx, scope, id);
    if (!gone) throw unknownChannel();
    await publish(env, tx, { tenantId: gone.tenantId, channel: gone }, { type: "channel.disconnected", reason: "MANUAL_DELETE", phoneNumber: gone.phoneNumber });
    await detachPhoneSubscription(tx, gone.id);
    letSendsGoOn(env, tx, gone.id);
    env.jobs.enqueue(tx, "channel.forget", { channelId: gone.id });
  });
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
  return env.db.write(async (tx) => {
    const state = plugin.credentials ? "PENDING_WEBHOOK" : "CONNECTING";
    const changed = await updateChannel(tx, scope, channel.id, { state, updatedAt: env.clock.now() });
    if (!changed) throw unknownChannel();
    tx.afterCommit(() => env.supervisor.connect(changed));
    return changed;
  });
};

export type { ChannelRow as Channel } from "../../store/channels.ts";
