import type { ChatMessage, Completion, LlmFailure, LlmResult } from "../../contract/ports/llm.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import type { Asked } from "./llm-manners.ts";
import { at, cleaned, textAt, writtenIn } from "./llm-reading.ts";
import { withoutEndMarks, withoutThoughts } from "./llm-thoughts.ts";
import { callsIn, ownFieldsOf } from "./llm-tools.ts";

/** A count at a path; 0 for anything else. */
export const countAt = (value: unknown, ...path: readonly (string | number)[]): number => {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : 0;
};

export const failed = (kind: LlmFailure["kind"], reason: string): LlmFailure => ({
  ok: false,
  kind,
  reason: cleaned(reason),
});

const MAX_NAME = 120;

/** The text for people: the only way from a provider's answer to their eyes. */
const spokenOf = (text: string, isJson: boolean): string =>
  isJson && parsedJson(text) !== undefined ? text : withoutEndMarks(withoutThoughts(text));

/** The names that providers give to an answer which they hold back: OpenAI's, Azure's, and Gemini's own. */
const WITHHELD = /^(?:content_?filter|safety|recitation|prohibited_content|blocklist|spii)/i;

/** The names that providers give to an answer whose tokens were used up: OpenAI's, and those of others behind its API. */
const CUT = /^(?:length|max_(?:output_)?tokens|model_length)$/i;

/** Why an answer has no text for people, by what the provider says of its end. */
const emptinessOf = (answer: unknown, isThought: boolean): LlmFailure => {
  const finish = textAt(answer, "choices", 0, "finish_reason");
  const named = finish === undefined ? "" : ` (finish_reason: ${finish})`;
  if (finish !== undefined && CUT.test(finish))
    return failed("unavailable", `The model had used up its tokens before it wrote an answer${named}.`);
  if (at(answer, "choices", 0, "message", "tool_calls", 0) !== undefined)
    return failed("unavailable", `The model called a tool instead of answering${named}.`);
  return isThought
    ? failed("unavailable", `The provider's answer has only the model's thoughts${named}.`)
    : failed("unavailable", `The provider's answer has no text${named}.`);
};

/** `isWorded`: the tools were described in the prompt. */
type Order = Asked & { model: string; messages: readonly ChatMessage[]; isWorded: boolean };

/**
 * The first choice of an answer, without the model's thoughts; a requested JSON document stays unchanged. Calls of tools
 * are read only if tools were offered, wherever the answer has them. Without a model in the answer, the requested one is
 * used; without counts of tokens, 0.
 */
export const completionOf = (
  answer: unknown,
  { model: asked, messages, json, tools = [], isWorded }: Order,
): LlmResult<Completion> => {
  const declined = textAt(answer, "choices", 0, "message", "refusal");
  if (declined !== undefined) return failed("refused", `The model declined: ${declined}`);
  const finish = textAt(answer, "choices", 0, "finish_reason") ?? "";
  if (WITHHELD.test(finish)) return failed("refused", `The provider withheld the answer (${finish}).`);
  const message = at(answer, "choices", 0, "message");
  const written = writtenIn(message);
  const spoken = spokenOf(written, json !== undefined);
  const { text, toolCalls } = callsIn(message, spoken, { tools, messages, isWorded });
  if (text.trim() === "" && toolCalls.length === 0) return emptinessOf(answer, withoutEndMarks(written).trim() !== "");
  const usage = {
    promptTokens: countAt(answer, "usage", "prompt_tokens"),
    completionTokens: countAt(answer, "usage", "completion_tokens"),
  };
  const name = (textAt(answer, "model") ?? asked).slice(0, MAX_NAME);
  const own = toolCalls.length === 0 ? {} : ownFieldsOf(message);
  return { ok: true, value: { text, model: name, usage, isCut: CUT.test(finish), toolCalls, ...own } };
};

export type Vectors = { vectors: Float32Array[]; promptTokens: number };

/**
 * A vector for each text, in the order of the texts whatever the order of the answer. Gemini's door leaves out an index
 * of 0; without whole indices the order of the answer counts.
 */
export const vectorsOf = (answer: unknown, count: number): LlmResult<Vectors> => {
  const found = at(answer, "data");
  const rows: unknown[] = Array.isArray(found) ? found : [];
  const indices = rows.map((row) => at(row, "index") ?? 0);
  const isOrdered = new Set(indices).size === rows.length;
  const byIndex = new Map(
    rows.map((row, position) => [isOrdered ? indices[position] : position, vectorOf(at(row, "embedding"))]),
  );
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter(
    (vector) => vector !== undefined,
  );
  if (rows.length !== count || vectors.length !== count)
    return failed("unavailable", "The provider's answer does not have a vector for each text.");
  return { ok: true, value: { vectors, promptTokens: countAt(answer, "usage", "prompt_tokens") } };
};

/** A finite number that a 32-bit float can hold. */
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(Math.fround(value));

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** The little-endian floats of a base64 text: some servers write vectors so without being asked. */
const floatsIn = (text: string): number[] => {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % FLOAT_BYTES !== 0) return [];
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, n) => bytes.readFloatLE(n * FLOAT_BYTES));
};

const vectorOf = (embedding: unknown): Float32Array | undefined => {
  const values: unknown = typeof embedding === "string" ? floatsIn(embedding) : embedding;
  return Array.isArray(values) && values.length > 0 && values.every(isNumber) ? Float32Array.from(values) : undefined;
};
