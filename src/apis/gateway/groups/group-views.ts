import { Type } from "@sinclair/typebox";
import { JOIN_MODES } from "../../../contract/abilities/groups.ts";
import type { Group } from "../../../core/groups/groups.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { CreatedAt, Id } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import { GroupRules } from "../events/event-schemas/parts.ts";
import { InstantOrNull } from "../schemas.ts";

/** A group, as all routes of groups and communities show it. */
export const GroupView = Type.Object(
  {
    id: Id("The group's id"),
    upstreamGroupId: Type.String({
      description: "The network's id of the group",
      examples: ["120363000000000001@g.us"],
    }),
    phoneId: Id("The phone that is in the group", "phone"),
    subject: Type.String({ description: "The group's name", examples: ["Clientes da Padaria"] }),
    description: Type.String({
      description: "A text about the group; empty without one",
      examples: ["Pães e bolos todos os dias"],
    }),
    joinApprovalMode: OneOf(JOIN_MODES, {
      title: "GroupJoinMode",
      description: "Whether administrators approve who joins",
    }),
    inviteLink: Nullable(
      Type.String({
        description: "The link for joining; null while the network has given none",
        examples: ["https://chat.whatsapp.com/Zk3vX9pQ2rT"],
      }),
    ),
    participants: Type.Array(
      Type.Object(
        {
          waId: Type.String({ description: "The person's number or id", examples: ["5511988887777"] }),
          joinedAt: described(InstantOrNull, "When the person joined; null if unknown", "2026-11-22T12:00:00.000Z"),
          label: Type.Optional(
            described(Text(1, 100), "The person's own label in this group; absent if none is known", "Entregador"),
          ),
          isAdmin: Type.Optional(
            Type.Boolean({ description: "Whether the person is an administrator of it", examples: [false] }),
          ),
        },
        { title: "GroupParticipant" },
      ),
      { description: "The people in the group" },
    ),
    totalParticipantCount: Type.Integer({ description: "How many people it has", examples: [12] }),
    suspended: Type.Boolean({ description: "Whether the network suspended it", examples: [false] }),
    createdAt: CreatedAt("group"),
    communityId: Type.Optional(
      Nullable(
        Type.String({
          description:
            "The network's id of the community that it is linked to; null without a community, absent if the " +
            "network has no communities",
          examples: ["120363000000000009@g.us"],
        }),
      ),
    ),
    isCommunity: Type.Optional(
      Type.Boolean({
        description: "Whether it is a community itself; absent if the network has no communities",
        examples: [false],
      }),
    ),
    isAnnouncementGroup: Type.Optional(
      Type.Boolean({
        description:
          "Whether it is the group for the announcements of its community; absent if the network has no communities",
        examples: [false],
      }),
    ),
    rules: Type.Optional(
      described(GroupRules, "The rights that only administrators have; absent if the network has no such rules", {
        onlyAdminsSend: false,
        onlyAdminsEdit: true,
        onlyAdminsAdd: false,
      }),
    ),
  },
  { title: "Group" },
);
export const groupView = ({ community, ...group }: Group) =>
  toView(GroupView, group, {
    phoneId: group.channelId,
    suspended: group.isSuspended,
    ...(community
      ? {
          communityId: community.communityId ?? null,
          isCommunity: community.isCommunity ?? false,
          isAnnouncementGroup: community.isAnnouncementGroup ?? false,
        }
      : {}),
  });
