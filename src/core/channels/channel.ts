import { ONBOARDING_FIELDS } from "../../contract/abilities/onboarding.ts";
import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/engine/db.ts";
import {
  type ChannelRow,
  findChannel,
  insertChannel,
  listChannels,
  writeVault,
} from "../../store/tables/channels/channels.ts";
import { insertSubscription, type SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { findTenant } from "../../store/tables/tenancy/tenants.ts";
import { newSubscription } from "../events/subscriptions.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import { planLimits } from "../tenancy/accounts/plans.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "./env.ts";
import { type Claim, isHeldByAnother } from "./links/holder.ts";
import { refuseSecondName } from "./named.ts";
import { requireChannel, unknownChannel } from "./refusals.ts";
import { checkedCredentials, routeIdsOf } from "./settings/credential-fields.ts";
import type { CreationSettings } from "./settings/phone-settings.ts";
import { checkedSettings } from "./settings/settings.ts";
import { sealedFields } from "./settings/vault.ts";
import { checkedWebhook, type WebhookInput } from "./settings/webhooks.ts";

export type NewChannel = {
  kind: ChannelKind;
  label: string;
  environment?: Environment;
  state: LinkState;
  credentials?: unknown;
  webhook?: WebhookInput;
  /** Whether no other channel of the tenant may have the label. Default false. */
  isLabelUnique?: boolean;
  settings?: CreationSettings;
};

/**
 * Creates a channel with sealed credentials, and starts to connect it when its state asks for that.
 * @throws AppError VALIDATION, also for a setting that the kind does not have, CHANNEL_EXISTS (see
 *   `refuseSecondHolder` and `refuseSecondName`), LIMIT_REACHED, PROXY_UNREACHABLE, or CHANNEL_CREDENTIALS_REQUIRED when the kind requires
 *   credentials and some are missing
 */
export const createChannel = async (
  env: ChannelsEnv,
  caller: Caller,
  input: NewChannel,
  alsoInWrite: (tx: Tx, channel: ChannelRow) => Promise<void> = async () => {},
): Promise<{ channel: ChannelRow; webhook: SubscriptionRow | undefined }> => {
  const credentials = firstCredentials(env, input);
  const webhook = input.webhook && (await checkedWebhook(env, input.webhook));
  const { fields, profile } = await checkedSettings(env, input.kind, input.settings ?? {});
  const channel = { ...newChannelRow(env, caller, input, credentials), profile };
  const subscription =
    webhook &&
    newSubscription(
      env,
      caller.tenantId,
      { audience: webhook.audience, kind: "phone" },
      { ...webhook, name: input.label, channelId: channel.id },
    );
  await env.db.write(async (tx) => {
    await refuseSecondHolder(env, tx, channel);
    if (input.isLabelUnique) await refuseSecondName(tx, channel);
    await requireRoomForChannel(env, tx, caller);
    await insertChannel(tx, channel);
    await alsoInWrite(tx, channel);
    await writeVault(tx, sealedFields(env, channel.id, { ...credentials, ...fields }));
    if (subscription) await insertSubscription(tx, subscription);
    await recordAct(env, tx, caller, {
      action: "channel.create",
      target: channel.id,
      tenantId: caller.tenantId,
      details: { kind: channel.kind },
    });
    if (input.state !== "DISCONNECTED") await env.supervisor.connect(tx, channel);
  });
  return { channel, webhook: subscription };
};

/**
 * A number or bot has one channel, of all accounts, if one of two would take the other's messages.
 * @throws AppError CHANNEL_EXISTS when another channel is connected with it
 */
export const refuseSecondHolder = async (env: Pick<ChannelsEnv, "registry">, tx: Tx, channel: Claim): Promise<void> => {
  if (await isHeldByAnother(env, tx, channel))
    throw new AppError("CHANNEL_EXISTS", {
      message: "Another channel is connected with these credentials.",
      details: { fields: ["credentials"] },
    });
};

/** @throws AppError LIMIT_REACHED when the tenant has the maximum number of channels of its plan, or of this server */
export const requireRoomForChannel = async (env: ChannelsEnv, tx: Tx, { tenantId }: TenantScope): Promise<void> => {
  const tenant = await findTenant(tx, tenantId);
  await requireRoom(env, tx, {
    collection: "channels",
    owner: tenantId,
    limit: planLimits(tenant?.platformPlan ?? null).channels,
  });
};

export const newChannelRow = (
  env: ChannelsEnv,
  { tenantId }: TenantScope,
  input: NewChannel,
  credentials: Record<string, string>,
): ChannelRow => {
  const createdAt = env.clock.now();
  const declared = env.registry.declared(input.kind);
  return {
    id: newId<ChannelId>(env),
    tenantId,
    kind: input.kind,
    holdsConnection: declared?.network.holdsConnection ?? false,
    label: input.label,
    environment: input.environment ?? "live",
    state: input.state,
    phoneNumber: null,
    ...routeIdsOf(declared, credentials),
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

/**
 * The state of a channel that is to be connected for the first time. A channel with credentials of a network that calls
 * webhooks waits until they are confirmed.
 */
export const firstStateOf = ({ network, credentials, receiver }: ChannelPlugin): LinkState => {
  if (network.isPaired) return "PENDING_QR";
  return credentials && receiver ? "PENDING_WEBHOOK" : "CONNECTING";
};

const firstCredentials = (env: ChannelsEnv, { kind, credentials, state }: NewChannel): Record<string, string> => {
  const hasCredentials = env.registry.ofKind(kind)?.credentials !== undefined;
  if (!hasCredentials && credentials !== undefined)
    throw invalid(issue("credentials", "forbidden", "are not for this type"));
  if (credentials === undefined && state === "DISCONNECTED") return {}; // they may be given before it is connected
  return checkedCredentials(env, kind, credentials ?? {}, "credentials");
};

/**
 * @throws AppError CHANNEL_NOT_FOUND, also for another tenant's channel, and for a kind that is hidden from the caller
 */
export const getChannel = async (
  env: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  id: string,
  hidden: readonly ChannelKind[] = [],
): Promise<ChannelRow> => {
  const channel = await env.db.read((reader) => requireChannel(reader, scope, id));
  if (hidden.includes(channel.kind)) throw unknownChannel();
  return channel;
};

export const readChannels = (
  env: ChannelsEnv,
  scope: TenantScope,
  hidden: readonly ChannelKind[] = [],
): Promise<ChannelRow[]> => env.db.read((reader) => listChannels(reader, scope, hidden));

/**
 * Whether the network of a channel names people by ids of its own. Undefined for another tenant's channel, or for a
 * channel without an adapter.
 */
export const takesIds = async (
  env: Pick<ChannelsEnv, "db" | "registry">,
  scope: TenantScope,
  id: string,
): Promise<boolean | undefined> => {
  const channel = await env.db.read((reader) => findChannel(reader, scope, id));
  const declared = channel && env.registry.declared(channel.kind);
  return declared && declared.network.recipients === "ids";
};

/** Whether the network has confirmed that the channel owns the account which it names. */
export const holdsAccount = ({ profile }: Pick<ChannelRow, "profile">): boolean =>
  profile[ONBOARDING_FIELDS.ownsAccount] === true;

/** Whether the network's own business app uses the number too. */
export const isCoexistent = ({ profile }: Pick<ChannelRow, "profile">): boolean =>
  profile[ONBOARDING_FIELDS.isCoexistent] === true;

export type { ChannelRow as Channel } from "../../store/tables/channels/channels.ts";
