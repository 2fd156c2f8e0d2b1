import type { ChatMessage, JsonForm, LlmFailure, ToolDefinition } from "../../contract/ports/llm.ts";
import { messagesInWords, toolsInWords } from "./llm-tool-words.ts";
import { type ToolsBody, toolsBody, type WireMessage, wireMessage } from "./llm-tools.ts";

/**
 * How a model is asked, by what its provider has refused before. `instructions`: whether they have a role of their own,
 * or stand before the first message. `format`: how a JSON document is asked for. `tools`: whether tools are offered in
 * the field for them, or described in the prompt.
 */
export type Manners = {
  instructions: "system" | "user";
  format: "json_schema" | "json_object" | "words";
  tools: "field" | "words";
};
export const BEST_MANNERS: Manners = { instructions: "system", format: "json_schema", tools: "field" };

const SIMPLER = { json_schema: "json_object", json_object: "words", words: undefined } as const;

/** What Gemma's template says on vLLM and llama.cpp, what o1-mini, Mistral's first templates and Google's door say. */
const ABOUT_SYSTEM =
  /system(?: role| message| prompt|_instruction)|\brole.{0,40}\bsystem\b|developer instruction|roles must alternate|only user and assistant/i;
/** Ollama, DeepSeek, Groq, OpenRouter, vLLM without a parser, llama.cpp without its templates, LiteLLM. */
const ABOUT_TOOLS = /\btools?\b|\btool[_ ](?:choice|use|calls?)|\bfunction[ _]call/i;
/** The model wrote a call that its provider could not read: the next one may be good. */
const ABOUT_CALL = /failed to call|called a tool|tool_use_failed|malformed/i;
const ABOUT_FORMAT = /response_format|json/i;
const ABOUT_BATCH = /batch|too many (?:inputs|tokens)|single (?:element|string)|too large to process/i;
const ABOUT_DIMENSIONS = /dimension|matryoshka/i;

/** Whether a reason is about the form of the request: the same request would be refused again, whatever the status. */
export const isAboutRequest = (reason: string): boolean =>
  [ABOUT_SYSTEM, ABOUT_TOOLS, ABOUT_BATCH, ABOUT_DIMENSIONS, /response_format/i].some((pattern) =>
    pattern.test(reason),
  );

/** Whether the provider does not let the dimensions of this model be chosen. */
export const isAboutDimensions = ({ reason }: LlmFailure): boolean => ABOUT_DIMENSIONS.test(reason);

/** The same of a request that was taken without dimensions, whatever the words: an unknown field is 400 or 422. */
export const mayRefuseDimensions = (failure: LlmFailure): boolean =>
  isAboutDimensions(failure) || failure.status === 400 || failure.status === 422;

const MALFORMED = [400, 413, 422];

/** Whether fewer texts at once may be taken: limits differ in number and in tokens, and each provider words them anew. */
export const isAboutBatch = ({ kind, status, reason }: LlmFailure): boolean =>
  kind !== "busy" && status !== undefined && (MALFORMED.includes(status) || ABOUT_BATCH.test(reason));

/** What a completion is asked for, besides its messages. */
export type Asked = {
  json?: JsonForm | undefined;
  tools?: readonly ToolDefinition[] | undefined;
  mayCall?: boolean | undefined;
};

/** Whether a refusal of tools holds for later requests too. */
export const isLasting = ({ reason }: LlmFailure, { mayCall = true }: Asked): boolean =>
  mayCall && !ABOUT_CALL.test(reason);

/** Simpler manners after a refusal; undefined if the refusal is not about them. */
export const simplerAfter = (failure: LlmFailure, manners: Manners, { json, tools }: Asked): Manners | undefined => {
  const { kind, status = 0, reason } = failure;
  if (kind === "busy" || status < 400) return undefined;
  const isAboutTools = ABOUT_TOOLS.test(reason) || ABOUT_CALL.test(reason);
  if (tools && manners.tools === "field" && isAboutTools) return { ...manners, tools: "words" };
  const format = SIMPLER[manners.format];
  if (json && format && ABOUT_FORMAT.test(reason) && (MALFORMED.includes(status) || isAboutRequest(reason)))
    return { ...manners, format };
  return manners.instructions === "system" && ABOUT_SYSTEM.test(reason)
    ? { ...manners, instructions: "user" }
    : undefined;
};

/**
 * The messages as every provider accepts them: many refuse consecutive messages of one role, and blank ones.
 * Consecutive messages are joined by a blank line; a blank message is left out. Calls and their answers stay as they
 * are.
 */
const inTurns = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const isPlain = message.role !== "tool" && !("toolCalls" in message);
    if (isPlain && message.content.trim() === "") continue;
    if (isPlain && last?.role === message.role && !("toolCalls" in last)) last.content += `\n\n${message.content}`;
    else turns.push({ ...message });
  }
  return turns;
};

type ChatBody = ToolsBody & {
  model: string;
  messages: WireMessage[];
  /** Some gateways stream unless they are told not to. */
  stream: false;
  response_format?:
    | { type: "json_object" }
    | { type: "json_schema"; json_schema: { name: string; strict: boolean; schema: object } };
};

/**
 * The body of a request for a completion. It has neither a temperature nor a limit of tokens: models that think refuse
 * the one, and providers disagree about the other's name.
 */
export const chatBody = (
  { model, messages, json, tools, mayCall = true }: { model: string; messages: readonly ChatMessage[] } & Asked,
  { instructions, format, tools: offered }: Manners,
): ChatBody => {
  const isWorded = tools !== undefined && offered === "words";
  const said = [
    ...(json && format !== "json_schema" ? [inWords(json)] : []),
    ...(isWorded ? [toolsInWords(tools, mayCall), ...messagesInWords(messages)] : messages),
  ];
  const roles = said.map((message) => (message.role === "system" ? { ...message, role: instructions } : message));
  const body: ChatBody = {
    model,
    messages: inTurns(roles).map(wireMessage),
    stream: false,
    ...(tools && !isWorded ? toolsBody(tools, mayCall) : {}),
  };
  if (!json || format === "words") return body;
  const named = { name: json.name, strict: true, schema: json.schema };
  return {
    ...body,
    response_format: format === "json_object" ? { type: format } : { type: format, json_schema: named },
  };
};

const inWords = ({ schema }: JsonForm): ChatMessage => ({
  role: "system",
  content: `Answer with nothing but one JSON document that fits this JSON schema: ${JSON.stringify(schema)}`,
});
