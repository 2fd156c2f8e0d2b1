import type { ChannelEvent, LinkState } from "../contract/events.ts";
import type { ChannelKind } from "../contract/kind.ts";
import type { Route } from "../contract/plugin.ts";
import { createKeyedSemaphore } from "../kernel/async.ts";
import { HOUR_MS, MINUTE_MS, othersServed, SECOND_MS } from "../kernel/clock.ts";
import { sha256 } from "../kernel/crypto.ts";
import { AppError } from "../kernel/errors.ts";
import type { ChannelId } from "../kernel/ids.ts";
import { parsedJson } from "../kernel/json.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import {
  type ChannelRow,
  confirmVerifyToken,
  findChannel,
  findChannelsByRoute,
  isVerifyToken,
} from "../store/channels.ts";
import type { Tx } from "../store/db.ts";
import { EVERY_TENANT } from "../store/scope.ts";
import { findEnvelope, insertEnvelope } from "../store/upstream.ts";
import { recordPermission } from "./calls/permissions.ts";
import { receiveCallUpdate } from "./calls/updates.ts";
import { holdsAccount } from "./channels/channel.ts";
import { receiveContacts, recordSync } from "./channels/contacts.ts";
import { type InboundContext, learnIdentity } from "./channels/identity.ts";
import { isEndedByNetwork, recordHealth } from "./channels/report.ts";
import type { LinkKey } from "./channels/supervisor.ts";
import { vaultOf } from "./channels/vault.ts";
import type { Env } from "./env.ts";
import { receiveGroupUpdate } from "./groups/updates.ts";
import { receiveAct } from "./messaging/acts.ts";
import { receiveReadUpTo, receiveReceipt } from "./messaging/receipts.ts";
import { receiveMessage } from "./messaging/receive.ts";
import { recordTemplateChange } from "./messaging/template-updates.ts";

/**
 * How long an envelope waits for a channel whose credentials have not been confirmed yet, and how often it is looked
 * at: after 10 s, then after as long as it has waited, at most 10 minutes.
 */
const UNCONFIRMED_WAIT_MS = 24 * HOUR_MS;
const UNCONFIRMED_STEP_MS = 10 * SECOND_MS;
const UNCONFIRMED_LONGEST_STEP_MS = 10 * MINUTE_MS;

/** TABLE: what becomes of each thing that a network can tell us. */
const ingest = async (env: Env, tx: Tx, context: InboundContext, routed: ChannelEvent): Promise<void> => {
  const event = routed.at > 0 ? routed : { ...routed, at: env.clock.now() }; // a network that names no time means now
  if (context.environment === "live")
    tx.afterCommit(() =>
      env.metrics.count("recado_upstream_events_total", { kind: context.channel.kind, event: event.kind }),
    );
  switch (event.kind) {
    case "received":
      return receiveMessage(env, tx, context, event);
    case "receipt":
      return receiveReceipt(env, tx, context, event);
    case "read-up-to":
      return receiveReadUpTo(env, tx, context, event);
    case "reacted":
    case "edited":
    case "revoked":
      return receiveAct(env, tx, context, event);
    case "known":
      return void (await learnIdentity(tx, context, event));
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
    case "call-permission":
      return recordPermission(env, tx, context, event);
    case "unknown":
      return env.log.info(
        { channelId: context.channel.id, what: event.what },
        "the network told something that is not understood yet; its envelope is kept",
      );
  }
};

/** Takes in what a live link tells, in its order and in the given write. */
export const receiveEvents = async (
  env: Env,
  tx: Tx,
  { channelId, environment }: LinkKey,
  events: readonly ChannelEvent[],
): Promise<void> => {
  for (const event of events) {
    const channel = await findChannel(tx, EVERY_TENANT, channelId); // an event may change it
    if (channel) await ingest(env, tx, { channel, environment }, event);
  }
};

/**
 * Answers an upstream's handshake: true when the token is the server's or that of a channel, which is thereby
 * confirmed. A stranger's opens no write.
 */
export const confirmHandshake = async (env: Env, token: string): Promise<boolean> => {
  const hash = sha256(token);
  const isChannels =
    (await env.db.read((reader) => isVerifyToken(reader, hash))) &&
    (await env.db.write((tx) => confirmVerifyToken(tx, hash)));
  return isChannels || env.registry.receivers().some(({ receiver }) => receiver.isVerifyToken(token));
};

/** The receivers that have a secret to verify with. Throws RECEIVER_NOT_CONFIGURED where there is none. */
const configuredReceivers = (env: Env) => {
  const configured = env.registry.receivers().filter(({ receiver }) => receiver.isConfigured);
  if (configured.length === 0)
    throw new AppError("RECEIVER_NOT_CONFIGURED", {
      message: "No app secret is configured, so nothing can be verified.",
    });
  return configured;
};

