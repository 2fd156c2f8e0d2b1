import { S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import type { GroupInvitation, GroupsApi, InvitedGroup, JoinOutcome } from "../../../src/contract/abilities/groups.ts";
import { type ActiveSocket, childOf, type Stanza } from "../active-socket.ts";
import { canonicalOf, jidOf } from "../address.ts";
import { ask, Ended, failureOf, iq, node, refusal, tooSoon } from "../ask.ts";
import { cachedMessage } from "../message-cache.ts";
import { groupIn, groupJid } from "./group-nodes.ts";
import { ALL, about, type GroupPorts, type Open, takeTurn } from "./ports.ts";

type Invites = Required<Pick<GroupsApi, "look" | "join">>;

/** TABLE: the meaning of the network's numbers for invitations; inferred, but for 406 and 410. */
const WORDS: Readonly<Record<number, string>> = {
  400: "the network knows no such invitation",
  401: "this account was removed from the group, and cannot join it by an invitation",
  404: "the group does not exist any more",
  406: "the network knows no such invitation",
  409: "this account is in the group already, or has asked to join it",
  410: "the invitation was reset, or has expired",
  419: "the group is full",
};

/** Joins groups and looks at them, by the code of a link or by an invitation in a message. */
export const groupInvites = (ports: GroupPorts, open: Open): Invites => ({
  look: (invitation) =>
    open(async (active) => {
      const invited = await invitationOf(active, invitation);
      takeTurn(ports);
      const answer = await worded(() => ask(active.sock, lookFor(invited)));
      return invitedGroup(active, childOf(answer, "group") ?? childOf(answer, "community"), invited);
    }),
  join: (invitation) =>
    open(async (active) => {
      const invited = await invitationOf(active, invitation);
      await countJoin(ports, active);
      return outcomeOf(await worded(() => ask(active.sock, joinBy(invited))), invited);
    }),
});

/** An invitation as the network takes it. `groupId`: the group of an invitation that came in a message. */
type Invited = { code: string; groupId?: string; expiration?: string; admin?: string };

/** The code of an invitation in a message is the sender's text, as is the group. */
const LONGEST_CODE = 100;

/** The chat address of a group; undefined for any other text. */
const groupNamed = (text: string): string | undefined => {
  const key = canonicalOf(text);
  return key?.startsWith("group:") ? jidOf(key) : undefined;
};

const LINK = /^(?:https?:\/\/)?chat\.whatsapp\.com\/(?:invite\/)?([\w-]+)(?:[/?#].*)?$/i;
const CODE = /^[\w-]{4,100}$/;

/** The code of an invite link, or the code itself. */
const codeIn = (text: string): string | undefined => {
  const code = LINK.exec(text.trim())?.[1] ?? text.trim();
  return CODE.test(code) ? code : undefined;
};

const invitationOf = async ({ keyStore }: ActiveSocket, invitation: GroupInvitation): Promise<Invited> => {
  if ("code" in invitation) {
    const code = codeIn(invitation.code);
    if (code === undefined) throw new Ended(refusal("this is no invite link of a group"));
    return { code };
  }
  const copy = await cachedMessage(keyStore, invitation.key);
  const said = copy?.message.groupInviteMessage;
  if (!copy || copy.key.fromMe || !said?.inviteCode || !said.groupJid)
    throw new Ended(refusal("the message is no invitation to a group, or is no longer kept"));
  const { inviteCode: code, inviteExpiration } = said;
  const groupId = groupNamed(said.groupJid);
  if (groupId === undefined || code.length > LONGEST_CODE)
    throw new Ended(refusal("the message names no group that an invitation can be to"));
  return {
    code,
    groupId,
    expiration: String(inviteExpiration ?? 0),
    admin: copy.key.participant ?? copy.key.remoteJid,
  };
};

/** Counts the attempt before the network does, so that a crash does not undo it. */
const countJoin = async ({ limits }: GroupPorts, { keyStore }: ActiveSocket): Promise<void> => {
  const waitMs = limits.groups.joinWaitMs();
  if (waitMs > 0) throw new Ended(tooSoon("This number has joined as many groups as it should in a day.", waitMs));
  await keyStore.write({ rows: [limits.rowOf("groups")] });
};

const personal = ({ code, expiration = "0", admin = "" }: Invited) => ({ code, expiration, admin });

const lookFor = (invited: Invited): Stanza =>
  invited.groupId === undefined
    ? about("get", ALL, node("invite", { code: invited.code }))
    : about("get", invited.groupId, node("query", {}, [node("add_request", personal(invited))]));

const joinBy = (invited: Invited): Stanza =>
  invited.groupId === undefined
    ? about("set", ALL, node("invite", { code: invited.code }))
    : about("set", invited.groupId, node("accept", personal(invited)));

/** The network confirms an invitation of a message with nothing more than its answer. */
const outcomeOf = (answer: Stanza, { groupId }: Invited): JoinOutcome => {
  const asked = childOf(answer, "membership_approval_request");
  const joined = asked ?? childOf(answer, "group") ?? childOf(answer, "community");
  const id = joined?.attrs["jid"] ?? joined?.attrs["id"] ?? groupId;
  if (id === undefined) throw new Ended(refusal("the network did not name the group"));
  return { groupId: groupJid(id), state: asked ? "awaiting-approval" : "joined" };
};

const invitedGroup = async (
  active: ActiveSocket,
  found: Stanza | undefined,
  invited: Invited,
): Promise<InvitedGroup> => {
  const group = await groupIn(active.keyStore, found);
  if (!group) throw new Ended(refusal("the network did not describe the group"));
  const { groupId, subject, description, totalParticipantCount, joinApprovalMode, community } = group;
  return {
    groupId,
    subject,
    description,
    totalParticipantCount,
    joinApprovalMode,
    pictureUrl: await pictureOf(active, groupId, invited),
    ...(community ? { community } : {}),
  };
};

/** The address of the group's picture. A picture that the network does not show is as good as none. */
const pictureOf = async ({ sock }: ActiveSocket, target: string, { code }: Invited): Promise<string | null> => {
  const place = { xmlns: "w:profile:picture", to: S_WHATSAPP_NET, target };
  const picture = node("picture", { type: "image", query: "url", invite: code });
  try {
    return childOf(await ask(sock, iq("get", place, [picture])), "picture")?.attrs["url"] ?? null;
  } catch {
    return null;
  }
};

/** Says the network's numbers in the words of invitations. */
const worded = async <Value>(call: () => Promise<Value>): Promise<Value> => {
  try {
    return await call();
  } catch (thrown) {
    const failure = failureOf(thrown);
    const words = failure.kind === "refused" ? WORDS[failure.error.code ?? 0] : undefined;
    if (failure.kind !== "refused" || words === undefined) throw thrown;
    throw new Ended(refusal(words, failure.error.code));
  }
};
