import type { ChannelEvent } from "../contract/events.ts";
import type { ChannelKind, Route } from "../contract/plugin.ts";
import { HOUR_MS, SECOND_MS } from "../kernel/clock.ts";
import { sha256 } from "../kernel/crypto.ts";
import { AppError } from "../kernel/errors.ts";
import type { ChannelId } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import { type ChannelRow, confirmVerifyToken, findChannel, findChannelsByRoute } from "../store/channels.ts";
import type { Tx } from "../store/db.ts";
import type { Environment } from "../store/keys.ts";
import { EVERY_TENANT } from "../store/scope.ts";
import { findEnvelope, insertEnvelope } from "../store/upstream.ts";
import type { Env } from "./env.ts";
import { type Inlet, receiveMessage, receiveReceipt } from "./messaging/receive.ts";

/** How long an envelope waits for a channel whose credentials have not been confirmed yet, and how often it is looked at. */
const UNCONFIRMED_WAIT_MS = 24 * HOUR_MS;
const UNCONFIRMED_STEP_MS = 10 * SECOND_MS;

/** TABLE: what becomes of each thing that a network can tell us. */
const takeIn = async (env: Env, tx: Tx, inlet: Inlet, told: ChannelEvent): Promise<void> => {
  const event = told.at > 0 ? told : { ...told, at: env.clock.now() }; // a network that names no time means now
  switch (event.kind) {
    case "received":
      return receiveMessage(env, tx, inlet, event);
    case "receipt":
      return receiveReceipt(env, tx, inlet, event);
    case "unknown":
      return env.log.info({ channelId: inlet.channel.id, what: event.what }, "the network told something that is not understood yet; its envelope is kept");
  }
};

/** Takes in an event of a live link; resolves when it is on disk. */
export const receiveEvent = (env: Env, channelId: ChannelId, environment: Environment, event: ChannelEvent): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await findChannel(tx, EVERY_TENANT, channelId);
    if (channel) await takeIn(env, tx, { channel, environment }, event);
  });

/** Answers an upstream's handshake: true when the token is the server's or that of a channel, which is thereby confirmed. */
export const confirmHandshake = async (env: Env, token: string): Promise<boolean> => {
  const isChannels = await env.db.write((tx) => confirmVerifyToken(tx, sha256(token)));
  return isChannels || env.registry.receivers().some(({ receiver }) => receiver.isVerifyToken(token));
};

/**
 * Keeps an upstream's envelope, to be read later; when this resolves it is on disk. The very same bytes are kept once.
 * Throws RECEIVER_NOT_CONFIGURED where nothing could verify it, SIGNATURE_REFUSED, and VALIDATION when it is not JSON.
 */
export const acceptUpstream = async (env: Env, rawBody: string, headers: Headers): Promise<void> => {
  const configured = env.registry.receivers().filter(({ receiver }) => receiver.isConfigured);
  if (configured.length === 0) throw new AppError("RECEIVER_NOT_CONFIGURED", { message: "No app secret is configured, so nothing can be verified." });
  const plugin = configured.find(({ receiver }) => receiver.verify(rawBody, headers));
  if (!plugin) throw new AppError("SIGNATURE_REFUSED", { message: "The signature is missing or wrong." });
  if (!isJson(rawBody)) throw new AppError("VALIDATION", { message: "The body is not JSON." });
  await env.db.write(async (tx) => {
    const envelopeId = await insertEnvelope(tx, { plugin: plugin.name, hash: sha256(rawBody), body: rawBody, receivedAt: env.clock.now() });
    if (envelopeId !== undefined) env.jobs.enqueue(tx, "upstream.process", { envelopeId });
  });
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Reads a kept envelope and takes in every fact of it, in one write that also ends the job: all of it or nothing. */
export const processUpstream = async (env: Env, job: Job<{ envelopeId: number }>): Promise<JobOutcome> => {
  const envelope = await env.db.read((reader) => findEnvelope(reader, job.payload.envelopeId));
  const plugin = env.registry.receivers().find(({ name }) => name === envelope?.plugin);
  if (!envelope || !plugin) return { is: "done" };
  const facts = plugin.receiver.parse(envelope.body);
  await env.db.write(async (tx) => {
    let isUnconfirmed = false;
    for (const { route, event } of facts) {
      const channels = await channelsFor(tx, plugin.kind, route);
      if (channels.some((channel) => channel.validatedAt === null && channel.state === "PENDING_WEBHOOK")) isUnconfirmed = true;
      for (const channel of channels) if (channel.validatedAt !== null) await takeIn(env, tx, { channel, environment: "live" }, event);
    }
    // what is for a channel whose credentials are still being confirmed waits for that; what was taken in is recognised then
    const waitsUntil = envelope.receivedAt + UNCONFIRMED_WAIT_MS;
    if (isUnconfirmed && env.clock.now() < waitsUntil) job.again(tx, env.clock.now() + UNCONFIRMED_STEP_MS, { counts: false });
    else job.end(tx);
  });
  return { is: "settled" };
};

const channelsFor = (tx: Tx, kind: ChannelKind, route: Route): Promise<ChannelRow[]> => findChannelsByRoute(tx, kind, route);
