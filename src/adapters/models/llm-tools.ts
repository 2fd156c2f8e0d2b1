import type { ChatMessage, ProviderFields, ToolCall, ToolDefinition } from "../../contract/ports/llm.ts";
import { isRecord, type Json, listOf, recordOf } from "../../kernel/texts/json.ts";
import { type WireContent, wireContent } from "./llm-parts.ts";
import { argumentsOf, at, pieceAt } from "./llm-reading.ts";
import { callsInText } from "./llm-tool-words.ts";

/** A message as it goes to a provider. */
export type WireMessage = { role: string; content: WireContent | null } & Record<string, unknown>;

export type ToolsBody = {
  tools?: { type: "function"; function: Omit<ToolDefinition, "parameters"> & { parameters?: object } }[];
  /** Absent: the model decides. Some providers know no name for that. */
  tool_choice?: "none";
};

/** Whether a tool takes no arguments. */
export const isWithoutArguments = ({ parameters }: ToolDefinition): boolean =>
  Object.keys(recordOf(at(parameters, "properties"))).length === 0;

/** OpenAI refuses an object without this field. */
const NO_ARGUMENTS = { type: "object", properties: {} };

/** The fields that offer tools. They stay when no call is allowed: Claude refuses calls in a history without them. */
export const toolsBody = (
  tools: readonly ToolDefinition[],
  { mayCall, empty }: { mayCall: boolean; empty: "stated" | "omitted" },
): ToolsBody => ({
  tools: tools.map((tool) => {
    const { name, description, parameters } = tool;
    const stated = isWithoutArguments(tool) ? NO_ARGUMENTS : parameters;
    const isOmitted = empty === "omitted" && stated === NO_ARGUMENTS;
    return { type: "function", function: { name, description, ...(isOmitted ? {} : { parameters: stated }) } };
  }),
  ...(mayCall ? {} : { tool_choice: "none" }),
});

export const wireMessage = (message: ChatMessage, pictures: "shown" | "named"): WireMessage => {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.toolCallId, content: message.content.trim() || "(empty)" };
  if (!("toolCalls" in message)) return { role: message.role, content: wireContent(message.content, pictures) };
  const { role, content, toolCalls, own = {} } = message;
  return {
    ...own,
    role,
    content: content.trim() === "" ? null : content,
    tool_calls: toolCalls.map((call) => ({
      ...call.own,
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
    })),
  };
};

/**
 * TABLE: the fields that providers want back beside a call. DeepSeek and OpenRouter refuse a history without the
 * thoughts before a call, Gemini one without their signature.
 */
const OWN_OF_MESSAGE = ["reasoning_content", "reasoning_details"];
const OWN_OF_CALL = ["extra_content"];

const fieldsOf = (value: unknown, names: readonly string[]): { own?: ProviderFields } => {
  const found = names.flatMap((name) => {
    const field = at(value, name);
    return field === undefined || field === null ? [] : [[name, field] as const];
  });
  return found.length === 0 ? {} : { own: Object.fromEntries(found) };
};

export const ownFieldsOf = (message: unknown): { own?: ProviderFields } => fieldsOf(message, OWN_OF_MESSAGE);

/** The most calls that are read from one answer. */
const MOST_CALLS = 16;
const MAX_NAME = 64;

/**
 * The tool that a model means. Some write the name of a set before it, as in `functions.order_status`; any other name
 * stays, in signs that every provider takes back. "" if there is no name.
 */
const nameOf = (written: string, tools: readonly ToolDefinition[]): string => {
  const isOffered = (name: string) => tools.some((tool) => tool.name === name);
  const last = written.trim().split(/[.:/]/).at(-1) ?? "";
  if (!isOffered(written) && isOffered(last)) return last;
  return written
    .trim()
    .replace(/[^\w-]/g, "_")
    .slice(0, MAX_NAME);
};

/** `isWorded`: the tools were described in the prompt. */
type Offer = { tools: readonly ToolDefinition[]; messages: readonly ChatMessage[]; isWorded: boolean };

/** Nine letters and digits, as Mistral and its templates demand; other providers take any. */
const idAt = (position: number): string => `call${String(position).padStart(5, "0")}`;

/**
 * The calls of an answer, and its text without them. Calls are in their field, whatever the reason of the end; older
 * gateways have one call in `function_call`, and servers that do not know the model's template leave calls in the text.
 */
export const callsIn = (
  message: unknown,
  spoken: string,
  { tools, messages, isWorded }: Offer,
): { text: string; toolCalls: ToolCall[] } => {
  if (tools.length === 0) return { text: spoken, toolCalls: [] };
  const listed = listOf(at(message, "tool_calls"));
  const old = at(message, "function_call");
  const field = [...listed, ...(listed.length === 0 && isRecord(old) ? [{ function: old }] : [])];
  const native = field.filter((call) => pieceAt(call, "function", "name").trim() !== "");
  const worded = native.length === 0 ? callsInText(spoken, { tools, isWorded }) : { text: spoken, calls: [] };
  const before = messages.reduce((sum, said) => sum + ("toolCalls" in said ? said.toolCalls.length : 0), 0);
  const toolCalls = [
    ...native.map((call) => ({
      name: pieceAt(call, "function", "name"),
      arguments: argumentsOf(at(call, "function", "arguments")),
      ...fieldsOf(call, OWN_OF_CALL),
    })),
    ...worded.calls,
  ]
    .slice(0, MOST_CALLS)
    .map((call, index) => ({ ...call, id: idAt(before + index), name: nameOf(call.name, tools) }));
  return { text: worded.text, toolCalls };
};

/**
 * The calls of a stream, whose pieces come in its chunks. A piece with a name begins a call; servers disagree about the
 * index of a second call.
 */
export const joinedCalls = (deltas: readonly unknown[]): object[] => {
  const calls: { index: unknown; rest: Json; name: string; pieces: string[]; whole?: Json }[] = [];
  for (const piece of deltas.flatMap((delta) => listOf(at(delta, "tool_calls")))) {
    const index = at(piece, "index");
    const name = pieceAt(piece, "function", "name");
    const open = calls.findLast((call) => call.index === index) ?? calls.at(-1);
    const begun = name === "" ? open : undefined;
    const call = begun ?? { index, rest: isRecord(piece) ? piece : {}, name, pieces: [] };
    if (begun === undefined) calls.push(call);
    const written = at(piece, "function", "arguments");
    if (isRecord(written)) call.whole = written;
    else call.pieces.push(pieceAt(piece, "function", "arguments"));
  }
  return calls.map(({ rest, name, pieces, whole }) => ({
    ...rest,
    function: { name, arguments: whole ?? pieces.join("") },
  }));
};
