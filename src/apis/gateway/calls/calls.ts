import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptCall, hangUp, rejectCall } from "../../../core/calls/answering.ts";
import { CALL_STATUSES, type Call, callsPage, getCall, placeCall } from "../../../core/calls/calls.ts";
import { barePeer } from "../../../core/calls/people.ts";
import { getPermission, requestPermission } from "../../../core/calls/permissions.ts";
import { recordingOf } from "../../../core/calls/recordings.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { AnyText, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { askedBy } from "../../shared/http/request.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, InstantOrNull, OptionalBody, Page, QueryLimit, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const Sdp = AnyText(20);
const Person = { phoneId: Uuid(), to: Text(5, 60, "E.164 number or business-scoped user id") };
const CallBody = Type.Object({ ...Person, sdpOffer: Sdp });
const ReasonBody = OptionalBody({ reason: Type.Optional(Text(0, 200, "Stays here: the network takes none")) });
const ListQuery = Type.Object({
  phoneId: Type.Optional(Uuid()),
  status: Type.Optional(OneOf(CALL_STATUSES, { title: "CallStatus" })),
  limit: QueryLimit(100),
  cursor: Type.Optional(Uuid()),
});

const CallView = Type.Object(
  {
    id: Type.String(),
    accountId: Type.String(),
    phoneId: Type.String(),
    upstreamCallId: Nullable(Type.String()),
    direction: OneOf(["INBOUND", "OUTBOUND"]),
    status: OneOf(CALL_STATUSES, { title: "CallStatus" }),
    peer: Type.String(),
    startedAt: InstantOrNull,
    acceptedAt: InstantOrNull,
    endedAt: InstantOrNull,
    durationSeconds: Nullable(Type.Integer()),
    endReason: Nullable(Type.String()),
    sdpOffer: Nullable(Type.String({ description: "Of a call that comes in, while it rings" })),
    recording: Nullable(
      Type.Object(
        { objectKey: Type.String(), sizeBytes: Type.Integer(), contentType: Type.String() },
        { title: "CallRecording" },
      ),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Call" },
);

const recordingView = (env: GatewayEnv, call: Call): Static<typeof CallView>["recording"] => {
  const recording = recordingOf(env, call);
  return (
    recording && { objectKey: recording.objectKey, sizeBytes: recording.sizeBytes, contentType: recording.contentType }
  );
};

const callView = (env: GatewayEnv, call: Call): Static<typeof CallView> => ({
  id: call.id,
  accountId: call.tenantId,
  phoneId: call.channelId,
  upstreamCallId: call.upstreamCallId,
  direction: call.direction,
  status: call.status,
  peer: barePeer(call.peer),
  startedAt: isoOrNull(call.startedAt),
  acceptedAt: isoOrNull(call.acceptedAt),
  endedAt: isoOrNull(call.endedAt),
  durationSeconds: call.durationSeconds,
  endReason: call.endReason,
  sdpOffer: call.direction === "INBOUND" ? call.sdpOffer : null,
  recording: recordingView(env, call),
  createdAt: iso(call.createdAt),
  updatedAt: iso(call.updatedAt),
});

const PermissionView = Type.Object(
  {
    phoneId: Type.String(),
    to: Type.String(),
    granted: Type.Boolean(),
    grantedAt: InstantOrNull,
    expiresAt: InstantOrNull,
  },
  { title: "CallPermission" },
);
const EnqueuedView = Type.Object(
  { messageId: Type.String(), status: OneOf(["enqueued"]) },
  { title: "EnqueuedPermissionRequest" },
);

const one = { 200: CallView, ...UPSTREAM_REFUSALS };

export const calls = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/calls", tags: ["calls"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { phoneId, to, sdpOffer } = body;
        return status(201, callView(env, await placeCall(env, principal, { channelId: phoneId, to, sdpOffer })));
      },
      {
        body: CallBody,
        response: { 201: CallView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "placeCall",
          summary: "Call somebody who has allowed it",
          description: "The network passes the WebRTC offer on; call events say what becomes of it. WABA only.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query: { phoneId, status, cursor, limit } }) => {
        const { items, nextCursor } = await callsPage(env, principal, {
          channelId: phoneId,
          status,
          cursor,
          limit: gatewayLimit(limit, 100),
        });
        return { items: items.map((call) => callView(env, call)), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(CallView), ...REFUSALS },
        detail: { operationId: "listCalls", summary: "List calls, newest first" },
      },
    )
    .post(
      "/permission-request",
      async ({ principal, body: { phoneId, to }, request, status }) =>
        status(202, {
          messageId: await requestPermission(env, principal, { channelId: phoneId, to }, askedBy(principal, request)),
          status: "enqueued",
        }),
      {
        body: Type.Object(Person),
        response: { 202: EnqueuedView, ...REFUSALS },
        detail: {
          operationId: "requestCallPermission",
          summary: "Ask somebody whether they may be called",
          description: "The network's own message is sent, and the person's answer comes as an event. WABA only.",
        },
      },
    )
    .get(
      "/permissions",
      async ({ principal, query: { phoneId, to } }) => {
        const { granted, grantedAt, expiresAt } = await getPermission(env, principal, { channelId: phoneId, to });
        return { phoneId, to, granted, grantedAt: isoOrNull(grantedAt), expiresAt: isoOrNull(expiresAt) };
      },
      {
        query: Type.Object(Person),
        response: { 200: PermissionView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "getCallPermission",
          summary: "Get whether somebody may be called",
          description: "`expiresAt` is null when the person allowed it for good.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => callView(env, await getCall(env, principal, params.id)), {
      response: { 200: CallView, ...REFUSALS },
      detail: { operationId: "getCall", summary: "Get a call by its id, or by the network's" },
    })
    .post(
      "/:id/accept",
      async ({ principal, params, body }) => callView(env, await acceptCall(env, principal, params.id, body.sdpAnswer)),
      {
        body: Type.Object({ sdpAnswer: Sdp }),
        response: one,
        detail: {
          operationId: "acceptCall",
          summary: "Take a call that came in",
          description: "It is IN_PROGRESS at once. 409 where it does not ring any more.",
        },
      },
    )
    .post(
      "/:id/reject",
      async ({ principal, params, body }) => callView(env, await rejectCall(env, principal, params.id, body?.reason)),
      {
        body: ReasonBody,
        response: one,
        detail: {
          operationId: "rejectCall",
          summary: "Turn away a call that came in",
          description: "409 where it does not ring any more.",
        },
      },
    )
    .post(
      "/:id/hangup",
      async ({ principal, params, body }) => callView(env, await hangUp(env, principal, params.id, body?.reason)),
      {
        body: ReasonBody,
        response: one,
        detail: { operationId: "hangUpCall", summary: "End a call", description: "One that has ended stays as it is." },
      },
    );
