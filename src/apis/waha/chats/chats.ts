import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { ChatAct } from "../../../contract/abilities/chats.ts";
import type { Channel } from "../../../core/channels/channel.ts";
import { pictureOfPerson } from "../../../core/channels/people.ts";
import type { Chat } from "../../../core/conversations/chats.ts";
import { readPreviews } from "../../../core/conversations/previews.ts";
import { acceptChatActs } from "../../../core/messaging/chats/chat-acts.ts";
import { OneOf, Text } from "../../../kernel/schema.ts";
import { numberOf } from "../../shared/compatible/addresses.ts";
import { wahaMessageId } from "../addresses.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { ACKS, type Ack } from "../message-views.ts";
import { Count, cut, Flag, isTrue, PAGING, type Page, pageIn, SortOrder, sorted } from "../pages.ts";
import { routeOptions } from "../route-options.ts";
import { type ChatView, chatsOn, chatViews, chatWithPerson, idOfChat } from "./chat-views.ts";
import { messageOn, messagesOf, storedMessage } from "./history.ts";
import { markSeen } from "./seen.ts";

const SORTS = {
  conversationTimestamp: ({ conversationTimestamp }: ChatView) => conversationTimestamp,
  messageTimestamp: ({ conversationTimestamp }: ChatView) => conversationTimestamp,
  id: ({ id }: ChatView) => id,
  name: ({ name }: ChatView) => name ?? "",
} as const;
type SortBy = keyof typeof SORTS;

/** `merge` is accepted without effect: both addresses of a person are one chat here. */
const ListQuery = Type.Object({
  ...PAGING,
  sortBy: Type.Optional(OneOf(["", ...(Object.keys(SORTS) as SortBy[])])),
  sortOrder: SortOrder,
  merge: Flag,
});

/** The maximum number of chats in an overview. */
const MOST_SHOWN = 100;
const USUALLY_SHOWN = 20;
const Ids = Type.Array(Text(1, 256), { maxItems: 1000 });
const OverviewQuery = Type.Object({ ...PAGING, merge: Flag, ids: Type.Optional(Type.Union([Ids, Text(0, 256)])) });
const Place = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
const OverviewBody = Type.Object({
  pagination: Type.Optional(Type.Object({ limit: Place, offset: Place, merge: Type.Optional(Type.Boolean()) })),
  filter: Type.Optional(Type.Object({ ids: Type.Optional(Type.Union([Ids, Type.Null()])) })),
});

const ACK_WORDS = Object.keys(ACKS) as Ack[];
const ACK_NUMBERS = Object.values(ACKS).map(String);

/** The filters of a list of messages, as a query has them. */
const MESSAGE_QUERY = {
  ...PAGING,
  sortBy: Type.Optional(OneOf(["", "timestamp", "messageTimestamp"])),
  sortOrder: SortOrder,
  downloadMedia: Flag,
  merge: Flag,
  "filter.timestamp.lte": Count,
  "filter.timestamp.gte": Count,
  "filter.fromMe": Flag,
  "filter.ack": Type.Optional(OneOf(["", ...ACK_WORDS, ...ACK_NUMBERS])),
};
const MessagesQuery = Type.Object(MESSAGE_QUERY);
export type MessagesQuery = Static<typeof MessagesQuery>;

const USUAL_MESSAGES = 100;

const numberIn = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);
const ackIn = (text: string | undefined): Ack | undefined =>
  ACK_WORDS.find((word) => word === text || String(ACKS[word]) === text);

/** The messages of a chat that a query asks for. Throws as `messagesOf`, and VALIDATION beyond the newest 1,000. */
const listMessages = async (
  env: WahaEnv,
  principal: Principal,
  { session, chatId, query }: { session: Channel; chatId: string; query: MessagesQuery },
) => {
  const fromMe = query["filter.fromMe"];
  const found = await messagesOf(env, principal, {
    session,
    chatId,
    page: pageIn(query, USUAL_MESSAGES),
    wanted: {
      since: numberIn(query["filter.timestamp.gte"]),
      until: numberIn(query["filter.timestamp.lte"]),
      fromMe: fromMe ? isTrue(fromMe, false) : undefined,
      ack: ackIn(query["filter.ack"]),
      isOldestFirst: query.sortOrder === "asc",
    },
  });
  const shown = { session, withMedia: isTrue(query.downloadMedia, true) };
  return Promise.all(found.map((message) => storedMessage(env, principal, message, shown)));
};

const read = { ...routeOptions({ scope: "chats.read" }) };
const readMessages = { ...routeOptions({ scope: "messages.read" }) };
const act = { ...routeOptions({ scope: "chats.write", link: "required" }) };
const look = { ...routeOptions({ scope: "phones.read", link: "required" }) };

/** The newest chats, each with its newest message. */
const overview = async (
  env: WahaEnv,
  principal: Principal,
  session: Channel,
  { ids, page }: { ids: readonly string[]; page: Page },
) => {
  const wanted = new Set(ids.map(numberOf));
  const all = await chatsOn(env, principal, session);
  const found = cut(wanted.size > 0 ? all.filter((chat) => wanted.has(numberOf(idOfChat(chat)))) : all, page);
  const views = await chatViews(env, found);
  const previews = await readPreviews(env, principal, found);
  return Promise.all(
    views.map(async (view, place) => ({
      id: view.id,
      name: view.name,
      picture: null,
      lastMessage: await newestOf(env, principal, session, previews[place]?.newest?.id),
      _chat: view,
    })),
  );
};

