import { DAY_MS } from "../../kernel/clock.ts";
import { type ChannelId, idBoundAt, type MessageId, newId, type TenantId } from "../../kernel/ids.ts";
import { type AgentRow, findAgent } from "../../store/agents.ts";
import {
  type AiConversationRow,
  type AiTurnRow,
  countUserTurns,
  findAiConversationById,
  insertAiConversation,
  insertAiTurn,
  listAiTurns,
  updateAiConversation,
} from "../../store/ai-conversations.ts";
import type { Reader, Tx } from "../../store/db.ts";
import { findKnown } from "../../store/messages.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { Env } from "../env.ts";
import { conversationWith, handOff, TAKEN_OVER } from "./conversations.ts";
import { hasKeyword, tokensOf } from "./words.ts";

/** What somebody wrote to a channel that has an agent. */
export type Said = { tenantId: TenantId; channelId: ChannelId; contactKey: string; messageId: MessageId; text: string };

/** A turn to be answered: its conversation, what was said in it before, and whether it is the first of all. */
export type Turn = { conversation: AiConversationRow; history: AiTurnRow[]; isFirst: boolean };

/** How long a conversation that its agent may only bring to an end stays without a turn. */
const RUNNING_MS = DAY_MS;

/** Whether an agent answers in this conversation: one that was disabled brings to an end what runs, and begins nothing. */
export const isAnswered = async (env: Pick<Env, "clock">, r: Reader, agent: AgentRow, conversation: AiConversationRow | undefined): Promise<boolean> => {
  if (conversation?.status === "HUMAN_HANDOFF") return false;
  if (agent.isEnabled) return true;
  if (conversation?.status !== "AI" || agent.disabledAt === null || (conversation.lastTurnAt ?? 0) + RUNNING_MS <= env.clock.now()) return false;
  const { contextWindowTurns: most } = agent;
  return (await countUserTurns(r, conversation.id, { fromId: idBoundAt(agent.disabledAt), most })) < most;
};

/**
 * Notes what somebody said, in a conversation that is begun or opened again for it where there is none. Undefined where the agent has nothing to answer to
 * it, because a human goes on with the conversation: then it has been handed over here, or was before. A repeat of the same changes nothing.
 */
export const beginTurn = async (env: Env, tx: Tx, agent: AgentRow, said: Said): Promise<Turn | undefined> => {
  if ((await findAgent(tx, EVERY_TENANT, said.channelId))?.id !== agent.id) return undefined;
  const { contactKey, known } = await conversationWith(tx, said);
  const before = known ? await listAiTurns(tx, known.id, { limit: 2 * agent.contextWindowTurns + 1 }) : [];
  const repeated = before.findIndex(({ messageId }) => messageId === said.messageId);
  if (known && repeated >= 0) return known.status === "AI" ? { conversation: known, history: before.slice(0, repeated), isFirst: false } : undefined;
  if (!(await isAnswered(env, tx, agent, known))) return undefined;
  const at = turnTime(env, known);
  const conversation = await conversationAt(env, tx, known, { ...said, contactKey, at });
  await insertAiTurn(tx, {
    ...turnRow(env, conversation, { at, content: said.text, tokensEstimate: tokensOf(said.text) }),
    role: "USER",
    chatMessageId: (await findKnown(tx, said.channelId, said.messageId))?.key ?? null,
    messageId: said.messageId,
  });
  const reason = handoffReason(agent, conversation, said);
  if (reason !== undefined) return void (await handOff(env, tx, conversation, { reason, manual: false }));
  return { conversation, history: before, isFirst: known === undefined };
};

/** Turns are ordered by their ids, which begin with their times: each is later than the one before. */
const turnTime = (env: Pick<Env, "clock">, conversation: AiConversationRow | undefined): number => Math.max(env.clock.now(), (conversation?.lastTurnAt ?? 0) + 1);

const turnRow = (env: Env, { id: conversationId }: AiConversationRow, turn: Pick<AiTurnRow, "content" | "tokensEstimate"> & { at: number }) => {
  const { at: createdAt, content, tokensEstimate } = turn;
  const id = newId({ clock: { now: () => createdAt }, random: env.random });
  return { id, conversationId, content, tokensEstimate, chatMessageId: null, messageId: null, sentMessageId: null, retrievedChunkIds: null, createdAt };
};

const conversationAt = async (
  env: Env,
  tx: Tx,
  known: AiConversationRow | undefined,
  { tenantId, channelId, contactKey, at }: Said & { at: number },
): Promise<AiConversationRow> => {
  if (!known) {
    const conversation = { ...TAKEN_OVER, id: newId(env), tenantId, channelId, contactKey, turnCount: 1, lastTurnAt: at, createdAt: env.clock.now() };
    await insertAiConversation(tx, conversation);
    return conversation;
  }
  const opened = known.status === "CLOSED" ? { ...known, ...TAKEN_OVER } : known;
  const { id, ...changes } = { ...opened, contactKey, turnCount: opened.turnCount + 1, lastTurnAt: at };
  await updateAiConversation(tx, id, [known.status], changes);
  return { id, ...changes };
};

/** Why a human is to answer what was said just now; undefined where the agent does. */
const handoffReason = ({ keywords, afterTurns }: AgentRow, { turnCount }: AiConversationRow, { text }: Said): string | undefined => {
  if (hasKeyword(text, keywords)) return "keyword";
  return afterTurns !== null && turnCount >= afterTurns ? "after_turns" : undefined;
};

export type Answer = Pick<Turn, "conversation"> & { content: string; tokensEstimate: number; sentMessageId: MessageId; retrievedChunkIds: string[] };

/** Notes what the agent answers. False, and nothing is noted, where it has none to give any more: a human has taken the conversation, or it has ended. */
export const endTurn = async (env: Env, tx: Tx, agent: AgentRow, { conversation: { id, channelId }, ...answer }: Answer): Promise<boolean> => {
  if ((await findAgent(tx, EVERY_TENANT, channelId))?.id !== agent.id) return false;
  const conversation = await findAiConversationById(tx, EVERY_TENANT, id);
  if (conversation?.status !== "AI") return false;
  const { content, tokensEstimate, sentMessageId, retrievedChunkIds } = answer;
  const at = turnTime(env, conversation);
  await insertAiTurn(tx, { ...turnRow(env, conversation, { at, content, tokensEstimate }), role: "ASSISTANT", sentMessageId, retrievedChunkIds });
  await updateAiConversation(tx, id, ["AI"], { lastTurnAt: at });
  return true;
};
