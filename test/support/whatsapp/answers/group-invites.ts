import { type Account, accountOf, type Group, type Network } from "../model.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";
import { admit, groupNode, keepRequest } from "./groups.ts";
import { CONFLICT, FULL, GONE, NOT_ACCEPTABLE, NOT_AUTHORIZED, type Refusal } from "./refusals.ts";

const RESTRICTED = { code: 463, text: "account_reachout_restricted" };

/** The group of an invite link. A code that was reset is gone; any other is no code at all. */
const invitedTo = (network: Network, code: string | undefined): Group | Refusal => {
  for (const group of network.groups.values()) {
    if (group.invite === code) return group;
    if (code !== undefined && group.oldInvites.has(code)) return GONE;
  }
  return NOT_ACCEPTABLE;
};

/** A group as people see it who are not in it: without its members. */
const outside = (group: Group): Stanza => {
  const node = groupNode(group);
  return { ...node, content: (node.content as Stanza[]).filter(({ tag }) => tag !== "participant") };
};

/** What a group's invite link leads to. */
export const lookAtInvite = (network: Network, asked: Stanza): Stanza[] | Refusal => {
  const group = invitedTo(network, asked.attrs["code"]);
  return "code" in group ? group : [outside(group)];
};

/** Why a person cannot join, whatever the invitation. */
const obstacle = (network: Network, group: Group, account: Account): Refusal | undefined => {
  if (account.timelock && account.timelock.until > network.now()) return RESTRICTED;
  if (group.members.has(account) || group.requests.has(account)) return CONFLICT;
  if (group.removed.has(account)) return NOT_AUTHORIZED;
  return group.members.size >= group.capacity ? FULL : undefined;
};

/** Joins by a link, or asks to join. */
export const joinByInvite = (network: Network, by: Account, asked: Stanza): Stanza[] | Refusal => {
  const group = invitedTo(network, asked.attrs["code"]);
  if ("code" in group) return group;
  const refused = obstacle(network, group, by);
  if (refused) return refused;
  if (group.settings.has("membership_approval_mode")) {
    keepRequest(network, group, by);
    return [stanza("membership_approval_request", { jid: group.jid })];
  }
  admit(network, group, by, "invite");
  return [stanza("group", { jid: group.jid })];
};

/** The invitation of a member to this person, as the message names it. */
const invitationOf = (network: Network, by: Account, group: Group, { attrs }: Stanza): Refusal | undefined => {
  const invitation = group.invitations.get(attrs["code"] ?? "");
  const isTheirs = invitation?.to === by && invitation.by === accountOf(network, attrs["admin"]);
  if (!invitation || !isTheirs || String(invitation.expiration) !== attrs["expiration"]) return NOT_ACCEPTABLE;
  return invitation.expiration > network.now() ? undefined : GONE;
};

/** Looks at a group by an invitation that a member has sent. */
export const lookAtInvitation = (network: Network, by: Account, group: Group, asked: Stanza): Stanza[] | Refusal =>
  invitationOf(network, by, group, asked) ?? [outside(group)];

/** Joins by an invitation that a member has sent. The network answers nothing more. */
export const acceptInvitation = (network: Network, by: Account, group: Group, asked: Stanza): Stanza[] | Refusal => {
  const refused = invitationOf(network, by, group, asked) ?? obstacle(network, group, by);
  if (refused) return refused;
  group.invitations.delete(asked.attrs["code"] ?? "");
  admit(network, group, by, "invite");
  return [];
};
