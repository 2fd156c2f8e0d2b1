import type { GroupRules, JoinMode, JoinWay } from "../../../contract/abilities/groups.ts";
import { BY_GROUP, type Definitions, TO_ACCOUNTS, TO_ACCOUNTS_AND_APPS } from "./definition.ts";
import { idOf } from "./samples.ts";

export type GroupEvents = {
  "group.lifecycle": {
    groupId: string;
    upstreamGroupId: string;
    action: "created" | "deleted" | "suspended" | "unsuspended";
  };
  "group.participants": {
    groupId: string;
    action: "join" | "leave" | "remove" | "promote" | "demote";
    waIds: string[];
    way?: JoinWay;
    by?: string;
  };
  /** People ask to join a group, ask no longer, or were refused. */
  "group.join-requests": {
    groupId: string;
    action: "requested" | "withdrawn" | "rejected";
    waIds: string[];
    way?: JoinWay;
  };
  /** A member has another label in a group; null: none. */
  "group.member-label": { groupId: string; waId: string; label: string | null };
  /** A group belongs to a community from now on, or no longer. */
  "group.community": { groupId: string; action: "linked" | "unlinked"; communityId: string };
  "group.settings": {
    groupId: string;
    by?: string;
    inviteLink?: string;
    rules?: GroupRules;
    subject?: string;
    description?: string;
    joinApprovalMode?: JoinMode;
  };
  "group.status": { groupId: string; status: "ACTIVE" | "SUSPENDED"; suspended: boolean };
};

const GROUP = { groupId: idOf(8) };
const OF_GROUP = { ordering: BY_GROUP, direction: null } as const;

export const GROUP_EVENTS = {
  "group.lifecycle": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...GROUP, upstreamGroupId: "120363020000000001", action: "created" }],
  },
  "group.participants": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      { ...GROUP, action: "join", waIds: ["5511999999999"] },
      { ...GROUP, action: "join", waIds: ["5511999999999"], way: "invite-link" },
    ],
  },
  "group.join-requests": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...GROUP, action: "requested", waIds: ["5511999999999"], way: "invite-link" }],
  },
  "group.member-label": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, waId: "5511999999999", label: "Entregador" }],
  },
  "group.community": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, action: "linked", communityId: "120363020000000009@g.us" }],
  },
  "group.settings": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...GROUP, subject: "Entregas", joinApprovalMode: "APPROVAL_REQUIRED" }],
  },
  "group.status": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, status: "SUSPENDED", suspended: true }],
  },
} satisfies Definitions<GroupEvents>;
