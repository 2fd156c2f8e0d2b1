import type { LlmProvider, LlmResult } from "../../contract/ports/llm.ts";
import { FOREIGN_JSON } from "../../kernel/texts/json.ts";
import { type Vectors, vectorsOf } from "./llm-answers.ts";
import type { HabitStore } from "./llm-habits.ts";
import { isAboutBatch, isAboutDimensions, mayRefuseDimensions } from "./llm-manners.ts";
import type { Ask } from "./llm-order.ts";

/** The dimensions of a knowledge base's vectors; requested from models whose number can be chosen. */
const DIMENSIONS = 1536;
/** The largest number of dimensions that a provider makes, if it cannot be chosen. */
const MOST_DIMENSIONS = 4096;
/** A number of 17 digits with its sign, exponent, comma and a blank. */
const BYTES_OF_NUMBER = 24;
/** The bytes around the vectors of an answer. */
const AROUND_BYTES = 64 * 1024;

type Asking = { ask: Ask; habits: HabitStore; deadline(): number };
type Embedding = { provider: LlmProvider; model: string; texts: readonly string[] };

/** The vectors of texts in one request. The encoding is left to the provider: some refuse every name of one. */
const embedOnce = async (
  { ask, deadline }: Asking,
  { provider, model, texts }: Embedding,
  hasDimensions: boolean,
): Promise<LlmResult<Vectors>> => {
  const numbers = texts.length * MOST_DIMENSIONS;
  const answer = await ask({
    provider,
    call: "embeddings",
    body: { model, input: texts, ...(hasDimensions ? { dimensions: DIMENSIONS } : {}) },
    deadline: deadline(),
    limits: { bytes: numbers * BYTES_OF_NUMBER + AROUND_BYTES, values: numbers + FOREIGN_JSON.values },
  });
  return answer.ok ? vectorsOf(answer.value, texts.length) : answer;
};

const areLonger = ({ vectors }: Vectors): boolean => vectors.some(({ length }) => length > DIMENSIONS);

/**
 * The vectors of texts in one request, of 1536 dimensions where the model can be asked for them. A model is asked when
 * its name says so, or when its own vectors are longer: they can be cut by the provider alone.
 */
const embedPart = async (asking: Asking, part: Embedding): Promise<LlmResult<Vectors>> => {
  const { provider, model } = part;
  const known = asking.habits.of(provider, model).hasDimensions;
  const isAsked = known ?? model.includes("text-embedding-3");
  const first = await embedOnce(asking, part, isAsked);
  const isRefused = !first.ok && isAsked && isAboutDimensions(first);
  const canBeShorter = first.ok && !isAsked && known === undefined && areLonger(first.value);
  if (!isRefused && !canBeShorter) return first;
  const second = await embedOnce(asking, part, !isAsked);
  if (second.ok || (canBeShorter && mayRefuseDimensions(second)))
    asking.habits.learn(provider, model, { hasDimensions: second.ok !== isAsked });
  if (!first.ok) return second;
  if (!second.ok) return first;
  const promptTokens = first.value.promptTokens + second.value.promptTokens;
  return { ok: true, value: { ...second.value, promptTokens } };
};

/**
 * The vectors of all texts. A request that is refused is halved, down to one text: providers take 1, 10, 32 or 2048 of
 * them at once, and count tokens besides. Each request has the time of one.
 */
export const embedAll = async (asking: Asking, { provider, model, texts }: Embedding): Promise<LlmResult<Vectors>> => {
  const known = asking.habits.of(provider, model).inputs ?? texts.length;
  let most = known;
  const all: Vectors = { vectors: [], promptTokens: 0 };
  while (all.vectors.length < texts.length) {
    const from = all.vectors.length;
    const part = texts.slice(from, from + most);
    const answer = await embedPart(asking, { provider, model, texts: part });
    if (answer.ok) {
      all.vectors.push(...answer.value.vectors);
      all.promptTokens += answer.value.promptTokens;
    } else if (part.length > 1 && isAboutBatch(answer)) most = Math.ceil(part.length / 2);
    else return answer;
  }
  if (most < known) asking.habits.learn(provider, model, { inputs: most });
  return { ok: true, value: all };
};
