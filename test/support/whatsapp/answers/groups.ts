import { jidDecode } from "@whiskeysockets/baileys";
import { linkedOf } from "../messages/messages.ts";
import { type Account, type Group, jidOf, type Network } from "../model.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";

export const memberNode = ({ addressing, owner, admins }: Group, account: Account): Stanza => {
  const alt =
    addressing === "lid" ? { phone_number: account.pn && jidOf(account, "pn") } : { lid: jidOf(account, "lid") };
  return stanza("participant", {
    jid: jidOf(account, addressing),
    type: account === owner ? "superadmin" : admins.has(account) ? "admin" : undefined,
    ...alt,
  });
};

/** A group in the network's form. */
export const groupNode = (group: Group): Stanza => {
  const { jid, subject, addressing, owner, createdAt, members } = group;
  const at = String(createdAt);
  return stanza(
    "group",
    {
      id: jidDecode(jid)?.user,
      subject,
      s_t: at,
      s_o: jidOf(owner, addressing),
      creation: at,
      creator: jidOf(owner, addressing),
      addressing_mode: addressing,
      size: String(members.size),
    },
    [...[...members].map((member) => memberNode(group, member)), ...settingNodes(group)],
  );
};

const settingNodes = ({ description, settings, disappearsAfter, parent, role }: Group): Stanza[] => [
  ...(role === "community" ? [stanza("parent", { default_membership_approval_mode: "request_required" })] : []),
  ...(role === "announcements" ? [stanza("default_sub_group")] : []),
  ...(parent ? [stanza("linked_parent", { jid: parent.jid })] : []),
  ...(disappearsAfter > 0 ? [stanza("ephemeral", { expiration: String(disappearsAfter) })] : []),
  ...(description
    ? [stanza("description", { id: description.id }, [stanza("body", {}, Buffer.from(description.text))])]
    : []),
  ...["announcement", "locked"].filter((name) => settings.has(name)).map((name) => stanza(name)),
  ...(settings.has("membership_approval_mode")
    ? [stanza("membership_approval_mode", {}, [stanza("group_join", { state: "on" })])]
    : []),
  stanza("member_add_mode", {}, Buffer.from(settings.has("all_member_add") ? "all_member_add" : "admin_add")),
];

export const groupsOf = (network: Network, account: Account): Group[] =>
  [...network.groups.values()].filter(({ jid, members }) => jid !== STATUS && members.has(account));

const STATUS = "status@broadcast";

/** The people who see the next statuses of a person. They get messages like a group. */
export const statusOf = (network: Network, owner: Account, viewers: readonly Account[]): { group: Group } => {
  const members = new Set([owner, ...viewers]);
  const group = newGroup(network, { jid: STATUS, addressing: "lid", owner, subject: "", members });
  return { group };
};

/** Notifies the linked devices of these accounts of a group's change. */
export const announce = (
  network: Network,
  { group, by, to }: { group: Group; by: Account; to: Iterable<Account> },
  what: Stanza,
  at = network.now(),
): void => {
  const names = {
    from: group.jid,
    participant: jidOf(by, group.addressing),
    participant_pn: by.pn && jidOf(by, "pn"),
    addressing_mode: group.addressing,
  };
  for (const account of to) {
    for (const device of linkedOf(account))
      device.deliver(stanza("notification", { ...names, type: "w:gp2", id: network.newId(), t: String(at) }, [what]));
  }
};

/** Takes a person in, who sees the whole group, while the others see the new member. */
export const admit = (network: Network, group: Group, account: Account, reason?: string): void => {
  const before = [...group.members];
  group.members.add(account);
  group.left.delete(account);
  group.requests.delete(account);
  const names = { group, by: account };
  announce(network, { ...names, to: before }, stanza("add", { reason }, [memberNode(group, account)]));
  announce(network, { ...names, to: [account] }, stanza("create", { reason }, [groupNode(group)]));
};

/** Keeps a person's request to join, and shows it to the administrators. */
export const keepRequest = (network: Network, group: Group, account: Account): void => {
  group.requests.set(account, network.now());
  const created = stanza("created_membership_requests", { request_method: "invite_link" });
  announce(network, { group, by: account, to: group.admins }, created);
};

/** Makes an invitation for one person, which its maker sends in a message. */
export const invitationFor = (
  network: Network,
  group: Group,
  { to, by }: { to: Account; by: Account },
): { code: string; expiration: number } => {
  const code = network.newId().slice(0, 16);
  const expiration = network.now() + 259_200;
  group.invitations.set(code, { to, by, expiration });
  return { code, expiration };
};

