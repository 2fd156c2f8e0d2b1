import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { GROUP_MESSAGE_TYPES, JOIN_MODES } from "../../contract/groups.ts";
import {
  changeGroup,
  createGroup,
  type Group,
  getGroup,
  groupsPage,
  refreshGroup,
  refuseUnoffered,
  removeGroup,
  resetInviteLink,
} from "../../core/groups/groups.ts";
import { sendToGroup } from "../../core/groups/messages.ts";
import { addParticipants, decideJoinRequests, joinRequestsPage, removeParticipants } from "../../core/groups/people.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { queryNumber } from "../../kernel/page.ts";
import { numberPattern } from "../../kernel/phone-numbers.ts";
import { Nullable, OneOf, Text, Uuid } from "../../kernel/schema.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { Instant, InstantOrNull, Nothing, Page, QueryText, REFUSALS, UPSTREAM_REFUSALS } from "./schemas.ts";

const Settings = {
  subject: Text(1, 128),
  description: Type.Optional(Text(0, 2048)),
  joinApprovalMode: Type.Optional(OneOf(JOIN_MODES)),
};
const CreateBody = Type.Object({ phoneId: Uuid(), ...Settings });
const PatchBody = Type.Object({ ...Settings, subject: Type.Optional(Settings.subject) });
const BSUID = "^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$";
const WaId = Type.String({
  pattern: `${numberPattern({ min: 6, max: 15, first: "1-9", takesBarePlus: true })}|${BSUID}`,
  description: "must be an E.164 number",
});
const PeopleBody = Type.Object({ waIds: Type.Array(WaId, { minItems: 1, maxItems: 50 }) });
const DecisionBody = Type.Object({ joinRequestIds: Type.Array(Text(1, 256), { description: "At most 100" }) });
const MessageBody = Type.Object({
  type: OneOf(GROUP_MESSAGE_TYPES),
  payload: Type.Object(
    {},
    {
      additionalProperties: Type.Unknown(),
      description: "What the network's own API takes under the name of the type; sent unchanged",
    },
  ),
});

const GroupView = Type.Object({
  id: Type.String(),
  upstreamGroupId: Type.String(),
  phoneId: Type.String(),
  subject: Type.String(),
  description: Type.String(),
  joinApprovalMode: OneOf(JOIN_MODES),
  inviteLink: Nullable(Type.String()),
  participants: Type.Array(Type.Object({ waId: Type.String(), joinedAt: InstantOrNull })),
  totalParticipantCount: Type.Integer(),
  suspended: Type.Boolean(),
  createdAt: Instant,
});

const groupView = (group: Group): Static<typeof GroupView> => ({
  id: group.id,
  upstreamGroupId: group.upstreamGroupId,
  phoneId: group.channelId,
  subject: group.subject,
  description: group.description,
  joinApprovalMode: group.joinApprovalMode,
  inviteLink: group.inviteLink,
  participants: group.participants,
  totalParticipantCount: group.totalParticipantCount,
  suspended: group.isSuspended,
  createdAt: iso(group.createdAt),
});

const JoinRequestView = Type.Object({ joinRequestId: Type.String(), waId: Type.String(), requestedAt: InstantOrNull });
const Failed = Type.Array(Type.Object({ joinRequestId: Type.String(), error: Type.String() }));
const Ids = Type.Array(Type.String());

const one = { 200: GroupView, ...UPSTREAM_REFUSALS };
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };
const Flag = Type.Optional(OneOf(["true", "false"]));

/** `limit` of the lists of groups: 25 by default, at most 100. */
const limitOf = (limit: string | undefined): number => queryNumber("limit", limit, { fallback: 25, min: 1, max: 100 });

