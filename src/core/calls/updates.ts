import type { CallUpdate } from "../../contract/events.ts";
import { newId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type CallRow, findCall, findCallOfChannel, insertCall, nameCall } from "../../store/tables/calls.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { type InboundContext, learnIdentity } from "../channels/identity.ts";
import { isFirst } from "../channels/links/repeats.ts";
import { contactOf } from "../domain-event.ts";
import { changeCallStatus, isEnded, noteRinging, publishCallEvent } from "./call-states.ts";
import type { CallsEnv } from "./env.ts";
import { notifyOver, ringUntil } from "./ringing.ts";

type Of<What extends CallUpdate["what"]> = Extract<CallUpdate, { what: What }>;
type Offer = Extract<CallUpdate, { direction: "INBOUND" }>;

/**
 * Records an update of a call. Updates may come in any order: a repeated or outdated update changes nothing. A new
 * inbound call rings, or is MISSED when its end was reported first. Ignores calls that another application placed on
 * the same number.
 */
export const receiveCallUpdate = async (
  env: CallsEnv,
  tx: Tx,
  context: InboundContext,
  update: CallUpdate,
): Promise<void> => {
  const call = await callOf(env, tx, context, update);
  if (call) return ingest(env, tx, call, update);
  if (update.what === "connect" && update.direction === "INBOUND") return ring(env, tx, context, update);
  if (update.what === "ended") await isFirstEnd(env, tx, context, update);
  env.log.debug({ channelId: context.channel.id, what: update.what }, "an update of an unknown call");
};

/** The call of an update: by the network's id, or by ours until the network has answered. */
const callOf = async (
  env: CallsEnv,
  tx: Tx,
  { channel }: InboundContext,
  { nativeId, callId, what }: CallUpdate,
): Promise<CallRow | undefined> => {
  const known = await findCallOfChannel(tx, channel.id, nativeId);
  if (known || callId === undefined) return known;
  const ours = await findCall(tx, EVERY_TENANT, callId);
  if (ours?.channelId !== channel.id) return undefined;
  const named = await nameCall(tx, ours.id, nativeId);
  if (named && isEnded(named) && what !== "ended" && what !== "rejected") notifyOver(env, tx, named);
  return named;
};

/** Whether the end of an unknown call is reported for the first time. Marks it as reported. */
const isFirstEnd = (
  env: CallsEnv,
  tx: Tx,
  context: InboundContext,
  { nativeId }: Pick<CallUpdate, "nativeId">,
): Promise<boolean> => isFirst(env, tx, context, { providerMessageId: `call-ended/${nativeId}` });

const ring = async (env: CallsEnv, tx: Tx, context: InboundContext, offer: Offer): Promise<void> => {
  const { nativeId: upstreamCallId, at, from, sdpOffer, isVideo, group } = offer;
  const { id: channelId, tenantId } = context.channel;
  const caller = contactOf(await learnIdentity(tx, context, { identity: from, at }));
  const createdAt = env.clock.now();
  const nothingYet = { acceptedAt: null, endedAt: null, durationSeconds: null, endReason: null, recording: null };
  const call: CallRow = {
    id: newId(env),
    tenantId,
    channelId,
    upstreamCallId,
    direction: "INBOUND",
    status: "RINGING",
    peer: caller.canonicalKey,
    sdpOffer: sdpOffer ?? null,
    startedAt: at,
    ...nothingYet,
    createdAt,
    updatedAt: createdAt,
  };
  await insertCall(tx, call);
  if (!(await isFirstEnd(env, tx, context, offer)))
    return void (await changeCallStatus(env, tx, call, { status: "MISSED", at }));
  const expiresAt = ringUntil(env, tx, call);
  if (sdpOffer === undefined) {
    await publishCallEvent(env, tx, call, {
      type: "call.changed",
      callId: call.id,
      upstreamCallId,
      direction: "INBOUND",
      status: "RINGING",
      from: caller,
      isVideo: isVideo ?? false,
      ...(group === undefined ? {} : { group }),
    });
    return;
  }
  await publishCallEvent(env, tx, call, {
    type: "call.offer",
    callId: call.id,
    upstreamCallId,
    from: caller,
    sdpOffer,
    expiresAt,
  });
};

const ingest = async (env: CallsEnv, tx: Tx, call: CallRow, update: CallUpdate): Promise<void> => {
  switch (update.what) {
    case "connect":
      return update.direction === "OUTBOUND"
        ? answer(env, tx, call, { at: update.at, sdpAnswer: update.sdpAnswer })
        : undefined;
    case "ringing":
      return noteRinging(env, tx, call, update.at);
    case "accepted":
      return answer(env, tx, call, { at: update.at });
    case "rejected":
      return reject(env, tx, call, update);
    case "ended":
      return end(env, tx, call, update);
  }
};

/**
 * Records one of two steps, in either order: the SDP answer of the person called, and the report that they accepted.
 * The first makes the call ACCEPTED, the second IN_PROGRESS. The SDP offer is stored until it is answered, which
 * distinguishes a repeated step from the other one.
 */
const answer = async (
  env: CallsEnv,
  tx: Tx,
  call: CallRow,
  step: { at: number; sdpAnswer?: string },
): Promise<void> => {
  const isAnswered = call.sdpOffer === null;
  const isSecond = call.status === "ACCEPTED";
  if (isSecond ? isAnswered === (step.sdpAnswer !== undefined) : call.status !== "RINGING") return;
  await changeCallStatus(env, tx, call, { ...step, status: isSecond ? "IN_PROGRESS" : "ACCEPTED" });
};

/** The reply to the caller is a job of the same write, and a send like any other. */
const reject = async (env: CallsEnv, tx: Tx, call: CallRow, { at, reason, reply }: Of<"rejected">): Promise<void> => {
  const rejected = await changeCallStatus(env, tx, call, { status: "REJECTED", at, reason });
  if (rejected && reply !== undefined)
    env.jobs.enqueue(tx, "call.reply", { callId: call.id, channelId: call.channelId, text: reply });
};

const end = async (
  env: CallsEnv,
  tx: Tx,
  call: CallRow,
  { at, endedAt, startedAt, isFailure, durationSeconds, reason, isElsewhere = false }: Of<"ended">,
): Promise<void> => {
  const isTaken = startedAt !== null || call.status !== "RINGING";
  const status = isFailure && (isTaken || reason !== undefined) ? "FAILED" : isTaken ? "COMPLETED" : "MISSED";
  await changeCallStatus(env, tx, call, {
    status,
    at: endedAt ?? at,
    reason,
    takenAt: startedAt,
    durationSeconds,
    isEndUnknown: isElsewhere,
  });
};
