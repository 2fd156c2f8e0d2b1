import type { ChannelKind } from "../../contract/kind.ts";
import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { insertEvent, type NewEvent } from "../../store/tables/events/events.ts";
import { concernedNow, findPhoneSubscription, type SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import { hasJobs } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { findDeparted } from "../../store/tables/tenancy/departed.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { findOwner, type Owner } from "../../store/tables/tenancy/tenants.ts";
import type { DomainEvent, PublishedEvent } from "../domain-event.ts";
import { chatOf, directionOf, exceptIn, isForStreams } from "./definitions/index.ts";
import type { EventsEnv } from "./env.ts";
import { addDelivery, FAN_OUT, fanOutQueue, isTarget, type Reach } from "./fan-out.ts";

/**
 * The origin of a domain event. An event without a channel goes to every subscription of the account. `isQuiet`:
 * nothing is published and nothing reacts, because the cause happened long ago.
 */
export type Origin = {
  tenantId: TenantId;
  channel: OriginChannel | null;
  environment?: Environment;
  isQuiet?: boolean;
};

/** `kind` is null if it is not known any more. `formerWebhookId` is the webhook that a deleted channel had. */
type OriginChannel = Pick<ChannelRow, "id" | "sharedWebhookId"> & {
  kind: ChannelKind | null;
  formerWebhookId?: SubscriptionId | null;
};

/**
 * The channel of a domain event, or the record of a deleted one. That record keeps the webhooks of the channel while
 * some of its messages are still queued. Afterwards the event goes to the log and to the webhooks of the account.
 */
export const channelOrRest = async (tx: Tx, id: ChannelId): Promise<OriginChannel> => {
  const channel = await findChannel(tx, EVERY_TENANT, id);
  if (channel) return channel;
  const departed = await findDeparted(tx, id);
  return {
    id,
    kind: departed?.kind ?? null,
    sharedWebhookId: departed?.sharedWebhookId ?? null,
    formerWebhookId: departed?.webhookId ?? null,
  };
};

export type PublishEnv = Pick<EventsEnv, "clock" | "random" | "jobs" | "audiences" | "stream" | "react" | "activity">;

/**
 * Publishes a domain event in the write of its cause. Each audience gets one event, rendered and frozen, with one
 * delivery and job for each subscription that wants it. The stream gets it once the write is on disk. Starts the
 * reactions of `core/reactions.ts`. If more than `FAN_OUT` subscriptions may want the event, a job writes the
 * deliveries. Later events use that job too until it is done, so that their order stays. An event for streams has no
 * deliveries.
 */
export const publish = async (env: PublishEnv, tx: Tx, origin: Origin, domainEvent: DomainEvent): Promise<void> => {
  if (!origin.isQuiet) await publishNow(env, tx, origin, domainEvent);
};

const publishNow = async (
  env: PublishEnv,
  tx: Tx,
  { tenantId: named, channel, environment = "live" }: Origin,
  domainEvent: DomainEvent,
): Promise<void> => {
  const owner = await findOwner(tx, named); // work that began before its account was joined names the account
  const { tenantId } = owner;
  const published: PublishedEvent = {
    id: newId(env),
    tenantId,
    channelId: channel?.id ?? null,
    kind: channel?.kind ?? null,
    environment,
    createdAt: env.clock.now(),
    domainEvent,
  };
  await env.react(tx, published);
  const events = renderedEvents(env, published, owner);
  if (events.length === 0) return;
  const reach: Reach = { tenantId, environment, channel: channel && reachOf(channel), exceptId: exceptIn(domainEvent) };
  const targets = isForStreams(domainEvent.type) ? [] : await targetsOf(env, tx, events, reach);
  for (const [index, rendered] of events.entries()) {
    const own = targets === "many" ? targets : (targets[index] ?? []);
    if (own.length > 0 || env.audiences.of(rendered.audience).isLogged)
      await publishTo(env, tx, { published, rendered, reach, own });
  }
};

type ToPublish = { published: PublishedEvent; rendered: NewEvent; reach: Reach; own: SubscriptionRow[] | "many" };

/** Stores the event of one audience, with the deliveries to its subscriptions. */
const publishTo = async (env: PublishEnv, tx: Tx, { published, rendered, reach, own }: ToPublish): Promise<void> => {
  const audience = env.audiences.of(rendered.audience);
  const completed = audience.complete ? await audience.complete(tx, published) : rendered;
  if (!completed) return;
  const row = { ...rendered, ...completed };
  const event = { ...row, seq: await insertEvent(tx, row) };
  if (own === "many")
    env.jobs.enqueue(tx, "event.fan-out", { ...(await lastingReach(tx, reach)), eventSeq: event.seq, after: "" });
  else for (const target of own) await addDelivery(env, tx, event, target);
  if (audience.isLogged) tx.afterCommit(() => env.stream.push(event));
};

const reachOf = ({ id, sharedWebhookId, formerWebhookId = null }: OriginChannel): Reach["channel"] => ({
  id,
  sharedWebhookId,
  formerWebhookId,
});

/** Adds the id of the channel's own webhook, because the channel may be deleted before the deliveries are written. */
const lastingReach = async (tx: Tx, reach: Reach): Promise<Reach> => {
  if (!reach.channel || reach.channel.formerWebhookId !== null) return reach;
  const own = await findPhoneSubscription(tx, reach, reach.channel.id);
  return { ...reach, channel: { ...reach.channel, formerWebhookId: own?.id ?? null } };
};

/** The maximum number of deliveries in one write, for all the events that it publishes. */
const MOST_PER_WRITE = 300;
const madeIn = new WeakMap<Tx, number>();

/**
 * The subscriptions that get each event, in the order of the events. `many` when they are too many for this write, or
 * when deliveries of an earlier event are still to be written.
 */
const targetsOf = async (
  env: PublishEnv,
  tx: Tx,
  events: readonly NewEvent[],
  reach: Reach,
): Promise<SubscriptionRow[][] | "many"> => {
  const concerned = await concernedNow(tx, reach, FAN_OUT);
  if (concerned.length > FAN_OUT) return "many";
  const targets = events.map((event) => concerned.filter(isTarget(env, event, reach)));
  const added = targets.flat().length;
  if (added === 0) return targets; // an event without targets waits for no earlier one
  const made = (madeIn.get(tx) ?? 0) + added;
  if (made > MOST_PER_WRITE || (await hasJobs(tx, fanOutQueue(reach.tenantId).key))) return "many";
  madeIn.set(tx, made);
  return targets;
};

/** The event as each audience gets it, for the audiences of which the tenant may have subscriptions. */
const renderedEvents = ({ audiences }: PublishEnv, published: PublishedEvent, { isInstitution }: Owner): NewEvent[] => {
  const { id, tenantId, channelId, environment, createdAt, domainEvent } = published;
  const callId = "callId" in domainEvent ? domainEvent.callId : null;
  const messageId = "messageId" in domainEvent ? domainEvent.messageId : null;
  const direction = directionOf(domainEvent);
  const row = { id, tenantId, channelId, chat: chatOf(domainEvent), callId, messageId, direction, createdAt };
  return audiences.all.flatMap((audience) => {
    if (audience.isOfInstitutions && !isInstitution) return [];
    const rendered = environment === "live" || audience.takesTestEvents ? audience.render(published) : undefined;
    return rendered ? [{ ...row, audience: audience.name, ...rendered }] : [];
  });
};
