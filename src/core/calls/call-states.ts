import { HOUR_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type CallRow, type CallStatus, findCall, updateCall } from "../../store/tables/calls.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { DomainEvent } from "../domain-event.ts";
import { channelOrRest, publish } from "../events/publish.ts";
import type { CallsEnv } from "./env.ts";

/** TABLE: the statuses from which each status may be reached: forward only, and never from an end. */
const REACHED_FROM = {
  ACCEPTED: ["RINGING"],
  IN_PROGRESS: ["ACCEPTED"],
  COMPLETED: ["RINGING", "ACCEPTED", "IN_PROGRESS"],
  REJECTED: ["RINGING"],
  MISSED: ["RINGING"],
  FAILED: ["RINGING", "ACCEPTED", "IN_PROGRESS"],
} as const satisfies Record<Exclude<CallStatus, "RINGING">, readonly CallStatus[]>;

export const isEnded = ({ status }: Pick<CallRow, "status">): boolean =>
  status === "COMPLETED" || status === "REJECTED" || status === "MISSED" || status === "FAILED";

/** The refusal of an operation that the call's state or direction does not allow. */
export const invalidState = ({ direction, status }: Pick<CallRow, "direction" | "status">) =>
  new AppError("CALL_INVALID_STATE", {
    message: `The call is ${direction.toLowerCase()} and ${status}: this cannot be done to it.`,
    details: { direction, status },
  });

/**
 * A change of a call's status. `sdpAnswer`: of the person called. `takenAt` and `durationSeconds`: of a call that ends,
 * as the network reports them. `isEndUnknown`: the duration is unknown.
 */
export type StatusChange = {
  status: keyof typeof REACHED_FROM;
  at: number;
  reason?: string | undefined;
  sdpAnswer?: string | undefined;
  takenAt?: number | null;
  durationSeconds?: number | null;
  isEndUnknown?: boolean;
};

/** The longest call. After this the report of its end counts as lost. */
const LONGEST_CALL_MS = 12 * HOUR_MS;

/**
 * Advances a call, publishes the change, and returns the changed call. Undefined when the call is already past that
 * status: then nothing is changed or published.
 */
export const changeCallStatus = async (
  env: CallsEnv,
  tx: Tx,
  call: CallRow,
  change: StatusChange,
): Promise<CallRow | undefined> => {
  const changed = await updateCall(tx, call.id, REACHED_FROM[change.status], changesOf(env, call, change));
  if (!changed) return undefined;
  await publishChange(env, tx, changed, change);
  if (isEnded(changed)) env.jobs.cancel(tx, "call.end", { callId: call.id });
  else env.jobs.replace(tx, "call.end", { callId: call.id }, { runAt: env.clock.now() + LONGEST_CALL_MS });
  return changed;
};

/** Ends a call whose end the network never reported. */
export const endUnreportedCall = async (env: CallsEnv, job: Job<{ callId: string }>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    job.end(tx);
    const call = await findCall(tx, EVERY_TENANT, job.payload.callId);
    if (call)
      await changeCallStatus(env, tx, call, {
        status: "COMPLETED",
        at: env.clock.now(),
        reason: "END_UNKNOWN",
        isEndUnknown: true,
      });
  });
  return { is: "settled" };
};

const changesOf = (
  env: CallsEnv,
  call: CallRow,
  { status, at, reason, sdpAnswer, takenAt = null, durationSeconds, isEndUnknown = false }: StatusChange,
): Partial<CallRow> => {
  const updatedAt = env.clock.now();
  if (!isEnded({ status })) {
    const isOfferAnswered = call.direction === "INBOUND" || sdpAnswer !== undefined;
    return {
      status,
      startedAt: call.startedAt ?? at,
      acceptedAt: call.acceptedAt ?? at,
      ...(isOfferAnswered ? { sdpOffer: null } : {}),
      updatedAt,
    };
  }
  const acceptedAt = call.acceptedAt ?? takenAt;
  const counted = acceptedAt === null || isEndUnknown ? null : Math.max(0, Math.floor((at - acceptedAt) / 1000));
  return {
    status,
    startedAt: call.startedAt ?? takenAt,
    acceptedAt,
    endedAt: at,
    endReason: reason ?? null,
    durationSeconds: durationSeconds ?? counted,
    sdpOffer: null,
    updatedAt,
  };
};

/** Stores and publishes, once, that an outbound call began to ring. Does nothing when it no longer rings. */
export const noteRinging = async (env: CallsEnv, tx: Tx, call: CallRow, at: number): Promise<void> => {
  if (call.startedAt !== null) return;
  const ringing = await updateCall(tx, call.id, ["RINGING"], { startedAt: at, updatedAt: env.clock.now() });
  if (ringing) await publishChange(env, tx, ringing, {});
};

const publishChange = async (
  env: CallsEnv,
  tx: Tx,
  call: CallRow,
  { sdpAnswer }: Pick<StatusChange, "sdpAnswer">,
): Promise<void> => {
  const { id: callId, upstreamCallId, direction, status, endReason, durationSeconds } = call;
  await publishCallEvent(env, tx, call, {
    type: "call.changed",
    callId,
    upstreamCallId,
    direction,
    status,
    ...(endReason === null ? {} : { reason: endReason }),
    ...(sdpAnswer === undefined ? {} : { sdpAnswer }),
    ...(durationSeconds === null ? {} : { durationSeconds }),
  });
};

/** Publishes an event of a call. The webhooks that outlive a deleted channel receive it too. */
export const publishCallEvent = async (
  env: CallsEnv,
  tx: Tx,
  { tenantId, channelId }: CallRow,
  domainEvent: DomainEvent,
): Promise<void> => publish(env, tx, { tenantId, channel: await channelOrRest(tx, channelId) }, domainEvent);
