import type { Completion } from "../../../contract/ports/llm.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import type { AiEnv } from "../env.ts";
import { retrieve } from "../knowledge/retrieve.ts";
import { type Piece, promptOf } from "../prompt.ts";
import { countTokens, llmFailed, type Provider, type Took } from "../provider.ts";
import { textOf } from "../words.ts";
import type { Said, Turn } from "./turn.ts";

/** A write that is not durable by itself. The delivery makes it durable before the network receives the message. */
export const writeLightly = <Result>(env: AiEnv, body: (tx: Tx) => Promise<Result>): Promise<Result> =>
  env.db.write(body, { isDurable: false });

type Question = { agent: AgentRow; provider: Provider; said: Pick<Said, "tenantId">; turn: Turn };

/** The provider's answer, and the knowledge in its prompt. Counts the tokens of every call. Throws LLM_FAILED. */
export const answerOf = (
  env: AiEnv,
  { agent, provider, said, turn }: Question,
): Promise<{ completion: Completion; pieces: readonly Piece[] }> =>
  env.llmTurns.run(said.tenantId, async () => {
    const count = (took: Took) => writeLightly(env, (tx) => countTokens(env, tx, said, took));
    const found = await retrieve(env, { channelId: agent.channelId, text: turn.text, topK: agent.ragTopK, provider });
    if ("ok" in found) throw llmFailed(found);
    const { chunks: pieces, promptTokens } = found;
    if (promptTokens > 0)
      await count({ model: provider.embeddingModel, usage: { promptTokens, completionTokens: 0 }, texts: [turn.text] });
    const messages = promptOf(env, { agent, pieces, history: turn.history, text: turn.text });
    const completion = await env.llm.complete({ provider: provider.provider, model: agent.model, messages });
    if (!completion.ok) throw llmFailed(completion);
    await count({ ...completion.value, texts: [...messages.map(textOf), completion.value.text] });
    return { completion: completion.value, pieces };
  });
