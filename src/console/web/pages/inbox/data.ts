import type { Chat, LoggedMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Endless, useEndless } from "../../frame/requests/endless.ts";
import { type Query, useQuery } from "../../frame/requests/query.ts";
import { session } from "../../frame/session.ts";
import { chatQuery, type InboxFilters } from "./chat-query.ts";

export type { Chat, LoggedMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";

export { type InboxFilters, NO_FILTERS, VIEWS, type View } from "./chat-query.ts";

/** The events that change a list of chats. */
const CHAT_EVENTS = ["message:", "agent:", "conversation:", "chat:updated"] as const;
const PAGE = 50;

const isBefore = (a: readonly [string, string], b: readonly [string, string]): boolean =>
  a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

/** Chats that wait are shown with the longest wait first, others with the newest message first. */
export const useChats = (filters: InboxFilters): Endless<Chat> => {
  const { view, phone, q, assignee, wait, tag } = filters;
  return useEndless<Chat>(
    `chats ${[view, phone, q, assignee, wait, tag].join(" ")}`,
    (cursor, signal) =>
      gateway.chats
        .list(
          {
            ...chatQuery(filters, session.value?.person.id ?? ""),
            limit: String(PAGE),
            cursor,
          },
          { signal },
        )
        .page(),
    {
      keyOf: ({ id }) => id,
      isOlder: (row, than) =>
        wait === ""
          ? isBefore([row.lastMessageAt, row.id], [than.lastMessageAt, than.id])
          : isBefore([than.waitingSince ?? "", than.id], [row.waitingSince ?? "", row.id]),
      on: CHAT_EVENTS,
    },
  );
};

export const useCounts = () => {
  const assignee = session.value?.person.kind === "member" ? session.value.person.id : undefined;
  return useQuery(
    "chats/counts",
    (signal) => gateway.chats.count({ signal, ...(assignee === undefined ? {} : { query: { assignee } }) }),
    { on: CHAT_EVENTS },
  ).data;
};

/** A chat. `listed`: the row of the list, which is renewed anyway. With it no event asks for the chat alone. */
export const useChat = (id: string, listed: Chat | undefined): Query<Chat> => {
  const one = useQuery(`chats/one/${id}`, (signal) => gateway.chats.get(id, { signal }), {
    on: listed === undefined ? CHAT_EVENTS : [],
  });
  return { ...one, data: listed ?? one.data };
};

export const useHistory = (id: string): Endless<LoggedMessage> =>
  useEndless<LoggedMessage>(
    `history ${id}`,
    (cursor, signal) => gateway.chats.listMessages(id, { limit: String(PAGE), cursor }, { signal }).page(),
    { keyOf: (message) => message.id, isOlder: (row, than) => row.id < than.id, on: ["message:", "media:"] },
  );

/** The members to whom a chat may be assigned. */
export const useAssignees = () =>
  useQuery("chats/assignees", (signal) => gateway.chats.listAssignees({}, { signal }).page()).data?.items ?? [];
