import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { GROUP_MESSAGE_TYPES, JOIN_MODES } from "../../../contract/abilities/groups.ts";
import { createGroup } from "../../../core/groups/creation.ts";
import { changeGroup, getGroup, groupsPage, removeGroup, resetInviteLink } from "../../../core/groups/groups.ts";
import {
  changeGroupChat,
  getInviteLink,
  leaveGroup,
  setGroupPicture,
  setOwnLabel,
} from "../../../core/groups/membership.ts";
import { sendToGroup } from "../../../core/groups/messages.ts";
import { refreshGroup, refreshGroups } from "../../../core/groups/refresh.ts";
import type { Accepted } from "../../../core/messaging/sending/accept.ts";
import { described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { DryRunMessage, DryRunQuery, isDryRun } from "../../shared/dry-run.ts";
import { Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { askedBy } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { GatewayAuth } from "../auth.ts";
import { actsIn, ChatBody, EnqueuedView } from "../chats/chat-acts.ts";
import type { GatewayEnv } from "../env.ts";
import { GroupRules } from "../events/event-schemas/parts.ts";
import { MAX_PICTURE_BODY_BYTES, PictureBody, pictureOf } from "../media/pictures.ts";
import { route, routeOptions } from "../route-options.ts";
import { Nothing, Page, QueryLimit, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { limitOf, OutcomesView, WaIds } from "./group-people.ts";
import { GroupView, groupView } from "./group-views.ts";

const Settings = {
  subject: described(Text(1, 128), "The name of the group", "Clientes da Padaria"),
  description: Type.Optional(
    described(Text(0, 2048), "A text about the group; at most 2,048 characters", "Novidades da padaria"),
  ),
  joinApprovalMode: Type.Optional(
    OneOf(JOIN_MODES, { title: "GroupJoinMode", description: "Whether administrators approve who joins" }),
  ),
};
const CreateBody = Type.Object({
  phoneId: described(Uuid(), "The phone that creates the group", IDS.phone),
  ...Settings,
  participants: Type.Optional(described(WaIds(0), "The numbers or ids of the people", ["5511988887777"])),
  communityId: Type.Optional(
    described(
      Text(1, 128),
      "The community to make it in, by its id here or the network's; without one by default",
      "120363000000000009@g.us",
    ),
  ),
});
const PatchBody = Type.Object({
  ...Settings,
  subject: Type.Optional(described(Settings.subject, "The group's name", "Clientes da Padaria")),
  rules: Type.Optional(
    described(GroupRules, "The rights that only administrators have; a missing rule stays unchanged", {
      onlyAdminsSend: false,
      onlyAdminsEdit: true,
      onlyAdminsAdd: false,
    }),
  ),
});
const LabelBody = Type.Object(
  { label: described(Nullable(Text(0, 30)), "The label, such as a role; null or empty removes it", "Padeiro") },
  { title: "GroupMemberLabelRequest" },
);
const MessageBody = Type.Object({
  type: OneOf(GROUP_MESSAGE_TYPES, { description: "The type of the content, as the network names it" }),
  payload: Type.Object(
    {},
    {
      additionalProperties: Type.Unknown(),
      description: "The object that the network's own API takes under the name of the type; sent unchanged",
      examples: [{ body: "Amanhã abrimos às 7h." }],
    },
  ),
});

const NewGroupView = Type.Composite([GroupView, Type.Object({ participantOutcomes: Type.Optional(OutcomesView) })], {
  title: "CreatedGroup",
});

const LinkView = Type.Object(
  {
    inviteLink: Type.String({
      description: "Anyone who has it can join",
      examples: ["https://chat.whatsapp.com/Zk3vX9pQ2rT"],
    }),
  },
  { title: "GroupInvite" },
);
const one = { 200: GroupView, ...UPSTREAM_REFUSALS };
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };
const Flag = Type.Optional(OneOf(["true", "false"]));

/** The device that is linked for a phone answers; of several nodes one has it. */
const link = routeOptions({ link: "required" });

/** Groups of official numbers and of sessions. `:id` is our id or the network's. */
export const groups = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/groups",
    tags: ["groups"],
    detail: { ...link, ...inPath({ id: Type.String({ description: "The group's id here, or the network's" }) }) },
  })
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
          ...route({
            operationId: "createGroup",
            acts: "none: daily work",
            isolation: { phoneId: "channel", communityId: "group" },
          }),
          summary: "Create a group",
          description:
            "It waits 10 seconds for the network. `participants` and `communityId` apply if the network offers them.",
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
          phoneId: described(Uuid(), "The phone whose groups are listed"),
          includeSuspended: described(Flag, "Includes suspended groups; false by default"),
          refresh: described(Flag, "Asks the network first; false by default"),
          limit: QueryLimit(100, 25),
          cursor: Type.Optional(Cursor(Uuid())),
        }),
        response: { 200: Page(GroupView), ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listGroups", isolation: { phoneId: "channel", cursor: "group" } }),
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
        query: Type.Object({ refresh: described(Flag, "Asks the network first; false by default") }),
        response: one,
        detail: {
          ...route({ operationId: "getGroup", isolation: { id: "group" } }),
          summary: "Get a group",
          description: "As it is stored here; with `refresh`, as the network has it now.",
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
          ...route({ operationId: "updateGroup", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Change a group's subject, description, join mode or rules",
          description:
            "A missing field stays unchanged. Rules and the join mode can change only if the network offers it.",
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
          ...route({ operationId: "deleteGroup", acts: "none: daily work", isolation: { id: "group" } }),
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
          ...route({ operationId: "resetGroupInviteLink", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Get a new invite link",
          description: "The earlier link stops working.",
        },
      },
    )
    .get(
      "/:id/invite-link",
      async ({ principal, params }) => ({ inviteLink: await getInviteLink(env, principal, params.id) }),
      {
        response: { 200: LinkView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "getGroupInviteLink", isolation: { id: "group" } }),
          summary: "Get the invite link of a group from the network",
          description: "Anyone with the link can join, or can ask to join if administrators approve.",
        },
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
          ...route({ operationId: "leaveGroup", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Leave a group",
          description: "The group is then unknown here. Not every network offers it.",
        },
      },
    )
    .put(
      "/:id/member-label",
      async ({ principal, params, body, status }) => {
        await setOwnLabel(env, principal, { id: params.id, label: body.label === "" ? null : body.label });
        return status(204, undefined);
      },
      {
        body: LabelBody,
        response: done,
        detail: {
          ...route({ operationId: "setGroupMemberLabel", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Set the phone's own label in a group",
          description: "The members see it beside the phone's name. Everybody sets only their own. SESSION only.",
        },
      },
    )
    .patch(
      "/:id/chat",
      async ({ principal, params, body, status }) => {
        await changeGroupChat(env, principal, { id: params.id, acts: actsIn(body) });
        return status(202, { status: "enqueued" });
      },
      {
        body: ChatBody,
        response: { 202: EnqueuedView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "changeGroupChat",
            acts: "none: daily work",
            isolation: { id: "group" },
            link: "required",
          }),
          summary: "Change a group's chat in the phone's own app: archive, pin, mute, mark as unread",
          description:
            "It is done afterwards, and ends as chat:changed or chat:operation_failed. Only one of `muted` and " +
            "`mutedUntil` may be given. SESSION only.",
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
          ...route({
            operationId: "setGroupPicture",
            acts: "none: daily work",
            isolation: { id: "group" },
            maxBodyBytes: MAX_PICTURE_BODY_BYTES,
          }),
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
          ...route({ operationId: "removeGroupPicture", acts: "none: daily work", isolation: { id: "group" } }),
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
        response: {
          200: DryRunMessage,
          202: Type.Object({ messageId: Id("The message that was accepted", "message") }),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "sendGroupMessage",
            acts: "none: daily work",
            isolation: { id: "group" },
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Send a message to a group, in the network's own format",
          description:
            "`payload` is checked by `type` and sent unchanged: a file has exactly one of `id` and `link`. At " +
            "most 64 KiB. message:status reports its progress.",
        },
      },
    );
