import type { CallsApi } from "../../contract/abilities/calls.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type CallRow, findCall } from "../../store/tables/calls.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { changeCallStatus } from "./call-states.ts";
import type { CallsEnv } from "./env.ts";

const RING_TIMEOUT = "RING_TIMEOUT";
const MAX_TRIES = 3;
const TRY_AGAIN_MS = 2 * SECOND_MS;

type OverPayload = { callId: string; channelId: ChannelId };

/** How long a call rings on the owner's device at most, when the report of its end was lost. */
const RINGS_ON_DEVICE_MS = 3 * MINUTE_MS;

/** Whether a call rings on the owner's device: the network ends it there, and nobody here may. */
const ringsOnDevice = ({ direction, sdpOffer }: CallRow): boolean => direction === "INBOUND" && sdpOffer === null;

/** Starts the ring timeout of a call. Returns its end in milliseconds since the epoch. */
export const ringUntil = (env: CallsEnv, tx: Tx, call: CallRow): number => {
  const { id: callId } = call;
  const limitMs = ringsOnDevice(call) ? RINGS_ON_DEVICE_MS : env.config.ringTimeoutSeconds * SECOND_MS;
  const runAt = env.clock.now() + limitMs;
  env.jobs.replace(tx, "call.ring-out", { callId }, { runAt });
  return runAt;
};

/** Enqueues the request that ends a call at the network. It is sent once this write is on disk. */
export const notifyOver = (env: CallsEnv, tx: Tx, { id: callId, channelId }: CallRow): void =>
  env.jobs.enqueue(tx, "call.end-at-network", { callId, channelId });

/** Ends a call that still rings as MISSED. An answer at the same moment comes before this write, or is refused. */
export const stopRinging = async (env: CallsEnv, job: Job<{ callId: string }>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const call = await findCall(tx, EVERY_TENANT, job.payload.callId);
    const missed =
      call && (await changeCallStatus(env, tx, call, { status: "MISSED", at: env.clock.now(), reason: RING_TIMEOUT }));
    if (missed && !ringsOnDevice(call)) notifyOver(env, tx, missed);
    job.end(tx);
  });
  return { is: "settled" };
};

/**
 * Ends a call at the network: rejects it, or terminates it. The network ends an unanswered call by itself, later; after
 * three attempts the job gives up.
 */
export const endCallAtNetwork = async (env: CallsEnv, { payload, attempt }: Job<OverPayload>): Promise<JobOutcome> => {
  const [call, channel] = await env.db.read(async (reader) => [
    await findCall(reader, EVERY_TENANT, payload.callId),
    await findChannel(reader, EVERY_TENANT, payload.channelId),
  ]);
  const api = channel && env.supervisor.linkOf(channel, "live")?.calls;
  const nativeId = call?.upstreamCallId ?? null;
  if (!call || !api || nativeId === null) return { is: "done" };
  const ended = await endBy(api, call, nativeId);
  if (ended.ok || ended.kind !== "unavailable" || attempt >= MAX_TRIES) return { is: "done" };
  return { is: "retry", atMs: env.clock.now() + TRY_AGAIN_MS, error: ended.reason };
};

const endBy = async (api: CallsApi, { direction }: CallRow, nativeId: string): Promise<UpstreamResult<true>> => {
  const rejected = direction === "INBOUND" ? await api.reject(nativeId) : undefined;
  const isDecided = rejected && (rejected.ok || rejected.kind !== "refused");
  if (isDecided || !api.terminate) return rejected ?? { ok: true, value: true };
  return api.terminate(nativeId);
};
