import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type InvitedGroup, JOIN_MODES, JOIN_STATES } from "../../../contract/abilities/groups.ts";
import { type Joined, joinByInvitation, lookAtInvitation } from "../../../core/groups/invites.ts";
import { described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { IDS, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { UPSTREAM_REFUSALS } from "../schemas.ts";
import { GroupView, groupView } from "./group-views.ts";

const Code = described(
  Text(1, 512),
  "The code of the invite link, or the whole link",
  "https://chat.whatsapp.com/Zk3vX9pQ2rT",
);
const Joining = described(Uuid(), "The phone that joins", IDS.phone);
const JoinBody = Type.Object({ phoneId: Joining, code: Code }, { title: "JoinGroupRequest" });
const AcceptBody = Type.Object({ phoneId: Joining }, { title: "AcceptGroupInvitationRequest" });
const LookQuery = Type.Object({ phoneId: described(Uuid(), "The phone that looks", IDS.phone) });
const upstreamGroupId = Type.String({
  description: "The network's id of the group",
  examples: ["120363000000000001@g.us"],
});
const JoinView = Type.Object(
  {
    status: OneOf(JOIN_STATES, {
      title: "GroupJoinState",
      description: "`awaiting-approval`: an administrator of the group decides",
      examples: ["joined"],
    }),
    upstreamGroupId,
    group: described(
      Nullable(GroupView),
      "The group; null while an administrator has to approve, or if the network did not describe it in time",
    ),
  },
  { title: "JoinedGroup" },
);
const InvitedView = Type.Object(
  {
    upstreamGroupId,
    subject: Type.String({ description: "The group's name", examples: ["Clientes da Padaria"] }),
    description: Type.String({
      description: "A text about the group; empty without one",
      examples: ["Pães e bolos todos os dias"],
    }),
    totalParticipantCount: Type.Integer({ description: "How many people it has", examples: [12] }),
    joinApprovalMode: OneOf(JOIN_MODES, {
      title: "GroupJoinMode",
      description: "Whether administrators approve who joins",
    }),
    pictureUrl: Nullable(
      Type.String({
        description: "The address of its picture for some days; null if none is shown",
        examples: ["https://pps.whatsapp.net/v/padaria.jpg"],
      }),
    ),
    communityId: Nullable(
      Type.String({
        description: "The network's id of its community; null without a community",
        examples: ["120363000000000009@g.us"],
      }),
    ),
    isCommunity: Type.Boolean({ description: "Whether it is a community itself", examples: [false] }),
  },
  { title: "InvitedGroup" },
);

const invitedView = ({ groupId, community, ...group }: InvitedGroup) => ({
  ...group,
  upstreamGroupId: groupId,
  communityId: community?.communityId ?? null,
  isCommunity: community?.isCommunity ?? false,
});

const joinedView = ({ state, groupId, group }: Joined) => ({
  status: state,
  upstreamGroupId: groupId,
  group: group ? groupView(group) : null,
});
const joined = { 200: JoinView, ...UPSTREAM_REFUSALS };
const invited = { 200: InvitedView, ...UPSTREAM_REFUSALS };

/** The device that is linked for a phone answers; of several nodes one has it. */
const link = routeOptions({ link: "required" });

/** Groups to which a phone is invited. */
export const groupInvites = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/groups",
    tags: ["groups"],
    detail: {
      ...link,
      ...inPath({
        inviteCode: Type.String({ description: "The code of the invite link, or the whole link, encoded" }),
        messageId: Type.String({ description: "The message that brought the invitation" }),
      }),
    },
  })
    .use(auth)
    .post(
      "/join",
      async ({ principal, body: { phoneId: channelId, code } }) =>
        joinedView(await joinByInvitation(env, principal, { channelId, code })),
      {
        body: JoinBody,
        response: joined,
        detail: {
          ...route({ operationId: "joinGroup", acts: "none: daily work", isolation: { phoneId: "channel" } }),
          summary: "Join a group by its invite link",
          description: "Each attempt counts: five in the day of a young phone, else twenty. SESSION only.",
        },
      },
    )
    .get(
      "/invites/:inviteCode",
      async ({ principal, params: { inviteCode: code }, query: { phoneId: channelId } }) =>
        invitedView(await lookAtInvitation(env, principal, { channelId, code })),
      {
        query: LookQuery,
        response: invited,
        detail: {
          ...route({ operationId: "getInvitedGroup", isolation: { phoneId: "channel" } }),
          summary: "See what an invite link leads to, without joining",
          description: "Counts as a change of groups: at most 20 a minute. SESSION only.",
        },
      },
    )
    .post(
      "/invitations/:messageId/accept",
      async ({ principal, params: { messageId }, body: { phoneId: channelId } }) =>
        joinedView(await joinByInvitation(env, principal, { channelId, messageId })),
      {
        body: AcceptBody,
        response: joined,
        detail: {
          ...route({
            operationId: "acceptGroupInvitation",
            acts: "none: daily work",
            isolation: { phoneId: "channel", messageId: "message" },
          }),
          summary: "Join a group by an invitation that a member sent to the phone",
          description: "It counts as joining by a link does. SESSION only.",
        },
      },
    )
    .get(
      "/invitations/:messageId",
      async ({ principal, params: { messageId }, query: { phoneId: channelId } }) =>
        invitedView(await lookAtInvitation(env, principal, { channelId, messageId })),
      {
        query: LookQuery,
        response: invited,
        detail: {
          ...route({
            operationId: "getGroupInvitation",
            isolation: { phoneId: "channel", messageId: "message" },
          }),
          summary: "See what an invitation in a message leads to, without joining",
          description: "Counts as a change of groups: at most 20 a minute. SESSION only.",
        },
      },
    );
