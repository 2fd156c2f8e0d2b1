import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { CHAT_LEADERS, chatsLedBy, handChatOver } from "../../../core/ai/conversations/chat-leads.ts";
import {
  answerableChat,
  type Chat,
  chatsPage,
  getChat,
  markChatRead,
  reopenChat,
} from "../../../core/conversations/chats.ts";
import {
  assignConversation,
  closeConversation,
  transferConversation,
} from "../../../core/conversations/conversations.ts";
import { messageLog } from "../../../core/conversations/message-log.ts";
import { chatCounts, readAssignees } from "../../../core/conversations/previews.ts";
import { markRead } from "../../../core/messaging/sending/mark-read.ts";
import { ROLES } from "../../../core/tenancy/people/roles.ts";
import { AnyText, described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { DryRunQuery } from "../../shared/dry-run.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { filterOf, loggedMessage, MESSAGE_QUERY, MessagePage } from "../messages/message-log.ts";
import { answerSend, contentInput, SEND_RESPONSES, SendBody } from "../messages/messages.ts";
import { route } from "../route-options.ts";
import { OptionalBody, Page, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { chatAnswering } from "./answering.ts";
import { ChatQuery, chatFilter } from "./chat-filter.ts";
import { ChatView, chatViews, shownChat } from "./chat-views.ts";
import { chatSnooze } from "./snooze.ts";

const AssignBody = Type.Object(
  {
    userId: described(
      Nullable(AnyText(1)),
      "A member of the account's institution; null removes the assignment",
      IDS.user,
    ),
    note: Type.Optional(
      described(
        Text(0, 500),
        "A note for the new assignee; without a note the earlier note stays",
        "Cliente quer um bolo para sábado.",
      ),
    ),
  },
  { title: "AssignChat" },
);
const HandoverBody = Type.Object(
  {
    to: OneOf([...CHAT_LEADERS, "nobody"], { description: "The next leader of the chat" }),
    role: Type.Optional(described(Text(1, 60), "The role of the app that gets the lead; only for `app`", "page_inbox")),
    metadata: Type.Optional(Text(0, 2000, "A text for the app that leads the chat next")),
    reason: Type.Optional(
      described(Text(1, 500), "Why the agent hands off; `manual` by default. Only for `person`", "manual"),
    ),
  },
  { title: "HandChatOver" },
);
const { type, content, quotedMessageId, commentId, idempotencyKey, sendOptions } = SendBody.properties;
const AnswerBody = Type.Object(
  {
    type: described(type, "The type of the answer, which decides what `content` has"),
    content,
    quotedMessageId: described(
      quotedMessageId,
      "The `messageId` that this message replies to",
      "019a1b2c-2222-4a12-8b22-c32d42e52f02",
    ),
    commentId: described(commentId, "A comment that this message answers in private; not beside `quotedMessageId`"),
    idempotencyKey: described(
      idempotencyKey,
      "A repeat with the same key and account sends nothing",
      "pedido-1042-pronto",
    ),
    sendOptions,
  },
  { title: "AnswerChat", description: "As the body of a send, without phone and recipient" },
);
const CountsView = Type.Object(
  {
    open: Type.Integer({ description: "How many chats are open and not snoozed" }),
    closed: Type.Integer({ description: "Closed chats that are still stored" }),
    unread: Type.Integer({ description: "Chats with unread messages, closed ones too" }),
    unassigned: Type.Integer({ description: "Those of them without an assignee, among the 5,000 newest" }),
    assigned: Type.Integer({ description: "Those of them of the member in the query; 0 without a member" }),
    snoozed: Type.Integer({ description: "Chats that are snoozed now" }),
  },
  { title: "ChatCounts" },
);
const AssigneesView = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          userId: Id("The member's user id", "user"),
          name: Type.String({ description: "The name of the member", examples: ["Maria Souza"] }),
          role: OneOf(ROLES, { description: "The role of the member", examples: ["ADMIN"] }),
        },
        { title: "PossibleAssignee" },
      ),
      { description: "Every member who can be assigned" },
    ),
  },
  { title: "ChatAssignees" },
);
const NoBody = OptionalBody({});
const one = { 200: ChatView, ...REFUSALS };

