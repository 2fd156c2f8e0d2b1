import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptCall, hangUp, rejectCall } from "../../../core/calls/answering.ts";
import { CALL_STATUSES, type Call, callsPage, createCallLink, getCall, placeCall } from "../../../core/calls/calls.ts";
import { barePeer } from "../../../core/calls/people.ts";
import { getPermission, requestPermission } from "../../../core/calls/permissions.ts";
import { recordingOf } from "../../../core/calls/recordings.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { AnyText, described, Nullable, OneOf, Text, Time, Uuid } from "../../../kernel/schema.ts";
import { Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { askedBy } from "../../shared/http/request.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import {
  Instant,
  InstantOrNull,
  msOf,
  OptionalBody,
  Page,
  PHONE_IN_PATH,
  QueryLimit,
  REFUSALS,
  UPSTREAM_REFUSALS,
} from "../schemas.ts";

const Sdp = AnyText(20);
const Person = {
  phoneId: described(Uuid(), "The phone that wants to call", IDS.phone),
  to: described(Text(5, 60), "E.164 number or business-scoped user id", "5511988887777"),
};
const CallBody = Type.Object({
  ...Person,
  sdpOffer: described(Sdp, "The WebRTC offer of your side", "v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"),
});
const ReasonBody = OptionalBody({
  reason: Type.Optional(
    described(
      Text(0, 200),
      "Why the call is refused; it is stored here and not sent to the network",
      "Fora do horário",
    ),
  ),
});
const ListQuery = Type.Object({
  phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
  status: Type.Optional(OneOf(CALL_STATUSES, { title: "CallStatus", description: "Only entries with this status" })),
  limit: QueryLimit(100),
  cursor: Type.Optional(Cursor(Uuid())),
});

const CallView = Type.Object(
  {
    id: Id("The call's id"),
    accountId: Id("The account that the phone belongs to", "account"),
    phoneId: Id("The phone of the call", "phone"),
    upstreamCallId: Nullable(
      Type.String({
        description: "The network's id; null before it has one",
        examples: ["wacid.HBgMNTUxMTk4ODg4Nzc3NxUC"],
      }),
    ),
    direction: OneOf(["INBOUND", "OUTBOUND"], {
      description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
      examples: ["OUTBOUND"],
    }),
    status: OneOf(CALL_STATUSES, { title: "CallStatus", description: "The progress of the call" }),
    peer: Type.String({ description: "The other person's number or id", examples: ["5511988887777"] }),
    startedAt: described(InstantOrNull, "When it began; null before", "2026-11-22T12:00:00.000Z"),
    acceptedAt: described(InstantOrNull, "When it was taken; null before", "2026-11-22T12:00:05.000Z"),
    endedAt: described(InstantOrNull, "When it ended; null before", "2026-11-22T12:03:05.000Z"),
    durationSeconds: Nullable(Type.Integer({ description: "Seconds of talk; null before the end", examples: [180] })),
    endReason: Nullable(Type.String({ description: "Why the call ended; null if no reason is known" })),
    sdpOffer: Nullable(
      Type.String({
        description: "The WebRTC offer of an incoming call while it rings; null otherwise",
        examples: ["v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"],
      }),
    ),
    recording: described(
      Nullable(
        Type.Object(
          {
            objectKey: Type.String({
              description: "The key of the stored file",
              examples: ["knowledge/019a1b2c/cardapio.pdf"],
            }),
            sizeBytes: Type.Integer({ description: "The size of the recording in bytes", examples: [48213] }),
            contentType: Type.String({ description: "The media type of the recording", examples: ["audio/ogg"] }),
          },
          { title: "CallRecording" },
        ),
      ),
      "The kept sound; null without one",
    ),
    createdAt: described(Instant, "When the call was placed or came in"),
    updatedAt: described(Instant, "When the call last changed"),
  },
  { title: "Call" },
);

const recordingView = (env: GatewayEnv, call: Call): Static<typeof CallView>["recording"] => {
  const recording = recordingOf(env, call);
  return (
    recording && { objectKey: recording.objectKey, sizeBytes: recording.sizeBytes, contentType: recording.contentType }
  );
};

const callView = (env: GatewayEnv, call: Call) =>
  toView(CallView, call, {
    accountId: call.tenantId,
    phoneId: call.channelId,
    peer: barePeer(call.peer),
    sdpOffer: call.direction === "INBOUND" ? call.sdpOffer : null,
    recording: recordingView(env, call),
  });

