import { isJidGroup } from "@whiskeysockets/baileys";
import { type Account, accountOf, type Group, jidOf, type Network } from "../model.ts";
import { child, children, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { announce, groupNode, groupsOf, memberNode, newGroup } from "./groups.ts";

/** A refusal in the network's form. */
export type Refusal = { code: number; text: string };

export const refusal = (code: number, text: string): Refusal => ({ code, text });
const BAD_REQUEST = refusal(400, "bad-request");
const NOT_AUTHORIZED = refusal(401, "not-authorized");
const FORBIDDEN = refusal(403, "forbidden");
const NOT_FOUND = refusal(404, "item-not-found");

type Change = { network: Network; by: Account; group: Group };

const notifyAll = ({ network, by, group }: Change, what: Stanza, to: Iterable<Account> = [...group.members]): void =>
  announce(network, { group, by, to }, what);

/** The person of a participant in a stanza. A person with a number has to be named by it, or beside the LID. */
const namedBy = (network: Network, { attrs }: Stanza): Account | Refusal => {
  const account = accountOf(network, attrs["jid"]);
  if (!account) return NOT_FOUND;
  const isBare = attrs["jid"]?.endsWith("@lid") && account.pn !== undefined && attrs["phone_number"] === undefined;
  return isBare ? BAD_REQUEST : account;
};

const invitation = (network: Network): Stanza =>
  stanza("add_request", { code: network.newId().slice(0, 16), expiration: String(network.now() + 259_200) });

/** Adds a person, or gives the code of the refusal. */
const takeIn = ({ network, group }: Change, account: Account): Stanza => {
  const jid = jidOf(account, group.addressing);
  const not = (code: number, more: Stanza[] = []) => stanza("participant", { jid, error: String(code) }, more);
  if (group.members.has(account)) return not(409);
  if (account.blocksGroups) return not(401);
  if (group.left.has(account)) return not(408);
  if (account.isInvitedOnly) return not(403, [invitation(network)]);
  group.members.add(account);
  return memberNode(group, account);
};

const isDone = ({ attrs }: Stanza): boolean => attrs["error"] === undefined;

const create = (network: Network, by: Account, asked: Stanza): Stanza[] | Refusal => {
  const subject = asked.attrs["subject"] ?? "";
  if (subject === "" || subject.length > 100) return refusal(406, "not-acceptable");
  const people = children(asked, "participant").map((one) => namedBy(network, one));
  const wrong = people.find((one): one is Refusal => "code" in one);
  if (wrong) return wrong;
  const group = newGroup(network, { addressing: "lid", owner: by, subject, members: new Set([by]) });
  if (child(child(asked, "membership_approval_mode"), "group_join")?.attrs["state"] === "on")
    group.settings.add("membership_approval_mode");
  const change = { network, by, group };
  const outcomes = people.map((one) => takeIn(change, one as Account)); // no refusal is among them
  const made = groupNode(group);
  notifyAll(change, stanza("create", { key: asked.attrs["key"] }, [made]));
  return [{ ...made, content: [...(made.content as Stanza[]), ...outcomes.filter((one) => !isDone(one))] }];
};

const PEOPLE: Readonly<Record<string, (change: Change, account: Account) => Stanza>> = {
  add: takeIn,
  remove: ({ group }, account) => {
    const node = memberNode(group, account);
    if (!group.members.has(account)) return { ...node, attrs: { ...node.attrs, error: "404" } };
    group.members.delete(account);
    group.admins.delete(account);
    return node;
  },
  promote: ({ group }, account) => {
    const isMember = group.members.has(account);
    if (isMember) group.admins.add(account);
    const node = memberNode(group, account);
    return isMember ? node : { ...node, attrs: { ...node.attrs, error: "404" } };
  },
  demote: ({ group }, account) => {
    const node = memberNode(group, account);
    if (account === group.owner) return { ...node, attrs: { ...node.attrs, error: "406" } };
    group.admins.delete(account);
    return memberNode(group, account);
  },
};

const changePeople = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const before = [...change.group.members];
  const people = children(asked, "participant").map((one) => accountOf(change.network, one.attrs["jid"]));
  const outcomes = people.map((account, index) =>
    account
      ? (PEOPLE[asked.tag]?.(change, account) as Stanza)
      : stanza("participant", { jid: children(asked, "participant")[index]?.attrs["jid"], error: "404" }),
  );
  const done = outcomes.filter(isDone);
  if (done.length > 0) notifyAll(change, stanza(asked.tag, {}, done), new Set([...before, ...change.group.members]));
  return [stanza(asked.tag, {}, outcomes)];
};

