import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { GROUP_MESSAGE_TYPES, JOIN_MODES } from "../../../contract/abilities/groups.ts";
import { createGroup } from "../../../core/groups/creation.ts";
import {
  changeGroup,
  type Group,
  getGroup,
  groupsPage,
  removeGroup,
  resetInviteLink,
} from "../../../core/groups/groups.ts";
import { getInviteLink, leaveGroup, setGroupPicture } from "../../../core/groups/membership.ts";
import { sendToGroup } from "../../../core/groups/messages.ts";
import { refreshGroup, refreshGroups } from "../../../core/groups/refresh.ts";
import type { Accepted } from "../../../core/messaging/sending/accept.ts";
import { iso } from "../../../kernel/clock.ts";
import { Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { DryRunMessage, DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { askedBy } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { GroupRules } from "../events/event-schemas/parts.ts";
import { MAX_PICTURE_BODY_BYTES, PictureBody, pictureOf } from "../media/pictures.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, InstantOrNull, Nothing, Page, QueryLimit, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { limitOf, OutcomesView, WaIds } from "./group-people.ts";

const Settings = {
  subject: Text(1, 128),
  description: Type.Optional(Text(0, 2048)),
  joinApprovalMode: Type.Optional(OneOf(JOIN_MODES, { title: "GroupJoinMode" })),
};
const CreateBody = Type.Object({ phoneId: Uuid(), ...Settings, participants: Type.Optional(WaIds(0)) });
const PatchBody = Type.Object({
  ...Settings,
  subject: Type.Optional(Settings.subject),
  rules: Type.Optional(GroupRules),
});
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

const GroupView = Type.Object(
  {
    id: Type.String(),
    upstreamGroupId: Type.String(),
    phoneId: Type.String(),
    subject: Type.String(),
    description: Type.String(),
    joinApprovalMode: OneOf(JOIN_MODES, { title: "GroupJoinMode" }),
    inviteLink: Nullable(Type.String()),
    participants: Type.Array(
      Type.Object(
        { waId: Type.String(), joinedAt: InstantOrNull, isAdmin: Type.Optional(Type.Boolean()) },
        { title: "GroupParticipant" },
      ),
    ),
    totalParticipantCount: Type.Integer(),
    suspended: Type.Boolean(),
    createdAt: Instant,
    rules: Type.Optional(GroupRules),
  },
  { title: "Group" },
);
const NewGroupView = Type.Composite([GroupView, Type.Object({ participantOutcomes: Type.Optional(OutcomesView) })], {
  title: "CreatedGroup",
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
  ...(group.rules ? { rules: group.rules } : {}),
});

const LinkView = Type.Object({ inviteLink: Type.String() }, { title: "GroupInvite" });
const one = { 200: GroupView, ...UPSTREAM_REFUSALS };
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };
const Flag = Type.Optional(OneOf(["true", "false"]));

/** Groups of official numbers and of sessions. `:id` is our id or the network's. */
export const groups = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/groups", tags: ["groups"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { phoneId, ...input } = body;
        const { group, people } = await createGroup(env, principal, { channelId: phoneId, ...input });
        return status(201, { ...groupView(group), ...(people ? { participantOutcomes: [...people] } : {}) });
      },
      {
        body: CreateBody,
        response: { 201: NewGroupView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "createGroup",
          summary: "Create a group",
          description:
            "It waits 10 seconds for the network. `participants` and `rules` hold where the network offers them.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query: { phoneId, includeSuspended, limit, cursor, refresh } }) => {
        if (refresh === "true") await refreshGroups(env, principal, phoneId);
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
          refresh: Flag,
          limit: QueryLimit(100, 25),
          cursor: Type.Optional(Uuid()),
        }),
        response: { 200: Page(GroupView), ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "listGroups",
          summary: "List a phone's groups, newest first",
          description: "With `refresh` a network that lists its groups is asked first.",
        },
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
          summary: "Get a group",
          description: "As it is known here; with `refresh` as the network has it now.",
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
          summary: "Change a group's subject, description, join mode or rules",
          description: "A missing field stays. Rules, and another join mode, only where the network offers them.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeGroup(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          operationId: "deleteGroup",
          summary: "Delete a group",
          description: "It is hidden at once; the network confirms it later. Not every network offers it.",
        },
      },
    )
    .post(
      "/:id/invite-link/reset",
      async ({ principal, params }) => ({ inviteLink: await resetInviteLink(env, principal, params.id) }),
      {
        response: { 200: LinkView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "resetGroupInviteLink",
          summary: "Get a new invite link",
          description: "The one before stops working.",
        },
      },
    )
    .get(
      "/:id/invite-link",
      async ({ principal, params }) => ({ inviteLink: await getInviteLink(env, principal, params.id) }),
      {
        response: { 200: LinkView, ...UPSTREAM_REFUSALS },
        detail: { operationId: "getGroupInviteLink", summary: "Get the invite link of a group from the network" },
      },
    )
    .post(
      "/:id/leave",
      async ({ principal, params, status }) => {
        await leaveGroup(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          operationId: "leaveGroup",
          summary: "Leave a group",
          description: "The group is then unknown here. Not every network offers it.",
        },
      },
    )
    .put(
      "/:id/picture",
      async ({ principal, params, body, status }) => {
        await setGroupPicture(env, principal, { id: params.id, picture: pictureOf(env, body) });
        return status(204, undefined);
      },
      {
        body: PictureBody,
        response: done,
        detail: {
          ...routeOptions({ maxBodyBytes: MAX_PICTURE_BODY_BYTES }),
          operationId: "setGroupPicture",
          summary: "Set a group's picture",
          description: "Exactly one of `mediaUrl` and `base64`. Not every network offers it.",
        },
      },
    )
    .delete(
      "/:id/picture",
      async ({ principal, params, status }) => {
        await setGroupPicture(env, principal, { id: params.id, picture: null });
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          operationId: "removeGroupPicture",
          summary: "Remove a group's picture",
          description: "Not every network offers it.",
        },
      },
    )
    .post(
      "/:id/messages",
      async ({ principal, params, body, query, request, status }) => {
        const isDry = isDryRun(query);
        const { messageId, recipient } = await sendToGroup(
          env,
          principal,
          { id: params.id, ...body },
          {
            isDryRun: isDry,
            ...askedBy(principal, request),
            ...storingAnswer(env, request, (accepted: Accepted) => ({
              status: 202,
              body: { messageId: accepted.messageId },
            })),
          },
        );
        if (!isDry) return status(202, { messageId });
        return status(200, { dryRun: true as const, to: recipient, isRepeat: false, cost: null });
      },
      {
        body: MessageBody,
        query: DryRunQuery,
        response: { 200: DryRunMessage, 202: Type.Object({ messageId: Type.String() }), ...REFUSALS },
        detail: {
          ...routeOptions({ storesAnswer: true, takesDryRun: true }),
          operationId: "sendGroupMessage",
          summary: "Send a message to a group, in the network's own format",
          description:
            "`payload` is checked by `type` and sent unchanged: a file has exactly one of `id` and `link`. At " +
            "most 64 KiB. message:status says what becomes of it.",
        },
      },
    );
