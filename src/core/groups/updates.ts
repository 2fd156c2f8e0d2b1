import type { GroupUpdate } from "../../contract/events.ts";
import type { UpstreamError } from "../../contract/upstream.ts";
import { DAY_MS, iso } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { numberKeyOf } from "../../kernel/numbers/phone-numbers.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  deleteGroup,
  findGroupByRequest,
  findGroupByUpstreamId,
  type GroupRow,
  insertGroup,
  updateGroup,
} from "../../store/tables/groups.ts";
import type { InboundContext } from "../channels/identity.ts";
import { isFirst } from "../channels/links/repeats.ts";
import type { DomainEvent } from "../domain-event.ts";
import { publish } from "../events/publish.ts";
import { forgetRequest, NOT_MADE } from "./creation.ts";
import type { GroupsEnv } from "./env.ts";
import { newGroupRow } from "./groups.ts";

type Of<What extends GroupUpdate["what"]> = Extract<GroupUpdate, { what: What }>;
type Change = Exclude<GroupUpdate, Of<"created"> | Of<"deleted"> | Of<"failed"> | Of<"join-requests"> | Of<"label">>;

/** The network retries a webhook for this long. */
const LATEST_MS = 7 * DAY_MS;

/**
 * Records an update of a group once, and publishes it. An unknown group is stored with the fields of the update; a
 * refresh fetches the others. An update that is older than a recorded one changes and publishes nothing. Neither does
 * an update of a deleted group.
 */
export const receiveGroupUpdate = async (
  env: GroupsEnv,
  tx: Tx,
  context: InboundContext,
  event: GroupUpdate,
): Promise<void> => {
  if (!(await isFirst(env, tx, context, { providerMessageId: `group/${event.nativeId}` }))) return;
  const publishAll = async (domainEvents: readonly DomainEvent[]) => {
    for (const domainEvent of domainEvents)
      await publish(
        env,
        tx,
        { tenantId: context.channel.tenantId, channel: context.channel, environment: context.environment },
        domainEvent,
      );
  };
  switch (event.what) {
    case "created":
      return publishAll(await recordCreation(env, tx, context.channel, event));
    case "deleted":
      return publishAll(await recordDeletion(env, tx, context.channel, event));
    case "failed":
      return recordRefusal(env, tx, context.channel, event);
    case "join-requests":
      return publishAll(await recordRequests(env, tx, context.channel, event));
    case "label":
      return publishAll(await recordLabel(env, tx, context.channel, event));
    default:
      return publishAll(await recordChange(env, tx, context.channel, event));
  }
};

const recordCreation = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  event: Of<"created">,
): Promise<DomainEvent[]> => {
  const { kind: _kind, what: _what, at, nativeId: _nativeId, groupId: upstreamGroupId, ...reported } = event;
  const { participants: people, admins, ...said } = reported;
  const { requestId } = said;
  const known = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId); // an earlier update made it known
  if (isDeleted(known)) return endRequest(env, tx, channel, { requestId, error: NOT_MADE });
  const asked = requestId === undefined ? undefined : await findGroupByRequest(tx, channel.id, requestId);
  const settings = { ...(asked && settingsOf(asked)), ...said, ...(known && changedSince(known, at)) };
  const row = {
    ...(known ?? asked ?? newGroupRow(env, channel)),
    ...settings,
    ...(people ? membersAt(people, admins, at) : {}),
    upstreamGroupId,
    updatedAt: env.clock.now(),
  };
  for (const former of [known, asked]) if (former) await deleteGroup(tx, former.id);
  await insertGroup(tx, row);
  if (requestId !== undefined) tx.afterCommit(() => env.groupRequests.notify(channel.id, requestId, { error: null }));
  return [{ type: "group.lifecycle", groupId: row.id, upstreamGroupId, action: "created" }];
};

/**
 * The first members of a group. A group that is reported with its members exists again, even if the account had left
 * it.
 */
const membersAt = (
  people: readonly string[],
  admins: readonly string[] = [],
  at: number,
): Pick<GroupRow, "participants" | "totalParticipantCount" | "isDeleting"> => ({
  participants: people.map((waId) => ({ waId, joinedAt: iso(at), isAdmin: admins.includes(waId) })),
  totalParticipantCount: people.length,
  isDeleting: false,
});

const settingsOf = ({ subject, description, joinApprovalMode }: GroupRow) => ({
  subject,
  description,
  joinApprovalMode,
});

const isDeleted = (group: GroupRow | undefined): boolean => group !== undefined && group.deletedAt !== null;