const PermissionView = Type.Object(
  {
    phoneId: Id("The phone that wants to call", "phone"),
    to: Type.String({ description: "The person who may be called", examples: ["5511988887777"] }),
    granted: Type.Boolean({ description: "Whether the person may be called now" }),
    grantedAt: described(InstantOrNull, "When the person allowed it; null before", "2026-11-22T12:00:00.000Z"),
    expiresAt: described(InstantOrNull, "Null: without an end, or never granted", "2026-11-29T12:00:00.000Z"),
  },
  { title: "CallPermission" },
);
const EnqueuedView = Type.Object(
  {
    messageId: Id("The message that asks the person", "message"),
    status: OneOf(["enqueued"], { description: "The message is sent soon" }),
  },
  { title: "EnqueuedPermissionRequest" },
);

const one = { 200: CallView, ...UPSTREAM_REFUSALS };

export const calls = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/calls",
    tags: ["calls"],
    detail: inPath({ id: Type.String({ description: "The call's id here, or the network's" }) }),
  })
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
          ...route({ operationId: "placeCall", acts: "none: daily work", isolation: { phoneId: "channel" } }),
          summary: "Call a person who has allowed it",
          description: "The network passes the WebRTC offer on; call events report its progress. WABA only.",
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
        detail: {
          ...route({ operationId: "listCalls", isolation: { phoneId: "channel", cursor: "call" } }),
          summary: "List calls, newest first",
          description: "`phoneId` and `status` narrow the list. Pages follow each other by `cursor`.",
        },
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
          ...route({
            operationId: "requestCallPermission",
            acts: "none: daily work",
            isolation: { phoneId: "channel" },
          }),
          summary: "Ask a person for permission to call",
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
          ...route({ operationId: "getCallPermission", isolation: { phoneId: "channel" } }),
          summary: "Get whether a person may be called",
          description: "`expiresAt` is null when the person allowed it for good.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => callView(env, await getCall(env, principal, params.id)), {
      response: { 200: CallView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getCall", isolation: { id: "call" } }),
        summary: "Get a call by its id, or by the network's",
        description: "A recording is present once it is stored.",
      },
    })
    .post(
      "/:id/accept",
      async ({ principal, params, body }) => callView(env, await acceptCall(env, principal, params.id, body.sdpAnswer)),
      {
        body: Type.Object({
          sdpAnswer: described(
            Sdp,
            "The WebRTC answer of your side",
            "v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n",
          ),
        }),
        response: one,
        detail: {
          ...route({ operationId: "acceptCall", acts: "none: daily work", isolation: { id: "call" } }),
          summary: "Accept an incoming call",
          description: "The call is IN_PROGRESS at once. 409 if it no longer rings.",
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
          ...route({
            operationId: "rejectCall",
            acts: "none: daily work",
            isolation: { id: "call" },
            link: "required",
          }),
          summary: "Reject an incoming call",
          description:
            "409 if the call no longer rings. On a session the call ends on the owner's phone too; it is the only act on " +
            "a call there.",
        },
      },
    )
    .post(
      "/:id/hangup",
      async ({ principal, params, body }) => callView(env, await hangUp(env, principal, params.id, body?.reason)),
      {
        body: ReasonBody,
        response: one,
        detail: {
          ...route({ operationId: "hangUpCall", acts: "none: daily work", isolation: { id: "call" } }),
          summary: "End a call",
          description: "A call that has ended stays unchanged.",
        },
      },
    );

const LinkBody = Type.Object(
  {
    video: described(Type.Boolean(), "True for a call with video, false for one with voice alone", true),
    startsAt: Type.Optional(
      described(Time(), "When the call begins; without it, whenever people join", "2026-12-01T15:00:00.000Z"),
    ),
  },
  { title: "NewCallLink" },
);
const LinkView = Type.Object(
  {
    url: Type.String({
      description: "Who opens it in WhatsApp joins the call",
      examples: ["https://call.whatsapp.com/video/AbCdEfGhIjKlMnOpQrStUv"],
    }),
  },
  { title: "CallLink" },
);

/** Links by which people join a call. */
export const callLinks = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["calls"], detail: inPath(PHONE_IN_PATH) }).use(auth).post(
    "/:id/call-links",
    async ({ principal, params, body: { video, startsAt }, status }) => {
      const start = msOf(startsAt);
      const link = { channelId: params.id, isVideo: video, ...(start === undefined ? {} : { startsAt: start }) };
      return status(201, { url: await createCallLink(env, principal, link) });
    },
    {
      body: LinkBody,
      response: { 201: LinkView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({
          operationId: "createCallLink",
          acts: "none: daily work",
          isolation: { id: "channel" },
          link: "required",
        }),
        summary: "Make a link by which people join a call",
        description: "The owner joins on the phone: audio does not pass here. SESSION only.",
      },
    },
  );
