import type { ChannelId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import {
  type ChatCounts,
  countChats,
  type NewestOf,
  newestOfConversations,
} from "../../store/tables/conversations/conversation-pages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { listMembers, namesOfUsers, type Role } from "../../store/tables/tenancy/users.ts";
import type { Chat } from "./chats.ts";
import type { ConversationsEnv } from "./env.ts";
import { type HistoryMessage, readConversationMessages } from "./history.ts";

/** The maximum length of a message's preview, in code points. */
const PREVIEW_LENGTH = 200;

/** `text`: the beginning of the message's text; null for a message without text. */
type Newest = Pick<HistoryMessage, "id" | "direction" | "type" | "status" | "sentBy" | "createdAt" | "deletedAt"> & {
  text: string | null;
};

/**
 * A chat in a list. `answerUntil`: the end of the time for free answers; null if the network has no such window, 0 if
 * the person never wrote. `assignee`: the member who has the chat.
 */
export type ChatPreview = {
  newest: Newest | null;
  answerUntil: number | null;
  assignee: { userId: string; name: string } | null;
};

/** The previews of these chats, in their order. */
export const readPreviews = (
  env: Pick<ConversationsEnv, "db" | "clock" | "registry">,
  scope: TenantScope,
  chats: readonly Chat[],
): Promise<ChatPreview[]> =>
  env.db.read(async (reader) => {
    const ids = chats.map(({ conversation }) => conversation.id);
    const newestOf = new Map((await newestOfConversations(reader, ids)).map((one) => [one.id, one]));
    const wanted = [...newestOf.values()].flatMap((one) => newestId(one) ?? []);
    const viewer = { tenantId: scope.tenantId, environment: "live" } as const;
    const messages = new Map<string, HistoryMessage>();
    for (const message of await readConversationMessages(reader, viewer, wanted, env.clock.now()))
      messages.set(message.id, message);
    const windows = await windowsOf(env, reader, scope, chats);
    const names = await namesOfUsers(
      reader,
      chats.flatMap(({ conversation }) => conversation.assignedUserId ?? []),
    );
    return chats.map(({ conversation: { id, channelId, assignedUserId: userId } }) => {
      const found = newestOf.get(id);
      const message = messages.get((found && newestId(found)) ?? "");
      const windowMs = windows.get(channelId);
      return {
        newest: message ? { ...message, text: previewOf(message) } : null,
        answerUntil: windowMs === undefined ? null : endOf(found, windowMs),
        assignee: userId === null ? null : { userId, name: names.get(userId) ?? "" },
      };
    });
  });

/** Ids sort by their time. */
const newestId = ({ sentId, receivedId }: NewestOf): string | undefined =>
  [sentId, receivedId]
    .filter((id) => id !== null)
    .toSorted()
    .at(-1);

const endOf = (found: NewestOf | undefined, windowMs: number): number => {
  const at = found?.personAt ?? null;
  return at === null ? 0 : at + windowMs;
};

/** How long after a person's message anybody may answer freely, by channel. */
const windowsOf = async (
  env: Pick<ConversationsEnv, "registry">,
  r: Reader,
  scope: TenantScope,
  chats: readonly Chat[],
): Promise<Map<ChannelId, number | undefined>> => {
  const windows = new Map<ChannelId, number | undefined>();
  for (const id of new Set(chats.map(({ conversation }) => conversation.channelId))) {
    const channel = await findChannel(r, scope, id);
    windows.set(id, channel && env.registry.declared(channel.kind)?.network.answerWindowMs);
  }
  return windows;
};

/** TABLE: the fields of contents that people read first. */
const TEXTS = ["text", "caption", "body", "question", "filename", "name", "phoneNumber"] as const;

const previewOf = ({ content, edited, transcript }: HistoryMessage): string | null => {
  if (edited) return cut(edited.text);
  if (transcript !== null) return cut(transcript);
  const fields = content as Record<string, unknown>;
  const first = TEXTS.map((field) => textIn(fields[field])).find((text) => text !== undefined);
  return first === undefined ? null : cut(first);
};

/** A field is a text, or an object with one, as the body of buttons. */
const textIn = (value: unknown): string | undefined => {
  const text = typeof value === "object" && value !== null && "text" in value ? value.text : value;
  return typeof text === "string" && text !== "" ? text : undefined;
};

const cut = (text: string): string =>
  Array.from(text.slice(0, 2 * PREVIEW_LENGTH))
    .slice(0, PREVIEW_LENGTH)
    .join("")
    .toWellFormed();

/** The numbers of chats, each up to 1,000; `assigned` counts the open chats of the member `userId`. */
export const chatCounts = (
  env: Pick<ConversationsEnv, "db" | "clock">,
  scope: TenantScope,
  userId: string | undefined,
): Promise<ChatCounts> => env.db.read((reader) => countChats(reader, scope, { userId, nowMs: env.clock.now() }));

/**
 * The members to whom chats may be assigned, in the order of joining. Empty for an account that is not an institution.
 */
export const readAssignees = (
  env: Pick<ConversationsEnv, "db">,
  { tenantId }: TenantScope,
): Promise<{ userId: string; name: string; role: Role }[]> =>
  env.db.read(async (reader) =>
    (await listMembers(reader, tenantId)).map(({ id: userId, name, role }) => ({ userId, name, role })),
  );
