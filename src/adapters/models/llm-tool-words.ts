import type { ChatMessage, ToolCall, ToolDefinition } from "../../contract/ports/llm.ts";
import { isRecord, parsedJson } from "../../kernel/texts/json.ts";
import { argumentsOf, at, pieceAt } from "./llm-reading.ts";

// Tools of models whose provider takes none. The marks are those of Hermes and Qwen, which most open models have learnt.

const [OPEN, CLOSE] = ["<tool_call>", "</tool_call>"];

/** The tools as an instruction. */
export const toolsInWords = (tools: readonly ToolDefinition[], mayCall: boolean): ChatMessage => ({
  role: "system",
  content: [
    "You have the tools below, each with the JSON schema of its arguments.",
    mayCall
      ? `To call tools, do not answer yet. Write nothing but a line for each call: ${OPEN}{"name": "…", "arguments": {…}}${CLOSE}`
      : "You have called them as often as you may. Answer now, in words alone.",
    "Their answers come between <tool_response> and </tool_response>.",
    ...tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })),
  ].join("\n"),
});

const inWords = (message: ChatMessage): ChatMessage => {
  if (message.role === "tool")
    return { role: "user", content: `<tool_response>\n${message.content}\n</tool_response>` };
  if (!("toolCalls" in message)) return message;
  const calls = message.toolCalls.map(
    ({ name, arguments: given }) => `${OPEN}${JSON.stringify({ name, arguments: given ?? {} })}${CLOSE}`,
  );
  return { role: "assistant", content: [message.content, ...calls].join("\n").trim() };
};

/** A chat whose calls and answers are texts. */
export const messagesInWords = (messages: readonly ChatMessage[]): ChatMessage[] => messages.map(inWords);

type WrittenCall = Pick<ToolCall, "name" | "arguments">;

const FUNCTION = { open: /<function=([\w.-]{1,64})>/g, close: "</function>" };

/**
 * TABLE: the marks of calls in a text: Hermes and Qwen, LM Studio, Llama on Groq, and the templates of Mistral, which
 * write a list to the end. The last marks of a text may be left open: they are a token that ends it.
 */
const MARKS: readonly { open: RegExp; close: string }[] = [
  { open: /<tool_call>/g, close: CLOSE },
  { open: /\[TOOL_REQUEST\]/g, close: "[END_TOOL_REQUEST]" },
  FUNCTION,
  { open: /\[TOOL_CALLS\](?=\s{0,20}[[{])/g, close: "\0" },
];
const PARAMETER = { open: /<parameter=([\w.-]{1,64})>/g, close: "</parameter>" };

type Marked = { name: string | undefined; inner: string };

/** The pieces of a text between marks, and the text outside of them. Takes linear time. */
const split = (text: string, { open, close }: (typeof MARKS)[number]): { outside: string; marked: Marked[] } => {
  const marked: Marked[] = [];
  let outside = "";
  let from = 0;
  for (const { index, 0: mark, 1: name } of text.matchAll(open)) {
    if (index < from) continue;
    const begin = index + mark.length;
    const found = text.indexOf(close, begin);
    const end = found < 0 ? text.length : found;
    outside += text.slice(from, index);
    marked.push({ name, inner: text.slice(begin, end) });
    from = Math.min(end + close.length, text.length);
  }
  return { outside: outside + text.slice(from), marked };
};

/** A call as Qwen's models for code write it: each argument in marks. A value that is JSON is read so. */
const inParameters = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    split(text, PARAMETER).marked.map(({ name = "", inner }) => {
      const value = parsedJson(inner.trim());
      return [name, value === undefined || typeof value === "string" ? inner.trim() : value];
    }),
  );

const callIn = (value: unknown): WrittenCall[] => {
  const call = isRecord(at(value, "function")) ? at(value, "function") : value;
  const name = pieceAt(call, "name");
  return name === "" ? [] : [{ name, arguments: argumentsOf(at(call, "arguments") ?? at(call, "parameters")) }];
};

const callsBetween = ({ name, inner }: Marked): WrittenCall[] => {
  if (name !== undefined)
    return [{ name, arguments: inner.includes("<parameter=") ? inParameters(inner) : argumentsOf(inner) }];
  const value = parsedJson(inner.trim());
  if (value === undefined) return split(inner, FUNCTION).marked.flatMap(callsBetween);
  return (Array.isArray(value) ? value : [value]).flatMap(callIn);
};

/** A text that is nothing but the JSON of calls, as Llama writes it. It counts only with the names of offered tools. */
const bareCalls = (text: string, tools: readonly ToolDefinition[]): WrittenCall[] => {
  const value = parsedJson(text.trim());
  const calls = (Array.isArray(value) ? value : [value]).flatMap(callIn);
  return calls.every(({ name }) => tools.some((tool) => tool.name === name)) ? calls : [];
};

/**
 * The calls that a model wrote into its text, and the text without them. `isWorded`: it was asked to write them there.
 * Otherwise marks within a text are its words, such as the repeated words of a contact.
 */
export const callsInText = (
  text: string,
  { tools, isWorded }: { tools: readonly ToolDefinition[]; isWorded: boolean },
): { text: string; calls: WrittenCall[] } => {
  for (const marks of MARKS) {
    const { outside, marked } = split(text, marks);
    if (marked.length === 0) continue;
    return isWorded || outside.trim() === ""
      ? { text: outside.trim(), calls: marked.flatMap(callsBetween) }
      : { text, calls: [] };
  }
  const calls = bareCalls(text, tools);
  return { text: calls.length === 0 ? text : "", calls };
};