/** A group, and its owner's acts on it. */
export type GroupChat = {
  readonly jid: string;
  readonly group: Group;
  add(...members: Member[]): void;
  remove(...members: Member[]): void;
  rename(subject: string): void;
  /** From now on, or since `at` (seconds), messages disappear after so many seconds; after 0 they stay. */
  disappear(after: number, at?: number): void;
  promote(...members: Member[]): void;
  /** A person leaves. */
  leave(member: Member): void;
  /** A person joins by the invite link. */
  join(member: Member): void;
  /** A person asks to join by the invite link. */
  ask(member: Member): void;
  /** A person asks no longer. */
  withdraw(member: Member): void;
  /** Makes an invitation for one person, which the owner sends in a message. `expiration` in seconds. */
  invite(member: Member): { code: string; expiration: number };
};

export type Member = { readonly account: Account };

export type GroupOptions = {
  subject: string;
  members: Member[];
  owner?: Member;
  addressing?: Group["addressing"];
  disappearsAfter?: number;
};

/** Puts a group on the network; nobody is notified. */
export const newGroup = (
  network: Network,
  given: Pick<Group, "addressing" | "owner" | "subject" | "members"> & { jid?: string; disappearsAfter?: number },
): Group => {
  const group: Group = {
    jid: `1203630${network.now()}${network.groups.size}@g.us`,
    createdAt: network.now(),
    admins: new Set([given.owner]),
    description: undefined,
    invite: network.newId(),
    oldInvites: new Set(),
    invitations: new Map(),
    removed: new Set(),
    capacity: 1024,
    parent: undefined,
    role: undefined,
    left: new Set(),
    requests: new Map(),
    settings: new Set(),
    picture: undefined,
    disappearsAfter: 0,
    ...given,
  };
  network.groups.set(group.jid, group);
  return group;
};

export const makeGroup = (
  network: Network,
  { subject, members, owner, addressing = "lid", disappearsAfter = 0 }: GroupOptions,
): GroupChat => {
  const first = owner ?? members[0];
  if (!first) throw new Error("a group has members");
  const accounts = new Set([first, ...members].map(({ account }) => account));
  const group = newGroup(network, { addressing, owner: first.account, subject, members: accounts, disappearsAfter });
  const chat = groupChat(network, group);
  announce(network, { group, by: group.owner, to: group.members }, stanza("create", {}, [groupNode(group)]));
  return chat;
};

/** The acts of a group's owner. */
export const groupChat = (network: Network, group: Group): GroupChat => {
  const { jid } = group;
  const announceTo = (to: Iterable<Account>, what: Stanza) => announce(network, { group, by: group.owner, to }, what);
  return {
    jid,
    group,
    add: (...added) => {
      for (const { account } of added) group.members.add(account);
      const nodes = added.map(({ account }) => memberNode(group, account));
      announceTo(group.members, stanza("add", {}, nodes));
    },
    remove: (...removed) => {
      const before = [...group.members];
      for (const { account } of removed) {
        group.members.delete(account);
        group.removed.add(account);
      }
      const nodes = removed.map(({ account }) => memberNode(group, account));
      announceTo(before, stanza("remove", {}, nodes));
    },
    rename: (next) => {
      group.subject = next;
      announceTo(
        group.members,
        stanza("subject", { subject: next, s_o: jidOf(group.owner, group.addressing), s_t: String(network.now()) }),
      );
    },
    disappear: (after, at) => {
      group.disappearsAfter = after;
      const what = after > 0 ? stanza("ephemeral", { expiration: String(after) }) : stanza("not_ephemeral");
      announce(network, { group, by: group.owner, to: group.members }, what, at);
    },
    promote: (...promoted) => {
      for (const { account } of promoted) group.admins.add(account);
      announceTo(
        group.members,
        stanza(
          "promote",
          {},
          promoted.map(({ account }) => memberNode(group, account)),
        ),
      );
    },
    leave: ({ account }) => {
      const before = [...group.members];
      group.members.delete(account);
      group.left.add(account);
      announce(network, { group, by: account, to: before }, stanza("remove", {}, [memberNode(group, account)]));
    },
    join: ({ account }) => admit(network, group, account, "invite"),
    ask: ({ account }) => keepRequest(network, group, account),
    withdraw: ({ account }) => {
      group.requests.delete(account);
      const asker = stanza("participant", {
        jid: jidOf(account, group.addressing),
        phone_number: jidOf(account, "pn"),
      });
      announce(network, { group, by: account, to: group.admins }, stanza("revoked_membership_requests", {}, [asker]));
    },
    invite: ({ account }) => invitationFor(network, group, { to: account, by: group.owner }),
  };
};