/** Stores the deletion alone, so that a late update does not create the group again. */
const recordDeletion = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { groupId: upstreamGroupId }: Of<"deleted">,
): Promise<DomainEvent[]> => {
  const group = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId);
  if (isDeleted(group)) return [];
  const nothing = { ...newGroupRow(env, channel), upstreamGroupId, isDeleting: true, deletedAt: env.clock.now() };
  if (group) await deleteGroup(tx, group.id);
  await insertGroup(tx, { ...nothing, id: group?.id ?? nothing.id });
  return group ? [{ type: "group.lifecycle", groupId: group.id, upstreamGroupId, action: "deleted" }] : [];
};

/**
 * Ends the wait for a group that was not made, and shows a group again whose deletion failed. The next refresh corrects
 * any other change that the network refused.
 */
const recordRefusal = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { groupId, requestId, isDeletion, error }: Of<"failed">,
): Promise<void> => {
  env.log.warn(
    { channelId: channel.id, requestId, upstreamCode: error.code, reason: error.message },
    "the network did not do what was asked of a group",
  );
  const group = groupId === undefined ? undefined : await findGroupByUpstreamId(tx, channel.id, groupId);
  if (isDeletion && group?.isDeleting && !isDeleted(group)) await updateGroup(tx, group.id, { isDeleting: false });
  await endRequest(env, tx, channel, { requestId, error });
};

/** Ends a request for a group that will not be made. */
const endRequest = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { requestId, error }: { requestId: string | undefined; error: UpstreamError },
): Promise<DomainEvent[]> => {
  if (requestId === undefined) return [];
  await forgetRequest(tx, channel, requestId);
  tx.afterCommit(() => env.groupRequests.notify(channel.id, requestId, { error }));
  return [];
};

const isOfCommunity = ({ what }: Change): boolean => what === "linked" || what === "unlinked";

const recordChange = async (env: GroupsEnv, tx: Tx, channel: ChannelRow, event: Change): Promise<DomainEvent[]> => {
  // a community names groups that this account is not in
  const group = isOfCommunity(event)
    ? await findGroupByUpstreamId(tx, channel.id, event.groupId)
    : await knownOrNew(env, tx, channel, event.groupId);
  if (!group || isDeleted(group)) return [];
  const update = withoutOvertaken(event, group);
  if (!update) return [];
  const { changes, domainEvents } = changeOf(group, update);
  const updatedAt = env.clock.now();
  await updateGroup(tx, group.id, { ...changes, providerUpdatedAt: timesAfter(group, update, updatedAt), updatedAt });
  return domainEvents;
};

/** The requests themselves stay at the network, which is asked for their list. */
const recordRequests = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { groupId: upstreamGroupId, action, waIds, way }: Of<"join-requests">,
): Promise<DomainEvent[]> => {
  const group = await knownOrNew(env, tx, channel, upstreamGroupId);
  if (!group) return [];
  return [{ type: "group.join-requests", groupId: group.id, action, waIds, ...(way === undefined ? {} : { way }) }];
};

const recordLabel = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { groupId: upstreamGroupId, waId, label }: Of<"label">,
): Promise<DomainEvent[]> => {
  const group = await knownOrNew(env, tx, channel, upstreamGroupId);
  if (!group) return [];
  await updateGroup(tx, group.id, {
    participants: withLabel(group.participants, waId, label),
    updatedAt: env.clock.now(),
  });
  return [{ type: "group.member-label", groupId: group.id, waId, label }];
};

/** The members of a group, of whom one has this label. Somebody who is not known as a member stays unknown. */
export const withLabel = (
  participants: GroupRow["participants"],
  waId: string,
  label: string | null,
): GroupRow["participants"] =>
  participants.map((one) => {
    if (numberKeyOf(one.waId) !== numberKeyOf(waId)) return one;
    const { label: _, ...rest } = one;
    return label === null ? rest : { ...rest, label };
  });

/** The group with this id of the network, which is stored if it was unknown; undefined if it was deleted. */
const knownOrNew = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  upstreamGroupId: string,
): Promise<GroupRow | undefined> => {
  const known = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId);
  if (isDeleted(known)) return undefined;
  const group = known ?? { ...newGroupRow(env, channel), upstreamGroupId };
  if (!known) await insertGroup(tx, group);
  return group;
};

const SETTINGS = ["subject", "description", "joinApprovalMode", "rules", "inviteLink"] as const;

/** The parts of a group that an update changes. Updates are ordered by time for each part separately. */
const mattersOf = (event: Change): readonly string[] => {
  if (event.what === "participants") return event.waIds;
  if (event.what === "settings") return SETTINGS.filter((name) => event[name] !== undefined);
  return [isOfCommunity(event) ? "community" : "status"];
};

const isOvertaken = ({ providerUpdatedAt }: GroupRow, matter: string, at: number): boolean =>
  at > 0 && at < (providerUpdatedAt[matter] ?? 0);

/** The settings that updates later than `at` have changed. */
const changedSince = (group: GroupRow, at: number): Partial<GroupRow> =>
  Object.fromEntries(SETTINGS.filter((name) => isOvertaken(group, name, at)).map((name) => [name, group[name]]));