const newestOf = async (env: WahaEnv, principal: Principal, session: Channel, id: string | undefined) => {
  if (id === undefined) return null;
  const message = await messageOn(env, principal, { session, id });
  return storedMessage(env, principal, message, { session, withMedia: false });
};

/** The lists of chats with people. Groups have a resource of their own. */
const chatLists = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal, request, query }) => {
        const views = await chatViews(env, await chatsOn(env, principal, sessionOf(request)));
        const { sortBy, sortOrder } = query;
        const by = sorted(views, SORTS[sortBy || "conversationTimestamp"], sortOrder || "desc");
        return cut(sortBy || sortOrder ? by : views, pageIn(query));
      },
      { query: ListQuery, detail: read },
    )
    .get(
      "/overview",
      ({ principal, request, query }) =>
        overview(env, principal, sessionOf(request), {
          ids: [query.ids ?? []]
            .flat()
            .flatMap((text) => text.split(","))
            .filter((id) => id !== ""),
          page: shownPage(query),
        }),
      { query: OverviewQuery, detail: readMessages },
    )
    .post(
      "/overview",
      async ({ principal, request, body: { pagination = {}, filter = {} } }) => {
        const page = shownPage({ limit: textOrNone(pagination.limit), offset: textOrNone(pagination.offset) });
        return status(201, await overview(env, principal, sessionOf(request), { ids: filter.ids ?? [], page }));
      },
      { body: OverviewBody, detail: readMessages },
    );

/** What is done to one chat. */
const chatActs = (env: WahaEnv, auth: WahaAuth) => {
  const chatIn = (principal: Principal, request: Request, chatId: string): Promise<Chat> =>
    chatWithPerson(env, principal, { session: sessionOf(request), chatId });

  const change = async (
    principal: Principal,
    request: Request,
    { chatId, ...wanted }: { chatId: string; act: ChatAct },
  ) => {
    const { conversation } = await chatIn(principal, request, chatId);
    await acceptChatActs(env, principal, conversation.id, [wanted.act]);
  };

  return new Elysia()
    .use(auth)
    .delete(
      "/:chatId",
      async ({ principal, request, params: { chatId } }) => {
        await change(principal, request, { chatId, act: { name: "delete" } });
        return "";
      },
      { detail: act },
    )
    .delete(
      "/:chatId/messages",
      async ({ principal, request, params: { chatId } }) => {
        await change(principal, request, { chatId, act: { name: "clear" } });
        return "";
      },
      { detail: act },
    )
    .post(
      "/:chatId/messages/read",
      async ({ principal, request, params: { chatId }, query: { messages } }) => {
        const session = sessionOf(request);
        const chat = await chatIn(principal, request, chatId);
        const ids = await markSeen(env, principal, { session, chat, most: numberIn(messages) });
        return status(201, { ids: ids.map((id) => wahaMessageId({ fromMe: false, chatId: idOfChat(chat), id })) });
      },
      { query: Type.Object({ messages: Count, days: Count }), detail: act },
    )
    .post(
      "/:chatId/archive",
      async ({ principal, request, params: { chatId } }) => {
        await change(principal, request, { chatId, act: { name: "archive", isArchived: true } });
        return status(201, { success: true });
      },
      { detail: act },
    )
    .post(
      "/:chatId/unarchive",
      async ({ principal, request, params: { chatId } }) => {
        await change(principal, request, { chatId, act: { name: "archive", isArchived: false } });
        return status(201, { success: true });
      },
      { detail: act },
    )
    .post(
      "/:chatId/unread",
      async ({ principal, request, params: { chatId } }) => {
        await change(principal, request, { chatId, act: { name: "mark-unread", isUnread: true } });
        return status(201, { success: true });
      },
      { detail: act },
    );
};

/** What is shown of one chat. */
const chatReads = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/:chatId/picture",
      async ({ principal, request, params: { chatId } }) => {
        const { url } = await pictureOfPerson(env, principal, { id: sessionOf(request).id, to: numberOf(chatId) });
        return { url };
      },
      { query: Type.Object({ refresh: Flag }), detail: look },
    )
    .get(
      "/:chatId/messages",
      ({ principal, request, params: { chatId }, query }) =>
        listMessages(env, principal, { session: sessionOf(request), chatId, query }),
      { query: MessagesQuery, detail: readMessages },
    )
    .get(
      "/:chatId/messages/:messageId",
      async ({ principal, request, params: { messageId }, query }) => {
        const session = sessionOf(request);
        const message = await messageOn(env, principal, { session, id: messageId });
        return storedMessage(env, principal, message, { session, withMedia: isTrue(query.downloadMedia, true) });
      },
      { query: Type.Object({ downloadMedia: Flag, merge: Flag }), detail: readMessages },
    );

/** The chats of a session with people. */
export const chats = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/chats" })
    .use(chatLists(env, auth))
    .use(chatReads(env, auth))
    .use(chatActs(env, auth));

const shownPage = (query: { limit?: string | undefined; offset?: string | undefined }): Page => {
  const { offset, limit } = pageIn(query, USUALLY_SHOWN);
  return { offset, limit, end: offset + Math.min(limit, MOST_SHOWN) };
};

const textOrNone = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : String(number);

/** The old route for the messages of a chat: it names session and chat in its query. */
export const oldMessages = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/messages" })
    .use(auth)
    .get(
      "/",
      ({ principal, request, query }) =>
        listMessages(env, principal, { session: sessionOf(request), chatId: query.chatId, query }),
      {
        query: Type.Object({ ...MESSAGE_QUERY, session: Type.Optional(Type.String()), chatId: Text(1, 256) }),
        detail: { ...routeOptions({ scope: "messages.read", names: "query" }) },
      },
    );
