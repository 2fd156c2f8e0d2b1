import { AppError, invalid } from "../../kernel/errors.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { issue } from "../../kernel/schema.ts";
import {
  type AiConversationFilter,
  type AiConversationRow,
  type AiTurnRow,
  findAiConversation,
  findAiConversationById,
  findAiTurn,
  listAiConversations,
  listAiTurns,
  updateAiConversation,
} from "../../store/ai-conversations.ts";
import type { Reader, Tx } from "../../store/db.ts";
import type { TenantScope } from "../../store/scope.ts";
import { contactOn } from "../channels/identity.ts";
import { channelOrRest, publish } from "../events/publish.ts";
import { requireAgent } from "./agents.ts";
import type { AiEnv } from "./env.ts";

export {
  AI_STATUSES,
  type AiConversationRow as AiConversation,
  type AiTurnRow as AiTurn,
  TURN_ROLES,
} from "../../store/ai-conversations.ts";

/** A conversation by its channel and a canonical key of whom the agent talks to. */
export type AiConversationKey = { channelId: string; contactKey: string };

/**
 * A page of a channel's conversations, newest first. Throws CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, and VALIDATION for a
 * cursor that is none of them.
 */
export const aiConversationsPage = (
  env: AiEnv,
  scope: TenantScope,
  {
    channelId,
    cursor,
    limit,
    status,
  }: Pick<AiConversationFilter, "status" | "limit"> & { channelId: string; cursor: string | undefined },
): Promise<{ items: AiConversationRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const agent = await requireAgent(reader, scope, channelId);
    if (cursor !== undefined && (await findAiConversationById(reader, scope, cursor))?.channelId !== agent.channelId)
      throw unknownCursor();
    const found = await listAiConversations(reader, scope, {
      channelId: agent.channelId,
      status,
      beforeId: cursor,
      limit: limit + 1,
    });
    return cutPage(found, limit, ({ id }) => id);
  });

/** Throws CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and CONVERSATION_NOT_FOUND. */
export const getAiConversation = (
  env: AiEnv,
  scope: TenantScope,
  place: AiConversationKey,
): Promise<AiConversationRow> => env.db.read((reader) => requireConversation(reader, scope, place));

/** Somebody as they are called by now, and their conversation, by whichever of their names it began under. */
export const conversationWith = async (
  r: Reader,
  { tenantId, channelId, contactKey }: Pick<AiConversationRow, "tenantId" | "channelId" | "contactKey">,
): Promise<{ contactKey: string; known: AiConversationRow | undefined }> => {
  const { canonicalKey, lid, bsuid } = await contactOn(r, channelId, contactKey);
  const keys = [
    canonicalKey,
    ...(lid === null ? [] : [`lid:${lid}`]),
    ...(bsuid === undefined ? [] : [`bsuid:${bsuid}`]),
  ];
  for (const key of new Set(keys)) {
    const known = await findAiConversation(r, { tenantId }, { channelId, contactKey: key });
    if (known) return { contactKey: canonicalKey, known };
  }
  return { contactKey: canonicalKey, known: undefined };
};

/** By any name of whom the agent talks to: they may be called otherwise by now than when it began. */
const requireConversation = async (
  reader: Reader,
  scope: TenantScope,
  { channelId: id, contactKey }: AiConversationKey,
): Promise<AiConversationRow> => {
  const { channelId } = await requireAgent(reader, scope, id);
  const conversation =
    (await findAiConversation(reader, scope, { channelId, contactKey })) ??
    (await conversationWith(reader, { tenantId: scope.tenantId, channelId, contactKey })).known;
  if (!conversation)
    throw new AppError("CONVERSATION_NOT_FOUND", { message: "The agent has no conversation with this contact." });
  return conversation;
};

/**
 * What was said last, or before a given turn, in the order of time. Throws what `getAiConversation` throws, and
 * VALIDATION for a turn that is not of this conversation.
 */
export const aiTurnsOf = (
  env: AiEnv,
  scope: TenantScope,
  place: AiConversationKey,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AiTurnRow[]> =>
  env.db.read(async (reader) => {
    const { id } = await requireConversation(reader, scope, place);
    if (before !== undefined && !(await findAiTurn(reader, id, before)))
      throw invalid(issue("before", "format", "is not a turn of this conversation"));
    return listAiTurns(reader, id, { beforeId: before, limit });
  });

/**
 * Has a human go on with a conversation, which the agent then answers no more; one that a human has already stays as it
 * is. Throws what `getAiConversation` throws, and CONVERSATION_CLOSED.
 */
export const handOffConversation = (
  env: AiEnv,
  scope: TenantScope,
  place: AiConversationKey,
  reason: string,
): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireOpen(tx, scope, place);
    return conversation.status === "AI" ? handOff(env, tx, conversation, { reason, manual: true }) : conversation;
  });

/** The handing off itself, told of in the same write. */
export const handOff = async (
  env: AiEnv,
  tx: Tx,
  conversation: AiConversationRow,
  { reason, manual }: { reason: string; manual: boolean },
): Promise<AiConversationRow> => {
  const { id, tenantId, channelId, contactKey, turnCount } = conversation;
  const handoffAt = env.clock.now();
  const changes = { status: "HUMAN_HANDOFF", handoffReason: reason, handoffAt } as const;
  await updateAiConversation(tx, id, ["AI"], changes);
  await publish(
    env,
    tx,
    { tenantId, channel: await channelOrRest(tx, channelId) },
    { type: "agent.handoff", conversationId: id, contactKey, reason, manual, turnCount, handoffAt },
  );
  return { ...conversation, ...changes };
};

/**
 * Has the agent take a conversation over again, its turns counted anew; one that it has already stays as it is. Throws
 * as `handOffConversation`.
 */
export const releaseConversation = (
  env: AiEnv,
  scope: TenantScope,
  place: AiConversationKey,
): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireOpen(tx, scope, place);
    return (await updateAiConversation(tx, conversation.id, ["HUMAN_HANDOFF"], TAKEN_OVER)) ?? conversation;
  });

/** What a conversation is like when the agent takes it over. */
export const TAKEN_OVER = { status: "AI", turnCount: 0, handoffReason: null, handoffAt: null, closedAt: null } as const;

/**
 * Ends a conversation, until its contact writes again; one that has ended stays as it is. Throws what
 * `getAiConversation` throws.
 */
export const closeConversation = (
  env: AiEnv,
  scope: TenantScope,
  place: AiConversationKey,
): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireConversation(tx, scope, place);
    return (
      (await updateAiConversation(tx, conversation.id, ["AI", "HUMAN_HANDOFF"], {
        status: "CLOSED",
        closedAt: env.clock.now(),
      })) ?? conversation
    );
  });

const requireOpen = async (tx: Tx, scope: TenantScope, place: AiConversationKey): Promise<AiConversationRow> => {
  const conversation = await requireConversation(tx, scope, place);
  if (conversation.status === "CLOSED")
    throw new AppError("CONVERSATION_CLOSED", {
      message: "The conversation is closed; it is open again when its contact writes.",
    });
  return conversation;
};
