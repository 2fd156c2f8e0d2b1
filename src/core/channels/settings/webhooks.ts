import { AppError, invalid } from "../../../kernel/errors.ts";
import type { ChannelId, SubscriptionId } from "../../../kernel/ids.ts";
import { type Issue, issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../../store/tables/channels/channels.ts";
import {
  deleteSubscription,
  findPhoneSubscription,
  findSubscription,
  insertSubscription,
  listPhoneSubscriptions,
  listSubscriptions,
  type SubscriptionRow,
  updateSubscription,
} from "../../../store/tables/events/subscriptions.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { retryAll } from "../../events/retrying.ts";
import {
  changesOf,
  endDeliveries,
  isOtherEndpoint,
  newSubscription,
  unknownSubscription,
  urlIssues,
} from "../../events/subscriptions.ts";
import { type Caller, type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireChannel } from "../refusals.ts";

/** The webhook of a channel, as a client of one API gives it. */
export type WebhookInput = { audience: string; url?: string; secret?: string; events?: readonly string[] };
export type CompleteWebhook = { audience: string; url: string; secret: string; events: readonly string[] };

/**
 * The webhook to store; undefined if there is none.
 * @throws AppError VALIDATION for a URL without secret, or a URL that no webhook may have
 */
export const checkedWebhook = async (
  env: Pick<ChannelsEnv, "target">,
  { audience, url, secret, events = [] }: WebhookInput,
): Promise<CompleteWebhook | undefined> => {
  if (url === undefined) return undefined;
  const issues: Issue[] =
    secret === undefined ? [issue("webhook.secret", "required", "is required when url is given")] : [];
  issues.push(...(await urlIssues(env, "webhook.url", url)));
  if (secret === undefined || issues.length > 0) throw invalid(...issues);
  return { audience, url, secret, events };
};

/**
 * Replaces the whole webhook if one is given; a webhook without a URL removes it. Links the shared webhook, or unlinks
 * it if none is given.
 * @throws AppError CHANNEL_NOT_FOUND, VALIDATION, or SHARED_WEBHOOK_UNKNOWN
 */
export const changeWebhooks = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  input: { webhook?: WebhookInput; sharedWebhookId?: string | null },
): Promise<ChannelRow> => {
  const webhook = input.webhook && (await checkedWebhook(env, input.webhook));
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, id);
    const sharedWebhookId = (input.sharedWebhookId ?? null) as SubscriptionId | null;
    if (sharedWebhookId !== null && !(await findSubscription(tx, caller, { kind: "shared" }, sharedWebhookId)))
      throw new AppError("SHARED_WEBHOOK_UNKNOWN", { message: "There is no such shared webhook." });
    if (input.webhook) await replaceWebhook(env, tx, caller, { channel, webhook });
    return (await updateChannel(tx, caller, channel.id, { sharedWebhookId, updatedAt: env.clock.now() })) ?? channel;
  });
};

/**
 * Keeps an existing row, so that waiting deliveries are retried at the new address at once. Deliveries of a removed
 * webhook become dead letters.
 */
export const replaceWebhook = async (
  env: ChannelsEnv,
  tx: Tx,
  by: Requester,
  { channel, webhook }: { channel: ChannelRow; webhook: CompleteWebhook | undefined },
): Promise<void> => {
  const current = await findPhoneSubscription(tx, channel, channel.id);
  const fields = webhook ? ["url", "secret", "events"] : [];
  await recordAct(env, tx, by, {
    action: webhook ? "webhook.change" : "webhook.delete",
    target: channel.id,
    tenantId: channel.tenantId,
    details: { kind: "phone", fields },
  });
  if (!webhook) return dropWebhook(env, tx, current);
  if (current) {
    await updateSubscription(tx, channel, current.id, changesOf(env, current, webhook));
    if (isOtherEndpoint(env, current, webhook)) await retryAll(env, tx, current.id, { isNewSeries: true });
    return;
  }
  await insertSubscription(
    tx,
    newSubscription(
      env,
      channel.tenantId,
      { audience: webhook.audience, kind: "phone" },
      { ...webhook, name: channel.label, channelId: channel.id },
    ),
  );
};

/**
 * Retries all waiting deliveries of the phone's webhook now, as new series of attempts.
 * @throws AppError CHANNEL_NOT_FOUND or SUBSCRIPTION_NOT_FOUND
 */
export const retryWebhook = (env: ChannelsEnv, scope: TenantScope, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, id);
    const webhook = await findPhoneSubscription(tx, scope, channel.id);
    if (!webhook) throw unknownSubscription();
    await retryAll(env, tx, webhook.id, { isNewSeries: true });
  });

/**
 * The phone's own webhook.
 * @throws AppError CHANNEL_NOT_FOUND, or SUBSCRIPTION_NOT_FOUND for a phone without one
 */
export const getWebhook = (env: ChannelsEnv, scope: TenantScope, id: string): Promise<SubscriptionRow> =>
  env.db.read(async (reader) => {
    const channel = await requireChannel(reader, scope, id);
    const webhook = await findPhoneSubscription(reader, scope, channel.id);
    if (!webhook) throw unknownSubscription();
    return webhook;
  });

const dropWebhook = async (env: ChannelsEnv, tx: Tx, webhook: SubscriptionRow | undefined): Promise<void> => {
  if (!webhook) return;
  await deleteSubscription(tx, webhook, { kind: "phone" }, webhook.id);
  endDeliveries(env, tx, webhook.id);
};

/** The phone's webhook; undefined if it has none. */
export const readWebhook = (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: ChannelId,
): Promise<SubscriptionRow | undefined> => env.db.read((reader) => findPhoneSubscription(reader, scope, channelId));

/** The webhooks of the tenant's phones, by channel: of the given phones, or of all. */
export const webhooksByChannel = async (
  env: Pick<ChannelsEnv, "db">,
  scope: TenantScope,
  channelIds?: readonly ChannelId[],
): Promise<Map<ChannelId | null, SubscriptionRow>> => {
  const webhooks = await env.db.read((reader) =>
    channelIds
      ? listPhoneSubscriptions(reader, scope, channelIds)
      : listSubscriptions(reader, scope, { kind: "phone" }),
  );
  return new Map(webhooks.map((webhook) => [webhook.channelId, webhook]));
};
