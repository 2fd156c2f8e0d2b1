import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { issue, issuesOf } from "../../kernel/schema.ts";
import { type ChannelRow, insertChannel, listChannels, writeVault } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import type { TenantScope } from "../../store/scope.ts";
import { insertSubscription, type SubscriptionRow } from "../../store/subscriptions.ts";
import { findTenant } from "../../store/tenants.ts";
import type { Env } from "../env.ts";
import { newSubscription } from "../events/subscriptions.ts";
import { recordAct } from "../tenancy/audit.ts";
import { requireRoom } from "../tenancy/collections.ts";
import { limitsOf } from "../tenancy/plans.ts";
import { requireChannel, unknownChannel } from "./refusals.ts";
import { sealedFields } from "./vault.ts";
import { checkedWebhook, type WebhookInput } from "./webhooks.ts";

export type NewChannel = { kind: ChannelKind; label: string; environment?: Environment; state: LinkState; credentials?: unknown; webhook?: WebhookInput };

/**
 * Makes a channel, its credentials sealed, and starts connecting it when its state says that it is on its way. Throws VALIDATION,
 * CHANNEL_CREDENTIALS_REQUIRED when its kind needs some and they are not complete, and LIMIT_REACHED.
 */
export const createChannel = async (env: Env, scope: TenantScope, input: NewChannel): Promise<{ channel: ChannelRow; webhook: SubscriptionRow | undefined }> => {
  const credentials = checkedCredentials(env, input);
  const webhook = input.webhook && (await checkedWebhook(env, input.webhook));
  const channel = newChannelRow(env, scope, input, credentials);
  const subscription = webhook && newSubscription(env, scope.tenantId, "phone", { ...webhook, name: input.label, channelId: channel.id });
  await env.db.write(async (tx) => {
    await requireRoomForChannel(env, tx, scope);
    await insertChannel(tx, channel);
    await writeVault(tx, sealedFields(env, channel.id, credentials));
    if (subscription) await insertSubscription(tx, subscription);
    await recordAct(env, tx, { action: "channel.create", target: channel.id, tenantId: scope.tenantId, details: { kind: channel.kind } });
    if (input.state !== "DISCONNECTED") await env.supervisor.connect(tx, channel);
  });
  return { channel, webhook: subscription };
};

/** Throws LIMIT_REACHED when a tenant has as many channels as it may: by its plan, or at all. */
export const requireRoomForChannel = async (env: Env, tx: Tx, { tenantId }: TenantScope): Promise<void> => {
  const tenant = await findTenant(tx, tenantId);
  await requireRoom(env, tx, { collection: "channels", owner: tenantId, limit: limitsOf(tenant?.platformPlan ?? null).channels });
};

export const newChannelRow = (env: Env, { tenantId }: TenantScope, input: NewChannel, credentials: Record<string, string>): ChannelRow => {
  const createdAt = env.clock.now();
  return {
    id: newId<ChannelId>(env),
    tenantId,
    kind: input.kind,
    label: input.label,
    environment: input.environment ?? "live",
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
    stateSince: createdAt,
    templatesAskedAt: null,
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

/** Whether the network has confirmed that the account which a channel names is its own. */
export const holdsAccount = ({ profile }: Pick<ChannelRow, "profile">): boolean => profile["wabaAccountConfirmed"] === true;

/** Whether the number is used by the network's own business app beside us. */
export const isCoexistent = ({ profile }: Pick<ChannelRow, "profile">): boolean => profile["wabaCoexistence"] === true;

export type { ChannelRow as Channel } from "../../store/channels.ts";
