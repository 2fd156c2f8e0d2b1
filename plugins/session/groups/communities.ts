import type { CommunitiesApi, LinkedGroup } from "../../../src/contract/abilities/groups.ts";
import { type ActiveSocket, childOf, childrenOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, node, refusal } from "../ask.ts";
import { newKey } from "../message-ids.ts";
import { countCreation } from "./creation.ts";
import { groupIn, groupJid } from "./group-nodes.ts";
import { participantsIn, waIdsOf } from "./members.ts";
import { ALL, about, change, type GroupPorts, type Open } from "./ports.ts";

/** The most people of a community that are listed. */
const MOST_PEOPLE = 10_000;

/** TABLE: why the network does not link a group to a community, or unlinks it; inferred. */
const WORDS: Readonly<Record<number, string>> = {
  403: "this account does not administer the group and the community",
  404: "the group does not exist, or does not belong to the community",
  406: "the announcement group belongs to its community",
  409: "the group belongs to a community already",
  419: "the community has as many groups as it may have",
};

/** The communities of a session. Their changes count as changes of groups, and a new community as a new group. */
export const communities = (ports: GroupPorts, open: Open): CommunitiesApi => ({
  create: (asked) => open((active) => found(ports, active, asked)),
  linkedGroups: (communityId) =>
    open(async ({ sock }) => {
      const answer = await ask(sock, about("get", communityId, node("sub_groups")));
      return childrenOf(childOf(answer, "sub_groups")).flatMap(linkedGroupIn);
    }),
  link: (communityId, groupId) =>
    open(async (active): Promise<true> => {
      const asked = node("links", {}, [node("link", { link_type: "sub_group" }, [node("group", { jid: groupId })])]);
      const answer = await change(ports, active, communityId, asked);
      requireDone(childOf(childOf(answer, "links"), "link"));
      return true;
    }),
  unlink: (communityId, groupId) =>
    open(async (active): Promise<true> => {
      const asked = node("unlink", { unlink_type: "sub_group" }, [node("group", { jid: groupId })]);
      requireDone(childOf(await change(ports, active, communityId, asked), "unlink"));
      return true;
    }),
  participants: (communityId) =>
    open(async ({ sock, keyStore }) => {
      const answer = await ask(sock, about("get", communityId, node("linked_groups_participants")));
      const people = participantsIn(childOf(answer, "linked_groups_participants"));
      return waIdsOf(keyStore, people.slice(0, MOST_PEOPLE));
    }),
  deactivate: (communityId) =>
    open(async (active): Promise<true> => {
      await change(ports, active, communityId, node("delete_parent"));
      return true;
    }),
});

/** A group as its community lists it. */
const linkedGroupIn = (group: Stanza): LinkedGroup[] => {
  const id = group.attrs["jid"] ?? group.attrs["id"];
  if (group.tag !== "group" || id === undefined) return [];
  const isAnnouncementGroup = childOf(group, "default_sub_group") !== undefined;
  return [{ groupId: groupJid(id), subject: group.attrs["subject"] ?? "", isAnnouncementGroup }];
};

/** The network answers for each group, and names an error inside it. @throws Ended */
const requireDone = (outcomes: Stanza | undefined): void => {
  const error = childrenOf(outcomes).flatMap((group) => childOf(group, "error") ?? [])[0];
  if (!error) return;
  const code = Number(error.attrs["code"]);
  throw new Ended(refusal(WORDS[code] ?? `the network refused it (${code})`, Number.isInteger(code) ? code : null));
};

type Asked = Parameters<CommunitiesApi["create"]>[0];

/** Makes a community. The network announces it, and its announcement group, as groups are announced. */
const found = async (ports: GroupPorts, active: ActiveSocket, { subject, description }: Asked) => {
  await countCreation(ports, active);
  const text = description ? [descriptionNode(ports, description)] : [];
  const parent = node("parent", { default_membership_approval_mode: "request_required" });
  const asked = node("create", { subject, key: newKey(ports.host.random) }, [...text, parent]);
  const answer = await ask(active.sock, about("set", ALL, asked));
  const made = await groupIn(active.keyStore, childOf(answer, "group"));
  if (!made) throw new Ended(refusal("the network did not describe the new community"));
  return { groupId: made.groupId };
};

const descriptionNode = ({ host }: GroupPorts, text: string): Stanza =>
  node("description", { id: newKey(host.random) }, [node("body", {}, Buffer.from(text))]);
