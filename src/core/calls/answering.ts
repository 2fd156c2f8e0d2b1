import type { CallsApi } from "../../contract/abilities/calls.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type CallRow, findCall } from "../../store/tables/calls.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { changeCallStatus, invalidState, isEnded } from "./call-states.ts";
import { getCall } from "./calls.ts";
import type { CallsEnv } from "./env.ts";
import { requireCallsApi } from "./people.ts";
import { notifyOver } from "./ringing.ts";

/** An operation on a call: the calls that allow it, the request to the network, and the new state of the call. */
type Act = {
  isFor(call: CallRow): boolean;
  ask(api: CallsApi, nativeId: string): Promise<UpstreamResult<true>>;
  /** The call for the client's answer; undefined when another change came first. */
  record(tx: Tx, call: CallRow): Promise<CallRow | undefined>;
};

const act = async (env: CallsEnv, scope: TenantScope, id: string, does: Act): Promise<CallRow> => {
  const call = await getCall(env, scope, id);
  return env.callActs.run(call.id, () => actInTurn(env, scope, call.id, does));
};

/** Skips the request while the network has not named the call. A name that comes later ends the call there. */
const actInTurn = async (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  { isFor, ask, record }: Act,
): Promise<CallRow> => {
  const call = await getCall(env, scope, id);
  if (!isFor(call)) throw invalidState(call);
  const api = requireCallsApi(env, await getChannel(env, scope, call.channelId));
  const asked = call.upstreamCallId === null ? undefined : await ask(api, call.upstreamCallId);
  if (asked && !asked.ok) {
    const now = await getCall(env, scope, call.id);
    if (!isFor(now)) throw invalidState(now); // the reason of the refusal
    requireValue(asked);
  }
  const recorded = await env.db.write((tx) => record(tx, call));
  if (!recorded) throw invalidState(await getCall(env, scope, call.id));
  return recorded;
};

const isRingingHere = ({ direction, status }: CallRow): boolean => direction === "INBOUND" && status === "RINGING";

/**
 * Accepts an inbound call. When the network agrees, the call becomes ACCEPTED, which is the answer, and at once
 * IN_PROGRESS. When the call ended first, it is ended at the network too. After an error of the network it still rings.
 *
 * @throws AppError CALL_NOT_FOUND, CALL_INVALID_STATE, NOT_OFFERED_UPSTREAM, and what `requireValue` throws.
 */
export const acceptCall = (env: CallsEnv, scope: TenantScope, id: string, sdpAnswer: string): Promise<CallRow> =>
  act(env, scope, id, {
    isFor: isRingingHere,
    ask: (api, nativeId) => {
      if (!api.accept) throw notOffered("take a call here");
      return api.accept(nativeId, sdpAnswer);
    },
    async record(tx, call) {
      const at = env.clock.now();
      const accepted = await changeCallStatus(env, tx, call, { status: "ACCEPTED", at });
      if (accepted) await changeCallStatus(env, tx, accepted, { status: "IN_PROGRESS", at });
      else await notifyIfEnded(env, tx, call);
      return accepted;
    },
  });

const notifyIfEnded = async (env: CallsEnv, tx: Tx, { id }: CallRow): Promise<void> => {
  const call = await findCall(tx, EVERY_TENANT, id);
  if (call && isEnded(call)) notifyOver(env, tx, call);
};

/** Rejects an inbound call. Throws as `acceptCall`. */
export const rejectCall = (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  reason: string | undefined,
): Promise<CallRow> =>
  act(env, scope, id, {
    isFor: isRingingHere,
    ask: (api, nativeId) => api.reject(nativeId),
    record: (tx, call) => changeCallStatus(env, tx, call, { status: "REJECTED", at: env.clock.now(), reason }),
  });

/** Ends a call in progress, or an outbound one. A call that has ended stays unchanged. Throws as `acceptCall`. */
export const hangUp = async (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  reason: string | undefined,
): Promise<CallRow> => {
  const call = await getCall(env, scope, id);
  if (isEnded(call)) return call;
  try {
    return await act(env, scope, call.id, {
      isFor: (one) => !isRingingHere(one) && !isEnded(one),
      ask: (api, nativeId) => {
        if (!api.terminate) throw notOffered("end a call here");
        return api.terminate(nativeId);
      },
      record: (tx, one) => changeCallStatus(env, tx, one, { status: "COMPLETED", at: env.clock.now(), reason }),
    });
  } catch (refusal) {
    const ended = await getCall(env, scope, call.id);
    if (isEnded(ended)) return ended; // it ended meanwhile
    throw refusal;
  }
};
