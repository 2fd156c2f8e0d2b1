import { findKnown } from "../../store/tables/messaging/messages.ts";
import { getHistoryMessage, type HistoryMessage } from "../conversations/history.ts";
import { contactNamed } from "../conversations/message-log.ts";
import { contactOfKey, isMany } from "../domain-event.ts";
import { authored, type ChatwootChange, chatwootPerson } from "./changes.ts";
import type { ChatwootEnv } from "./env.ts";
import type { Connection } from "./inbox.ts";
import { chatwootWords } from "./words.ts";

/** When an earlier message was written. */
export const timeIn = ({ sentAt, createdAt }: HistoryMessage): number => sentAt ?? createdAt;

/** An earlier message as a change; undefined for a message that Chatwoot does not show. */
export const changeOfOld = async (
  env: ChatwootEnv,
  { tenantId, channelId }: Connection,
  id: string,
): Promise<ChatwootChange | undefined> => {
  const known = await env.db.read((reader) => findKnown(reader, channelId, id));
  if (!known || known.chat === "") return undefined;
  const message = await getHistoryMessage(env, { tenantId, environment: "live" }, id);
  const chat = contactOfKey(known.chat);
  const isFailed = message.status === "FAILED" || message.status === "QUEUED";
  if (message.deletedAt !== null || isFailed || (isMany(chat) && chat.type !== "group")) return undefined;
  const isIncoming = message.direction === "INBOUND";
  const names = await namesFor(env, tenantId, { chat: known.chat, author: isIncoming ? known.sender : null });
  const said = { type: message.type, content: message.content };
  const { mediaHandle } = message.content as { mediaHandle?: string };
  return {
    change: "message",
    channelId,
    chat: chatwootPerson(chat, names.chat),
    message: {
      id,
      isIncoming,
      text: authored(message.edited?.text ?? chatwootWords(said), {
        chat,
        from: isIncoming && known.sender !== null ? contactOfKey(known.sender) : null,
        name: names.author,
      }),
      at: timeIn(message),
      answers: message.quotedMessageId,
      file: mediaHandle ?? message.media !== null,
    },
  };
};

const namesFor = async (
  env: ChatwootEnv,
  tenantId: Connection["tenantId"],
  { chat, author }: { chat: string; author: string | null },
): Promise<{ chat: string | null; author: string | null }> => {
  const nameOfKey = async (key: string) => (await contactNamed(env, { tenantId }, key))?.name ?? null;
  if (!chat.startsWith("group:")) return { chat: await nameOfKey(chat), author: null };
  return { chat: null, author: author === null ? null : await nameOfKey(author) };
};
