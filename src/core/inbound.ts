import {
  type ChannelEvent,
  type ChatsShown,
  isOpenState,
  type Known,
  type LinkState,
  type UnknownEvent,
} from "../contract/events.ts";
import type { ChannelKind } from "../contract/kind.ts";
import type { ChannelPlugin } from "../contract/plugin.ts";
import type { Route } from "../contract/webhooks.ts";
import { HOUR_MS, LATEST_MS, MINUTE_MS, SECOND_MS } from "../kernel/clock.ts";
import type { ChannelId } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Tx } from "../store/engine/db.ts";
import { type ChannelRow, findChannel, findChannelsByRoute } from "../store/tables/channels/channels.ts";
import { type EnvelopeRow, findEnvelope } from "../store/tables/channels/upstream.ts";
import { EVERY_TENANT } from "../store/tables/scope.ts";
import { recordPermission } from "./calls/permissions.ts";
import { receiveCallUpdate } from "./calls/updates.ts";
import { holdsAccount } from "./channels/channel.ts";
import { receiveContacts, recordSync } from "./channels/contacts.ts";
import { type InboundContext, learnIdentity } from "./channels/identity.ts";
import { recordClient } from "./channels/links/clients.ts";
import { isEndedByNetwork, recordHealth } from "./channels/links/report.ts";
import type { LinkKey } from "./channels/links/supervisor.ts";
import { receivePresence } from "./channels/people.ts";
import { receiveChat, receiveChatLabel, receiveLabel } from "./conversations/chat-states.ts";
import { receiveChatsShown } from "./conversations/chats-shown.ts";
import { mergeLearnedNames } from "./conversations/contacts.ts";
import { receiveHolder } from "./conversations/holders.ts";
import { contactOf } from "./domain-event.ts";
import type { Env } from "./env.ts";
import { receiveGroupUpdate, renameGroup } from "./groups/updates.ts";
import { receiveAct } from "./messaging/receiving/acts.ts";
import { receiveBroadcast } from "./messaging/receiving/broadcasts.ts";
import { receiveComment } from "./messaging/receiving/comments.ts";
import { receiveConsent } from "./messaging/receiving/consent.ts";
import { receiveNewsletterChange, receiveNewsletterCounts } from "./messaging/receiving/newsletters.ts";
import { receiveMarksShown, receiveOwnMark } from "./messaging/receiving/own-marks.ts";
import { receivePollResults } from "./messaging/receiving/polls.ts";
import { receiveDelegation, receiveReach, receiveRenamedGroup } from "./messaging/receiving/reach.ts";
import { receiveMessage } from "./messaging/receiving/receive.ts";
import { receiveDeliveredUpTo, receiveReadUpTo, receiveReceipt } from "./messaging/sending/receipts.ts";
import { recordTemplateChange } from "./messaging/templates/template-updates.ts";
import { requestIn } from "./upstream.ts";

/**
 * How long an envelope waits for a channel whose credentials are not confirmed yet: one day. It is retried after 10 s,
 * then after as long as it has waited, at most 10 minutes.
 */
const UNCONFIRMED_WAIT_MS = 24 * HOUR_MS;
const UNCONFIRMED_STEP_MS = 10 * SECOND_MS;
const UNCONFIRMED_LONGEST_STEP_MS = 10 * MINUTE_MS;

/** How often an envelope without its adapter is tried again. A restart may have brought the adapter back. */
const ADAPTER_STEP_MS = 10 * MINUTE_MS;

const learnNames = async (env: Env, tx: Tx, context: InboundContext, event: Known): Promise<void> => {
  const { channel, environment } = context;
  if (event.identity.group !== undefined && event.before?.group !== undefined) {
    await renameGroup(env, tx, channel.id, { after: event.identity.group, before: event.before.group });
    return receiveRenamedGroup(env, tx, context, event);
  }
  const who = contactOf(await learnIdentity(tx, context, event));
  const { name = null } = event;
  await mergeLearnedNames(env, tx, { tenantId: channel.tenantId, channel, environment }, { who, name });
};

/** Counts an event that a network sends, and handles it with a possible time. */
const ingest = async (env: Env, tx: Tx, context: InboundContext, routed: ChannelEvent): Promise<void> => {
  const isTimed = routed.at > 0 && routed.at <= LATEST_MS;
  const event = isTimed ? routed : { ...routed, at: env.clock.now() }; // an event without a possible time happened now
  if (context.environment === "live")
    tx.afterCommit(() =>
      env.metrics.count("recado_upstream_events_total", { kind: context.channel.kind, event: event.kind }),
    );
  return handle(env, tx, context, event);
};

/** What the account's own app shows of chats and of messages. */
const receiveShown = async (env: Env, tx: Tx, context: InboundContext, event: ChatsShown): Promise<void> => {
  await receiveChatsShown(env, tx, context, event);
  await receiveMarksShown(env, tx, context, event);
};

