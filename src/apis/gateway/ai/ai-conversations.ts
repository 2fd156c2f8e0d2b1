import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  AI_STATUSES,
  type AiConversation,
  aiConversationsPage,
  closeConversation,
  getAiConversation,
  handOffConversation,
  type ReadTurn,
  readAiTurns,
  releaseConversation,
  TURN_ROLES,
} from "../../../core/ai/conversations/conversations.ts";
import { readChatHolders } from "../../../core/conversations/holders.ts";
import type { HeldBy } from "../../../core/domain-event.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { CreatedAt, Cursor, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import { HolderView, heldByView } from "../chats/handover.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, OptionalBody, Page, PHONE_IN_PATH, QueryLimit, REFUSALS } from "../schemas.ts";
import { CallFields, ToolOutcome } from "./tools.ts";

const ConversationView = Type.Object(
  {
    id: Id("The conversation's id"),
    contactKey: Type.String({ description: "The contact's canonical key", examples: ["pn:5511988887777"] }),
    status: OneOf(AI_STATUSES, {
      title: "AiConversationStatus",
      description: "The party that answers: the agent, a person or nobody",
    }),
    turnCount: Type.Integer({ description: "How many turns it has", examples: [4] }),
    handoffReason: Nullable(Type.String({ description: "Why a person took the conversation over; null before" })),
    handoffAt: described(InstantOrNull, "When a person took it over; null before"),
    lastTurnAt: described(
      InstantOrNull,
      "When the last turn was written; null before the first turn",
      "2026-11-22T12:00:00.000Z",
    ),
    closedAt: described(InstantOrNull, "When the conversation was closed; null while it is open"),
    createdAt: CreatedAt("conversation"),
    /** Present while another app leads the conversation. */
    heldBy: Type.Optional(described(HolderView, "The other app that leads the conversation; null if none does")),
  },
  { title: "AiConversation" },
);

/** A conversation with the app that leads it. */
const withHolder = async (env: GatewayEnv, conversation: AiConversation): Promise<Static<typeof ConversationView>> => {
  const { channelId, contactKey: key } = conversation;
  const [heldBy = null] = await readChatHolders(env, [{ channelId, key }]);
  return conversationView(conversation, heldBy);
};

const conversationView = (conversation: AiConversation, heldBy: HeldBy | null) =>
  toView(ConversationView, conversation, { heldBy: heldBy ? heldByView(heldBy) : undefined });

const UsedPassageView = Type.Object(
  {
    id: Id("The passage's id"),
    deleted: Type.Boolean({ description: "Whether its document was deleted, or learnt anew, since the answer" }),
    documentId: Nullable(Id("The document of the agent; null once deleted", "conversation")),
    title: Nullable(
      Type.String({ description: "The title of the document; null without one", examples: ["Cardápio da semana"] }),
    ),
    text: Nullable(
      Type.String({ description: "The text of the passage; null once deleted", examples: ["Abrimos às nove horas."] }),
    ),
  },
  { title: "UsedPassage" },
);

const passageView = ({ id, chunk }: ReadTurn["passages"][number]): Static<typeof UsedPassageView> => ({
  id,
  deleted: chunk === null,
  documentId: chunk?.documentId ?? null,
  title: chunk?.title ?? null,
  text: chunk?.body ?? null,
});

const ToolCallView = Type.Object(
  {
    id: Id("The call's id"),
    ...CallFields,
    outcome: ToolOutcome,
    createdAt: described(Instant, "When the call ended"),
  },
  { title: "AgentToolCall" },
);

const TurnView = Type.Object(
  {
    id: Id("The turn's id"),
    conversationId: Id("The conversation of the turn", "conversation"),
    role: OneOf(TURN_ROLES, { description: "USER: the contact; ASSISTANT: the agent; HUMAN: a person of the account" }),
    content: Type.String({
      description: "The text of the turn; empty once its message was deleted for everyone",
      examples: ["Vocês abrem no domingo?"],
    }),
    tokensEstimate: Type.Integer({ description: "The approximate number of tokens in the turn", examples: [12] }),
    createdAt: described(Instant, "When the turn was written"),
    chatMessageId: Type.Optional(
      Nullable(
        Type.String({ description: "The network's own id of the incoming message; null or absent for other turns" }),
      ),
    ),
    messageId: Type.Optional(
      described(
        Nullable(Id("The message here; null for none", "message")),
        "The message of the turn; null if the turn has none",
      ),
    ),
    sentMessageId: Type.Optional(Nullable(Id("The agent's message that was sent; null for others", "message"))),
    unansweredReason: Type.Optional(
      Type.String({
        description: "Why the agent gave no answer to the turn, in the provider's words; absent if it did or need not",
        examples: ["The provider withheld the answer (content_filter)."],
      }),
    ),
    toolCalls: Type.Optional(
      Type.Array(ToolCallView, {
        description: "The calls of tools for the answer to this turn, in the order of time; absent without calls",
      }),
    ),
    retrievedChunkIds: Type.Optional(
      Type.Array(Type.String(), { description: "The pieces of knowledge that the answer used", examples: [[]] }),
    ),
    passages: Type.Optional(
      Type.Array(UsedPassageView, { description: "The same pieces with their documents, the nearest first" }),
    ),
  },
  { title: "AiTurn" },
);

/** Only answers of the agent have passages. */
const passagesIn = ({ role, passages }: ReadTurn) => (role === "ASSISTANT" ? passages.map(passageView) : undefined);

