import type { GroupRules, JoinMode } from "../../../contract/abilities/groups.ts";
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
  };
  "group.settings": {
    groupId: string;
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
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, action: "join", waIds: ["5511999999999"] }],
  },
  "group.settings": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, subject: "Entregas", joinApprovalMode: "APPROVAL_REQUIRED" }],
  },
  "group.status": {
    ...OF_GROUP,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...GROUP, status: "SUSPENDED", suspended: true }],
  },
} satisfies Definitions<GroupEvents>;