const describe = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const { group } = change;
  if (asked.attrs["prev"] !== group.description?.id) return refusal(409, "conflict");
  const { id } = asked.attrs;
  group.description = id === undefined ? undefined : { id, text: textOf(child(asked, "body")) };
  notifyAll(change, asked);
  return [];
};

const decide = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const action = firstChild(asked);
  if (!action) return BAD_REQUEST;
  const outcomes = children(action, "participant").map(({ attrs }) => {
    const account = accountOf(change.network, attrs["jid"]);
    if (!account || !change.group.requests.delete(account))
      return stanza("participant", { jid: attrs["jid"], error: "404" });
    if (action.tag === "approve") change.group.members.add(account);
    return stanza("participant", { jid: attrs["jid"] });
  });
  const added = outcomes.filter(isDone).flatMap(({ attrs }) => accountOf(change.network, attrs["jid"]) ?? []);
  if (action.tag === "approve" && added.length > 0)
    notifyAll(
      change,
      stanza(
        "add",
        {},
        added.map((account) => memberNode(change.group, account)),
      ),
    );
  return [stanza("membership_requests_action", {}, [stanza(action.tag, {}, outcomes)])];
};

const setting = (name: string, isOn: boolean) => (change: Change, asked: Stanza) => {
  if (isOn) change.group.settings.add(name);
  else change.group.settings.delete(name);
  notifyAll(change, asked);
  return [];
};

/** TABLE: the changes of administrators, by the tag. */
const CHANGES: Readonly<Record<string, (change: Change, asked: Stanza) => Stanza[] | Refusal>> = {
  add: changePeople,
  remove: changePeople,
  promote: changePeople,
  demote: changePeople,
  description: describe,
  membership_requests_action: decide,
  announcement: setting("announcement", true),
  not_announcement: setting("announcement", false),
  locked: setting("locked", true),
  unlocked: setting("locked", false),
  subject: (change, asked) => {
    const subject = textOf(asked);
    if (subject === "") return refusal(406, "not-acceptable");
    change.group.subject = subject;
    notifyAll(change, stanza("subject", { subject, s_t: String(change.network.now()) }));
    return [];
  },
  invite: ({ network, group }) => {
    group.invite = network.newId();
    return [stanza("invite", { code: group.invite })];
  },
  membership_approval_mode: (change, asked) =>
    setting("membership_approval_mode", child(asked, "group_join")?.attrs["state"] === "on")(change, asked),
  member_add_mode: (change, asked) => setting("all_member_add", textOf(asked) === "all_member_add")(change, asked),
};

const leave = (network: Network, by: Account, asked: Stanza): Stanza[] | Refusal => {
  for (const { attrs } of children(asked, "group")) {
    const group = network.groups.get(attrs["id"] ?? "");
    if (!group?.members.has(by)) return NOT_FOUND;
    const before = [...group.members];
    const node = memberNode(group, by);
    group.members.delete(by);
    group.admins.delete(by);
    group.left.add(by);
    notifyAll({ network, by, group }, stanza("remove", {}, [node]), before);
  }
  return [stanza("leave", {}, [])];
};

const read = (group: Group, by: Account, asked: Stanza): Stanza[] | Refusal => {
  if (asked.tag === "query") return [groupNode(group)];
  if (!group.admins.has(by)) return NOT_AUTHORIZED;
  if (asked.tag === "invite") return [stanza("invite", { code: group.invite })];
  if (asked.tag !== "membership_approval_requests") return BAD_REQUEST;
  const requests = [...group.requests].map(([account, since]) =>
    stanza("membership_approval_request", {
      jid: jidOf(account, group.addressing),
      phone_number: account.pn && jidOf(account, "pn"),
      request_time: String(since),
    }),
  );
  return [stanza("membership_approval_requests", {}, requests)];
};

/** The answer to an iq about groups. */
export const answerGroups = (network: Network, by: Account, iq: Stanza): Stanza[] | Refusal => {
  const { to, type } = iq.attrs;
  const asked = firstChild(iq);
  if (!asked) return BAD_REQUEST;
  if (!isJidGroup(to) || to === "@g.us") {
    if (asked.tag === "create") return create(network, by, asked);
    if (asked.tag === "leave") return leave(network, by, asked);
    return [stanza("groups", {}, groupsOf(network, by).map(groupNode))];
  }
  const group = network.groups.get(to ?? "");
  if (!group) return NOT_FOUND;
  if (!group.members.has(by)) return FORBIDDEN;
  if (type === "get") return read(group, by, asked);
  const isOpen = asked.tag === "add" && group.settings.has("all_member_add");
  if (!group.admins.has(by) && !isOpen) return FORBIDDEN;
  return CHANGES[asked.tag]?.({ network, by, group }, asked) ?? BAD_REQUEST;
};