const NO_IDS = {
  chatMessageId: undefined,
  messageId: undefined,
  sentMessageId: undefined,
  retrievedChunkIds: undefined,
};
type Ids = { [Name in keyof typeof NO_IDS]: Static<typeof TurnView>[Name] | undefined };

/** A turn of a received message has that message's ids; a turn that this server sent has the id of the sent message. */
const idsIn = ({ role, chatMessageId, messageId, sentMessageId, retrievedChunkIds }: ReadTurn): Ids => {
  if (role === "ASSISTANT") return { ...NO_IDS, sentMessageId, retrievedChunkIds: retrievedChunkIds ?? [] };
  return sentMessageId === null ? { ...NO_IDS, chatMessageId, messageId } : { ...NO_IDS, sentMessageId };
};

const turnView = (turn: ReadTurn) =>
  toView(TurnView, turn, {
    ...idsIn(turn),
    passages: passagesIn(turn),
    unansweredReason: turn.unansweredReason ?? undefined,
    toolCalls: turn.toolCalls.length === 0 ? undefined : turn.toolCalls.map((call) => toView(ToolCallView, call)),
  });

const ListQuery = Type.Object({
  status: Type.Optional(
    OneOf(AI_STATUSES, { title: "AiConversationStatus", description: "Only entries with this status" }),
  ),
  limit: QueryLimit(),
  cursor: Type.Optional(Cursor(Uuid())),
});
const TurnsQuery = Type.Object({
  limit: QueryLimit(),
  before: Type.Optional(described(Uuid(), "The id of a turn: only earlier turns")),
});
const HandoffBody = OptionalBody({
  reason: Type.Optional(described(Text(1, 500), "Why a person takes over; `manual` by default", "manual")),
});
const one = { 200: ConversationView, ...REFUSALS };

/** The path of a conversation: the contact's canonical key, URL-encoded, such as `pn%3A5511999990001`. */
const placeOf = ({ id, contactKey }: { id: string; contactKey: string }) => ({ channelId: id, contactKey });

export const aiConversations = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones/:id/ai-agent/conversations",
    tags: ["ai"],
    detail: inPath({
      ...PHONE_IN_PATH,
      contactKey: Type.String({ description: "The canonical key of the contact, percent-encoded" }),
    }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, params, query: { status, limit, cursor } }) => {
        const { items, nextCursor } = await aiConversationsPage(env, principal, {
          channelId: params.id,
          status,
          cursor,
          limit: gatewayLimit(limit),
        });
        const holders = await readChatHolders(
          env,
          items.map(({ channelId, contactKey: key }) => ({ channelId, key })),
        );
        return { items: items.map((item, index) => conversationView(item, holders[index] ?? null)), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(ConversationView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listAiConversations", isolation: { id: "channel", cursor: "agentConversation" } }),
          summary: "List the agent's conversations, newest first",
          description: "`status` narrows the list. Pages follow each other by `cursor`.",
        },
      },
    )
    .get(
      "/:contactKey",
      async ({ principal, params }) => withHolder(env, await getAiConversation(env, principal, placeOf(params))),
      {
        response: one,
        detail: {
          ...route({ operationId: "getAiConversation", isolation: { id: "channel" } }),
          summary: "Get an agent's conversation by its contact",
          description: "`contactKey` is the contact's canonical key, percent-encoded.",
        },
      },
    )
    .get(
      "/:contactKey/messages",
      async ({ principal, params, query: { limit, before } }) =>
        (await readAiTurns(env, principal, placeOf(params), { before, limit: gatewayLimit(limit) })).map(turnView),
      {
        query: TurnsQuery,
        response: { 200: Type.Array(TurnView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listAiTurns", isolation: { id: "channel", before: "agentTurn" } }),
          summary: "List the turns of a conversation, in the order of time",
          description:
            "The last ones, or those before the turn `before`. USER is the contact, ASSISTANT the agent, HUMAN a " +
            "person of the account.",
        },
      },
    )
    .post(
      "/:contactKey/handoff",
      async ({ principal, params, body }) =>
        withHolder(env, await handOffConversation(env, principal, placeOf(params), body?.reason ?? "manual")),
      {
        body: HandoffBody,
        response: one,
        detail: {
          // whoever answers a chat may take it from the agent
          ...route({
            operationId: "handOffAiConversation",
            acts: "none: daily work",
            isolation: { id: "channel" },
            roleScope: "chats.write",
          }),
          summary: "Let a person take over a conversation",
          description: "The agent does not answer any more, and agent:handoff is published. A repeat changes nothing.",
        },
      },
    )
    .post(
      "/:contactKey/release",
      async ({ principal, params }) => withHolder(env, await releaseConversation(env, principal, placeOf(params))),
      {
        response: one,
        detail: {
          // whoever answers a chat may take it from the agent
          ...route({
            operationId: "releaseAiConversation",
            acts: "none: daily work",
            isolation: { id: "channel" },
            roleScope: "chats.write",
          }),
          summary: "Give a conversation back to the agent",
          description: "409 if the conversation is closed.",
        },
      },
    )
    .post(
      "/:contactKey/close",
      async ({ principal, params }) => withHolder(env, await closeConversation(env, principal, placeOf(params))),
      {
        response: one,
        detail: {
          // whoever answers a chat may take it from the agent
          ...route({
            operationId: "closeAiConversation",
            acts: "none: daily work",
            isolation: { id: "channel" },
            roleScope: "chats.write",
          }),
          summary: "End a conversation until its contact writes again",
          description: "A repeat changes nothing.",
        },
      },
    );
