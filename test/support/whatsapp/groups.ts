import { jidDecode } from "@whiskeysockets/baileys";
import { linkedOf } from "./messages.ts";
import { type Account, type Group, jidOf, type Network } from "./model.ts";
import { type Stanza, stanza } from "./stanza.ts";

const memberNode = ({ addressing, owner }: Group, account: Account): Stanza => {
  const alt =
    addressing === "lid" ? { phone_number: account.pn && jidOf(account, "pn") } : { lid: jidOf(account, "lid") };
  return stanza("participant", {
    jid: jidOf(account, addressing),
    type: account === owner ? "superadmin" : undefined,
    ...alt,
  });
};

/** A group as the network describes it. */
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
    [...members].map((member) => memberNode(group, member)),
  );
};

export const groupsOf = (network: Network, account: Account): Group[] =>
  [...network.groups.values()].filter(({ jid, members }) => jid !== STATUS && members.has(account));

const STATUS = "status@broadcast";

/** Those who see the next statuses of somebody, to be written to as a group is. */
export const statusOf = (network: Network, owner: Account, viewers: readonly Account[]): { group: Group } => {
  const group: Group = {
    jid: STATUS,
    addressing: "lid",
    owner,
    createdAt: network.now(),
    subject: "",
    members: new Set([owner, ...viewers]),
  };
  network.groups.set(STATUS, group);
  return { group };
};

/** Notifies the linked devices of these accounts of a group's change. */
const announce = (
  network: Network,
  { group, by, to }: { group: Group; by: Account; to: Iterable<Account> },
  what: Stanza,
): void => {
  const names = {
    from: group.jid,
    participant: jidOf(by, group.addressing),
    participant_pn: by.pn && jidOf(by, "pn"),
    addressing_mode: group.addressing,
  };
  for (const account of to) {
    for (const device of linkedOf(account))
      device.deliver(
        stanza("notification", { ...names, type: "w:gp2", id: network.newId(), t: String(network.now()) }, [what]),
      );
  }
};

/** A group and what its owner can do to it. */
export type GroupChat = {
  readonly jid: string;
  readonly group: Group;
  add(...members: Member[]): void;
  remove(...members: Member[]): void;
  rename(subject: string): void;
};

export type Member = { readonly account: Account };

export type GroupOptions = { subject: string; members: Member[]; owner?: Member; addressing?: Group["addressing"] };

export const makeGroup = (
  network: Network,
  { subject, members, owner, addressing = "lid" }: GroupOptions,
): GroupChat => {
  const first = owner ?? members[0];
  if (!first) throw new Error("a group has members");
  const jid = `1203630${network.now()}${network.groups.size}@g.us`;
  const accounts = new Set([first, ...members].map(({ account }) => account));
  const group: Group = { jid, addressing, owner: first.account, createdAt: network.now(), subject, members: accounts };
  network.groups.set(jid, group);
  const announceTo = (to: Iterable<Account>, what: Stanza) => announce(network, { group, by: group.owner, to }, what);
  announceTo(group.members, stanza("create", {}, [groupNode(group)]));
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
      for (const { account } of removed) group.members.delete(account);
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
  };
};
