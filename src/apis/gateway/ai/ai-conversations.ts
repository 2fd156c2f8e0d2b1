import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  AI_STATUSES,
  type AiConversation,
  type AiTurn,
  aiConversationsPage,
  aiTurnsOf,
  closeConversation,
  getAiConversation,
  handOffConversation,
  releaseConversation,
  TURN_ROLES,
} from "../../../core/ai/conversations.ts";
import { holdersOf } from "../../../core/conversations/holders.ts";
import type { HeldBy } from "../../../core/domain-event.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import { HolderView, heldByView } from "../chats/handover.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, InstantOrNull, OptionalBody, Page, QueryLimit, REFUSALS } from "../schemas.ts";

const ConversationView = Type.Object(
  {
    id: Type.String(),
    contactKey: Type.String(),
    status: OneOf(AI_STATUSES, { title: "AiConversationStatus" }),
    turnCount: Type.Integer(),
    handoffReason: Nullable(Type.String()),
    handoffAt: InstantOrNull,
    lastTurnAt: InstantOrNull,
    closedAt: InstantOrNull,
    createdAt: Instant,
    /** Present while another app leads the conversation. */
    heldBy: Type.Optional(HolderView),
  },
  { title: "AiConversation" },
);

/** A conversation with the app that leads it. */
const withHolder = async (env: GatewayEnv, conversation: AiConversation): Promise<Static<typeof ConversationView>> => {
  const { channelId, contactKey: key } = conversation;
  const [heldBy = null] = await holdersOf(env, [{ channelId, key }]);
  return conversationView(conversation, heldBy);
};

const conversationView = (
  { id, contactKey, status, turnCount, handoffReason, handoffAt, lastTurnAt, closedAt, createdAt }: AiConversation,
  heldBy: HeldBy | null,
): Static<typeof ConversationView> => ({
  id,
  contactKey,
  status,
  turnCount,
  handoffReason,
  handoffAt: isoOrNull(handoffAt),
  lastTurnAt: isoOrNull(lastTurnAt),
  closedAt: isoOrNull(closedAt),
  createdAt: iso(createdAt),
  ...(heldBy ? { heldBy: heldByView(heldBy) } : {}),
});

const TurnView = Type.Object(
  {
    id: Type.String(),
    conversationId: Type.String(),
    role: OneOf(TURN_ROLES),
    content: Type.String(),
    tokensEstimate: Type.Integer(),
    createdAt: Instant,
    chatMessageId: Type.Optional(
      Nullable(Type.String({ description: "The network's own id of the message that came in" })),
    ),
    messageId: Type.Optional(Nullable(Type.String())),
    sentMessageId: Type.Optional(Nullable(Type.String())),
    retrievedChunkIds: Type.Optional(Type.Array(Type.String())),
  },
  { title: "AiTurn" },
);

/**
 * A turn of a received message has that message's ids, and a turn that was sent by this server the id of the sent one.
 */
const idsOf = ({ role, chatMessageId, messageId, sentMessageId, retrievedChunkIds }: AiTurn) => {
  if (role === "ASSISTANT") return { sentMessageId, retrievedChunkIds: retrievedChunkIds ?? [] };
  return sentMessageId === null ? { chatMessageId, messageId } : { sentMessageId };
};

const turnView = (turn: AiTurn): Static<typeof TurnView> => ({
  id: turn.id,
  conversationId: turn.conversationId,
  role: turn.role,
  content: turn.content,
  tokensEstimate: turn.tokensEstimate,
  createdAt: iso(turn.createdAt),
  ...idsOf(turn),
});

const ListQuery = Type.Object({
  status: Type.Optional(OneOf(AI_STATUSES, { title: "AiConversationStatus" })),
  limit: QueryLimit(),
  cursor: Type.Optional(Uuid()),
});
const TurnsQuery = Type.Object({ limit: QueryLimit(), before: Type.Optional(Uuid()) });
const HandoffBody = OptionalBody({ reason: Type.Optional(Text(1, 500)) });
const one = { 200: ConversationView, ...REFUSALS };

/** The path of a conversation: the contact's canonical key, URL-encoded, such as `pn%3A5511999990001`. */
const placeOf = ({ id, contactKey }: { id: string; contactKey: string }) => ({ channelId: id, contactKey });

export const aiConversations = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones/:id/ai-agent/conversations", tags: ["ai"] })
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
        const holders = await holdersOf(
          env,
          items.map(({ channelId, contactKey: key }) => ({ channelId, key })),
        );
        return { items: items.map((item, index) => conversationView(item, holders[index] ?? null)), nextCursor };
      },
      {
        query: ListQuery,
        response: { 200: Page(ConversationView), ...REFUSALS },
        detail: { operationId: "listAiConversations", summary: "List the agent's conversations, newest first" },
      },
    )
    .get(
      "/:contactKey",
      async ({ principal, params }) => withHolder(env, await getAiConversation(env, principal, placeOf(params))),
      {
        response: one,
        detail: { operationId: "getAiConversation", summary: "Get an agent's conversation by its contact" },
      },
    )
    .get(
      "/:contactKey/messages",
      async ({ principal, params, query: { limit, before } }) =>
        (await aiTurnsOf(env, principal, placeOf(params), { before, limit: gatewayLimit(limit) })).map(turnView),
      {
        query: TurnsQuery,
        response: { 200: Type.Array(TurnView), ...REFUSALS },
        detail: {
          operationId: "listAiTurns",
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
          ...routeOptions({ roleScope: "chats.write" }), // who answers a chat may take it from the agent
          operationId: "handOffAiConversation",
          summary: "Have a person go on with a conversation",
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
          ...routeOptions({ roleScope: "chats.write" }), // who answers a chat may take it from the agent
          operationId: "releaseAiConversation",
          summary: "Give a conversation back to the agent",
          description: "409 for a closed one.",
        },
      },
    )
    .post(
      "/:contactKey/close",
      async ({ principal, params }) => withHolder(env, await closeConversation(env, principal, placeOf(params))),
      {
        response: one,
        detail: {
          ...routeOptions({ roleScope: "chats.write" }), // who answers a chat may take it from the agent
          operationId: "closeAiConversation",
          summary: "End a conversation until its contact writes again",
          description: "A repeat changes nothing.",
        },
      },
    );