/**
 * The chats of the account's phones, without the types of their routes: the chain of parts is deep. `baseUrl`: the
 * public URL of this API.
 */
export const chats = (env: GatewayEnv, auth: GatewayAuth, baseUrl: () => string): AnyElysia =>
  new Elysia({
    prefix: "/v1/chats",
    tags: ["chats"],
    detail: inPath({ id: Id("The chat, as `GET /v1/chats` lists it") }),
  })
    .use(counting(env, auth))
    .use(reading(env, auth, baseUrl))
    .use(answering(env, auth))
    .use(leading(env, auth))
    .use(closing(env, auth))
    .use(chatSnooze(env, auth))
    .use(chatAnswering(env, auth));

const counting = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .get("/counts", async ({ principal, query: { assignee } }) => chatCounts(env, principal, assignee), {
      query: Type.Object({ assignee: Type.Optional(Text(1, 60, "The member whose chats `assigned` counts")) }),
      response: { 200: CountsView, ...REFUSALS },
      detail: {
        ...route({ operationId: "countChats", isolation: { assignee: "user" } }),
        summary: "Count the chats, as the tabs of an inbox show them",
        description: "Each number is counted up to 1,000.",
      },
    })
    .get("/assignees", async ({ principal }) => ({ items: await readAssignees(env, principal) }), {
      response: { 200: AssigneesView, ...REFUSALS },
      detail: {
        ...route({ operationId: "listChatAssignees", isolation: "own" }),
        summary: "List the members to whom chats may be assigned",
        description: "An account that is not an institution has no members.",
      },
    });

const reading = (env: GatewayEnv, auth: GatewayAuth, baseUrl: () => string) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal, query }) => {
        const { leader } = query;
        const filter = chatFilter(query, env.clock.now());
        const { items, nextCursor } = await (leader === undefined
          ? chatsPage(env, principal, filter)
          : chatsLedBy(env, principal, { ...filter, leader }));
        return { items: await chatViews(env, principal, items), nextCursor };
      },
      {
        query: ChatQuery,
        response: { 200: Page(ChatView), ...REFUSALS },
        detail: {
          ...route({
            operationId: "listChats",
            isolation: {
              phoneId: "channel",
              contactId: "contact",
              assignee: "user",
              q: "person",
              tag: "text",
              cursor: "conversation",
            },
          }),
          summary: "List chats, the one with the newest message first",
          description:
            "A wait is known of messages since version 0.2. One page reads at most 3,000 chats, with `leader` at most 500. With filters it may be short, or " +
            "empty, although `nextCursor` says that more follows.",
        },
      },
    )
    .get("/:id", ({ principal, params }) => shownChat(env, principal, params.id), {
      response: one,
      detail: {
        ...route({ operationId: "getChat", isolation: { id: "conversation" } }),
        summary: "Get a chat, with the app or person that leads it",
        description: "The answer has the newest message, and the end of the time for free answers.",
      },
    })
    .get(
      "/:id/messages",
      async ({ principal, params, query }) => {
        const { id } = (await getChat(env, principal, params.id)).conversation;
        const { items, nextCursor } = await messageLog(env, principal, { ...filterOf(query), conversationId: id });
        return { items: items.map((item) => loggedMessage(env, item, baseUrl())), nextCursor };
      },
      {
        query: Type.Object(MESSAGE_QUERY),
        response: { 200: MessagePage, ...REFUSALS },
        detail: {
          ...route({
            operationId: "listChatMessages",
            isolation: { id: "conversation", cursor: "message", sentBy: "sender" },
          }),
          summary: "List the messages of a chat, newest first",
          description: "Pages follow each other by `cursor`. The filters are those of `listMessages`.",
        },
      },
    );

