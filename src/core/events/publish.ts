import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import { type ChannelRow, findChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { findDeparted } from "../../store/departed.ts";
import { insertDelivery, insertEvent } from "../../store/events.ts";
import type { Environment } from "../../store/keys.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { listAllSubscriptions, type SubscriptionRow } from "../../store/subscriptions.ts";
import type { Env } from "../env.ts";
import { chatOf, type Fact, type PublishedFact } from "./fact.ts";

/** Where a fact happened. Without a channel it concerns the account and goes to every target of it. */
export type Origin = { tenantId: TenantId; channel: OriginChannel | null; environment?: Environment };

/** `formerWebhookId`: the webhook that a deleted channel had. */
type OriginChannel = Pick<ChannelRow, "id" | "sharedWebhookId"> & { formerWebhookId?: SubscriptionId | null };

/**
 * The channel where a fact happened, or what is left of one that was deleted meanwhile: the webhooks that it had while some of its messages are still queued,
 * and after that the log of events and the platform's webhooks.
 */
export const channelOrRest = async (tx: Tx, id: ChannelId): Promise<OriginChannel> => {
  const channel = await findChannel(tx, EVERY_TENANT, id);
  if (channel) return channel;
  const departed = await findDeparted(tx, id);
  return { id, sharedWebhookId: departed?.sharedWebhookId ?? null, formerWebhookId: departed?.webhookId ?? null };
};

export type PublishEnv = Pick<Env, "clock" | "random" | "jobs" | "renderers" | "stream" | "react">;

/**
 * Makes a fact known, in the write of its cause: one event, rendered and frozen; one delivery with its job for each subscription that
 * wants it; the stream once the write is on disk; and has what else it causes begin (`core/reactions.ts`). What a test key caused is told to the platform only.
 */
export const publish = async (env: PublishEnv, tx: Tx, { tenantId, channel, environment = "live" }: Origin, fact: Fact): Promise<void> => {
  const published: PublishedFact = { id: newId(env), tenantId, channelId: channel?.id ?? null, environment, createdAt: env.clock.now(), fact };
  await env.react(tx, published);
  const gateway = environment === "live" ? env.renderers.gateway.render(published) : undefined;
  const platform = env.renderers.platform.render(published);
  if (!gateway && !platform) return;
  const wants = (subscription: SubscriptionRow): boolean => {
    const [renderer, told] = subscription.kind === "platform" ? [env.renderers.platform, platform] : [env.renderers.gateway, gateway];
    return told !== undefined && mayHear(subscription, published) && concerns(subscription, channel) && renderer.isSubscribed(subscription.events, told.type);
  };
  const targets = (await listAllSubscriptions(tx, tenantId)).filter(wants);
  const isToldToPlatform = targets.some((target) => target.kind === "platform");
  if (!gateway && !isToldToPlatform) return;
  const event = eventRow(published, gateway, isToldToPlatform ? platform : undefined);
  const seq = await insertEvent(tx, event);
  for (const target of targets) await addDelivery(env, tx, { seq, tenantId, chat: event.chat, target });
  if (gateway) tx.afterCommit(() => env.stream.push({ ...event, seq }));
};

type Told = { type: string; body: string } | undefined;

const eventRow = ({ id, tenantId, channelId, createdAt, fact }: PublishedFact, gateway: Told, platform: Told) => ({
  id,
  tenantId,
  channelId,
  chat: chatOf(fact),
  gatewayType: gateway?.type ?? null,
  gatewayBody: gateway?.body ?? null,
  platformType: platform?.type ?? null,
  platformBody: platform?.body ?? null,
  createdAt,
});

/** Not one that its owner has switched off, never of its own failure, and one that a test key made of nothing live. One that was disabled for failing keeps what it misses. */
const mayHear = ({ id, isActive, disabledAt, environment: hears }: SubscriptionRow, { fact, environment }: PublishedFact): boolean =>
  (isActive || disabledAt !== null) && (hears === "live" || environment === "test") && !(fact.type === "subscription.failed" && fact.failedSubscriptionId === id);

const concerns = (subscription: SubscriptionRow, channel: Origin["channel"]): boolean => {
  switch (subscription.kind) {
    case "platform":
      return true;
    case "phone":
      if (subscription.channelId === null) return subscription.id === channel?.formerWebhookId; // what is left of a deleted one
      return channel === null || subscription.channelId === channel.id;
    case "shared":
      return channel === null || channel.sharedWebhookId === subscription.id;
  }
};

const addDelivery = async (env: PublishEnv, tx: Tx, { seq, tenantId, chat, target }: { seq: number; tenantId: TenantId; chat: string; target: SubscriptionRow }): Promise<void> => {
  const createdAt = env.clock.now();
  const id = newId(env);
  const isDue = target.isActive && target.disabledAt === null;
  await insertDelivery(tx, {
    id,
    eventSeq: seq,
    tenantId,
    subscriptionId: target.id,
    kind: target.kind,
    status: isDue ? "PENDING" : "PARKED",
    url: target.url,
    nextAt: isDue ? Math.max(createdAt, target.breakerOpenUntil) : null,
    lastError: null,
    createdAt,
  });
  if (isDue) env.jobs.enqueue(tx, "event.dispatch", { deliveryId: id, subscriptionId: target.id, chat });
};
