import type { LlmFailure } from "../../../contract/ports/llm.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { countCollection } from "../../../store/laws/collections.ts";
import { type FoundChunk, nearestChunks } from "../../../store/tables/ai/knowledge.ts";
import type { AiEnv } from "../env.ts";
import type { Provider } from "../provider.ts";
import { isUsable, uselessness } from "./vectors.ts";

type Question = { channelId: ChannelId; text: string; topK: number; provider: Provider };

/**
 * The chunks of an agent's knowledge that are nearest to a question, the nearest first. Without documents the provider
 * is not asked. The caller counts the tokens and holds the account's semaphore for the provider.
 */
export const retrieve = async (
  env: AiEnv,
  { channelId, text, topK, provider }: Question,
): Promise<{ chunks: FoundChunk[]; promptTokens: number } | LlmFailure> => {
  const isEmpty = topK === 0 || (await env.db.read((reader) => countCollection(reader, "chunks", channelId, 1))) === 0;
  if (isEmpty) return { chunks: [], promptTokens: 0 };
  const answer = await env.llm.embed({ provider: provider.embedder, model: provider.embeddingModel, texts: [text] });
  if (!answer.ok) return answer;
  const { vectors, promptTokens } = answer.value;
  const [vector] = vectors;
  if (!vector || !isUsable(vector))
    return {
      ok: false,
      kind: "refused",
      reason: `The question cannot be compared: ${uselessness(provider.embeddingModel, vectors)}.`,
    };
  return {
    chunks: await nearestChunks(env.db, channelId, { vector, model: provider.embeddingModel, limit: topK }),
    promptTokens,
  };
};
