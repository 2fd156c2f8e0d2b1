import type { CallsApi } from "../../contract/calls.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import { type CallRow, findCall } from "../../store/calls.ts";
import type { Tx } from "../../store/db.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { valueOf } from "../channels/upstream.ts";
import { getCall } from "./calls.ts";
import type { CallsEnv } from "./env.ts";
import { invalidState, isEnded, moveCall } from "./moves.ts";
import { callsApiOf } from "./people.ts";
import { notifyOver } from "./ringing.ts";

/** What somebody does to a call: which calls take it, what the network is asked, and what the call becomes. */
type Act = {
  isFor(call: CallRow): boolean;
  ask(api: CallsApi, nativeId: string): Promise<UpstreamResult<true>>;
  /** The call as it is to be told to whoever acts; undefined when something else was faster. */
  record(tx: Tx, call: CallRow): Promise<CallRow | undefined>;
};

const act = async (env: CallsEnv, scope: TenantScope, id: string, does: Act): Promise<CallRow> => {
  const call = await getCall(env, scope, id);
  return env.callActs.run(call.id, () => actInTurn(env, scope, call.id, does));
};

/**
 * Without a name at the network there is nobody to ask: should it name the call later, it is told that the call is
 * over.
 */
const actInTurn = async (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  { isFor, ask, record }: Act,
): Promise<CallRow> => {
  const call = await getCall(env, scope, id);
  if (!isFor(call)) throw invalidState(call);
  const api = callsApiOf(env, await getChannel(env, scope, call.channelId));
  const asked = call.upstreamCallId === null ? undefined : await ask(api, call.upstreamCallId);
  if (asked && !asked.ok) {
    const now = await getCall(env, scope, call.id);
    if (!isFor(now)) throw invalidState(now); // which is why it was refused
    valueOf(asked);
  }
  const recorded = await env.db.write((tx) => record(tx, call));
  if (!recorded) throw invalidState(await getCall(env, scope, call.id));
  return recorded;
};

const isRingingHere = ({ direction, status }: CallRow): boolean => direction === "INBOUND" && status === "RINGING";

/**
 * Takes a call that came in. With the network's consent the line is open: the call is ACCEPTED, which is answered, and
 * at once IN_PROGRESS. When its end was faster the network is told that nobody is there. Throws CALL_NOT_FOUND,
 * CALL_INVALID_STATE, and what `valueOf` throws: then it rings on.
 */
export const acceptCall = (env: CallsEnv, scope: TenantScope, id: string, sdpAnswer: string): Promise<CallRow> =>
  act(env, scope, id, {
    isFor: isRingingHere,
    ask: (api, nativeId) => api.accept(nativeId, sdpAnswer),
    async record(tx, call) {
      const at = env.clock.now();
      const accepted = await moveCall(env, tx, call, { status: "ACCEPTED", at });
      if (accepted) await moveCall(env, tx, accepted, { status: "IN_PROGRESS", at });
      else await tellIfEnded(env, tx, call);
      return accepted;
    },
  });

const tellIfEnded = async (env: CallsEnv, tx: Tx, { id }: CallRow): Promise<void> => {
  const call = await findCall(tx, EVERY_TENANT, id);
  if (call && isEnded(call)) notifyOver(env, tx, call);
};

/** Turns a call away that came in. Throws as `acceptCall`. */
export const rejectCall = (
  env: CallsEnv,
  scope: TenantScope,
  id: string,
  reason: string | undefined,
): Promise<CallRow> =>
  act(env, scope, id, {
    isFor: isRingingHere,
    ask: (api, nativeId) => api.reject(nativeId),
    record: (tx, call) => moveCall(env, tx, call, { status: "REJECTED", at: env.clock.now(), reason }),
  });

/** Ends a call that is going on, or that we began. One that has ended stays as it is. Throws as `acceptCall`. */
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
      ask: (api, nativeId) => api.terminate(nativeId),
      record: (tx, one) => moveCall(env, tx, one, { status: "COMPLETED", at: env.clock.now(), reason }),
    });
  } catch (refusal) {
    const ended = await getCall(env, scope, call.id);
    if (isEnded(ended)) return ended; // its end was faster
    throw refusal;
  }
};