/** The update without the parts that a later update has changed; undefined when nothing is left. */
const withoutOvertaken = (event: Change, group: GroupRow): Change | undefined => {
  const matters = mattersOf(event).filter((matter) => !isOvertaken(group, matter, event.at));
  if (matters.length === 0) return undefined;
  if (event.what === "participants") return { ...event, waIds: [...matters] };
  if (event.what !== "settings") return event;
  const left = Object.entries(event).filter(
    ([name]) => !SETTINGS.some((setting) => setting === name) || matters.includes(name),
  );
  return Object.fromEntries(left) as typeof event; // some of its settings are missing
};

/**
 * The time of the last update of each part. A time in the future counts as now; otherwise it would hide real updates.
 */
const timesAfter = ({ providerUpdatedAt }: GroupRow, update: Change, now: number): GroupRow["providerUpdatedAt"] => {
  const times = mattersOf(update).map((matter) => [matter, Math.min(update.at, now)] as const);
  return Object.fromEntries([...Object.entries(providerUpdatedAt), ...times].filter(([, at]) => at > now - LATEST_MS));
};

const changeOf = (group: GroupRow, event: Change): { changes: Partial<GroupRow>; domainEvents: DomainEvent[] } => {
  const { id: groupId } = group;
  switch (event.what) {
    case "suspended":
    case "unsuspended": {
      const suspended = event.what === "suspended";
      return {
        changes: { isSuspended: suspended },
        domainEvents: [
          { type: "group.lifecycle", groupId, upstreamGroupId: event.groupId, action: event.what },
          { type: "group.status", groupId, status: suspended ? "SUSPENDED" : "ACTIVE", suspended },
        ],
      };
    }
    case "settings": {
      const { subject, description, joinApprovalMode, rules, inviteLink, by } = event;
      const settings = {
        ...(subject === undefined ? {} : { subject }),
        ...(description === undefined ? {} : { description }),
        ...(joinApprovalMode === undefined ? {} : { joinApprovalMode }),
        ...(inviteLink === undefined ? {} : { inviteLink }),
      };
      const doer = by === undefined ? {} : { by };
      return {
        changes: { ...settings, ...(rules === undefined ? {} : { rules: { ...group.rules, ...rules } }) },
        domainEvents: [
          { type: "group.settings", groupId, ...settings, ...(rules === undefined ? {} : { rules }), ...doer },
        ],
      };
    }
    case "linked":
    case "unlinked":
      return communityAfter(group, event);

    case "participants": {
      const participants = participantsAfter(group, event);
      return {
        changes: { participants, totalParticipantCount: participants.length },
        domainEvents: [
          {
            type: "group.participants",
            groupId,
            action: event.action,
            waIds: event.waIds,
            ...(event.way === undefined ? {} : { way: event.way }),
            ...(event.by === undefined ? {} : { by: event.by }),
          },
        ],
      };
    }
  }
};

/** Both the group and its community report a change, of which the first report counts. */
const communityAfter = (
  { id: groupId, community }: GroupRow,
  { what, communityId }: Of<"linked" | "unlinked">,
): { changes: Partial<GroupRow>; domainEvents: DomainEvent[] } => {
  const isMember = community?.communityId === communityId;
  if (isMember === (what === "linked")) return { changes: {}, domainEvents: [] };
  const { communityId: _, ...rest } = community ?? {};
  return {
    changes: { community: what === "linked" ? { ...rest, communityId } : rest },
    domainEvents: [{ type: "group.community", groupId, action: what, communityId }],
  };
};

const participantsAfter = (
  { participants }: GroupRow,
  { action, waIds, at }: Of<"participants">,
): GroupRow["participants"] => {
  const named = new Set(waIds.map(numberKeyOf));
  const isNamed = ({ waId }: { waId: string }) => named.has(numberKeyOf(waId));
  if (action === "promote" || action === "demote")
    return participants.map((one) => (isNamed(one) ? { ...one, isAdmin: action === "promote" } : one));
  const others = participants.filter((one) => !isNamed(one));
  return action === "join" ? [...others, ...waIds.map((waId) => ({ waId, joinedAt: iso(at) }))] : others;
};

/** Gives a group the id that its network calls it by from now on. It keeps its own id here, and its members. */
export const renameGroup = async (
  env: Pick<GroupsEnv, "clock">,
  tx: Tx,
  channelId: ChannelId,
  { before, after }: { before: string; after: string },
): Promise<void> => {
  const group = await findGroupByUpstreamId(tx, channelId, before);
  if (group && !(await findGroupByUpstreamId(tx, channelId, after)))
    await updateGroup(tx, group.id, { upstreamGroupId: after, updatedAt: env.clock.now() });
};
