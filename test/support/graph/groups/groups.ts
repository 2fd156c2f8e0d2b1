import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { webhookError } from "../errors.ts";
import { type Operation, operation } from "../operations.ts";
import type { Fields } from "../shape.ts";
import { recipientOf, type State } from "../state.ts";
import { envelopeOfChanges } from "../values.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { newGroup } from "./handlers.ts";
import {
  type Group,
  type GroupRequest,
  groupsChange,
  type Later,
  MOST_PARTICIPANTS,
  newRequestId,
  personOf,
} from "./model.ts";

const strict = { additionalProperties: false } as const;
const Id = Text(1, 200);
/** A group that was made elsewhere, so that no webhook reports it. */
const GroupSeed = Type.Object(
  {
    phoneNumberId: Id,
    subject: Text(1, 128),
    description: Type.Optional(Text(0, 2048)),
    joinApprovalMode: Type.Optional(OneOf(["auto_approve", "approval_required"])),
    participants: Type.Optional(Type.Array(Text(5, 24))),
  },
  strict,
);
type GroupSeed = Static<typeof GroupSeed>;

/** A test's controls of groups, and people's acts in them. @throws for an unknown group. */
export type Groups = {
  readonly all: ReadonlyMap<string, Group>;
  /** Accepted requests that are held back, because `groupUpdate` is `held`, oldest first. */
  readonly held: readonly GroupRequest[];
  /** Gives the group's id. */
  add(seed: GroupSeed): string;
  /** Carries out the held request, and reports it. @throws for an unknown request. */
  finish(requestId: string): Promise<Delivery>;
  /** Reports that the request failed. */
  refuse(requestId: string, code: number, details?: string): Promise<Delivery>;
  /**
   * Somebody follows the invite link: they join, or ask to join. Throws for a person who was removed, and if the group
   * is full.
   */
  join(groupId: string, waId: string): Promise<Delivery>;
  leave(groupId: string, waId: string): Promise<Delivery>;
  suspend(groupId: string): Promise<Delivery>;
  unsuspend(groupId: string): Promise<Delivery>;
};

/** The groups under a test's control, and the network's work on an accepted request. */
export const createGroups = (state: State, webhooks: Webhooks): { groups: Groups; later: Later } => {
  const notify = (phoneNumberId: string, field: string, ...update: Fields[]): Promise<Delivery> =>
    webhooks.send(envelopeOfChanges([groupsChange(state, phoneNumberId, { field, update })], "one-change"), {
      phoneNumberId,
    });

  const groupBy = (id: string): Group => {
    const group = state.groups.get(id);
    if (!group) throw new Error(`there is no group ${id}`);
    return group;
  };

  const personBy = (waId: string) => {
    const recipient = recipientOf(state, waId);
    if (!recipient) throw new Error(`there is nobody ${waId}`);
    return recipient;
  };

  const takeHeld = (requestId: string): GroupRequest => {
    const index = state.heldRequests.findIndex(({ id }) => id === requestId);
    const [request] = index < 0 ? [] : state.heldRequests.splice(index, 1);
    if (!request) throw new Error(`there is no request ${requestId}`);
    return request;
  };

  const perform = ({ id, phoneNumberId, field, perform: run }: GroupRequest) =>
    notify(phoneNumberId, field, { ...run(), request_id: id });

  const move = (groupId: string, isSuspended: boolean) => {
    const group = groupBy(groupId);
    group.isSuspended = isSuspended;
    return notify(group.phoneNumberId, "group_status_update", {
      group_id: groupId,
      type: isSuspended ? "group_suspend" : "group_suspend_cleared",
    });
  };

  const groups: Groups = {
    all: state.groups,
    held: state.heldRequests,
    add({ phoneNumberId, subject, description = "", joinApprovalMode = "auto_approve", participants = [] }) {
      if (!state.numbers.has(phoneNumberId)) throw new Error(`there is no number ${phoneNumberId}`);
      const group = {
        ...newGroup(state, { phoneNumberId, subject, description, joinApprovalMode }),
        participants: participants.map(personBy),
      };
      state.groups.set(group.id, group);
      return group.id;
    },
    finish: (requestId) => perform(takeHeld(requestId)),
    refuse(requestId, code, details) {
      const { phoneNumberId, field, refused } = takeHeld(requestId);
      return notify(phoneNumberId, field, { ...refused, request_id: requestId, errors: [webhookError(code, details)] });
    },
    join(groupId, waId) {
      const [group, recipient] = [groupBy(groupId), personBy(waId)];
      if (group.banned.has(recipient.waId)) throw new Error(`${waId} was taken out of the group`);
      const head = { group_id: groupId, reason: "invite_link" };
      if (group.joinApprovalMode === "approval_required") {
        const id = newRequestId(state);
        group.joinRequests.push({ id, at: state.clock.now(), recipient });
        return notify(group.phoneNumberId, "group_participants_update", {
          ...head,
          type: "group_join_request_created",
          join_request_id: id,
          ...personOf(state, recipient),
        });
      }
      if (group.participants.length >= MOST_PARTICIPANTS) throw new Error("the group is full");
      group.participants.push(recipient);
      return notify(group.phoneNumberId, "group_participants_update", {
        ...head,
        type: "group_participants_add",
        added_participants: [personOf(state, recipient)],
      });
    },
    leave(groupId, waId) {
      const [group, recipient] = [groupBy(groupId), personBy(waId)];
      group.participants = group.participants.filter((one) => one !== recipient);
      const update = {
        group_id: groupId,
        type: "group_participants_remove",
        initiated_by: "participant",
        removed_participants: [personOf(state, recipient)],
      };
      return notify(group.phoneNumberId, "group_participants_update", update);
    },
    suspend: (groupId) => move(groupId, true),
    unsuspend: (groupId) => move(groupId, false),
  };

  return {
    groups,
    later(request) {
      if (state.settings.groupUpdate === "held") state.heldRequests.push(request);
      else void webhooks.track(perform(request));
    },
  };
};

const OfGroup = Type.Object({ groupId: Id }, strict);
const OfPerson = Type.Object({ groupId: Id, waId: Text(5, 24) }, strict);
const OfRequest = Type.Object({ requestId: Id }, strict);
const Refusal = Type.Object({ requestId: Id, code: Type.Integer(), details: Type.Optional(Text(0, 1000)) }, strict);

/** The operations of groups. */
export const groupOperations = (groups: Groups): Record<string, Operation> => ({
  groups: operation(GroupSeed, (seed) => groups.add(seed)),
  "groups/held": operation(Type.Object({}, strict), () =>
    groups.held.map(({ id, phoneNumberId, field }) => ({ id, phoneNumberId, field })),
  ),
  "groups/finish": operation(OfRequest, ({ requestId }) => groups.finish(requestId)),
  "groups/refuse": operation(Refusal, ({ requestId, code, details }) => groups.refuse(requestId, code, details)),
  "groups/join": operation(OfPerson, ({ groupId, waId }) => groups.join(groupId, waId)),
  "groups/leave": operation(OfPerson, ({ groupId, waId }) => groups.leave(groupId, waId)),
  "groups/suspend": operation(OfGroup, ({ groupId }) => groups.suspend(groupId)),
  "groups/unsuspend": operation(OfGroup, ({ groupId }) => groups.unsuspend(groupId)),
});
