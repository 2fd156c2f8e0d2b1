import type { GroupsApi, PersonOutcome } from "../../../src/contract/abilities/groups.ts";
import { type ActiveSocket, childOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, failureOf, node, refusal, tooSoon } from "../ask.ts";
import { newKey } from "../message-ids.ts";
import { describeGroup } from "./changes.ts";
import { groupIn } from "./group-nodes.ts";
import { type Member, membersOf, outcomesOf, participantNode, participantsIn } from "./members.ts";
import { ALL, about, type GroupPorts } from "./ports.ts";

type Asked = Parameters<GroupsApi["create"]>[0];
type Made = { requestId: string; people: readonly PersonOutcome[]; description?: string };

/** Makes a group and reports it, before the network's announcement of it is read. @throws Ended */
export const createGroup = async (ports: GroupPorts, active: ActiveSocket, asked: Asked): Promise<Made> => {
  const { host } = ports;
  await countCreation(ports, active);
  const { members, missing } = await membersOf(ports.numbers, active, asked.participants ?? []);
  const requestId = newKey(host.random);
  const answer = await ask(active.sock, about("set", ALL, creationNode(asked, requestId, members)));
  const found = childOf(answer, "group");
  const created = await groupIn(active.keyStore, found);
  if (!created) throw new Ended(refusal("the network did not describe the new group"));
  const { groupId, joinApprovalMode, participants, admins = [], community } = created;
  await host.emit({
    kind: "group",
    what: "created",
    at: host.clock.now(),
    nativeId: `created/${groupId}`,
    groupId,
    requestId,
    subject: asked.subject,
    joinApprovalMode,
    participants: [...participants],
    admins: [...admins],
    ...(community ? { community } : {}),
  });
  const { description } = asked;
  const isDescribed = description ? await describe(ports, active, groupId, description) : false;
  return {
    requestId,
    people: [...outcomesOf(members, participantsIn(found)), ...missing],
    ...(description && isDescribed ? { description } : {}),
  };
};

/** Counts a new group before the network does, so that a crash does not undo it. @throws Ended when it comes too soon */
export const countCreation = async (
  { limits }: Pick<GroupPorts, "limits">,
  { keyStore }: Pick<ActiveSocket, "keyStore">,
): Promise<void> => {
  const waitMs = limits.groups.creationWaitMs();
  if (waitMs > 0) throw new Ended(tooSoon("This number has made as many groups as it should in a day.", waitMs));
  await keyStore.write({ rows: [limits.rowOf("groups")] });
};

/** Whether the group has got its description. The group exists either way. */
const describe = async (ports: GroupPorts, active: ActiveSocket, groupId: string, text: string): Promise<boolean> => {
  try {
    await describeGroup(ports, active, groupId, text);
    return true;
  } catch (thrown) {
    ports.host.log.warn({ failure: failureOf(thrown).kind }, "a new group could not be given its description");
    return false;
  }
};

/** The stanza of a new group. The network refuses people with a bare LID: see `participantNode`. */
const creationNode = (
  { subject, joinApprovalMode, communityId }: Asked,
  requestId: string,
  members: readonly Member[],
): Stanza =>
  node("create", { subject, key: requestId }, [
    ...members.map(participantNode),
    ...(joinApprovalMode === "APPROVAL_REQUIRED"
      ? [node("membership_approval_mode", {}, [node("group_join", { state: "on" })])]
      : []),
    ...(communityId === undefined ? [] : [node("linked_parent", { jid: communityId })]),
  ]);
