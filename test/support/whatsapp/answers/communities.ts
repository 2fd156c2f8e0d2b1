import { jidDecode } from "@whiskeysockets/baileys";
import type { Account, Group, Network } from "../model.ts";
import { child, children, type Stanza, stanza } from "../wire/stanza.ts";
import { announce, groupNode, memberNode, newGroup } from "./groups.ts";
import { BAD_REQUEST, FORBIDDEN, NOT_FOUND, type Refusal } from "./refusals.ts";

const linkedGroups = (network: Network, community: Group): Group[] =>
  [...network.groups.values()].filter(({ parent }) => parent === community);

/** The group for announcements, which every member of the community is in. */
const makeAnnouncements = (network: Network, community: Group): Group => {
  const { owner, subject, addressing, members } = community;
  const group = newGroup(network, { addressing, owner, subject, members: new Set(members) });
  group.settings.add("announcement");
  group.role = "announcements";
  group.parent = community;
  return group;
};

/** Makes a community of a new group. The network makes its group for announcements at once. */
export const foundCommunity = (network: Network, community: Group): Group => {
  community.role = "community";
  return makeAnnouncements(network, community);
};

const shown = (group: Group): Stanza =>
  stanza("group", { jid: group.jid, subject: group.subject, s_t: String(group.createdAt) });

type Asking = { network: Network; by: Account; group: Group };

/** The community's members learn of the group, and the group's members of the community. */
const tell = ({ network, by, group: community }: Asking, group: Group, tag: "link" | "unlink"): void => {
  const kind = `${tag}_type`;
  const reason = tag === "unlink" ? { unlink_reason: "unlink_group" } : {};
  const ofCommunity = stanza(tag, { [kind]: "sub_group", ...reason }, [shown(group)]);
  const ofGroup = stanza(tag, { [kind]: "parent_group", ...reason }, [shown(community)]);
  announce(network, { group: community, by, to: [...community.members] }, ofCommunity);
  announce(network, { group, by, to: [...group.members] }, ofGroup);
};

const failed = (jid: string | undefined, code: number): Stanza =>
  stanza("group", { jid }, [stanza("error", { code: String(code), text: "refused" })]);

/** Links one group, or says why not: it must exist, be nobody else's, and be administered by who asks. */
const linkOne = (asking: Asking, jid: string | undefined): Stanza => {
  const { network, by, group: community } = asking;
  const group = network.groups.get(jid ?? "");
  if (!group || group.role === "community") return failed(jid, 404);
  if (group.parent) return failed(jid, 409);
  if (!group.admins.has(by)) return failed(jid, 403);
  group.parent = community;
  for (const member of group.members) joinCommunity(network, community, member);
  tell(asking, group, "link");
  return stanza("group", { jid });
};

/** Members of a linked group are members of the community, and of its announcements. */
const joinCommunity = (network: Network, community: Group, account: Account): void => {
  const announcements = linkedGroups(network, community).filter(({ role }) => role === "announcements");
  for (const group of [community, ...announcements]) {
    if (group.members.has(account)) continue;
    const before = [...group.members];
    group.members.add(account);
    announce(network, { group, by: group.owner, to: before }, stanza("add", {}, [memberNode(group, account)]));
    announce(network, { group, by: group.owner, to: [account] }, stanza("create", {}, [groupNode(group)]));
  }
};

const unlinkOne = (asking: Asking, jid: string | undefined): Stanza => {
  const { network, group: community } = asking;
  const group = network.groups.get(jid ?? "");
  if (group?.parent !== community) return failed(jid, 404);
  if (group.role === "announcements") return failed(jid, 406);
  group.parent = undefined;
  tell(asking, group, "unlink");
  return stanza("group", { jid });
};

/** TABLE: what administrators do with a community. */
export const COMMUNITY_CHANGES: Readonly<Record<string, (asking: Asking, asked: Stanza) => Stanza[] | Refusal>> = {
  links: (asking, asked) => {
    const link = child(asked, "link");
    if (link?.attrs["link_type"] !== "sub_group") return BAD_REQUEST;
    const outcomes = children(link, "group").map(({ attrs }) => linkOne(asking, attrs["jid"]));
    return [stanza("links", {}, [stanza("link", { link_type: "sub_group" }, outcomes)])];
  },
  unlink: (asking, asked) => {
    if (asked.attrs["unlink_type"] !== "sub_group") return BAD_REQUEST;
    const outcomes = children(asked, "group").map(({ attrs }) => unlinkOne(asking, attrs["jid"]));
    return [stanza("unlink", { unlink_type: "sub_group" }, outcomes)];
  },
  delete_parent: (asking) => {
    const { network, by, group: community } = asking;
    if (community.owner !== by) return FORBIDDEN;
    for (const group of linkedGroups(network, community)) {
      if (group.role === "announcements") {
        remove(network, by, group);
        continue;
      }
      group.parent = undefined;
      tell(asking, group, "unlink");
    }
    remove(network, by, community);
    return [];
  },
};

const remove = (network: Network, by: Account, group: Group): void => {
  announce(network, { group, by, to: [...group.members] }, stanza("delete", { reason: "delete_parent" }));
  network.groups.delete(group.jid);
};

/** What members ask about a community. Undefined for other questions. */
export const askedOfCommunity = (network: Network, community: Group, asked: Stanza): Stanza[] | Refusal | undefined => {
  if (asked.tag !== "sub_groups" && asked.tag !== "linked_groups_participants") return undefined;
  if (community.role !== "community") return NOT_FOUND;
  const groups = linkedGroups(network, community);
  if (asked.tag === "sub_groups")
    return [
      stanza(
        "sub_groups",
        {},
        groups.map(({ jid, subject, createdAt, role }) =>
          stanza(
            "group",
            { id: jidDecode(jid)?.user, subject, s_t: String(createdAt) },
            role === "announcements" ? [stanza("default_sub_group")] : [],
          ),
        ),
      ),
    ];
  const people = new Set(groups.flatMap(({ members }) => [...members]));
  return [
    stanza(
      "linked_groups_participants",
      {},
      [...people].map((account) => {
        const { attrs } = memberNode(community, account);
        return stanza("participant", { ...attrs, type: undefined });
      }),
    ),
  ];
};

/** The community of a new group that is made in it, if who makes it administers that. */
export const communityFor = (network: Network, by: Account, asked: Stanza): Group | Refusal | undefined => {
  const jid = child(asked, "linked_parent")?.attrs["jid"];
  if (jid === undefined) return undefined;
  const community = network.groups.get(jid);
  if (community?.role !== "community") return NOT_FOUND;
  return community.admins.has(by) ? community : FORBIDDEN;
};
