import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import type { ProviderMessageId, Received } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { claimInbound } from "../../../store/tables/channels/inbox.ts";
import {
  findIdOfKey,
  findMessageOf,
  listUncertain,
  type MessageRow,
} from "../../../store/tables/messaging/messages.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { contactOf } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";
import { recordProgress } from "../sending/status.ts";
import { receiveEarlyActs } from "./acts.ts";

/**
 * The maximum number of uncertain messages to one person that are compared with an echo. They are sent one after the
 * other, so there are seldom two.
 */
const MAX_COMPARED = 50;

/**
 * Recognises a message that the network reports as the owner's but that was sent from here; true then. A match with an
 * uncertain message proves that it was sent, and is recorded. A match with a part of an uncertain message (a file
 * without its caption, or the caption) is ours too, but leaves it uncertain.
 */
export const recordOwnSend = async (
  env: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  echo: Received,
): Promise<boolean> => {
  const known = await findIdOfKey(tx, channel.id, echo.key);
  if (known) return (await findMessageOf(tx, channel.id, known)) !== undefined;
  // another app wrote it
  if (echo.heldBy) return false;
  // the owner wrote it elsewhere, whatever its text
  if (!env.registry.of(channel.kind, environment)?.capabilities.echoesSends) return false;
  const to = { channelId: channel.id, recipient: contactOf(echo.chat).canonicalKey };
  const uncertain = (await listUncertain(tx, to, MAX_COMPARED)).filter(
    (message) => message.environment === environment,
  );
  const whole = uncertain.find((message) => isWhole(message, echo.content));
  if (whole)
    return (
      (await recordProgress(env, tx, whole, { status: "SENT", at: echo.at, providerMessageId: echo.key })) !== undefined
    );
  const part = uncertain.find((message) => isPart(message, echo.content));
  if (part) await keepKeys(env, tx, part, [echo.key]);
  return part !== undefined;
};

/**
 * Stores further provider message ids of a message that was sent from here. Earlier and later reports under these ids
 * are about that message.
 */
export const keepKeys = async (
  env: MessagingEnv,
  tx: Tx,
  { id, channelId, recipient, environment }: MessageRow,
  keys: readonly ProviderMessageId[],
): Promise<void> => {
  for (const providerMessageId of keys) {
    await claimInbound(tx, {
      channelId,
      providerMessageId,
      messageId: id,
      chat: recipient,
      sender: "",
      isOwn: true,
      isPlaceholder: false,
      receivedAt: env.clock.now(),
      environment,
    });
    await receiveEarlyActs(env, tx, channelId, providerMessageId);
  }
};

type EchoedContent = Pick<MessageRow, "type" | "content"> | InboundContent;

const textOf = ({ content }: EchoedContent): string | undefined => ("text" in content ? content.text : undefined);
const captionOf = ({ content }: EchoedContent): string | undefined =>
  ("caption" in content && content.caption) || undefined;

const isWhole = (sent: MessageRow, echoed: InboundContent): boolean =>
  sent.type === echoed.type && textOf(sent) === textOf(echoed) && captionOf(sent) === captionOf(echoed);

const isPart = (sent: MessageRow, echoed: InboundContent): boolean => {
  const caption = captionOf(sent);
  return (
    caption !== undefined &&
    ((sent.type === echoed.type && captionOf(echoed) === undefined) ||
      (echoed.type === "text" && echoed.content.text === caption))
  );
};