const answering = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:id/messages",
      async ({ principal, params, body, query, request, set }) => {
        const sent = { ...contentInput(body), ...(await answerableChat(env, principal, params.id)) };
        return answerSend(env, { principal, query, request, set, via: "chat" }, sent);
      },
      {
        body: AnswerBody,
        query: DryRunQuery,
        response: SEND_RESPONSES,
        detail: {
          ...route({
            operationId: "answerChat",
            scope: "messages.write",
            acts: "none: daily work",
            isolation: { id: "conversation", quotedMessageId: "message" },
            countsAsSend: true,
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Answer in a chat",
          description:
            "The body is that of a send, without phone and recipient. A closed chat refuses it with " +
            "CONVERSATION_CLOSED: open it again, or send a message.",
        },
      },
    )
    .post(
      "/:id/read",
      async ({ principal, params }) => {
        const { chat, messageIds } = await markChatRead(env, principal, params.id);
        const { channelId } = chat.conversation;
        const receipts = await markRead(env, principal, { channelId, messageIds });
        return { unreadCount: 0, receipts };
      },
      {
        body: NoBody,
        response: {
          200: Type.Object(
            {
              unreadCount: Type.Integer({
                description: "The contact's messages since the chat was last answered or read",
                examples: [2],
              }),
              receipts: Type.Integer({ description: "How many messages are marked as read at the network" }),
            },
            { title: "ChatRead" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "readChat", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Mark a chat as read",
          description:
            "The network is asked to mark the unread messages, 20 at most. If it cannot, or the phone is not " +
            "connected, the chat is marked only here.",
        },
      },
    );

const leading = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:id/handover",
      async ({ principal, params, body }) => {
        await handChatOver(env, principal, params.id, body);
        return shownChat(env, principal, params.id);
      },
      {
        body: HandoverBody,
        response: { 200: ChatView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "handChatOver", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Hand a chat over to a person, the phone's agent, another app, or nobody",
          description:
            "A person or the agent takes the chat from another app first. `agent` needs a phone with an agent that " +
            "has spoken with the contact. `app` and `nobody` need a network where apps share numbers.",
        },
      },
    )
    .post(
      "/:id/assign",
      async ({ principal, params, body: { userId, note } }) => {
        const { id } = (await getChat(env, principal, params.id)).conversation;
        if (note === undefined || userId === null) await assignConversation(env, live(principal), id, userId);
        else await transferConversation(env, live(principal), id, { userId, note });
        return shownChat(env, principal, id);
      },
      {
        body: AssignBody,
        response: one,
        detail: {
          ...route({
            operationId: "assignChat",
            acts: "none: daily work",
            isolation: { id: "conversation", userId: "user" },
          }),
          summary: "Assign a chat to a member, or remove the assignment",
          description: "The member belongs to the account's institution.",
        },
      },
    );

const closing = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:id/close",
      async ({ principal, params }) => {
        const { id } = (await getChat(env, principal, params.id)).conversation;
        await closeConversation(env, live(principal), id);
        return shownChat(env, principal, id);
      },
      {
        body: NoBody,
        response: one,
        detail: {
          ...route({ operationId: "closeChat", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Close a chat",
          description: "The contact's next message begins a new conversation.",
        },
      },
    )
    .post(
      "/:id/reopen",
      async ({ principal, params }) => {
        const { conversation }: Chat = await reopenChat(env, principal, params.id);
        return shownChat(env, principal, conversation.id);
      },
      {
        body: NoBody,
        response: one,
        detail: {
          ...route({ operationId: "reopenChat", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Open a closed chat again",
          description: "An open chat stays open. 409 if a newer chat with the contact is open.",
        },
      },
    );

const live = ({ tenantId, actor }: Principal) => ({ tenantId, actor, environment: "live" }) as const;
