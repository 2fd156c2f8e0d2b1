import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import { type ChannelRow, findChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { findDeparted } from "../../store/departed.ts";
import { type EventRow, insertEvent } from "../../store/events.ts";
import type { Environment } from "../../store/keys.ts";
import { hasJobs } from "../../store/queues.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { findPhoneSubscription, listAudience, type SubscriptionRow } from "../../store/subscriptions.ts";
import type { Env } from "../env.ts";
import { chatOf, type Fact, type PublishedFact } from "./fact.ts";
import { addDelivery, FAN_OUT, fanOutQueue, isTarget, type Published, type Reach } from "./fan-out.ts";

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
 * Where too many subscriptions may want it, a job in this write makes the deliveries: so do later events, in their order, until it is done.
 */
export const publish = async (env: PublishEnv, tx: Tx, { tenantId, channel, environment = "live" }: Origin, fact: Fact): Promise<void> => {
  const published: PublishedFact = { id: newId(env), tenantId, channelId: channel?.id ?? null, environment, createdAt: env.clock.now(), fact };
  await env.react(tx, published);
  const rendered = eventRow(env, published);
  if (isNothing(rendered)) return;
  const reach: Reach = { tenantId, environment, channel: channel && reachOf(channel), exceptId: exceptIn(fact) };
  const targets = await targetsOf(env, tx, rendered, reach);
  const isForPlatform = targets === "many" || targets.some(({ kind }) => kind === "platform");
  const row = isForPlatform ? rendered : { ...rendered, platformType: null, platformBody: null };
  if (isNothing(row)) return;
  const event = { ...row, seq: await insertEvent(tx, row) };
  if (targets === "many") env.jobs.enqueue(tx, "event.fan-out", { ...(await lastingReach(tx, reach)), eventSeq: event.seq, after: "" });
  else for (const target of targets) await addDelivery(env, tx, event, target);
  if (event.gatewayType !== null) tx.afterCommit(() => env.stream.push(event));
};

const reachOf = ({ id, sharedWebhookId, formerWebhookId = null }: OriginChannel): Reach["channel"] => ({ id, sharedWebhookId, formerWebhookId });

/** With the channel's own webhook by its id: a channel that is deleted before the deliveries are written has none any more. */
const lastingReach = async (tx: Tx, reach: Reach): Promise<Reach> => {
  if (!reach.channel || reach.channel.formerWebhookId !== null) return reach;
  const own = await findPhoneSubscription(tx, reach, reach.channel.id);
  return { ...reach, channel: { ...reach.channel, formerWebhookId: own?.id ?? null } };
};

const isNothing = ({ gatewayType, platformType }: Pick<EventRow, "gatewayType" | "platformType">): boolean => gatewayType === null && platformType === null;

/** So many deliveries one write holds, of however many events it tells. */
const MOST_PER_WRITE = 300;
const madeIn = new WeakMap<Tx, number>();

/** Who is to get an event; `many` where they are too many to be looked at, or written to, in this write, or deliveries of an earlier event are still to be written. */
const targetsOf = async (env: PublishEnv, tx: Tx, event: Omit<Published, "seq">, reach: Reach): Promise<SubscriptionRow[] | "many"> => {
  const [audience, isBehind] = await Promise.all([listAudience(tx, reach, { after: "", limit: FAN_OUT + 1 }), hasJobs(tx, fanOutQueue(reach.tenantId).key)]);
  if (isBehind || audience.length > FAN_OUT) return "many";
  const targets = audience.filter(isTarget(env, event, reach));
  const made = (madeIn.get(tx) ?? 0) + targets.length;
  if (made > MOST_PER_WRITE) return "many";
  madeIn.set(tx, made);
  return targets;
};

/** A webhook does not hear of its own failure. */
const exceptIn = (fact: Fact): string | null => (fact.type === "subscription.failed" ? fact.failedSubscriptionId : null);

/** As each API publishes it. */
const eventRow = ({ renderers }: PublishEnv, published: PublishedFact): Omit<EventRow, "seq"> => {
  const { id, tenantId, channelId, environment, createdAt, fact } = published;
  const gateway = environment === "live" ? renderers.gateway.render(published) : undefined;
  const platform = renderers.platform.render(published);
  return {
    id,
    tenantId,
    channelId,
    chat: chatOf(fact),
    gatewayType: gateway?.type ?? null,
    gatewayBody: gateway?.body ?? null,
    platformType: platform?.type ?? null,
    platformBody: platform?.body ?? null,
    createdAt,
  };
};
