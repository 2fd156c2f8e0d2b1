import type { CallsApi, NewCallLink } from "../../contract/abilities/calls.ts";
import { isOpenState } from "../../contract/events.ts";
import type { UpstreamResult } from "../../contract/upstream.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { type ChannelId, isUuid, newId } from "../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { issue } from "../../kernel/schema.ts";
import type { Tx } from "../../store/engine/db.ts";
import {
  type CallFilter,
  type CallRow,
  deletePermission,
  findCall,
  findCallByUpstreamId,
  findCallOfChannel,
  insertCall,
  listCalls,
  nameCall,
} from "../../store/tables/calls.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { EVERY_TENANT, type TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notConnected, notOffered } from "../channels/refusals.ts";
import { changeCallStatus, isEnded } from "./call-states.ts";
import type { CallsEnv } from "./env.ts";
import { requireCallable, requireCallsApi } from "./people.ts";
import { knownAs } from "./permissions.ts";
import { notifyOver, ringUntil } from "./ringing.ts";

export { CALL_STATUSES, type CallRow as Call } from "../../store/tables/calls.ts";

const unknownCall = () => new AppError("CALL_NOT_FOUND", { message: "There is no such call." });

const findByAnyId = (env: Pick<CallsEnv, "db">, scope: TenantScope, id: string): Promise<CallRow | undefined> =>
  env.db.read((reader) => (isUuid(id) ? findCall(reader, scope, id) : findCallByUpstreamId(reader, scope, id)));

/** A call by our id or the network's. Throws CALL_NOT_FOUND, also for another tenant's call. */
export const getCall = async (env: Pick<CallsEnv, "db">, scope: TenantScope, id: string): Promise<CallRow> => {
  const call = await findByAnyId(env, scope, id);
  if (!call) throw unknownCall();
  return call;
};

/** A call of a channel, by our id or the network's. Throws CALL_NOT_FOUND, also for a call of another channel. */
export const getCallOn = async (
  env: Pick<CallsEnv, "db">,
  scope: TenantScope,
  { channelId, id }: { channelId: ChannelId; id: string },
): Promise<CallRow> => {
  const call = await env.db.read((reader) =>
    isUuid(id) ? findCall(reader, scope, id) : findCallOfChannel(reader, channelId, id),
  );
  if (call?.channelId !== channelId) throw unknownCall();
  return call;
};

/** The channel of a call, by our id or the network's; undefined for an unknown call. */
export const channelOfCall = async (
  env: Pick<CallsEnv, "db">,
  scope: TenantScope,
  id: string,
): Promise<ChannelId | undefined> => (await findByAnyId(env, scope, id))?.channelId;

/**
 * A page of calls, newest first, also of a deleted channel.
 *
 * @throws AppError CHANNEL_NOT_FOUND for a channel without calls, and VALIDATION for a cursor that is not a call of the
 * tenant.
 */
export const callsPage = (
  env: CallsEnv,
  scope: TenantScope,
  { cursor, limit, ...filter }: Pick<CallFilter, "channelId" | "status" | "limit"> & { cursor: string | undefined },
): Promise<{ items: CallRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const channel = filter.channelId === undefined ? undefined : await findChannel(reader, scope, filter.channelId);
    if (channel) requireCallsApi(env, channel);
    if (cursor !== undefined && !(await findCall(reader, scope, cursor))) throw unknownCursor();
    const found = await listCalls(reader, scope, { ...filter, beforeId: cursor, limit: limit + 1 });
    return cutPage(found, limit, ({ id }) => id);
  });

export type NewCall = { channelId: string; to: string; sdpOffer: string };

/**
 * Places a call. The call is on disk before the network is asked, so that its updates find it even when the answer is
 * lost. Without an answer it rings until an update comes or the ring timeout ends it. A call that the network refuses,
 * or accepts without an id, is FAILED.
 *
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM, RECIPIENT_INVALID, CHANNEL_NOT_CONNECTED, UPSTREAM_NO_CALL_ID,
 * and what `requireValue` throws.
 */
