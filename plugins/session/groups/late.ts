import type { GroupsApi } from "../../../src/contract/groups.ts";

/** The groups API of a session, whose engine is loaded with the first call. */
export const lateGroups = (groups: () => Promise<GroupsApi>): Required<Omit<GroupsApi, "remove">> => {
  type Call = (...args: never[]) => Promise<unknown>;
  const late = <Name extends Exclude<keyof GroupsApi, "createsWithPeople">>(name: Name) =>
    (async (...args: never[]) => ((await groups())[name] as Call)(...args)) as NonNullable<GroupsApi[Name]>;
  return {
    createsWithPeople: true,
    create: late("create"),
    list: late("list"),
    read: late("read"),
    update: late("update"),
    leave: late("leave"),
    setJoinMode: late("setJoinMode"),
    setRules: late("setRules"),
    setPicture: late("setPicture"),
    promote: late("promote"),
    demote: late("demote"),
    addParticipants: late("addParticipants"),
    removeParticipants: late("removeParticipants"),
    inviteLink: late("inviteLink"),
    resetInviteLink: late("resetInviteLink"),
    joinRequests: late("joinRequests"),
    approve: late("approve"),
    reject: late("reject"),
    send: late("send"),
  };
};
