import { type Call, requireAccount } from "../call.ts";
import { GraphError, unknownObject } from "../errors.ts";
import type { Fields } from "../shape.ts";
import type { PhoneNumber, Recipient, State } from "../state.ts";
import { accountIdOf, type Change, idsOf, numberChange, secondsOf } from "../values.ts";

export type JoinRequest = { id: string; at: number; recipient: Recipient };
/**
 * A group of a number, which is no participant itself. `banned`: people whom the business removed, and whom the link no
 * longer lets in.
 */
export type Group = {
  id: string;
  phoneNumberId: string;
  subject: string;
  description: string;
  joinApprovalMode: "auto_approve" | "approval_required";
  inviteLink: string;
  createdAt: number;
  isSuspended: boolean;
  participants: Recipient[];
  joinRequests: JoinRequest[];
  banned: Set<string>;
};

/**
 * An accepted request that is done later. `perform` does it and returns the fields to report. `refused`: the fields
 * that are reported with the errors if it is not done.
 */
export type GroupRequest = { id: string; phoneNumberId: string; field: string; perform(): Fields; refused: Fields };
/** Does an accepted request after its answer. */
export type Later = (request: GroupRequest) => void;

export const MOST_PARTICIPANTS = 8;

/** The group a call names. Throws 100/33 if it does not exist or is not this token's. */
export const groupOf = (call: Call): Group => {
  const group = call.state.groups.get(call.node);
  if (!group) throw unknownObject(call.method, call.node);
  requireAccount(call, accountIdOf(call.state, group.phoneNumberId), "whatsapp_business_messaging");
  return group;
};

/** The same for a change of it. Throws 131207 for a suspended one. */
export const usableGroupOf = (call: Call): Group => {
  const group = groupOf(call);
  if (group.isSuspended) throw new GraphError(131207, { details: "This group has been suspended." });
  return group;
};

/**
 * The group that a message is for. Throws 131041 for a group that is not the number's, 131207 for a suspended group,
 * and 131020 for a group without participants.
 */
export const addressedGroup = (state: State, { seed }: PhoneNumber, to: unknown): Group => {
  const group = state.groups.get(String(to));
  if (group?.phoneNumberId !== seed.phoneNumberId)
    throw new GraphError(131041, { details: `Group ${String(to)} does not exist.` });
  if (group.isSuspended) throw new GraphError(131207, { details: "This group has been suspended." });
  if (group.participants.length === 0) throw new GraphError(131020, { details: "The group has only one member." });
  return group;
};

const letters = (state: State, bytes: number): string => Buffer.from(state.random.bytes(bytes)).toString("base64url");

/** Ids in the form of the real ones: a prefix that all share, letters, and their end. */
export const newGroupId = (state: State): string =>
  `Y2FwaV9ncm91cDo${Buffer.from(Buffer.from(state.random.bytes(15)).toString("hex")).toString("base64url")}ZD`;
export const newRequestId = (state: State): string => letters(state, 9);
export const newInviteLink = (state: State): string => `https://chat.whatsapp.com/${letters(state, 16)}`;

/** A person in the form of a group's participants. */
export const personOf = (state: State, recipient: Recipient): Fields => {
  const { waId, userId } = idsOf(state, recipient);
  return { ...(waId === undefined ? {} : { wa_id: waId }), ...(userId === undefined ? {} : { user_id: userId }) };
};

/** Updates of the groups of one number, as a change of its field. */
export const groupsChange = (
  state: State,
  phoneNumberId: string,
  { field, update }: { field: string; update: readonly Fields[] },
): Change =>
  numberChange(state, phoneNumberId, field, {
    groups: update.map((one) => ({ timestamp: secondsOf(state.clock.now()), ...one })),
  });