export const placeCall = async (
  env: CallsEnv,
  scope: TenantScope,
  { channelId, to, sdpOffer }: NewCall,
): Promise<CallRow> => {
  const channel = await getChannel(env, scope, channelId);
  const api = requireCallsApi(env, channel);
  if (!api.connect) throw notOffered("place calls");
  const peer = await requireCallable(env, channel, to);
  if (!isOpenState(channel.state)) throw notConnected(channel);
  const call = outboundCall(env, channel, { peer, sdpOffer });
  await env.db.write(async (tx) => {
    await insertCall(tx, call);
    ringUntil(env, tx, call);
  });
  const connected = await api.connect({ to: peer, sdpOffer, callId: call.id });
  const placed = await env.db.write((tx) => recordAnswer(env, tx, call, connected));
  requireValue(connected);
  if (placed.upstreamCallId === null)
    throw new AppError("UPSTREAM_NO_CALL_ID", { message: "The network accepted the call without an id." });
  return placed;
};

const outboundCall = (
  env: CallsEnv,
  { id: channelId, tenantId }: ChannelRow,
  { peer, sdpOffer }: Pick<CallRow, "peer"> & { sdpOffer: string },
): CallRow => {
  const createdAt = env.clock.now();
  const nothingYet = {
    upstreamCallId: null,
    startedAt: null,
    acceptedAt: null,
    endedAt: null,
    durationSeconds: null,
    endReason: null,
    recording: null,
  };
  return {
    id: newId(env),
    tenantId,
    channelId,
    direction: "OUTBOUND",
    status: "RINGING",
    peer,
    sdpOffer,
    ...nothingYet,
    createdAt,
    updatedAt: createdAt,
  };
};

/**
 * Makes a link by which people join a call, and gives its URL.
 *
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM, CHANNEL_NOT_CONNECTED, VALIDATION for a start that is over, and
 * what `requireValue` throws.
 */
export const createCallLink = async (
  env: CallsEnv,
  scope: TenantScope,
  { channelId, ...link }: NewCallLink & { channelId: string },
): Promise<string> => {
  const channel = await getChannel(env, scope, channelId);
  const api = env.supervisor.linkOf(channel, "live")?.calls;
  if (!api?.createLink) throw notOffered("make links of calls");
  if (link.startsAt !== undefined && link.startsAt <= env.clock.now())
    throw invalid(issue("startsAt", "minimum", "must be in the future"));
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return requireValue(await api.createLink(link));
};

type Connected = Awaited<ReturnType<NonNullable<CallsApi["connect"]>>>;

/** Records the network's answer. Updates of the call, also its end, may have come before the answer. */
const recordAnswer = async (env: CallsEnv, tx: Tx, { id }: CallRow, connected: Connected): Promise<CallRow> => {
  const call = await findCall(tx, EVERY_TENANT, id);
  if (!call) throw unknownCall();
  const nativeId = connected.ok ? connected.value.nativeId : undefined;
  if (nativeId !== undefined) {
    const named = (await nameCall(tx, id, nativeId)) ?? call;
    if (isEnded(named)) notifyOver(env, tx, named);
    else ringUntil(env, tx, named);
    return named;
  }
  if (isUncertain(connected) || call.upstreamCallId !== null) return call;
  // the permission may have ended
  await deletePermission(tx, call.channelId, await knownAs(tx, call.channelId, call.peer));
  const failed = await changeCallStatus(env, tx, call, {
    status: "FAILED",
    at: env.clock.now(),
    reason: failureOf(connected),
  });
  return failed ?? call;
};

/** Whether the network may have placed the call although its answer was lost. */
const isUncertain = (connected: Connected): boolean =>
  !connected.ok && connected.kind === "unavailable" && connected.mayHaveHappened;

const failureOf = (connected: UpstreamResult<unknown>): string => {
  if (connected.ok) return "UPSTREAM_NO_CALL_ID";
  return connected.kind === "refused" ? connected.error.message : connected.reason;
};
