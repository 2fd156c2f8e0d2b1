import { type GroupMessageType, groupPayloadIssues } from "../../contract/abilities/groups.ts";
import { isOpenState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { invalid } from "../../kernel/errors.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { writeOrRehearse } from "../../store/engine/rehearsal.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { findGroup, type Group } from "../../store/tables/groups.ts";
import type { AskedBy, NewMessage } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { notConnected } from "../channels/refusals.ts";
import { type Accepted, acceptWithin } from "../messaging/sending/accept.ts";
import type { Completion } from "../tenancy/keys/keyed-requests.ts";
import type { GroupsEnv } from "./env.ts";
import { suspendedGroup, unknownGroup } from "./groups.ts";

export type GroupMessageInput = { id: string; type: GroupMessageType; payload: Record<string, unknown> };

type GroupSending = AskedBy & { isDryRun?: boolean; completes?: Completion<Accepted> };

/**
 * Accepts a message to a group, in its network's own format, like any other send. Checked in this order: the
 * payload (VALIDATION), the group is the tenant's (GROUP_NOT_FOUND) and not suspended (GROUP_SUSPENDED), its channel is
 * connected (CHANNEL_NOT_CONNECTED). The message's status shows the network's answer. A dry run makes the same checks and
 * leaves nothing behind.
 */
export const sendToGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, ...content }: GroupMessageInput,
  { isDryRun, completes, acceptedBy, requestId }: GroupSending,
): Promise<Accepted> => {
  const issues = groupPayloadIssues(content.type, content.payload);
  if (issues.length > 0) throw invalid(...issues);
  const recipient = await groupRecipient(env, await env.db.read((reader) => requireUsable(reader, scope, id)));
  return writeOrRehearse(env.db, { isDryRun }, async (tx) => {
    const { group, kind } = await requireUsable(tx, scope, id);
    const { channelId } = group;
    const message: NewMessage = {
      id: newId<MessageId>(env),
      tenantId: scope.tenantId,
      channelId,
      environment: "live",
      type: "native",
      content,
      recipient,
      quotedProviderMessageId: null,
      quotedMessageId: null,
      createdAt: env.clock.now(),
      conversationId: null,
      batchId: null,
      acceptedBy,
      requestId,
    };
    const usual = { idempotency: undefined, messagesPerDay: undefined, fallback: undefined, holdsFile: false };
    const rest = { ...usual, mayNeedConsent: false, infersAnswers: false }; // a group does not opt out
    const alone = { message, kind, ...rest };
    const accepted = await acceptWithin(env, tx, alone);
    await completes?.(tx, accepted);
    return accepted;
  });
};

/** The group as the network's other messages name it; the network's own id if its addresses have no groups. */
export const groupRecipient = async ({ registry }: GroupsEnv, { kind, group }: Usable): Promise<string> => {
  const { upstreamGroupId } = group;
  const address = await registry.ofKind(kind)?.address(upstreamGroupId);
  return address?.ok && address.to.startsWith("group:") ? address.to : `group:${upstreamGroupId}`;
};

type Usable = { group: Group; kind: ChannelKind };

const requireUsable = async (reader: Reader, scope: TenantScope, id: string): Promise<Usable> => {
  const group = await findGroup(reader, scope, id);
  const channel = group && (await findChannel(reader, scope, group.channelId));
  if (!group || !channel) throw unknownGroup();
  if (group.isSuspended) throw suspendedGroup();
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return { group, kind: channel.kind };
};
