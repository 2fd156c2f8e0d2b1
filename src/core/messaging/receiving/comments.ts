import type { Commented } from "../../../contract/events.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { claimInbound } from "../../../store/tables/channels/inbox.ts";
import { findIdOfKey } from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { contactOf } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/**
 * Receives a comment on a post of the channel's owner: gives it an id of ours, under which a send may answer it, and
 * publishes it. A repeat changes nothing. A comment belongs to no conversation.
 */
export const receiveComment = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { key, at, from: author, text, postId, parentKey }: Commented,
): Promise<void> => {
  const { channel, environment } = context;
  const from = contactOf(await learnIdentity(tx, context, { identity: author, at }));
  const commentId = newId<MessageId>(env);
  const isNew = await claimInbound(tx, {
    channelId: channel.id,
    providerMessageId: key,
    messageId: commentId,
    chat: from.canonicalKey,
    sender: from.canonicalKey,
    isOwn: false,
    isPlaceholder: false,
    receivedAt: env.clock.now(),
    environment,
  });
  if (!isNew) return;
  const parentCommentId = parentKey === undefined ? null : ((await findIdOfKey(tx, channel.id, parentKey)) ?? null);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    { type: "comment.received", commentId, at, from, text, postId: postId ?? null, parentCommentId },
  );
};
