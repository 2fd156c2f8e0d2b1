import type { GroupNews } from "../../contract/events.ts";
import { iso } from "../../kernel/clock.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { deleteGroup, findGroupByRequest, findGroupByUpstreamId, type GroupRow, insertGroup, updateGroup } from "../../store/groups.ts";
import type { Inlet } from "../channels/identity.ts";
import { isFirst } from "../channels/repeats.ts";
import type { Env } from "../env.ts";
import type { Fact } from "../events/fact.ts";
import { publish } from "../events/publish.ts";
import { forgetRequest, newGroupRow } from "./groups.ts";

type Of<What extends GroupNews["what"]> = Extract<GroupNews, { what: What }>;
type Change = Exclude<GroupNews, Of<"created"> | Of<"deleted"> | Of<"failed">>;

/**
 * Takes in news of a group, once, and tells of it. A group that is not known here, because it was made elsewhere or its other news is late, becomes known by it; what the news
 * does not say of it comes with a refresh.
 */
export const receiveGroupNews = async (env: Env, tx: Tx, inlet: Inlet, event: GroupNews): Promise<void> => {
  if (!(await isFirst(env, tx, inlet, { nativeKey: `group/${event.nativeId}` }))) return;
  const tell = async (facts: readonly Fact[]) => {
    for (const fact of facts) await publish(env, tx, { tenantId: inlet.channel.tenantId, channel: inlet.channel, environment: inlet.environment }, fact);
  };
  switch (event.what) {
    case "created":
      return tell(await recordCreation(env, tx, inlet.channel, event));
    case "deleted":
      return tell(await recordDeletion(tx, inlet.channel, event));
    case "failed":
      return recordRefusal(env, tx, inlet.channel, event);
    default:
      return tell(await recordChange(env, tx, inlet.channel, event));
  }
};

const recordCreation = async (env: Env, tx: Tx, channel: ChannelRow, event: Of<"created">): Promise<Fact[]> => {
  const { kind: _kind, what: _what, at: _at, nativeId: _nativeId, groupId: upstreamGroupId, ...said } = event;
  const { requestId } = said;
  const known = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId); // by news that came before this
  const asked = requestId === undefined ? undefined : await findGroupByRequest(tx, channel.id, requestId);
  const row = { ...(known ?? asked ?? newGroupRow(env, channel)), ...(asked && settingsOf(asked)), ...said, upstreamGroupId, updatedAt: env.clock.now() };
  for (const former of [known, asked]) if (former) await deleteGroup(tx, former.id);
  await insertGroup(tx, row);
  if (requestId !== undefined) tx.afterCommit(() => env.groupRequests.tell(channel.id, requestId, { error: null }));
  return [{ type: "group.lifecycle", groupId: row.id, upstreamGroupId, action: "created" }];
};

const settingsOf = ({ subject, description, joinApprovalMode }: GroupRow) => ({ subject, description, joinApprovalMode });

const recordDeletion = async (tx: Tx, channel: ChannelRow, { groupId: upstreamGroupId }: Of<"deleted">): Promise<Fact[]> => {
  const group = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId);
  if (!group) return [];
  await deleteGroup(tx, group.id);
  return [{ type: "group.lifecycle", groupId: group.id, upstreamGroupId, action: "deleted" }];
};

/** A group that was not made is not waited for, and one that was not deleted is there again. Another change that was not made shows with the next refresh. */
const recordRefusal = async (env: Env, tx: Tx, channel: ChannelRow, { groupId, requestId, error }: Of<"failed">): Promise<void> => {
  env.log.warn({ channelId: channel.id, requestId, upstreamCode: error.code, reason: error.message }, "the network did not do what was asked of a group");
  const group = groupId === undefined ? undefined : await findGroupByUpstreamId(tx, channel.id, groupId);
  if (group?.isDeleting) await updateGroup(tx, group.id, { isDeleting: false });
  if (requestId === undefined) return;
  await forgetRequest(tx, channel, requestId);
  tx.afterCommit(() => env.groupRequests.tell(channel.id, requestId, { error }));
};

const recordChange = async (env: Env, tx: Tx, channel: ChannelRow, event: Change): Promise<Fact[]> => {
  const known = await findGroupByUpstreamId(tx, channel.id, event.groupId);
  const group = known ?? { ...newGroupRow(env, channel), upstreamGroupId: event.groupId };
  if (!known) await insertGroup(tx, group);
  const { changes, facts } = changeOf(group, event);
  await updateGroup(tx, group.id, { ...changes, updatedAt: env.clock.now() });
  return facts;
};

const changeOf = (group: GroupRow, event: Change): { changes: Partial<GroupRow>; facts: Fact[] } => {
  const { id: groupId } = group;
  switch (event.what) {
    case "suspended":
    case "unsuspended": {
      const suspended = event.what === "suspended";
      return {
        changes: { isSuspended: suspended },
        facts: [
          { type: "group.lifecycle", groupId, upstreamGroupId: event.groupId, action: event.what },
          { type: "group.status", groupId, status: suspended ? "SUSPENDED" : "ACTIVE", suspended },
        ],
      };
    }
    case "settings": {
      const { subject, description } = event;
      const changes = { ...(subject === undefined ? {} : { subject }), ...(description === undefined ? {} : { description }) };
      return { changes, facts: [{ type: "group.settings", groupId, ...changes }] };
    }
    case "participants": {
      const participants = participantsAfter(group, event);
      return {
        changes: { participants, totalParticipantCount: participants.length },
        facts: [{ type: "group.participants", groupId, action: event.action, waIds: event.waIds }],
      };
    }
  }
};

const participantsAfter = ({ participants }: GroupRow, { action, waIds, at }: Of<"participants">): GroupRow["participants"] => {
  const others = participants.filter(({ waId }) => !waIds.includes(waId));
  return action === "join" ? [...others, ...waIds.map((waId) => ({ waId, joinedAt: iso(at) }))] : others;
};