/** TABLE: the handler of each event that a network sends. */
const handle = async (env: Env, tx: Tx, context: InboundContext, event: ChannelEvent): Promise<void> => {
  switch (event.kind) {
    case "received":
      return receiveMessage(env, tx, context, event);
    case "receipt":
      return receiveReceipt(env, tx, context, event);
    case "broadcast":
      return receiveBroadcast(env, tx, context, event);
    case "delivered-up-to":
      return receiveDeliveredUpTo(env, tx, context, event);
    case "read-up-to":
      return receiveReadUpTo(env, tx, context, event);
    case "reacted":
    case "edited":
    case "revoked":
    case "voted":
    case "pinned":
    case "kept":
    case "responded":
      return receiveAct(env, tx, context, event);
    case "known":
      return learnNames(env, tx, context, event);
    case "contacts":
      return receiveContacts(env, tx, context, event);
    case "sync":
      return recordSync(env, tx, context.channel, event);
    case "health":
      return recordHealth(env, tx, context.channel, event);
    case "template":
      return recordTemplateChange(env, tx, context.channel, event);
    case "group":
      return receiveGroupUpdate(env, tx, context, event);
    case "call":
      return receiveCallUpdate(env, tx, context, event);
    case "commented":
      return receiveComment(env, tx, context, event);
    case "holder":
      return receiveHolder(env, tx, context, event);
    case "presence":
      return receivePresence(env, tx, context, event);
    case "reach":
      return receiveReach(env, tx, context, event);
    case "consent":
      return receiveConsent(env, tx, context, event);
    case "delegation":
      return receiveDelegation(env, tx, context, event);
    case "chat":
      return receiveChat(env, tx, context, event);
    case "label":
      return receiveLabel(env, tx, context, event);
    case "labelled":
      return receiveChatLabel(env, tx, context, event);
    case "shown":
      return receiveShown(env, tx, context, event);
    case "starred":
    case "message-labelled":
    case "hidden":
      return receiveOwnMark(env, tx, context, event);
    case "poll-results":
      return receivePollResults(env, tx, context, event);
    case "newsletter":
      return receiveNewsletterChange(env, tx, context, event);
    case "newsletter-counts":
      return receiveNewsletterCounts(env, tx, context, event);
    case "call-permission":
      return recordPermission(env, tx, context, event);
    case "client":
      return recordClient(env, tx, context.channel, event);
    case "unknown":
      return noteUnknown(env, context, event);
  }
};

const noteUnknown = ({ log }: Env, { channel }: InboundContext, { what }: UnknownEvent): void =>
  log.info({ channelId: channel.id, what }, "the network sent an event of an unknown type; its envelope is stored");

/** The events that never change their channel. Hundreds of receipts may come in one write. */
const LEAVES_CHANNEL: ReadonlySet<ChannelEvent["kind"]> = new Set(["received", "receipt"]);

/** Ingests the events of a live link, in their order and in the given write. */
export const receiveEvents = async (
  env: Env,
  tx: Tx,
  { channelId, environment }: LinkKey,
  events: readonly ChannelEvent[],
): Promise<void> => {
  let channel: ChannelRow | undefined;
  for (const event of events) {
    channel ??= await findChannel(tx, EVERY_TENANT, channelId);
    if (channel) await ingest(env, tx, { channel, environment }, event);
    if (!LEAVES_CHANNEL.has(event.kind)) channel = undefined; // read again: the event may have changed it
  }
};

/** The channel that an envelope's address names, or the one of its account with this number. */
type Addressed = { by: "channel"; id: ChannelId; numberId?: string };
/** An event with its channels: found by the event's route at the network, or named by the envelope's address. */
type RoutedEvent = { route: Route | Addressed; event: ChannelEvent };

/** Every event of a stored envelope; empty if its adapter no longer takes envelopes. */
const eventsIn = async ({ receiver, webhook }: ChannelPlugin, envelope: EnvelopeRow): Promise<RoutedEvent[]> => {
  const { channelId } = envelope;
  const request = requestIn(envelope);
  if (channelId === null) return (await receiver?.parse(request)) ?? [];
  return ((await webhook?.parse(request)) ?? []).map((item) =>
    "event" in item
      ? { route: { by: "channel", id: channelId, numberId: item.numberId }, event: item.event }
      : { route: { by: "channel", id: channelId }, event: item },
  );
};

/**
 * An envelope may hold a thousand events. One write ingests about this many, so that requests do not wait for all of
 * them.
 */
const EVENTS_PER_WRITE = 40;

/** The events in their order, in one portion per write. An event that names many people counts as many events. */
const portionsOf = (events: readonly RoutedEvent[]): RoutedEvent[][] => {
  const portions: RoutedEvent[][] = [];
  let room = 0;
  for (const routed of events) {
    if (room <= 0) {
      portions.push([]);
      room = EVENTS_PER_WRITE;
    }
    portions.at(-1)?.push(routed);
    room -= routed.event.kind === "contacts" ? routed.event.contacts.length : 1;
  }
  return portions;
};

/**
 * Reads a stored envelope and ingests its events, a few per write. The last write ends the job. After a crash, events
 * that were already ingested are recognised as repeats. An envelope without its adapter waits for it, as long as the
 * envelope is stored.
 */
