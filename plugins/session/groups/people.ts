import type { GroupsApi, JoinDecision, PeopleChange, PersonOutcome } from "../../../src/contract/abilities/groups.ts";
import { childOf } from "../active-socket.ts";
import { node } from "../ask.ts";
import { membersOf, outcomesOf, participantNode, participantsIn } from "./members.ts";
import { change, type GroupPorts, type Open } from "./ports.ts";

type PeopleCalls = Required<
  Pick<GroupsApi, "addParticipants" | "removeParticipants" | "promote" | "demote" | "approve" | "reject">
>;

/** The changes of a group's people; each gives the outcome of every person. */
export const groupPeople = (ports: GroupPorts, open: Open): PeopleCalls => {
  const changePeople = (tag: "add" | "remove" | "promote" | "demote") => (groupId: string, waIds: readonly string[]) =>
    open(async (active): Promise<PeopleChange> => {
      const { members, missing } = await membersOf(ports.numbers, active, waIds);
      if (members.length === 0) return missing;
      const answer = await change(ports, active, groupId, node(tag, {}, members.map(participantNode)));
      return [...outcomesOf(members, participantsIn(childOf(answer, tag))), ...missing];
    });
  const decide = (tag: "approve" | "reject") => (groupId: string, ids: readonly string[]) =>
    open(async (active): Promise<JoinDecision> => {
      const { members, missing } = await membersOf(ports.numbers, active, ids);
      if (members.length === 0) return decisionOf(missing);
      const asked = node("membership_requests_action", {}, [node(tag, {}, members.map(participantNode))]);
      const answer = await change(ports, active, groupId, asked);
      const answered = participantsIn(childOf(childOf(answer, "membership_requests_action"), tag));
      return decisionOf([...outcomesOf(members, answered), ...missing]);
    });
  return {
    addParticipants: changePeople("add"),
    removeParticipants: changePeople("remove"),
    promote: changePeople("promote"),
    demote: changePeople("demote"),
    approve: decide("approve"),
    reject: decide("reject"),
  };
};

const decisionOf = (outcomes: readonly PersonOutcome[]): JoinDecision => ({
  decided: outcomes.flatMap(({ waId, outcome }) => (outcome === "done" ? [waId] : [])),
  failed: outcomes.flatMap(({ waId, outcome, code }) =>
    outcome === "done" ? [] : [{ joinRequestId: waId, error: `${outcome}${code === undefined ? "" : ` (${code})`}` }],
  ),
});
