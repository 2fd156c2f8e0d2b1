import type { ChatMessage, Completion } from "../../contract/ports/llm.ts";
import type { AgentRow } from "../../store/tables/ai/agents.ts";
import type { FoundChunk } from "../../store/tables/ai/knowledge.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getAgent } from "./agents.ts";
import { withProvider } from "./asking.ts";
import { requireBudget } from "./budget.ts";
import { inRounds } from "./conversations/answering.ts";
import type { AiEnv } from "./env.ts";
import { retrieve } from "./knowledge/retrieve.ts";
import { promptOf } from "./prompt.ts";
import { addedUsage, countTokens, llmFailed, type Provider } from "./provider.ts";
import { readableAnswer } from "./readable-answer.ts";
import { type TriedCall, toolTestRefusal } from "./tools/tools.ts";
import { blank, isBlank } from "./words.ts";

export type { FoundChunk } from "../../store/tables/ai/knowledge.ts";

/**
 * `withKnowledge`: the answer uses passages of the agent's documents, as for a contact. `callTools`: HTTP tools are
 * called.
 */
export type Trial = { message: string; systemPromptOverride?: string; withKnowledge?: boolean; callTools?: boolean };

/**
 * `passages`: the passages of the agent's documents in the prompt, the nearest first; empty without `withKnowledge`.
 * `tried`: the calls of tools.
 */
export type TrialAnswer = Completion & { passages: readonly FoundChunk[]; tried: readonly TriedCall[] };

/**
 * The answer of a channel's agent to a message, optionally with another system prompt. Stores and sends nothing: its
 * built-in tools are simulated.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, with `callTools` OPERATION_LIMIT_REACHED after 10 tests of tools
 * within a minute, and what `withProvider` throws.
 */
export const tryAgent = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  { message, systemPromptOverride, withKnowledge = false, callTools = false }: Trial,
): Promise<TrialAnswer> => {
  if (isBlank(message)) throw blank("message");
  const limit = callTools ? toolTestRefusal(env, scope) : undefined;
  if (limit) throw limit;
  const found = await getAgent(env, scope, channelId);
  const agent = { ...found, systemPrompt: systemPromptOverride ?? found.systemPrompt };
  return answerTo(env, agent, { message, withKnowledge, callTools });
};

/** The answer of an agent to a question that nobody asked in a chat. Throws what `withProvider` throws. */
export const answerTo = (
  env: AiEnv,
  agent: AgentRow,
  { message, withKnowledge, callTools }: Required<Omit<Trial, "systemPromptOverride">>,
): Promise<TrialAnswer> =>
  withProvider(env, { tenantId: agent.tenantId }, async (ask, provider) => {
    const passages = withKnowledge ? await passagesFor(env, { agent, provider, message }) : [];
    const { openTriedToolbox } = await import("./tools/tried-toolbox.ts"); // few agents have tools
    const { toolbox, calls: tried = [] } = (await openTriedToolbox(env, agent, { callTools })) ?? {};
    const messages =
      withKnowledge || toolbox
        ? promptOf(env, { agent, pieces: passages, history: [], text: message, tools: toolbox?.fence })
        : plainPrompt(agent, message);
    const offered = toolbox ? { tools: toolbox.definitions } : {};
    let usage = { promptTokens: 0, completionTokens: 0 };
    const completion = await inRounds(env, { messages, toolbox }, async ({ mayCall }) => {
      const answer = await ask({ model: agent.model, messages, ...offered, mayCall });
      usage = addedUsage(usage, answer.usage);
      return answer;
    });
    return { ...completion, usage, text: await readableAnswer(env, agent, completion), passages, tried };
  });

const plainPrompt = ({ systemPrompt }: AgentRow, message: string): ChatMessage[] => [
  { role: "system", content: systemPrompt },
  { role: "user", content: message },
];

type Question = { agent: AgentRow; provider: Provider; message: string };

/** Counts the tokens of the search too. @throws AppError LLM_BUDGET_EXHAUSTED and LLM_FAILED. */
const passagesFor = async (env: AiEnv, { agent, provider, message }: Question): Promise<readonly FoundChunk[]> => {
  const { channelId, tenantId, ragTopK: topK } = agent;
  await requireBudget(env, { tenantId });
  const found = await retrieve(env, { channelId, text: message, topK, provider });
  if ("ok" in found) throw llmFailed(found);
  const { chunks, promptTokens } = found;
  if (promptTokens > 0) {
    const usage = { promptTokens, completionTokens: 0 };
    const took = { model: provider.embeddingModel, usage, texts: [message] };
    await env.db.write((tx) => countTokens(env, tx, { tenantId }, took));
  }
  return chunks;
};
