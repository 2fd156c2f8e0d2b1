import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/db.ts";
import { type EventRow, findEventBySeq, insertDelivery } from "../../store/events.ts";
import type { Environment } from "../../store/keys.ts";
import { type Queue, queueOf } from "../../store/queues.ts";
import { listConcerned, type SubscriptionRow } from "../../store/subscriptions.ts";
import type { EventsEnv } from "./env.ts";

/** So many subscriptions are looked at, and delivered to, in one write. */
export const FAN_OUT = 100;

/** Deliveries of an account's events that are still to be written, in the order of the events. */
export const fanOutQueue = (tenantId: TenantId): Queue => queueOf("fan-out", tenantId);

/**
 * Where an event happened and whom it does not concern. `formerWebhookId`: the webhook of a channel that is deleted, or
 * may be before the deliveries are written.
 */
export type Reach = {
  tenantId: TenantId;
  environment: Environment;
  channel: { id: ChannelId; sharedWebhookId: SubscriptionId | null; formerWebhookId: SubscriptionId | null } | null;
  exceptId: string | null;
};

/** `after`: the last subscription that has been looked at. */
type FanOutPayload = Reach & { eventSeq: number; after: string };

/** An event as its deliveries need it. */
export type Published = Pick<EventRow, "seq" | "tenantId" | "chat">;

type FanOutEnv = Pick<EventsEnv, "clock" | "random" | "jobs">;

/** Whether a subscription is to get an event. */
export const isTarget =
  (
    { audiences }: Pick<EventsEnv, "audiences">,
    { audience, type }: Pick<EventRow, "audience" | "type">,
    { channel, environment, exceptId }: Reach,
  ) =>
  (subscription: SubscriptionRow): boolean =>
    subscription.audience === audience &&
    mayHear(subscription, environment) &&
    subscription.id !== exceptId &&
    concerns(subscription, channel) &&
    audiences.of(audience).isSubscribed(subscription.events, type);

/**
 * Not one that its owner has switched off, and one that a test key made of nothing live. One that was disabled for
 * failing keeps what it misses.
 */
const mayHear = ({ isActive, disabledAt, environment: hears }: SubscriptionRow, environment: Environment): boolean =>
  (isActive || disabledAt !== null) && (hears === "live" || environment === "test");

const concerns = (subscription: SubscriptionRow, channel: Reach["channel"]): boolean => {
  switch (subscription.kind) {
    case "account":
      return true;
    case "phone":
      // what is left of a deleted one
      if (subscription.channelId === null) return subscription.id === channel?.formerWebhookId;
      return channel === null || subscription.channelId === channel.id;
    case "shared":
      return channel === null || channel.sharedWebhookId === subscription.id;
  }
};

/** In the write of the event, or in one after it: its delivery to a subscription, and the job that sends it out. */
export const addDelivery = async (
  env: FanOutEnv,
  tx: Tx,
  { seq, tenantId, chat }: Published,
  target: SubscriptionRow,
): Promise<void> => {
  const createdAt = env.clock.now();
  const id = newId(env);
  const isDue = target.isActive && target.disabledAt === null;
  await insertDelivery(tx, {
    id,
    eventSeq: seq,
    tenantId,
    subscriptionId: target.id,
    status: isDue ? "PENDING" : "PAUSED",
    url: target.url,
    nextAt: isDue ? Math.max(createdAt, target.breakerOpenUntil) : null,
    lastError: null,
    createdAt,
  });
  if (isDue) env.jobs.enqueue(tx, "event.dispatch", { deliveryId: id, subscriptionId: target.id, chat });
};

/**
 * Writes the deliveries of an event that concerns too many subscriptions for one write. All in one run, so that nothing
 * of a later event comes in between; each write notes how far it has come, so that a crash neither loses nor repeats a
 * delivery.
 */
export const fanOut = async (env: EventsEnv, job: Job<FanOutPayload>): Promise<JobOutcome> => {
  for (let after: string | undefined = job.payload.after; after !== undefined; ) {
    const from: string = after;
    after = await env.db.write((tx) => fanOutSome(env, tx, job, from));
  }
  return { is: "settled" };
};

/** The last subscription that was looked at; undefined at the end. */
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
