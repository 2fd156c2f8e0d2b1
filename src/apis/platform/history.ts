import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getHistoryMessage, messagesPage } from "../../core/conversations/history.ts";
import { fileLinkOfMessage } from "../../core/media/links.ts";
import { pageOf } from "../../kernel/page.ts";
import { described } from "../../kernel/schema.ts";
import { Id, inPath } from "../shared/fields.ts";
import { redirectTo } from "../shared/http/redirect.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Meta, metaOf, Nothing, PAGE, REFUSALS } from "./schemas.ts";
import { MessageView, messageView } from "./views.ts";

/** Sent and received messages, and the files of received ones. `baseUrl`: the public URL of this API. */
export const history = (env: PlatformEnv, auth: PlatformAuth, baseUrl: () => string) =>
  new Elysia({
    prefix: "/v1",
    tags: ["messages"],
    detail: inPath({
      conversationId: Id("The conversation, as `GET /v1/conversations` lists it", "conversation"),
      messageId: Id("The message, as a conversation lists it", "message"),
    }),
  })
    .use(auth)
    .get(
      "/conversations/:conversationId/messages",
      async ({ principal, params, query }) => {
        const page = pageOf(query);
        const { rows, total } = await messagesPage(env, principal, params.conversationId, page);
        return { data: rows.map((row) => messageView(row, baseUrl())), meta: metaOf(rows.length, total, page) };
      },
      {
        query: Type.Object(PAGE),
        response: {
          200: Type.Object(
            {
              data: Type.Array(MessageView, { description: "The messages of this page, newest first" }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "MessagePage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "listMessages",
            permission: "messages.read",
            isolation: { conversationId: "conversation" },
          }),
          summary: "List the messages of a conversation, newest first",
          description: "Messages of both sides come in one list.",
        },
      },
    )
    .get(
      "/messages/:messageId",
      async ({ principal, params }) =>
        messageView(await getHistoryMessage(env, principal, params.messageId), baseUrl()),
      {
        response: { 200: MessageView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getMessage", permission: "messages.read", isolation: { messageId: "message" } }),
          summary: "Get a message that was sent or received",
          description: "A message of another institution is not found.",
        },
      },
    )
    .get(
      "/messages/:messageId/media",
      async ({ principal, params }) => redirectTo(await fileLinkOfMessage(env, principal, params.messageId)),
      {
        response: { 302: Nothing, ...REFUSALS, 410: REFUSALS[404] },
        detail: {
          ...route({
            operationId: "getMessageMedia",
            permission: "messages.read",
            isolation: { messageId: "message" },
          }),
          summary: "Get the address of a message's file",
          description: "The answer redirects to a signed address that is good for ten minutes.",
        },
      },
    );
