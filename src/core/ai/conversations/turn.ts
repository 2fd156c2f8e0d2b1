import { DAY_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { type ChannelId, idBoundAt, type MessageId, newId, type TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { type AgentRow, findAgent } from "../../../store/tables/ai/agents.ts";
import {
  type AiConversationRow,
  type AiTurnRow,
  countUserTurns,
  emptyTurn,
  findAiConversationById,
  findAiTurn,
  insertAiConversation,
  insertAiTurn,
  isTurn,
  lastAnswerAt,
  lastUserTexts,
  listAiTurns,
  updateAiConversation,
} from "../../../store/tables/ai/ai-conversations.ts";
import { emptyToolCalls } from "../../../store/tables/ai/tools.ts";
import { findKnown } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { findChatHolder } from "../../conversations/holders.ts";
import type { AiEnv } from "../env.ts";
import { isMark } from "../marks.ts";
import type { Sight } from "../sight.ts";
import { estimatedTokens, hasKeyword } from "../words.ts";
import { conversationWith, handOff, TAKEN_OVER } from "./conversations.ts";

/** A text in a chat of a channel with an agent, and its message. */
export type Said = { tenantId: TenantId; channelId: ChannelId; contactKey: string; messageId: MessageId; text: string };
type Where = Pick<Said, "tenantId" | "channelId" | "contactKey">;

/** The turn to answer. */
export type TurnKey = { conversationId: string; turnId: string };

/**
 * A turn to answer. `isGreeted`: the agent has written in this conversation before. `sight`: the file of its message, if
 * the agent sees it.
 */
export type Turn = {
  conversation: AiConversationRow;
  text: string;
  history: AiTurnRow[];
  isGreeted: boolean;
  sight?: Sight | undefined;
};

/** A disabled agent finishes a conversation in which it has written within this time. */
const RUNNING_MS = DAY_MS;

/** Whether another app leads the conversation. */
const isHeld = async (
  env: Pick<AiEnv, "clock">,
  r: Reader,
  { channelId, contactKey }: Pick<AiConversationRow, "channelId" | "contactKey">,
): Promise<boolean> => (await findChatHolder(env, r, channelId, contactKey)) !== null;

/** Whether an agent answers in this conversation. A disabled agent finishes running conversations and begins none. */
const isAnswered = async (
  env: Pick<AiEnv, "clock">,
  r: Reader,
  agent: AgentRow,
  conversation: AiConversationRow | undefined,
): Promise<boolean> => {
  if (conversation?.status === "HUMAN_HANDOFF") return false;
  if (agent.isEnabled) return true;
  if (
    conversation?.status !== "AI" ||
    agent.disabledAt === null ||
    ((await lastAnswerAt(r, conversation.id)) ?? 0) + RUNNING_MS <= env.clock.now()
  )
    return false;
  const { contextWindowTurns: most } = agent;
  return (await countUserTurns(r, conversation.id, { fromId: idBoundAt(agent.disabledAt), most })) < most;
};

/**
 * Records a contact's message in the write that publishes it, and hands the conversation off when a rule says so.
 * Messages of a handed-off conversation are recorded too. Returns the turn to answer; undefined when the agent should
 * not answer. `at`: the place of a message whose words come later.
 */
export const noteMessage = async (
  env: AiEnv,
  tx: Tx,
  agent: AgentRow,
  said: Said & { at?: number | undefined },
): Promise<TurnKey | undefined> => {
  const { contactKey, known } = await conversationWith(tx, said);
  const isLedElsewhere = await isHeld(env, tx, { channelId: said.channelId, contactKey });
  const answers = !isLedElsewhere && (await isAnswered(env, tx, agent, known));
  if (!answers && (known === undefined || known.status === "CLOSED")) return undefined;
  const turnId = known && answers ? await turnOf(tx, known, said) : undefined;
  if (known && turnId !== undefined) return { conversationId: known.id, turnId };
  const at = said.at ?? turnTime(env, known);
  const conversation = answers ? await conversationAt(env, tx, known, { ...said, contactKey, at }) : known;
  if (!conversation) return undefined;
  const turn = turnRow(env, conversation, { at, content: said.text, tokensEstimate: estimatedTokens(said.text) });
  await insertAiTurn(tx, {
    ...turn,
    role: "USER",
    chatMessageId: await providerMessageIdOf(tx, said),
    messageId: said.messageId,
  });
  if (!answers) {
    await updateAiConversation(tx, conversation.id, [conversation.status], { lastTurnAt: latest(conversation, at) });
    return undefined;
  }
  const reason = await handoffReason(tx, agent, conversation, said);
  if (reason === undefined) return { conversationId: conversation.id, turnId: turn.id };
  await handOff(env, tx, conversation, { reason, manual: false });
  return undefined;
};

/** The number of turns among which an earlier message for information is looked for. */
const LAST_TURNS = 20;

/** The turn of a message that came for information earlier; undefined for any other message. */
const turnOf = async (r: Reader, { id }: AiConversationRow, { messageId }: Said): Promise<string | undefined> =>
  (await listAiTurns(r, id, { limit: LAST_TURNS })).find((turn) => turn.messageId === messageId)?.id;

/**
 * Records a message of the contact (`USER`) or of the app that leads the conversation (`HUMAN`), if the agent has a
 * conversation with the contact. The agent does not answer it.
 */
export const noteHeld = async (env: AiEnv, tx: Tx, said: Said, role: "USER" | "HUMAN"): Promise<void> => {
  const { known } = await conversationWith(tx, said);
  if (!known || known.status === "CLOSED") return;
  const at = turnTime(env, known);
  await insertAiTurn(tx, {
    ...turnRow(env, known, { at, content: said.text, tokensEstimate: estimatedTokens(said.text) }),
    role,
    chatMessageId: await providerMessageIdOf(tx, said),
    messageId: said.messageId,
  });
  await updateAiConversation(tx, known.id, [known.status], { lastTurnAt: at });
};

/** Removes what a message said from the agent's conversation, because the message was deleted for everyone. */
export const noteDeletion = async (tx: Tx, { messageId, ...where }: Omit<Said, "text">): Promise<void> => {
  const { known } = await conversationWith(tx, where);
  if (!known) return;
  for (const turnId of await emptyTurn(tx, known.id, messageId)) emptyToolCalls(tx, turnId);
};

/**
 * Records a message of the channel's owner in a conversation of the agent, sent by the API (`sentMessageId`) or by
 * phone (`messageId`). The agent's own messages are recorded already.
 */
export const noteHuman = async (env: AiEnv, tx: Tx, said: Said, by: "api" | "phone"): Promise<void> => {
  const { known } = await conversationWith(tx, said);
  if (!known || known.status === "CLOSED" || (by === "api" && (await isTurn(tx, said.messageId)))) return;
  const at = turnTime(env, known);
  const ids =
    by === "api"
      ? { sentMessageId: said.messageId }
      : { messageId: said.messageId, chatMessageId: await providerMessageIdOf(tx, said) };
  await insertAiTurn(tx, {
    ...turnRow(env, known, { at, content: said.text, tokensEstimate: estimatedTokens(said.text) }),
    role: "HUMAN",
    ...ids,
  });
  await updateAiConversation(tx, known.id, [known.status], { lastTurnAt: at });
};

/** The reason of a conversation that the agent gave up because its owner wrote in it. */
const OWNER_REPLIED = "owner_replied";

/**
 * Hands a conversation off because the channel's owner answered in the network's own app, and records the owner's text.
 * A message without words (an empty `text`) hands off too.
 */
export const noteOwner = async (env: AiEnv, tx: Tx, said: Said): Promise<void> => {
  if (said.text !== "") await noteHuman(env, tx, said, "phone");
  const { known } = await conversationWith(tx, said);
  if (known?.status === "AI") await handOff(env, tx, known, { reason: OWNER_REPLIED, manual: false });
};

const providerMessageIdOf = async (tx: Tx, { channelId, messageId }: Said): Promise<string | null> =>
  (await findKnown(tx, channelId, messageId))?.key ?? null;

/** A time after that of the conversation's last turn. Turns are ordered by their ids, which begin with their times. */
const turnTime = (env: Pick<AiEnv, "clock">, conversation: AiConversationRow | undefined): number =>
  Math.max(env.clock.now(), (conversation?.lastTurnAt ?? 0) + 1);

const latest = ({ lastTurnAt }: AiConversationRow, at: number): number => Math.max(lastTurnAt ?? 0, at);

/** A place for a message whose words come later: what comes meanwhile is behind it. */
export const keepPlace = async (env: Pick<AiEnv, "clock">, tx: Tx, where: Where): Promise<number> => {
  const { known } = await conversationWith(tx, where);
  const at = turnTime(env, known);
  if (known) await updateAiConversation(tx, known.id, [known.status], { lastTurnAt: at });
  return at;
};

const turnRow = (
  env: AiEnv,
  { id: conversationId }: AiConversationRow,
  turn: Pick<AiTurnRow, "content" | "tokensEstimate"> & { at: number },
) => {
  const { at: createdAt, content, tokensEstimate } = turn;
  const id = newId({ clock: { now: () => createdAt }, random: env.random });
  return {
    id,
    conversationId,
    content,
    tokensEstimate,
    chatMessageId: null,
    messageId: null,
    sentMessageId: null,
    retrievedChunkIds: null,
    createdAt,
  };
};

/** Adds one turn to the conversation; begins or reopens the conversation if none is open. */
const conversationAt = async (
  env: AiEnv,
  tx: Tx,
  known: AiConversationRow | undefined,
  { tenantId, channelId, contactKey, at }: Said & { at: number },
): Promise<AiConversationRow> => {
  if (!known) {
    const conversation = {
      ...TAKEN_OVER,
      id: newId(env),
      tenantId,
      channelId,
      contactKey,
      turnCount: 1,
      lastTurnAt: at,
      answersAfter: null,
      closedTextOn: null,
      createdAt: env.clock.now(),
    };
    await insertAiConversation(tx, conversation);
    return conversation;
  }
  const opened = known.status === "CLOSED" ? { ...known, ...TAKEN_OVER } : known;
  const lastTurnAt = latest(opened, at);
  const { id, ...changes } = { ...opened, contactKey, turnCount: opened.turnCount + 1, lastTurnAt };
  await updateAiConversation(tx, id, [known.status], changes);
  return { id, ...changes };
};

/** Why a human should answer this message; undefined when the agent answers. */
const handoffReason = async (
  r: Reader,
  { keywords, afterTurns }: AgentRow,
  conversation: AiConversationRow,
  { text }: Said,
): Promise<string | undefined> => {
  if (hasKeyword(text, keywords)) return "keyword";
  if (afterTurns !== null && conversation.turnCount >= afterTurns) return "after_turns";
  return (await isLoop(r, conversation)) ? "loop" : undefined;
};

/**
 * Limits that only another machine reaches: messages in a short time, or repetitions of one message. Our own marks
 * repeat when a person sends an album.
 */
const LOOP_MS = 10 * MINUTE_MS;
const LOOP_TURNS = 30;
const LOOP_REPEATS = 5;

/** Whether the contact is another machine. Only turns since the agent took over count. */
const isLoop = async (r: Reader, { id, turnCount, lastTurnAt }: AiConversationRow): Promise<boolean> => {
  if (turnCount < LOOP_REPEATS) return false;
  const fromId = idBoundAt((lastTurnAt ?? 0) - LOOP_MS);
  const last = await lastUserTexts(r, id, { fromId, limit: LOOP_REPEATS });
  const said = new Set(last.map((text) => text.trim().toLowerCase()));
  if (last.length === LOOP_REPEATS && said.size === 1 && !last.some(isMark)) return true;
  return turnCount >= LOOP_TURNS && (await countUserTurns(r, id, { fromId, most: LOOP_TURNS })) >= LOOP_TURNS;
};

/**
 * The conversation and the text of a turn that the agent may answer. Undefined when it may not: a human or another app
 * has the conversation, or had it after this turn, it is closed, it belongs to another agent, or the turn's message was
 * deleted.
 */
export const findAwaiting = async (
  env: Pick<AiEnv, "clock">,
  r: Reader,
  agent: AgentRow,
  { conversationId, turnId }: TurnKey,
): Promise<Pick<Turn, "conversation" | "text"> | undefined> => {
  const conversation = await findAiConversationById(r, EVERY_TENANT, conversationId);
  if (conversation?.status !== "AI" || (await isHeld(env, r, conversation))) return undefined;
  if ((await findAgent(r, EVERY_TENANT, conversation.channelId))?.id !== agent.id) return undefined;
  if (turnId <= (conversation.answersAfter ?? "")) return undefined;
  const { content: text = "" } = (await findAiTurn(r, conversationId, turnId)) ?? {};
  return text === "" ? undefined : { conversation, text };
};

/** The turn to answer, with its history; undefined as `findAwaiting`. */
export const beginTurn = async (
  env: Pick<AiEnv, "clock">,
  tx: Tx,
  agent: AgentRow,
  key: TurnKey,
): Promise<Turn | undefined> => {
  const awaiting = await findAwaiting(env, tx, agent, key);
  if (!awaiting) return undefined;
  const { conversationId, turnId } = key;
  const most = 2 * agent.contextWindowTurns;
  const before = await listAiTurns(tx, conversationId, { beforeId: turnId, limit: most });
  // later messages of the contact get their own answers
  const since = (await listAiTurns(tx, conversationId, { limit: most })).filter(
    ({ id, role }) => id > turnId && role !== "USER",
  );
  return {
    ...awaiting,
    history: [...before, ...since],
    isGreeted: (await lastAnswerAt(tx, conversationId)) !== undefined,
  };
};

export type Answer = Pick<Turn, "conversation"> & {
  content: string;
  tokensEstimate: number;
  sentMessageId: MessageId;
  retrievedChunkIds: string[];
};

/** Records the agent's answer to a turn that `findAwaiting` has found in the same write. */
export const noteAnswer = async (env: AiEnv, tx: Tx, { conversation, ...answer }: Answer): Promise<void> => {
  const { content, tokensEstimate, sentMessageId, retrievedChunkIds } = answer;
  const at = turnTime(env, conversation);
  await insertAiTurn(tx, {
    ...turnRow(env, conversation, { at, content, tokensEstimate }),
    role: "ASSISTANT",
    sentMessageId,
    retrievedChunkIds,
  });
  await updateAiConversation(tx, conversation.id, ["AI"], { lastTurnAt: at });
};
