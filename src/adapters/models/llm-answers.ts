import type { Completion, LlmFailure, LlmResult } from "../../contract/ports/llm.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { cleaned } from "./llm-failures.ts";
import { at, textAt } from "./llm-reading.ts";
import { withoutThoughts } from "./llm-thoughts.ts";

const countAt = (value: unknown, ...path: readonly (string | number)[]): number => {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : 0;
};

const failed = (kind: LlmFailure["kind"], reason: string): LlmFailure => ({ ok: false, kind, reason });

const MAX_NAME = 120;

/** The text of a message; for a list of parts, the parts that are text, not the model's thoughts. */
const contentOf = (message: unknown): string | undefined => {
  const parts = at(message, "content");
  if (!Array.isArray(parts)) return textAt(message, "content");
  const texts = parts.flatMap((part: unknown) => (at(part, "type") === "text" ? [textAt(part, "text") ?? ""] : []));
  return texts.join("").trim() === "" ? undefined : texts.join("");
};

/** The text for people: the only way from a provider's answer to their eyes. */
const spokenOf = (text: string, isJson: boolean): string =>
  isJson && parsedJson(text) !== undefined ? text : withoutThoughts(text);

/**
 * The first choice of an answer, without the model's thoughts; a requested JSON document stays unchanged. Without a
 * model in the answer, the requested one is used; without counts of tokens, 0.
 */
export const completionOf = (
  answer: unknown,
  { model: asked, isJson }: { model: string; isJson: boolean },
): LlmResult<Completion> => {
  const declined = textAt(answer, "choices", 0, "message", "refusal");
  if (declined !== undefined) return failed("refused", cleaned(`The model declined: ${declined}`));
  if (at(answer, "choices", 0, "finish_reason") === "content_filter")
    return failed("refused", "The provider withheld the answer (content_filter).");
  const written = contentOf(at(answer, "choices", 0, "message"));
  if (written === undefined) return failed("unavailable", "The provider's answer has no text.");
  const text = spokenOf(written, isJson);
  if (text.trim() === "") return failed("unavailable", "The provider's answer has only the model's thoughts.");
  const usage = {
    promptTokens: countAt(answer, "usage", "prompt_tokens"),
    completionTokens: countAt(answer, "usage", "completion_tokens"),
  };
  return { ok: true, value: { text, model: (textAt(answer, "model") ?? asked).slice(0, MAX_NAME), usage } };
};

/** A vector for each text, in the order of the texts whatever the order of the answer. */
export const vectorsOf = (
  answer: unknown,
  count: number,
): LlmResult<{ vectors: Float32Array[]; promptTokens: number }> => {
  const found = at(answer, "data");
  const rows: unknown[] = Array.isArray(found) ? found : [];
  const byIndex = new Map(rows.map((row, position) => [at(row, "index") ?? position, vectorOf(at(row, "embedding"))]));
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter(
    (vector) => vector !== undefined,
  );
  if (vectors.length !== count)
    return failed("unavailable", "The provider's answer does not have a vector for each text.");
  return { ok: true, value: { vectors, promptTokens: countAt(answer, "usage", "prompt_tokens") } };
};

/** A finite number that a 32-bit float can hold. */
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(Math.fround(value));

const vectorOf = (embedding: unknown): Float32Array | undefined => {
  const values: unknown = embedding instanceof Float32Array ? [...embedding] : embedding;
  return Array.isArray(values) && values.length > 0 && values.every(isNumber) ? Float32Array.from(values) : undefined;
};