/** Groups of official numbers. `:id` is our id or the network's. */
export const groups = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/groups", tags: ["groups"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { phoneId, ...input } = body;
        return status(201, groupView(await createGroup(env, principal, { channelId: phoneId, ...input })));
      },
      {
        body: CreateBody,
        response: { 201: GroupView, ...UPSTREAM_REFUSALS },
        detail: { operationId: "createGroup", summary: "Make a group; waits 10 seconds for the network" },
      },
    )
    .get(
      "/",
      async ({ principal, query: { phoneId, includeSuspended, limit, cursor } }) => {
        const { items, nextCursor } = await groupsPage(env, principal, {
          channelId: phoneId,
          withSuspended: includeSuspended === "true",
          cursor,
          limit: limitOf(limit),
        });
        return { items: items.map(groupView), nextCursor };
      },
      {
        query: Type.Object({
          phoneId: Uuid(),
          includeSuspended: Flag,
          limit: QueryText,
          cursor: Type.Optional(Uuid()),
        }),
        response: { 200: Page(GroupView), ...REFUSALS },
        detail: { operationId: "listGroups", summary: "List a phone's groups, newest first" },
      },
    )
    .get(
      "/:id",
      async ({ principal, params, query }) =>
        groupView(await (query.refresh === "true" ? refreshGroup : getGroup)(env, principal, params.id)),
      {
        query: Type.Object({ refresh: Flag }),
        response: one,
        detail: {
          operationId: "getGroup",
          summary: "Get a group as it is known here, or with `refresh` as the network has it",
        },
      },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => groupView(await changeGroup(env, principal, params.id, body)),
      {
        body: PatchBody,
        response: one,
        detail: {
          operationId: "updateGroup",
          summary: "Change a group's subject or description; no network offers to change how people join",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeGroup(env, principal, params.id);
        return status(204, undefined);
      },
      { response: done, detail: { operationId: "deleteGroup", summary: "Delete a group" } },
    )
    .post(
      "/:id/invite-link/reset",
      async ({ principal, params }) => ({ inviteLink: await resetInviteLink(env, principal, params.id) }),
      {
        response: { 200: Type.Object({ inviteLink: Type.String() }), ...UPSTREAM_REFUSALS },
        detail: { operationId: "resetGroupInviteLink", summary: "Get a new invite link; the one before stops working" },
      },
    )
    .post("/:id/leave", ({ principal, params }) => refuseUnoffered(env, principal, params.id, "leave a group"), {
      response: done,
      detail: { operationId: "leaveGroup", summary: "Leave a group: no network offers it, so it is refused" },
    })
    .post(
      "/:id/messages",
      async ({ principal, params, body, status }) =>
        status(202, { messageId: await sendToGroup(env, principal, { id: params.id, ...body }) }),
      {
        body: MessageBody,
        response: { 202: Type.Object({ messageId: Type.String() }), ...REFUSALS },
        detail: { operationId: "sendGroupMessage", summary: "Send a message to a group, in the network's own format" },
      },
    );

/** The participants and join requests of a group. */
export const groupPeople = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/groups", tags: ["groups"] })
    .use(auth)
    .post(
      "/:id/participants",
      async ({ principal, params, body, status }) => {
        await addParticipants(env, principal, { id: params.id, ...body });
        return status(204, undefined);
      },
      {
        body: PeopleBody,
        response: done,
        detail: {
          operationId: "addGroupParticipants",
          summary: "Ask the network to take people into a group; most networks want them to be invited",
        },
      },
    )
    .delete(
      "/:id/participants",
      async ({ principal, params, body, status }) => {
        await removeParticipants(env, principal, { id: params.id, ...body });
        return status(204, undefined);
      },
      {
        body: PeopleBody,
        response: done,
        detail: { operationId: "removeGroupParticipants", summary: "Take people out of a group" },
      },
    )
    .post(
      "/:id/admins",
      ({ principal, params }) =>
        refuseUnoffered(env, principal, params.id, "make somebody an administrator of a group"),
      {
        body: PeopleBody,
        response: done,
        detail: {
          operationId: "promoteGroupParticipants",
          summary: "Make people administrators: no network offers it, so it is refused",
        },
      },
    )
    .delete(
      "/:id/admins",
      ({ principal, params }) => refuseUnoffered(env, principal, params.id, "take away the administration of a group"),
      {
        body: PeopleBody,
        response: done,
        detail: {
          operationId: "demoteGroupParticipants",
          summary: "Take administration away: no network offers it, so it is refused",
        },
      },
    )
    .get(
      "/:id/join-requests",
      async ({ principal, params, query }) => {
        const { items, nextCursor } = await joinRequestsPage(env, principal, {
          id: params.id,
          after: query.after,
          limit: limitOf(query.limit),
        });
        return {
          items: items.map(({ requestedAt, ...request }) => ({ ...request, requestedAt: isoOrNull(requestedAt) })),
          nextCursor,
        };
      },
      {
        query: Type.Object({ limit: QueryText, after: Type.Optional(Text(1, 2048)) }),
        response: { 200: Page(JoinRequestView), ...UPSTREAM_REFUSALS },
        detail: { operationId: "listGroupJoinRequests", summary: "Who asks to join a group" },
      },
    )
    .post(
      "/:id/join-requests/approve",
      async ({ principal, params, body }) => {
        const { decided, failed } = await decideJoinRequests(env, principal, {
          id: params.id,
          ...body,
          decision: "approve",
        });
        return { success: true, approved: decided, failed };
      },
      {
        body: DecisionBody,
        response: {
          200: Type.Object({ success: Type.Boolean(), approved: Ids, failed: Failed }),
          ...UPSTREAM_REFUSALS,
        },
        detail: { operationId: "approveGroupJoinRequests", summary: "Let people into a group" },
      },
    )
    .post(
      "/:id/join-requests/reject",
      async ({ principal, params, body }) => {
        const { decided, failed } = await decideJoinRequests(env, principal, {
          id: params.id,
          ...body,
          decision: "reject",
        });
        return { success: true, rejected: decided, failed };
      },
      {
        body: DecisionBody,
        response: {
          200: Type.Object({ success: Type.Boolean(), rejected: Ids, failed: Failed }),
          ...UPSTREAM_REFUSALS,
        },
        detail: { operationId: "rejectGroupJoinRequests", summary: "Keep people out of a group" },
      },
    );
