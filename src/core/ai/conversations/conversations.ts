import { AppError, invalid } from "../../../kernel/errors.ts";
import { spellingsOf } from "../../../kernel/numbers/phone-numbers.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
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
} from "../../../store/tables/ai/ai-conversations.ts";
import { findChunks, type NamedChunk } from "../../../store/tables/ai/knowledge.ts";
import { listToolCalls, type ToolCallRow } from "../../../store/tables/ai/tools.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { readContactOn } from "../../channels/identity.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import { requireAgent } from "../agents.ts";
import type { AiEnv } from "../env.ts";

export {
  AI_STATUSES,
  type AiConversationRow as AiConversation,
  TURN_ROLES,
} from "../../../store/tables/ai/ai-conversations.ts";

/** A conversation, by its channel and the contact's canonical key. */
export type AiConversationKey = { channelId: string; contactKey: string };

/**
 * A page of a channel's conversations, newest first.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, and VALIDATION for a cursor that is not one of these
 * conversations.
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

/** @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and CONVERSATION_NOT_FOUND. */
export const getAiConversation = (env: AiEnv, scope: TenantScope, key: AiConversationKey): Promise<AiConversationRow> =>
  env.db.read((reader) => requireConversation(reader, scope, key));

/** A contact's current canonical key, and the conversation under any of the contact's keys. */
export const conversationWith = async (
  r: Reader,
  { tenantId, channelId, contactKey }: Pick<AiConversationRow, "tenantId" | "channelId" | "contactKey">,
): Promise<{ contactKey: string; known: AiConversationRow | undefined }> => {
  const { canonicalKey, pn, lid, bsuid } = await readContactOn(r, channelId, contactKey);
  const keys = [
    canonicalKey,
    ...(pn === null ? [] : spellingsOf(pn).map((spelling) => `pn:${spelling}`)),
    ...(lid === null ? [] : [`lid:${lid}`]),
    ...(bsuid === undefined ? [] : [`bsuid:${bsuid}`]),
  ];
  for (const candidate of new Set(keys)) {
    const known = await findAiConversation(r, { tenantId }, { channelId, contactKey: candidate });
    if (known) return { contactKey: canonicalKey, known };
  }
  return { contactKey: canonicalKey, known: undefined };
};

/** Finds a conversation by any key of its contact: the canonical key may have changed since it began. */
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

/** A passage that an answer used; null if its document was deleted or learnt anew since. */
export type UsedPassage = { id: string; chunk: NamedChunk | null };
/** A turn with the passages that its answer used, and the calls of tools that it took. */
export type ReadTurn = AiTurnRow & { passages: UsedPassage[]; toolCalls: ToolCallRow[] };

/**
 * The last turns of a conversation, or those before a given turn, oldest first, with the passages that answers used.
 *
 * @throws AppError as `getAiConversation`, and VALIDATION for a turn of another conversation.
 */
export const readAiTurns = (
  env: AiEnv,
  scope: TenantScope,
  key: AiConversationKey,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ReadTurn[]> =>
  env.db.read(async (reader) => {
    const { id, channelId } = await requireConversation(reader, scope, key);
    if (before !== undefined && !(await findAiTurn(reader, id, before)))
      throw invalid(issue("before", "format", "is not a turn of this conversation"));
    const turns = await listAiTurns(reader, id, { beforeId: before, limit });
    const ids = new Set(turns.flatMap(({ retrievedChunkIds }) => retrievedChunkIds ?? []));
    const chunks = ids.size === 0 ? [] : await findChunks(reader, channelId, [...ids]);
    const known = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    const calls = await listToolCalls(
      reader,
      turns.map((turn) => turn.id),
    );
    return turns.map((turn) => ({
      ...turn,
      passages: (turn.retrievedChunkIds ?? []).map((used) => ({ id: used, chunk: known.get(used) ?? null })),
      toolCalls: calls.filter(({ turnId }) => turnId === turn.id),
    }));
  });

/**
 * Hands a conversation off to a human: the agent no longer answers it. A conversation that was handed off already stays
 * unchanged.
 *
 * @throws AppError as `getAiConversation`, and CONVERSATION_CLOSED.
 */
export const handOffConversation = (
  env: AiEnv,
  scope: TenantScope,
  key: AiConversationKey,
  reason: string,
): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireOpen(tx, scope, key);
    return conversation.status === "AI" ? handOff(env, tx, conversation, { reason, manual: true }) : conversation;
  });

/** Hands a conversation off, and publishes that in the same write. */
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
 * Gives a conversation back to the agent, with its count of turns at 0. A conversation that the agent leads already
 * stays unchanged. Throws as `handOffConversation`.
 */
export const releaseConversation = (
  env: AiEnv,
  scope: TenantScope,
  key: AiConversationKey,
): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireOpen(tx, scope, key);
    return (await updateAiConversation(tx, conversation.id, ["HUMAN_HANDOFF"], TAKEN_OVER)) ?? conversation;
  });

/** The fields of a conversation that the agent takes over. */
export const TAKEN_OVER = { status: "AI", turnCount: 0, handoffReason: null, handoffAt: null, closedAt: null } as const;

/**
 * Closes a conversation until its contact writes again. A closed conversation stays unchanged. Throws as
 * `getAiConversation`.
 */
export const closeConversation = (env: AiEnv, scope: TenantScope, key: AiConversationKey): Promise<AiConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await requireConversation(tx, scope, key);
    return (
      (await updateAiConversation(tx, conversation.id, ["AI", "HUMAN_HANDOFF"], {
        status: "CLOSED",
        closedAt: env.clock.now(),
      })) ?? conversation
    );
  });

const requireOpen = async (tx: Tx, scope: TenantScope, key: AiConversationKey): Promise<AiConversationRow> => {
  const conversation = await requireConversation(tx, scope, key);
  if (conversation.status === "CLOSED")
    throw new AppError("CONVERSATION_CLOSED", {
      message: "The conversation is closed; it is open again when its contact writes.",
    });
  return conversation;
};
