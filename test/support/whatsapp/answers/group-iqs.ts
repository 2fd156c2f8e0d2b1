import { isJidGroup } from "@whiskeysockets/baileys";
import { type Account, accountOf, type Group, jidOf, type Network } from "../model.ts";
import { child, children, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";
import { askedOfCommunity, COMMUNITY_CHANGES, communityFor, foundCommunity } from "./communities.ts";
import { acceptInvitation, joinByInvite, lookAtInvitation, lookAtInvite } from "./group-invites.ts";
import { admit, announce, groupNode, groupsOf, invitationFor, memberNode, newGroup } from "./groups.ts";
import { BAD_REQUEST, FORBIDDEN, NOT_AUTHORIZED, NOT_FOUND, type Refusal, refusal } from "./refusals.ts";

export { type Refusal, refusal };

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

/** An invitation for somebody whom nobody may add: whoever wanted to add them sends it. */
const invitation = ({ network, by, group }: Change, to: Account): Stanza => {
  const { code, expiration } = invitationFor(network, group, { to, by });
  return stanza("add_request", { code, expiration: String(expiration) });
};

/** Adds a person, or gives the code of the refusal. */
const takeIn = (change: Change, account: Account): Stanza => {
  const { group } = change;
  const jid = jidOf(account, group.addressing);
  const not = (code: number, more: Stanza[] = []) => stanza("participant", { jid, error: String(code) }, more);
  if (group.members.has(account)) return not(409);
  if (account.blocksGroups) return not(401);
  if (group.left.has(account)) return not(408);
  if (account.isInvitedOnly) return not(403, [invitation(change, account)]);
  if (group.members.size >= group.capacity) return not(419);
  group.members.add(account);
  group.removed.delete(account);
  return memberNode(group, account);
};

const isDone = ({ attrs }: Stanza): boolean => attrs["error"] === undefined;

const create = (network: Network, by: Account, asked: Stanza): Stanza[] | Refusal => {
  const subject = asked.attrs["subject"] ?? "";
  if (subject === "" || subject.length > 100) return refusal(406, "not-acceptable");
  const people = children(asked, "participant").map((one) => namedBy(network, one));
  const wrong = people.find((one): one is Refusal => "code" in one);
  if (wrong) return wrong;
  const community = communityFor(network, by, asked);
  if (community && "code" in community) return community;
  const group = newGroup(network, { addressing: "lid", owner: by, subject, members: new Set([by]) });
  group.parent = community;
  const announcements = child(asked, "parent") ? foundCommunity(network, group) : undefined;
  const text = textOf(child(child(asked, "description"), "body"));
  if (text !== "") group.description = { id: child(asked, "description")?.attrs["id"] ?? "", text };
  if (child(child(asked, "membership_approval_mode"), "group_join")?.attrs["state"] === "on")
    group.settings.add("membership_approval_mode");
  const change = { network, by, group };
  const outcomes = people.map((one) => takeIn(change, one as Account)); // no refusal is among them
  const made = groupNode(group);
  notifyAll(change, stanza("create", { key: asked.attrs["key"] }, [made]));
  if (announcements) notifyAll({ network, by, group: announcements }, stanza("create", {}, [groupNode(announcements)]));
  return [{ ...made, content: [...(made.content as Stanza[]), ...outcomes.filter((one) => !isDone(one))] }];
};

const PEOPLE: Readonly<Record<string, (change: Change, account: Account) => Stanza>> = {
  add: takeIn,
  remove: ({ group }, account) => {
    const node = memberNode(group, account);
    if (!group.members.has(account)) return { ...node, attrs: { ...node.attrs, error: "404" } };
    group.members.delete(account);
    group.admins.delete(account);
    group.removed.add(account);
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

/** The administrators see that a request was refused. */
const refuse = (change: Change, account: Account): void => {
  const { group } = change;
  group.requests.delete(account);
  const asker = stanza("participant", {
    jid: jidOf(account, group.addressing),
    phone_number: account.pn && jidOf(account, "pn"),
  });
  notifyAll(change, stanza("revoked_membership_requests", {}, [asker]), group.admins);
};

const decide = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const action = firstChild(asked);
  if (!action) return BAD_REQUEST;
  const outcomes = children(action, "participant").map(({ attrs }) => {
    const account = accountOf(change.network, attrs["jid"]);
    if (!account || !change.group.requests.has(account))
      return stanza("participant", { jid: attrs["jid"], error: "404" });
    if (action.tag === "approve") admit(change.network, change.group, account);
    else refuse(change, account);
    return stanza("participant", { jid: attrs["jid"] });
  });
  return [stanza("membership_requests_action", {}, [stanza(action.tag, {}, outcomes)])];
};

const setting = (name: string, isOn: boolean) => (change: Change, asked: Stanza) => {
  if (isOn) change.group.settings.add(name);
  else change.group.settings.delete(name);
  notifyAll(change, asked);
  return [];
};

/** The times that the network takes; others are a bad request. */
const TIMES: ReadonlySet<number> = new Set([86_400, 604_800, 7_776_000]);

const disappear = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const seconds = asked.tag === "ephemeral" ? Number(asked.attrs["expiration"]) : 0;
  if (seconds !== 0 && !TIMES.has(seconds)) return BAD_REQUEST;
  change.group.disappearsAfter = seconds;
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
  ephemeral: disappear,
  not_ephemeral: disappear,
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
  invite: (change) => {
    const { network, group } = change;
    group.oldInvites.add(group.invite);
    group.invite = network.newId();
    notifyAll(change, stanza("invite", { code: group.invite }), group.admins);
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

const read = (network: Network, group: Group, by: Account, asked: Stanza): Stanza[] | Refusal => {
  if (asked.tag === "query") return [groupNode(group)];
  const ofCommunity = askedOfCommunity(network, group, asked);
  if (ofCommunity) return ofCommunity;
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

/** The answer to a question or order that names no group. */
const answerAll = (network: Network, by: Account, type: string | undefined, asked: Stanza): Stanza[] | Refusal => {
  if (asked.tag === "create") return create(network, by, asked);
  if (asked.tag === "leave") return leave(network, by, asked);
  if (asked.tag === "invite") return type === "get" ? lookAtInvite(network, asked) : joinByInvite(network, by, asked);
  return [stanza("groups", {}, groupsOf(network, by).map(groupNode))];
};

/** The answer to a person who comes with an invitation of a member; undefined without one. */
const answerInvited = (
  network: Network,
  { by, group }: { by: Account; group: Group },
  { type, asked }: { type: string | undefined; asked: Stanza },
): Stanza[] | Refusal | undefined => {
  if (type === "set") return asked.tag === "accept" ? acceptInvitation(network, by, group, asked) : undefined;
  const invited = child(asked, "add_request");
  return invited && lookAtInvitation(network, by, group, invited);
};

/** The answer to an iq about groups. */
export const answerGroups = (network: Network, by: Account, iq: Stanza): Stanza[] | Refusal => {
  const { to, type } = iq.attrs;
  const asked = firstChild(iq);
  if (!asked) return BAD_REQUEST;
  if (to === "@g.us") return answerAll(network, by, type, asked);
  if (!isJidGroup(to)) return BAD_REQUEST;
  const group = network.groups.get(to ?? "");
  if (!group) return NOT_FOUND;
  const invited = answerInvited(network, { by, group }, { type, asked });
  if (invited) return invited;
  if (!group.members.has(by)) return FORBIDDEN;
  return type === "get" ? read(network, group, by, asked) : changeBy({ network, by, group }, asked);
};

/** Members add people where everybody may; every other change is for administrators. */
const changeBy = (change: Change, asked: Stanza): Stanza[] | Refusal => {
  const { by, group } = change;
  const isOpen = asked.tag === "add" && group.settings.has("all_member_add");
  if (!group.admins.has(by) && !isOpen) return FORBIDDEN;
  const doing = (group.role === "community" ? COMMUNITY_CHANGES[asked.tag] : undefined) ?? CHANGES[asked.tag];
  return doing?.(change, asked) ?? BAD_REQUEST;
};
