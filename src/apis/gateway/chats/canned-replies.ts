import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  type CannedReply,
  cannedRepliesPage,
  changeCannedReply,
  createCannedReply,
  getCannedReply,
  MAX_REPLY,
  MAX_SHORTCUT,
  removeCannedReply,
} from "../../../core/conversations/team/canned-replies.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { CreatedAt, Cursor, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { SentByView } from "../messages/sent-by.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, Page, QueryLimit, REFUSALS } from "../schemas.ts";

const Shortcut = described(
  Text(1, MAX_SHORTCUT),
  "What people type after `/` to insert it: letters, digits, _ and -; case does not matter",
  "horario",
);
const ReplyText = described(
  Text(1, MAX_REPLY),
  "The text, perhaps with variables such as `{{contact.firstName}}`, which the console fills in",
  "Olá, {{contact.firstName}}! Abrimos das 8h às 18h.",
);
const Shared = Type.Boolean({
  description:
    "Whether everybody in the account has it, by default true; false: the person who asks. A key has shared ones alone",
  examples: [true],
});
const CreateBody = Type.Object(
  { shortcut: Shortcut, text: ReplyText, shared: Type.Optional(Shared) },
  { title: "CreateCannedReply" },
);
const ChangeBody = Type.Object(
  { shortcut: Type.Optional(Shortcut), text: Type.Optional(ReplyText), shared: Type.Optional(Shared) },
  { title: "ChangeCannedReply" },
);
const ListQuery = Type.Object({
  q: Type.Optional(Text(1, 200, "Words that begin words of the shortcut or of the text")),
  owner: Type.Optional(
    OneOf(["shared", "own"], { description: "Only those of everybody, or only the person's own; both by default" }),
  ),
  limit: QueryLimit(),
  cursor: Type.Optional(Cursor(Uuid())),
});

const ReplyView = Type.Object(
  {
    id: Id("The canned reply's id"),
    shortcut: Type.String({ description: "What people type after `/`, in lower case", examples: ["horario"] }),
    text: Type.String({
      description: "The text, with its variables",
      examples: ["Olá, {{contact.firstName}}! Abrimos das 8h às 18h."],
    }),
    shared: Type.Boolean({ description: "Whether everybody in the account has it", examples: [true] }),
    createdBy: described(SentByView, "The person or key that made it"),
    createdAt: CreatedAt("canned reply"),
    updatedAt: described(Instant, "When it last changed"),
  },
  { title: "CannedReply" },
);
const replyView = (reply: CannedReply) => toView(ReplyView, reply, { createdBy: reply.madeBy });
const one = { 200: ReplyView, ...REFUSALS };

/** Texts that the account's people insert in their answers. */
export const cannedReplies = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/canned-replies",
    tags: ["chats"],
    detail: inPath({ id: Id("The canned reply, as `GET /v1/canned-replies` lists it") }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { q, owner, cursor, limit } }) => {
        const page = { q, owner, cursor, limit: gatewayLimit(limit) };
        const { items, nextCursor } = await cannedRepliesPage(env, principal, page);
        return { items: items.map(replyView), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(ReplyView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listCannedReplies", isolation: { cursor: "cannedReply" } }),
          summary: "List canned replies by shortcut",
          description: "A person sees the shared ones and their own; a key sees the shared ones.",
        },
      },
    )
    .post(
      "/",
      async ({ principal, body: { shared = true, ...rest }, status }) =>
        status(201, replyView(await createCannedReply(env, principal, { ...rest, shared }))),
      {
        body: CreateBody,
        response: { 201: ReplyView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createCannedReply", acts: "none: daily work", isolation: "own" }),
          summary: "Create a canned reply",
          description:
            "People insert it in the console by `/` and the shortcut. The shared ones, and those of each person, have " +
            "shortcuts of their own. Whoever fills in the variables sends the text: this server does not.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => replyView(await getCannedReply(env, principal, params.id)), {
      response: one,
      detail: {
        ...route({ operationId: "getCannedReply", isolation: { id: "cannedReply" } }),
        summary: "Get a canned reply",
        description: "Another person's own reply counts as missing.",
      },
    })
    .patch(
      "/:id",
      async ({ principal, params, body }) => replyView(await changeCannedReply(env, principal, params.id, body)),
      {
        body: ChangeBody,
        response: one,
        detail: {
          ...route({ operationId: "updateCannedReply", acts: "none: daily work", isolation: { id: "cannedReply" } }),
          summary: "Change a canned reply",
          description: "An absent field stays. With `shared` it becomes everybody's, or the person's own.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeCannedReply(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteCannedReply", acts: "none: daily work", isolation: { id: "cannedReply" } }),
          summary: "Delete a canned reply",
          description: "Messages that were written with it stay as they are.",
        },
      },
    );
