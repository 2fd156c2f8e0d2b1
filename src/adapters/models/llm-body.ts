import { excessOf, FOREIGN_JSON, isRecord, type Json, OWN_JSON, parsedJson } from "../../kernel/texts/json.ts";
import { at, pieceAt, writtenIn } from "./llm-reading.ts";
import { joinedCalls } from "./llm-tools.ts";

/** The limits of an answer: its parts are a model's, and any account may name the provider. */
export type AnswerLimits = { bytes: number; values: number };

/** A stream has about 200 bytes around each token, so it is longer than the answer in one piece. */
export const MAX_STREAM_BYTES = 2 * 1024 * 1024;
/** The most chunks of a stream: more than the tokens of the longest message. */
const MAX_CHUNKS = 20_000;

const DONE = "[DONE]";
const FIELD = /^(?:data|event|id|retry)?:/;

/**
 * The value of an answer's body, whatever its content type says; undefined for a body that is not whole, too large or
 * no JSON. A stream that nobody asked for is put together. Some gateways write the end of a stream behind an answer in
 * one piece.
 */
export const bodyValue = (bytes: Uint8Array, limits: AnswerLimits): unknown => {
  const text = new TextDecoder().decode(bytes).trim();
  if (FIELD.test(text)) return bytes.length > MAX_STREAM_BYTES ? undefined : streamed(text);
  if (bytes.length > limits.bytes || excessOf(bytes, { ...FOREIGN_JSON, values: limits.values }) !== undefined)
    return undefined;
  return parsedJson(withoutEnd(text), OWN_JSON);
};

/** The plain text of a body that says to be one; undefined for a page, for bytes and for too much of it. */
export const plainText = (bytes: Uint8Array, contentType: string, limits: AnswerLimits): string | undefined => {
  if (!/^text\/plain\b/i.test(contentType) || bytes.length > limits.bytes) return undefined;
  const text = new TextDecoder().decode(bytes).trim();
  return text.startsWith("<") || text.includes("\uFFFD") ? undefined : text;
};

const withoutEnd = (text: string): string => {
  if (!text.endsWith(DONE)) return text;
  const before = text.slice(0, -DONE.length).trimEnd();
  return before.endsWith("data:") ? before.slice(0, -"data:".length) : text;
};

/** The data of each event of a stream, in order. */
function* eventsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const end = found < 0 ? text.length : found;
    if (text.startsWith("data:", from)) yield text.slice(from + "data:".length, end).trim();
    from = end + 1;
  }
}

type Stream = { chunks: readonly Json[]; isDone: boolean };

/** The chunks of a stream; undefined if one of them is no JSON object, or if they are too many. */
const chunksIn = (text: string): Stream | undefined => {
  const chunks: Json[] = [];
  let isDone = false;
  for (const data of eventsOf(text)) {
    if (data === DONE) isDone = true;
    if (data === DONE || data === "") continue;
    const chunk = parsedJson(data);
    if (!isRecord(chunk) || chunks.length === MAX_CHUNKS) return undefined;
    chunks.push(chunk);
  }
  return { chunks, isDone };
};

/** The answer in one piece that a stream of chunks stands for; undefined for a stream that breaks off. */
const streamed = (text: string): unknown => {
  const { chunks, isDone } = chunksIn(text) ?? { chunks: [], isDone: false };
  const last = (...path: (string | number)[]): unknown =>
    chunks.map((chunk) => at(chunk, ...path)).findLast((value) => value !== undefined && value !== null);
  const error = last("error");
  if (error !== undefined) return { error };
  const finish = last("choices", 0, "finish_reason");
  if (!isDone && finish === undefined) return undefined;
  const said = chunks.map((chunk) => at(chunk, "choices", 0, "delta") ?? at(chunk, "choices", 0, "message"));
  const content = said.map(writtenIn).join("");
  const refusal = said.map((part) => pieceAt(part, "refusal")).join("");
  const message = { content, refusal, tool_calls: joinedCalls(said) };
  const choice = { message, finish_reason: finish };
  return { model: last("model"), usage: last("usage"), choices: [choice] };
};
