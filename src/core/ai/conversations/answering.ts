import type { ChatMessage, Completion, ToolDefinition } from "../../../contract/ports/llm.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import { requireBudget, type Spender } from "../budget.ts";
import type { AiEnv } from "../env.ts";
import { retrieve } from "../knowledge/retrieve.ts";
import { type Piece, promptOf } from "../prompt.ts";
import { countTokens, llmFailed, type Provider, type Took, writeLightly } from "../provider.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { isBlank, messageText, pictureTokensIn } from "../words.ts";
import type { Turn } from "./turn.ts";

/** `said`: whose tokens are used. `toolbox`: the tools that the model may call. */
type Question = {
  agent: AgentRow;
  provider: Provider;
  said: Spender;
  turn: Pick<Turn, "text" | "history" | "sight">;
  toolbox?: Toolbox | undefined;
};

/** `completion`: undefined only if the model handed the conversation over and said nothing. */
export type ModelAnswer = { completion: Completion | undefined; pieces: readonly Piece[] };

/** How often a model is asked for one answer: its last round must answer without a call. */
const MAX_ROUNDS = 5;
/** Within this time rounds begin and tools are called. The last round has its whole time after that. */
const CALLING_MS = 30 * SECOND_MS;
const ROUND_MS = 30 * SECOND_MS;

/**
 * The provider's answer, and the knowledge in its prompt. The model may call tools in between. Counts the tokens of
 * every round. Throws LLM_FAILED and LLM_BUDGET_EXHAUSTED.
 */
export const answerOf = async (env: AiEnv, question: Question): Promise<ModelAnswer> => {
  const { agent, turn, said, toolbox } = question;
  const count = (took: Took) => writeLightly(env, (tx) => countTokens(env, tx, said, took));
  const pieces = await env.llmTurns.run(said.tenantId, () => knowledgeFor(env, question, count));
  const { history, text, sight } = turn;
  const messages = promptOf(env, { agent, pieces, history, text, sight, tools: toolbox?.fence });
  return { completion: await converse(env, { ...question, count, messages }), pieces };
};

type Count = (took: Took) => Promise<void>;

const knowledgeFor = async (env: AiEnv, { agent, provider, turn }: Question, count: Count) => {
  const found = await retrieve(env, { channelId: agent.channelId, text: turn.text, topK: agent.ragTopK, provider });
  if ("ok" in found) throw llmFailed(found);
  const { chunks, promptTokens } = found;
  if (promptTokens > 0)
    await count({ model: provider.embeddingModel, usage: { promptTokens, completionTokens: 0 }, texts: [turn.text] });
  return chunks;
};

type Talk = Omit<Question, "turn"> & { messages: ChatMessage[]; count: Count };

/** A failure after the model handed over is no failure: a person goes on. */
const converse = async (env: AiEnv, talk: Talk): Promise<Completion | undefined> => {
  try {
    return await inRounds(env, talk, ({ round, mayCall }) =>
      // a call of a tool takes none of the account's places at its provider
      env.llmTurns.run(talk.said.tenantId, async () => {
        if (round > 1) await requireBudget(env, talk.said);
        return ask(env, talk, { mayCall });
      }),
    );
  } catch (error) {
    if (error instanceof AppError && talk.toolbox?.handsOver() !== undefined) return undefined;
    throw error;
  }
};

type Rounds = { messages: ChatMessage[]; toolbox?: Toolbox | undefined };
type AskRound = (round: { round: number; mayCall: boolean }) => Promise<Completion>;

/**
 * Asks the model until it answers without a call; in the last round its text is the answer. `messages` grows by its
 * calls and their answers. @throws AppError LLM_FAILED if it goes on calling, and what `askRound` throws
 */
export const inRounds = async (env: AiEnv, { messages, toolbox }: Rounds, askRound: AskRound): Promise<Completion> => {
  const deadline = env.clock.now() + CALLING_MS;
  const isTimeOver = () => env.clock.now() > deadline;
  for (let round = 1; ; round++) {
    const isLast = round === MAX_ROUNDS || isTimeOver();
    const completion = await askRound({ round, mayCall: !isLast });
    if (completion.toolCalls.length === 0 || !toolbox) return completion;
    if (isLast && !isBlank(completion.text)) return completion;
    if (isLast) throw noAnswer();
    messages.push(...(await answersTo(completion, toolbox, isTimeOver)));
  }
};

const noAnswer = () =>
  llmFailed({ ok: false, kind: "unavailable", reason: "The model went on calling tools and gave no answer." });

const ask = async (
  env: AiEnv,
  { agent, provider, messages, toolbox, count }: Talk,
  { mayCall }: { mayCall: boolean },
): Promise<Completion> => {
  const completion = await env.llm.complete({
    provider: provider.provider,
    model: agent.model,
    messages,
    ...(toolbox ? { tools: toolbox.definitions, mayCall } : {}),
    timeoutMs: ROUND_MS,
  });
  if (!completion.ok) throw llmFailed(completion);
  await count({
    ...completion.value,
    texts: exchangedTexts(messages, completion.value, toolbox?.definitions),
    pictureTokens: messages.reduce((sum, message) => sum + pictureTokensIn(message), 0),
  });
  return completion.value;
};

/** The texts of a request and of its answer, those of tools and calls too. */
export const exchangedTexts = (
  messages: readonly ChatMessage[],
  { text, toolCalls }: Completion,
  tools: readonly ToolDefinition[] = [],
): string[] => {
  const called = [...messages.flatMap((message) => ("toolCalls" in message ? message.toolCalls : [])), ...toolCalls];
  return [
    ...messages.map(messageText),
    text,
    ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
    ...called.map((call) => JSON.stringify(call.arguments)),
  ];
};

/** The model's message with its calls, and the answer to each, one after the other. */
const answersTo = async (
  { text, toolCalls, own }: Completion,
  toolbox: Toolbox,
  isTimeOver: () => boolean,
): Promise<ChatMessage[]> => {
  const messages: ChatMessage[] = [{ role: "assistant", content: text, toolCalls, ...(own ? { own } : {}) }];
  for (const call of toolCalls) {
    const content = await toolbox.call(call, { isTimeOver: isTimeOver() });
    messages.push({ role: "tool", toolCallId: call.id, content });
  }
  return messages;
};
