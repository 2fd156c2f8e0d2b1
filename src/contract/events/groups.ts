import type { CommunityPlace, GroupRules, JoinMode, JoinWay } from "../abilities/groups.ts";
import type { UpstreamError } from "../upstream.ts";

/**
 * An update of a group. `requestId` names the request that caused it. `nativeId` is the same when the network repeats
 * the update. `waIds` are numbers as digits, or user ids if the network gives no number. A field that is absent was not
 * reported. `failed`: a request that the network had accepted failed; `isDeletion`: it was the deletion of the group.
 * `by`: the person who did it. `way`: how people came, or asked to come. `join-requests`: people ask to join, ask no
 * longer, or were refused. `label`: the label that a member has in the group; null if the member has it no longer.
 * `linked` and `unlinked`: a group belongs to a community from now on, or no longer.
 */
export type GroupUpdate = { kind: "group"; at: number; nativeId: string } & (
  | {
      what: "created";
      groupId: string;
      requestId?: string;
      subject?: string;
      description?: string;
      inviteLink?: string;
      joinApprovalMode?: JoinMode;
      participants?: string[];
      admins?: string[];
      community?: CommunityPlace;
    }
  | { what: "deleted"; groupId: string }
  | { what: "suspended" | "unsuspended"; groupId: string }
  | {
      what: "participants";
      groupId: string;
      action: "join" | "leave" | "remove" | "promote" | "demote";
      waIds: string[];
      way?: JoinWay;
      by?: string;
    }
  | {
      what: "join-requests";
      groupId: string;
      action: "requested" | "withdrawn" | "rejected";
      waIds: string[];
      way?: JoinWay;
    }
  | { what: "label"; groupId: string; waId: string; label: string | null }
  | { what: "linked" | "unlinked"; groupId: string; communityId: string }
  | ({ what: "settings"; groupId: string; subject?: string; description?: string; joinApprovalMode?: JoinMode } & {
      rules?: GroupRules;
      inviteLink?: string;
      by?: string;
    })
  | { what: "failed"; groupId?: string; requestId?: string; isDeletion?: boolean; error: UpstreamError }
);
