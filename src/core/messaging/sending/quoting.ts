import type { ProviderMessageId } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { personKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import {
  findKnown,
  findMessage,
  findMessageOf,
  type KnownMessage,
  type MessageRow,
} from "../../../store/tables/messaging/messages.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { readContactOn } from "../../channels/identity.ts";
import type { MessagingEnv } from "../env.ts";

type Quote = Pick<MessageRow, "quotedProviderMessageId" | "quotedMessageId">;
/** `isAnswer`: the quoted message is the recipient's own. */
type RequiredQuote = Quote & Pick<MessageRow, "isAnswer">;
type Quoting = {
  quotedMessageId: string | undefined;
  /** The quote is a comment, whose author is the recipient. */
  answersComment: boolean;
  recipient: string;
  environment: Environment;
};

/**
 * The quote of a message: the provider message id of a known message, or the id of a message to the same person that is
 * still queued. The latter's provider id is looked up at the send.
 * @throws AppError MESSAGE_KEY_UNKNOWN, MESSAGE_KEY_DAMAGED, or VALIDATION for a comment of another person
 */
export const requireQuote = async (
  env: MessagingEnv,
  { id, kind, tenantId }: ChannelRow,
  { quotedMessageId, answersComment, recipient, environment }: Quoting,
): Promise<RequiredQuote> => {
  if (quotedMessageId === undefined) return { quotedProviderMessageId: null, quotedMessageId: null, isAnswer: false };
  const [known, sent] = await env.db.read(
    async (reader) =>
      [await findKnown(reader, id, quotedMessageId), await findMessage(reader, { tenantId }, quotedMessageId)] as const,
  );
  if (known && answersComment && personKeyOf(known.chat) !== personKeyOf(recipient))
    throw invalid(issue("commentId", "enum", "must be a comment of the recipient"));
  if (known && !(environment === "live" && known.environment === "test")) {
    if (isDamaged(env, kind, environment, known.key))
      throw new AppError("MESSAGE_KEY_DAMAGED", {
        message: "What is stored of the quoted message is damaged; send without quoting it.",
      });
    const isAnswer = await env.db.read((reader) => isWrittenBy(reader, { channelId: id, recipient }, known));
    return { quotedProviderMessageId: known.key, quotedMessageId: null, isAnswer };
  }
  const isQueued =
    sent?.status === "QUEUED" &&
    sent.channelId === id &&
    personKeyOf(sent.recipient) === personKeyOf(recipient) &&
    sent.environment === environment;
  if (isQueued) return { quotedProviderMessageId: null, quotedMessageId: sent.id, isAnswer: false };
  throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "The quoted message is not known to this channel." });
};

/** Whether the recipient wrote a message, perhaps under another of their names. */
const isWrittenBy = async (
  r: Reader,
  { channelId, recipient }: Pick<MessageRow, "channelId" | "recipient">,
  { direction, sender, chat, environment }: KnownMessage,
): Promise<boolean> => {
  if (direction !== "inbound") return false;
  const author = sender || chat;
  if (personKeyOf(author) === personKeyOf(recipient)) return true;
  if (environment === "test") return false; // a simulated person has one name
  const [wrote, gets] = [await readContactOn(r, channelId, author), await readContactOn(r, channelId, recipient)];
  return personKeyOf(wrote.canonicalKey) === personKeyOf(gets.canonicalKey);
};

const isDamaged = (
  { registry }: Pick<MessagingEnv, "registry">,
  kind: ChannelKind,
  environment: Environment,
  key: ProviderMessageId,
): boolean => registry.of(kind, environment)?.isKey?.(key) === false;

/**
 * The provider message id of the quoted message, in the write that begins a send. Null if that message failed or has
 * no id yet; then the message is sent without a quote.
 */
export const quotedKeyNow = async (
  env: MessagingEnv,
  tx: Tx,
  message: MessageRow,
  kind: ChannelKind,
): Promise<ProviderMessageId | null> => {
  const { quotedProviderMessageId, quotedMessageId, id: messageId, channelId, environment } = message;
  if (quotedProviderMessageId !== null || quotedMessageId === null) return quotedProviderMessageId;
  const quoted = await findMessageOf(tx, channelId, quotedMessageId);
  const key = quoted?.status === "FAILED" ? null : (quoted?.providerMessageId ?? null);
  if (key !== null && !isDamaged(env, kind, environment, key)) return key;
  env.log.warn(
    { messageId, channelId, quotedMessageId },
    "a message is sent without its quote: the quoted message was not sent",
  );
  return null;
};

/** Whether the message was sent without the quote that it was accepted with. */
export const isQuoteDropped = ({ quotedProviderMessageId, quotedMessageId }: Quote): boolean =>
  quotedMessageId !== null && quotedProviderMessageId === null;
