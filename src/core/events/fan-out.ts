import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type EventRow, findEventBySeq, insertDelivery } from "../../store/tables/events/events.ts";
import { listConcerned, type SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import { type Queue, queueOf } from "../../store/tables/queues.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { chatKeyOf, isHeldBack } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";

/** How many subscriptions one write reads and delivers to. */
export const FAN_OUT = 100;

/** The queue of an account's events whose deliveries are still to be written, in the order of the events. */
export const fanOutQueue = (tenantId: TenantId): Queue => queueOf("fan-out", tenantId);

/**
 * The scope of an event, and the subscription that it excludes. `formerWebhookId` is the webhook of a channel that is
 * deleted, or may be before the deliveries are written.
 */
export type Reach = {
  tenantId: TenantId;
  environment: Environment;
  channel: { id: ChannelId; sharedWebhookId: SubscriptionId | null; formerWebhookId: SubscriptionId | null } | null;
  exceptId: string | null;
};

/** `after` is the last subscription that was read. */
type FanOutPayload = Reach & { eventSeq: number; after: string };

/** The fields of an event that its deliveries need. */
export type Published = Pick<EventRow, "seq" | "tenantId" | "channelId" | "chat">;

type FanOutEnv = Pick<EventsEnv, "clock" | "random" | "jobs">;

/** Whether a subscription gets an event. */
export const isTarget =
  (
    { audiences }: Pick<EventsEnv, "audiences">,
    { audience, type, direction }: Pick<EventRow, "audience" | "type" | "direction">,
    { channel, environment, exceptId }: Reach,
  ) =>
  (subscription: SubscriptionRow): boolean =>
    subscription.audience === audience &&
    mayReceive(subscription, environment) &&
    subscription.id !== exceptId &&
    concerns(subscription, channel) &&
    wantsDirection(subscription, direction) &&
    audiences.of(audience).isSubscribed(subscription.events, type);

/**
 * Whether a subscription receives events of this environment now. A subscription that its owner disabled receives none;
 * a subscription that was disabled for failures stores them. A subscription of a test key receives no live events.
 */
const mayReceive = (
  { isActive, disabledAt, environment: wanted }: SubscriptionRow,
  environment: Environment,
): boolean => (isActive || disabledAt !== null) && (wanted === "live" || environment === "test");

/** An event that is not about a message has no direction, and always matches. */
const wantsDirection = ({ directions }: SubscriptionRow, direction: EventRow["direction"]): boolean =>
  directions === null || direction === null || directions.includes(direction);

/** An event of the whole account concerns every subscription, whatever channels it is limited to. */
const concerns = (subscription: SubscriptionRow, channel: Reach["channel"]): boolean => {
  const isListed = channel !== null && subscription.channelIds?.includes(channel.id) === true;
  switch (subscription.kind) {
    case "account":
      return channel === null || subscription.channelIds === null || isListed;
    case "phone":
      // the webhook of a deleted channel
      if (subscription.channelId === null) return subscription.id === channel?.formerWebhookId;
      return channel === null || subscription.channelId === channel.id;
    case "app":
      return channel !== null && subscription.channelId === channel.id;
    case "shared":
      return channel === null || channel.sharedWebhookId === subscription.id || subscription.allChannels || isListed;
  }
};

/** Writes the delivery of an event to one subscription, and the job that sends it. */
export const addDelivery = async (
  env: FanOutEnv,
  tx: Tx,
  { seq, tenantId, ...event }: Published,
  target: SubscriptionRow,
): Promise<void> => {
  const chat = chatKeyOf(event);
  const createdAt = env.clock.now();
  const id = newId(env);
  const isActive = target.isActive && target.disabledAt === null;
  const isDue = isActive && !(await isHeldBack(tx, target, { chat, eventSeq: seq }));
  await insertDelivery(tx, {
    id,
    eventSeq: seq,
    tenantId,
    subscriptionId: target.id,
    status: isActive ? "PENDING" : "PAUSED",
    chat,
    url: target.url,
    nextAt: isDue ? Math.max(createdAt, target.breakerOpenUntil) : null,
    lastError: null,
    createdAt,
  });
  if (isDue) env.jobs.enqueue(tx, "event.dispatch", { deliveryId: id, subscriptionId: target.id, chat });
};

/**
 * Writes the deliveries of an event that has too many subscriptions for one write. One run writes all of them, so that
 * no later event comes in between. Each write records its progress, so that a crash neither loses nor repeats a
 * delivery.
 */
export const fanOut = async (env: EventsEnv, job: Job<FanOutPayload>): Promise<JobOutcome> => {
  for (let after: string | undefined = job.payload.after; after !== undefined; ) {
    const from: string = after;
    after = await env.db.write((tx) => fanOutSome(env, tx, job, from));
  }
  return { is: "settled" };
};

/** Returns the last subscription that was read; undefined at the end. */
const fanOutSome = async (
  env: EventsEnv,
  tx: Tx,
  job: Job<FanOutPayload>,
  after: string,
): Promise<string | undefined> => {
  const { eventSeq, ...reach } = job.payload;
  const event = await findEventBySeq(tx, reach, eventSeq);
  const looked = event ? await listConcerned(tx, reach, { after, limit: FAN_OUT }) : [];
  const last = looked.at(-1);
  for (const target of event ? looked.filter(isTarget(env, event, reach)) : []) {
    if (event && target.createdAt <= event.createdAt) await addDelivery(env, tx, event, target);
  }
  if (last && looked.length === FAN_OUT) job.saveProgress(tx, { ...job.payload, after: last.id });
  else job.end(tx);
  return looked.length === FAN_OUT ? last?.id : undefined;
};
