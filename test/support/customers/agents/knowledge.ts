import { beforeEach } from "bun:test";
import { retrieve } from "../../../../src/core/ai/knowledge/retrieve.ts";
import type { ChannelId } from "../../../../src/kernel/ids.ts";
import { LLM_KEY, type SimulatedLlm } from "../../llm/index.ts";
import { giveAgent, giveKey, useLlmCustomer } from "../../llm/world.ts";
import { fill } from "../../use-world.ts";
import type { Answer, World } from "../../world.ts";
import { type Customer, rowsOf } from "../customer.ts";

/** The knowledge of a shop's agent. */
export const HOURS = "Abrimos de segunda a sexta, das oito às dezoito horas.";
export const inline = (text: string = HOURS, more: object = {}) => ({ source: "TEXT_INLINE", text, ...more });

/** A text of so many paragraphs, each of which is a chunk of its own. */
export const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Assunto${n}. ${"Uma frase comum que enche o parágrafo. ".repeat(18)}`).join(
    "\n\n",
  );

const MODEL = "text-embedding-3-small";

/** A customer's acts with the knowledge of the phone's agent. */
export type Knowledge = {
  ask(
    path?: string,
    call?: { body?: unknown; method?: string; key?: string; raw?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** A document after it was processed. @throws if it is refused. */
  learn(body: object): Promise<any>;
  document(id: string): Promise<any>;
  /** The chunks that a question finds, the nearest first. */
  find(text: string, topK?: number): Promise<{ id: string; body: string; title: string | null }[]>;
  /** The numbers of all chunks, and of bits of chunks. */
  stored(): Promise<{ chunks: number; bits: number }>;
};

export const knowledgeOf = (
  w: World,
  llm: SimulatedLlm,
  { key, phone }: Pick<Customer, "key" | "phone">,
): Knowledge => {
  const ask: Knowledge["ask"] = (path = "", call = {}) =>
    w.gateway(`/v1/phones/${phone.id}/ai-agent/knowledge${path}`, { key, ...call });
  const count = async (table: string) =>
    (await rowsOf<{ n: number }>(w, `SELECT count(*) AS n FROM ${table} WHERE channel_id = ?1`, [phone.id]))[0]?.n ?? 0;
  const document = async (id: string) => (await ask(`/${id}`)).body;
  return {
    ask,
    document,
    async learn(body) {
      const { status, body: added, text } = await ask("", { body });
      if (status !== 202) throw new Error(`the document was not taken: ${status} ${text}`);
      await w.settle();
      return document(added.id);
    },
    async find(text, topK = 4) {
      const provider = {
        provider: { baseUrl: llm.url, apiKey: LLM_KEY },
        embedder: { baseUrl: llm.url, apiKey: LLM_KEY },
        defaultModel: "gpt-4o-mini",
        embeddingModel: MODEL,
        transcriptionModel: "whisper-1",
        transcriptionLanguage: null,
        speechModel: "tts-1",
      };
      const found = await retrieve(w.app.env, { channelId: phone.id as ChannelId, text, topK, provider });
      if ("ok" in found) throw new Error(found.reason);
      return found.chunks;
    },
    stored: async () => ({ chunks: await count("chunks"), bits: await count("chunk_bits") }),
  };
};

/**
 * A world with a provider of models for the tests of a file. Every test gets a new customer, whose phone has an agent
 * without knowledge.
 */
export const useKnowledge = () => {
  const { w, llm, c } = useLlmCustomer();
  const k = {} as Knowledge;
  beforeEach(async () => {
    await giveKey(w, c);
    await giveAgent(w, c);
    fill(k, knowledgeOf(w, llm, c));
  });
  return { w, llm, c, k };
};