export const processUpstream = async (env: Env, job: Job<{ envelopeId: number }>): Promise<JobOutcome> => {
  const envelope = await env.db.read((reader) => findEnvelope(reader, job.payload.envelopeId));
  if (!envelope) return { is: "done" };
  const adapter = env.registry.ofName(envelope.plugin);
  if (!adapter) return { is: "snooze", atMs: env.clock.now() + ADAPTER_STEP_MS };
  const { kind } = adapter;
  const portions = portionsOf(await eventsIn(adapter, envelope));
  let isWaitedFor = false;
  let isEnded = false;
  const ingestAll = (portion: readonly RoutedEvent[], isLast: boolean) =>
    env.db.write(async (tx) => {
      for (const routed of portion) if (!(await ingestEvent(env, tx, kind, routed))) isWaitedFor = true;
      if (isLast) endEnvelope(env, tx, job, isWaitedFor ? envelope.receivedAt : undefined);
      isEnded = isLast;
    });
  const faults: unknown[] = [];
  for (const [index, portion] of portions.entries()) {
    try {
      await ingestAll(portion, index === portions.length - 1 && faults.length === 0);
    } catch {
      isEnded = false;
      // one event of the portion fails: ingest each separately, so that the others succeed
      for (const routed of portion) await ingestAll([routed], false).catch((fault: unknown) => void faults.push(fault));
    }
  }
  // the job is retried, and discarded in the end; events that were ingested are recognised as repeats then
  if (faults.length > 0) throw faults[0];
  if (!isEnded) await ingestAll([], true);
  return { is: "settled" };
};

/** False when the event is only for a channel whose credentials are still being confirmed. */
const ingestEvent = async (env: Env, tx: Tx, kind: ChannelKind, { route, event }: RoutedEvent): Promise<boolean> => {
  const channels = await channelsFor(tx, kind, route);
  const receiving = receivingChannels(channels, event);
  for (const channel of receiving) await ingest(env, tx, { channel, environment: "live" }, event);
  return (
    receiving.length > 0 ||
    !channels.some((channel) => channel.validatedAt === null && UNCONFIRMED.includes(channel.state))
  );
};

/** The channel's credentials are being confirmed. */
const UNCONFIRMED: readonly LinkState[] = ["PENDING_WEBHOOK", "CONNECTING"];

const channelsFor = async (tx: Tx, kind: ChannelKind, route: RoutedEvent["route"]): Promise<ChannelRow[]> => {
  if (route.by !== "channel")
    return (await findChannelsByRoute(tx, kind, route)).filter((channel) => isMeant(channel, route));
  const channel = await findChannel(tx, EVERY_TENANT, route.id);
  if (!channel) return [];
  const { numberId } = route;
  return numberId === undefined || numberId === channel.numberId ? [channel] : siblingsOf(tx, channel, numberId);
};

/**
 * The channels with a number beside the channel whose secret verified an envelope. Never one of another tenant: ids at
 * the network are no secrets, and anybody may claim them.
 */
const siblingsOf = async (
  tx: Tx,
  { kind, tenantId, accountId }: ChannelRow,
  numberId: string,
): Promise<ChannelRow[]> =>
  accountId === null
    ? []
    : (await findChannelsByRoute(tx, kind, { by: "number", id: numberId })).filter(
        (one) => one.tenantId === tenantId && one.accountId === accountId,
      );

/**
 * The channels of an event of an account: those with this account, and the channel with the number that the event
 * names. A new channel has neither before it is confirmed.
 */
const isMeant = (channel: ChannelRow, { by, phoneNumber }: Route): boolean =>
  (by === "number" || channel.validatedAt === null || holdsAccount(channel)) &&
  (phoneNumber === undefined || channel.phoneNumber === null || channel.phoneNumber === phoneNumber);

/**
 * The channels that may receive an event of a number: confirmed channels that their owner has not disconnected.
 * Channels that the network disconnected receive only events of their health. If several tenants claim the number, only
 * current claims count: a former holder must not read on.
 */
const receivingChannels = (channels: readonly ChannelRow[], { kind }: ChannelEvent): ChannelRow[] => {
  const mayReceive = (channel: ChannelRow) =>
    channel.state !== "DISCONNECTED" || (kind === "health" && isEndedByNetwork(channel));
  const confirmed = channels.filter((channel) => channel.validatedAt !== null && mayReceive(channel));
  const isShared = new Set(confirmed.map((channel) => channel.tenantId)).size > 1;
  return isShared ? confirmed.filter((channel) => isOpenState(channel.state)) : confirmed;
};

/**
 * Ends the job, or snoozes it until the channel of its envelope may be confirmed: less and less often, for at most a
 * day.
 */
const endEnvelope = (env: Env, tx: Tx, job: Job<unknown>, waitsSince: number | undefined): void => {
  const now = env.clock.now();
  if (waitsSince === undefined || now >= waitsSince + UNCONFIRMED_WAIT_MS) return job.end(tx);
  const step = Math.min(Math.max(now - waitsSince, UNCONFIRMED_STEP_MS), UNCONFIRMED_LONGEST_STEP_MS);
  job.snooze(tx, now + step);
};
