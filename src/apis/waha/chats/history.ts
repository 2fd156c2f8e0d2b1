import type { Channel } from "../../../core/channels/channel.ts";
import { shownContent } from "../../../core/conversations/acts.ts";
import type { HistoryMessage } from "../../../core/conversations/history.ts";
import { getHistoryMessage } from "../../../core/conversations/history.ts";
import { messageLog } from "../../../core/conversations/message-log.ts";
import { fileLink } from "../../../core/media/links.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";

import { chatIdOf, messageIdIn } from "../addresses.ts";
import type { Scope } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { ACK_OF, type Ack, messageView, type WahaMedia } from "../message-views.ts";
import { cut, MOST, type Page } from "../pages.ts";
import { meOf } from "../session-views.ts";
import { contactOfChat } from "./chat-views.ts";

/** What phones exchange in place of a message that was deleted for everyone. */
const REVOKED = { type: "protocolMessage", content: { type: "REVOKE" } };

/** The file of a message, at an address that gives it for ten minutes; null without one, and once it is gone. */
const mediaOf = async (env: WahaEnv, scope: Scope, { media }: HistoryMessage): Promise<WahaMedia | null> => {
  if (!media) return null;
  try {
    const url = await fileLink(env, scope, media.mediaId);
    return { url, mimetype: media.contentType, filename: media.filename };
  } catch (error) {
    if (error instanceof AppError) return null; // it has ended meanwhile
    throw error;
  }
};

type Shown = { session: Channel; withMedia: boolean };

/** A stored message in WAHA's shape, as it reads now. */
export const storedMessage = async (
  env: WahaEnv,
  scope: Scope,
  message: HistoryMessage,
  { session, withMedia }: Shown,
) => {
  const fromMe = message.direction === "OUTBOUND";
  const other = fromMe ? message.to : message.from;
  const content = shownContent(message.content, message);
  return messageView({
    id: message.id,
    chatId: other ? chatIdOf(other) : "",
    fromMe,
    me: meOf(session)?.id ?? null,
    at: message.sentAt ?? message.createdAt,
    said: message.deletedAt === null ? { type: message.type, content } : REVOKED,
    ack: ACK_OF[message.status],
    source: message.isSentHere ? "api" : "app",
    media: withMedia ? await mediaOf(env, scope, message) : null,
    quotedId: message.quotedMessageId,
  });
};

/** A stored message of a session. @throws AppError MESSAGE_NOT_FOUND, also for a message of another session */
export const messageOn = async (
  env: WahaEnv,
  { tenantId }: Scope,
  { session, id }: { session: Channel; id: string },
): Promise<HistoryMessage> => {
  const message = await getHistoryMessage(env, { tenantId, environment: "live" }, messageIdIn(id));
  if (message.channelId === session.id) return message;
  throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message." });
};

/** What a list of messages may ask for; times in seconds, both included. */
export type Wanted = {
  since?: number | undefined;
  until?: number | undefined;
  fromMe?: boolean | undefined;
  ack?: Ack | undefined;
  isOldestFirst: boolean;
};

/**
 * The stored messages of a session with the person of a chat id, newest first unless it is said otherwise. Those with an
 * `ack` are found among the newest 1,000.
 * @throws AppError NOT_OFFERED_UPSTREAM for a group or newsletter, VALIDATION for the oldest messages of more than 1,000
 */
export const messagesOf = async (
  env: WahaEnv,
  scope: Scope,
  { session, chatId, page, wanted }: { session: Channel; chatId: string; page: Page; wanted: Wanted },
): Promise<HistoryMessage[]> => {
  const { since, until, fromMe, ack, isOldestFirst } = wanted;
  const isWhole = isOldestFirst || ack !== undefined;
  const { items, nextCursor } = await messageLog(env, scope, {
    channelId: session.id,
    contact: contactOfChat(chatId),
    direction: fromMe === undefined ? undefined : fromMe ? "OUTBOUND" : "INBOUND",
    sinceMs: since === undefined ? undefined : since * SECOND_MS,
    untilMs: until === undefined ? undefined : (until + 1) * SECOND_MS,
    limit: isWhole ? MOST : page.end,
  });
  if (isOldestFirst && nextCursor !== null)
    throw invalid(
      issue("sortOrder", "enum", `must be desc for more than ${MOST} messages, or filter.timestamp narrower`),
    );
  const found = ack === undefined ? items : items.filter(({ status }) => ACK_OF[status] === ack);
  return cut(isOldestFirst ? found.toReversed() : found, page);
};