const forged = (): AppError => new AppError("SIGNATURE_REFUSED", { message: "The signature is missing or wrong." });

/** Refuses by its headers what is not signed at all. Throws RECEIVER_NOT_CONFIGURED and SIGNATURE_REFUSED. */
export const refuseUnsigned = (env: Env, headers: Headers): void => {
  if (!configuredReceivers(env).some(({ receiver }) => receiver.isSigned(headers))) throw forged();
};

/** Up to here a body is verified at once; a longer one takes milliseconds, in which nobody else is served. */
const QUICK_BYTES = 64 * 1024;
const verifying = createKeyedSemaphore();

/**
 * Who has signed a body. Long ones are looked at one after the other, and everybody else is served between two of them.
 */
const signersOf = (env: Env, bytes: Uint8Array, headers: Headers) => {
  const verify = () => configuredReceivers(env).filter(({ receiver }) => receiver.verify(bytes, headers));
  if (bytes.length <= QUICK_BYTES) return verify();
  return verifying.run("", async () => {
    await othersServed();
    return verify();
  });
};

/**
 * Keeps an upstream's envelope, to be read later; when this resolves it is on disk. The very same bytes are kept once.
 * Throws RECEIVER_NOT_CONFIGURED where nothing could verify it, SIGNATURE_REFUSED, and VALIDATION when it is not JSON.
 */
export const acceptUpstream = async (env: Env, bytes: Uint8Array, headers: Headers): Promise<void> => {
  const signers = await signersOf(env, bytes, headers);
  const [first] = signers;
  if (!first) throw forged();
  const rawBody = new TextDecoder().decode(bytes);
  const plugin = signers.find(({ receiver }) => receiver.isFor(rawBody)) ?? first;
  if (parsedJson(rawBody) === undefined) throw new AppError("VALIDATION", { message: "The body is not JSON." });
  await env.db.write(async (tx) => {
    const envelopeId = await insertEnvelope(tx, {
      plugin: plugin.name,
      channelId: null,
      hash: sha256(bytes),
      body: rawBody,
      receivedAt: env.clock.now(),
    });
    if (envelopeId !== undefined) env.jobs.enqueue(tx, "upstream.process", { envelopeId });
  });
};

/**
 * The same for an envelope whose address names its channel. A channel that is not there, or takes none, refuses like
 * one whose signature is wrong. What the network is answered, where its adapter says so. Throws SIGNATURE_REFUSED, and
 * VALIDATION when it is not JSON.
 */
export const acceptForChannel = async (
  env: Env,
  id: string,
  bytes: Uint8Array,
  headers: Headers,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const { channel, adapter, webhook } = await webhookFor(env, id);
  const secrets = await vaultOf(env, channel.id).read();
  if (!webhook.verify(bytes, headers, secrets)) throw forged();
  const body = new TextDecoder().decode(bytes);
  if (parsedJson(body) === undefined) throw new AppError("VALIDATION", { message: "The body is not JSON." });
  const hash = sha256(`${channel.id}\n${sha256(bytes)}`);
  await env.db.write(async (tx) => {
    const envelopeId = await insertEnvelope(tx, {
      plugin: adapter.name,
      channelId: channel.id,
      hash,
      body,
      receivedAt: env.clock.now(),
    });
    if (envelopeId !== undefined) env.jobs.enqueue(tx, "upstream.process", { envelopeId });
  });
  return webhook.answer?.(body);
};

/** Refuses by its headers what is not signed at all. Throws SIGNATURE_REFUSED. */
export const refuseUnsignedFor = async (env: Env, id: string, headers: Headers): Promise<void> => {
  if (!(await webhookFor(env, id)).webhook.isSigned(headers)) throw forged();
};

const webhookFor = async (env: Env, id: string) => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, id));
  const adapter = channel && env.registry.ofKind(channel.kind);
  if (!channel || !adapter?.webhook) throw forged();
  return { channel, adapter, webhook: adapter.webhook };
};

/**
 * An event with the channels that it is for: by their route at the network, or the one that the envelope's address
 * named.
 */
type RoutedEvent = { route: Route | { by: "channel"; id: ChannelId }; event: ChannelEvent };

/** Every event of a kept envelope; undefined where its adapter is gone. */
const eventsIn = (
  { registry }: Env,
  { plugin, channelId, body }: NonNullable<Awaited<ReturnType<typeof findEnvelope>>>,
): RoutedEvent[] | undefined => {
  const adapter = registry.ofName(plugin);
  if (channelId === null) return adapter?.receiver?.parse(body);
  return adapter?.webhook?.parse(body).map((event) => ({ route: { by: "channel", id: channelId }, event }));
};

