import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  assignConversation,
  CONVERSATION_STATUSES,
  closeConversation,
  conversationsPage,
  getConversation,
  holdersOfConversations,
  transferConversation,
} from "../../core/conversations/conversations.ts";
import { pageOf } from "../../kernel/page.ts";
import { AnyText, described, Nullable, OneOf, Text } from "../../kernel/schema.ts";
import { IDS, Id, inPath } from "../shared/fields.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Meta, metaOf, PAGE, REFUSALS } from "./schemas.ts";
import { ConversationView, conversationView } from "./views.ts";

const Filter = Type.Object({
  ...PAGE,
  status: Type.Optional(
    OneOf(CONVERSATION_STATUSES, { title: "ConversationStatus", description: "Only entries with this status" }),
  ),
  channelId: Type.Optional(Id("Only entries of this channel", "phone")),
  contactId: Type.Optional(Id("Only entries with this contact", "contact")),
});

/** The routes of conversations: the messages with one contact on one channel, until a user closes it. */
export const conversations = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/conversations",
    tags: ["conversations"],
    detail: inPath({ conversationId: Id("The conversation, as `GET /v1/conversations` lists it", "conversation") }),
  })
    .use(reading(env, auth))
    .use(writing(env, auth));

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { status, channelId, contactId, ...query } }) => {
        const page = pageOf(query);
        const { rows, total } = await conversationsPage(env, principal, { status, channelId, contactId, ...page });
        const holders = await holdersOfConversations(env, principal, rows);
        const data = rows.map((row, index) => conversationView(row, holders[index] ?? null));
        return { data, meta: metaOf(rows.length, total, page) };
      },
      {
        query: Filter,
        response: {
          200: Type.Object(
            {
              data: Type.Array(ConversationView, {
                description: "The conversations of this page, the latest message first",
              }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "ConversationPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "listConversations",
            permission: "conversations.read",
            isolation: { channelId: "channel", contactId: "contact" },
          }),
          summary: "List conversations, newest first",
          description: "`status`, `channelId` and `contactId` narrow the list.",
        },
      },
    )
    .get(
      "/:conversationId",
      async ({ principal, params }) => {
        const conversation = await getConversation(env, principal, params.conversationId);
        const [heldBy = null] = await holdersOfConversations(env, principal, [conversation]);
        return conversationView(conversation, heldBy);
      },
      {
        response: { 200: ConversationView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "getConversation",
            permission: "conversations.read",
            isolation: { conversationId: "conversation" },
          }),
          summary: "Get a conversation",
          description: "A conversation of another institution is not found.",
        },
      },
    );

const writing = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:conversationId/assign",
      async ({ principal, params, body }) =>
        conversationView(await assignConversation(env, principal, params.conversationId, body.userId)),
      {
        body: Type.Object({
          userId: described(Nullable(AnyText(1)), "The member who answers; null removes the assignment", IDS.user),
        }),
        response: { 200: ConversationView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "assignConversation",
            permission: "conversations.write",
            acts: "none: daily work",
            isolation: { conversationId: "conversation", userId: "user" },
          }),
          summary: "Assign a conversation to a member, or remove the assignment",
          description: "409 if the conversation is closed.",
        },
      },
    )
    .post(
      "/:conversationId/transfer",
      async ({ principal, params, body: { userId, note = null } }) =>
        conversationView(await transferConversation(env, principal, params.conversationId, { userId, note })),
      {
        body: Type.Object({
          userId: described(AnyText(1), "The member who takes over", IDS.user),
          note: Type.Optional(
            described(Text(0, 500), "A note for the member who takes over", "Cliente quer um bolo para sábado."),
          ),
        }),
        response: { 200: ConversationView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "transferConversation",
            permission: "conversations.write",
            acts: "none: daily work",
            isolation: { conversationId: "conversation", userId: "user" },
          }),
          summary: "Assign a conversation to another member, with a note",
          description: "409 if the conversation is closed. Without a note, the earlier note is deleted.",
        },
      },
    )
    .post(
      "/:conversationId/close",
      async ({ principal, params }) => conversationView(await closeConversation(env, principal, params.conversationId)),
      {
        response: { 200: ConversationView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "closeConversation",
            permission: "conversations.write",
            acts: "none: daily work",
            isolation: { conversationId: "conversation" },
          }),
          summary: "Close a conversation",
          description: "A repeat changes nothing. The contact's next message opens a new conversation.",
        },
      },
    );