/**
 * An envelope may hold a thousand facts: about so many are taken in by one write, that requests need not wait for all.
 */
const EVENTS_PER_WRITE = 40;

/** The facts, in their order, in portions for a write each. One that names many people takes as long as many. */
const portionsOf = (facts: readonly RoutedEvent[]): RoutedEvent[][] => {
  const portions: RoutedEvent[][] = [];
  let room = 0;
  for (const domainEvent of facts) {
    if (room <= 0) {
      portions.push([]);
      room = EVENTS_PER_WRITE;
    }
    portions.at(-1)?.push(domainEvent);
    room -= domainEvent.event.kind === "contacts" ? domainEvent.event.contacts.length : 1;
  }
  return portions;
};

/**
 * Reads a kept envelope and takes in every fact of it, a few per write; the last write ends the job. What was taken in
 * before a crash is recognised afterwards.
 */
export const processUpstream = async (env: Env, job: Job<{ envelopeId: number }>): Promise<JobOutcome> => {
  const envelope = await env.db.read((reader) => findEnvelope(reader, job.payload.envelopeId));
  const kind = envelope && env.registry.ofName(envelope.plugin)?.kind;
  const events = envelope && eventsIn(env, envelope);
  if (!envelope || !kind || !events) return { is: "done" };
  const portions = portionsOf(events);
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
      // one of them cannot be taken in, and says so again: the others need not go with it
      for (const routed of portion) await ingestAll([routed], false).catch((fault: unknown) => void faults.push(fault));
    }
  }
  if (faults.length > 0) throw faults[0]; // tried again, and given up in the end; the others are recognised then
  if (!isEnded) await ingestAll([], true);
  return { is: "settled" };
};

/** False when it is for a channel alone whose credentials are still being confirmed. */
const ingestEvent = async (env: Env, tx: Tx, kind: ChannelKind, { route, event }: RoutedEvent): Promise<boolean> => {
  const channels = await channelsFor(tx, kind, route);
  const hearing = hearingChannels(channels, event);
  for (const channel of hearing) await ingest(env, tx, { channel, environment: "live" }, event);
  return (
    hearing.length > 0 ||
    !channels.some((channel) => channel.validatedAt === null && UNCONFIRMED.includes(channel.state))
  );
};

/** Its credentials are being confirmed. */
const UNCONFIRMED: readonly LinkState[] = ["PENDING_WEBHOOK", "CONNECTING"];

const channelsFor = async (tx: Tx, kind: ChannelKind, route: RoutedEvent["route"]): Promise<ChannelRow[]> => {
  if (route.by !== "channel")
    return (await findChannelsByRoute(tx, kind, route)).filter((channel) => isMeant(channel, route));
  const channel = await findChannel(tx, EVERY_TENANT, route.id);
  return channel ? [channel] : [];
};

/**
 * Of an account's channels those whose account it is, and the one with the number that is named; neither is known of a
 * new channel before it is confirmed.
 */
const isMeant = (channel: ChannelRow, { by, phoneNumber }: Route): boolean =>
  (by === "number" || channel.validatedAt === null || holdsAccount(channel)) &&
  (phoneNumber === undefined || channel.phoneNumber === null || channel.phoneNumber === phoneNumber);

/**
 * The channels that may hear what is told to a number: confirmed ones that their owner has not disconnected; those that
 * the network disconnected hear of their health alone. Where several tenants claim the number, only those whose claim
 * holds now: a former holder must not read on.
 */
const hearingChannels = (channels: readonly ChannelRow[], { kind }: ChannelEvent): ChannelRow[] => {
  const mayHear = (channel: ChannelRow) =>
    channel.state !== "DISCONNECTED" || (kind === "health" && isEndedByNetwork(channel));
  const confirmed = channels.filter((channel) => channel.validatedAt !== null && mayHear(channel));
  const isShared = new Set(confirmed.map((channel) => channel.tenantId)).size > 1;
  return isShared ? confirmed.filter((channel) => channel.state === "CONNECTED") : confirmed;
};

/**
 * Ends the job, or has it look again, ever less often and for a day, whether the channel that it is for has been
 * confirmed.
 */
const endEnvelope = (env: Env, tx: Tx, job: Job<unknown>, waitsSince: number | undefined): void => {
  const now = env.clock.now();
  if (waitsSince === undefined || now >= waitsSince + UNCONFIRMED_WAIT_MS) return job.end(tx);
  const step = Math.min(Math.max(now - waitsSince, UNCONFIRMED_STEP_MS), UNCONFIRMED_LONGEST_STEP_MS);
  job.snooze(tx, now + step);
};
