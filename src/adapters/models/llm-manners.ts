import type { ChatMessage, JsonForm, LlmFailure, ToolDefinition } from "../../contract/ports/llm.ts";
import { isEmptyContent, joined } from "./llm-parts.ts";
import { messagesInWords, toolsInWords } from "./llm-tool-words.ts";
import { isWithoutArguments, type ToolsBody, toolsBody, type WireMessage, wireMessage } from "./llm-tools.ts";

/**
 * How a model is asked, by what its provider has refused before. `instructions`: whether they have a role of their own,
 * or stand before the first message. `format`: how a JSON document is asked for. `tools`: whether tools are offered in
 * the field for them, or described in the prompt. `empty`: whether a tool without arguments states an empty schema.
 * `pictures`: whether they are shown, or only named.
 */
export type Manners = {
  instructions: "system" | "user";
  format: "json_schema" | "json_object" | "words";
  tools: "field" | "words";
  empty: "stated" | "omitted";
  pictures: "shown" | "named";
};
export const BEST_MANNERS: Manners = {
  instructions: "system",
  format: "json_schema",
  tools: "field",
  empty: "stated",
  pictures: "shown",
};

/** The forms of a spoken text, the best first: a voice note is Ogg Opus. Groq makes WAV alone. */
export const SOUND_FORMS = ["opus", "mp3", "wav"] as const;
export type SoundForm = (typeof SOUND_FORMS)[number];

const SIMPLER = { json_schema: "json_object", json_object: "words", words: undefined } as const;

/** What Gemma's template says on vLLM and llama.cpp, what o1-mini, Mistral's first templates and Google's door say. */
const ABOUT_SYSTEM =
  /system(?: role| message| prompt|_instruction)|\brole.{0,40}\bsystem\b|developer instruction|roles must alternate|only user and assistant/i;
/** Ollama, DeepSeek, Groq, OpenRouter, vLLM without a parser, llama.cpp without its templates, LiteLLM. */
const ABOUT_TOOLS = /\btools?\b|\btool[_ ](?:choice|use|calls?)|\bfunction[ _]call/i;
/** The model wrote a call that its provider could not read: the next one may be good. */
const ABOUT_CALL = /failed to call|called a tool|tool_use_failed|malformed/i;
/** Gemini: "parameters.properties: should be non-empty for OBJECT type". Most others refuse a tool without a schema. */
const ABOUT_EMPTY = /propert.{0,20}\bnon-?empty/i;
const ABOUT_FORMAT = /response_format|json/i;
/**
 * OpenAI: "image_url is only supported by certain models". OpenRouter: "No endpoints found that support image input".
 * vLLM: "is not a multimodal model". llama.cpp: "image input is not supported". DeepSeek: "unknown variant `image_url`".
 * Groq: "content must be a string". Mistral: "does not support images".
 */
const ABOUT_PICTURES =
  /image|vision|multi-?modal|content.{0,40}\bstring|unknown variant|invalid content type|(?:text|string).{0,20}expected/i;
const ABOUT_SOUND = /response_format|\bformat|opus|mp3/i;
const ABOUT_BATCH = /batch|too many (?:inputs|tokens)|single (?:element|string)|too large to process/i;
const ABOUT_DIMENSIONS = /dimension|matryoshka/i;

const MALFORMED = [400, 413, 415, 422];
/** An error inside a good answer may have no status: its words alone say that it is a refusal. */
const MALFORMED_INSIDE = 400;

/** Whether a reason is about the form of the request: the same request would be refused again, whatever the status. */
export const isAboutRequest = (reason: string): boolean =>
  [ABOUT_SYSTEM, ABOUT_TOOLS, ABOUT_BATCH, ABOUT_DIMENSIONS, /response_format/i, /image|multi-?modal/i].some(
    (pattern) => pattern.test(reason),
  );

/** Whether a refusal is about the form of a spoken text. */
export const isAboutForm = ({ kind, status = MALFORMED_INSIDE, reason }: LlmFailure): boolean =>
  kind !== "busy" && (MALFORMED.includes(status) || status >= 500) && ABOUT_SOUND.test(reason);

/** Whether the provider does not let the dimensions of this model be chosen. */
export const isAboutDimensions = ({ reason }: LlmFailure): boolean => ABOUT_DIMENSIONS.test(reason);

/** The same of a request that was taken without dimensions, whatever the words: an unknown field is 400 or 422. */
export const mayRefuseDimensions = (failure: LlmFailure): boolean =>
  isAboutDimensions(failure) || failure.status === 400 || failure.status === 422;

/** Whether fewer texts at once may be taken: limits differ in number and in tokens, and each provider words them anew. */
export const isAboutBatch = ({ kind, status, reason }: LlmFailure): boolean =>
  kind !== "busy" && ((status !== undefined && MALFORMED.includes(status)) || ABOUT_BATCH.test(reason));

/** What a completion is asked for. */
export type Asked = {
  messages: readonly ChatMessage[];
  json?: JsonForm | undefined;
  tools?: readonly ToolDefinition[] | undefined;
  mayCall?: boolean | undefined;
};

const hasPicture = ({ content }: ChatMessage): boolean =>
  typeof content !== "string" && content.some(({ type }) => type === "image");

const isAboutPictures = (reason: string, { pictures }: Manners, { messages }: Asked): boolean =>
  pictures === "shown" && messages.some(hasPicture) && ABOUT_PICTURES.test(reason);

const isAboutEmpty = (reason: string, { tools: offered, empty }: Manners, { tools = [] }: Asked): boolean =>
  offered === "field" && empty === "stated" && tools.some(isWithoutArguments) && ABOUT_EMPTY.test(reason);

const isAboutTools = (reason: string, { tools: offered }: Manners, { tools }: Asked): boolean =>
  tools !== undefined && offered === "field" && (ABOUT_TOOLS.test(reason) || ABOUT_CALL.test(reason));

/** Simpler manners after a refusal; undefined if the refusal is not about them. */
export const simplerAfter = (failure: LlmFailure, manners: Manners, asked: Asked): Manners | undefined => {
  const { kind, status = MALFORMED_INSIDE, reason } = failure;
  const { json } = asked;
  if (kind === "busy" || status < 400) return undefined;
  if (isAboutPictures(reason, manners, asked)) return { ...manners, pictures: "named" };
  if (isAboutEmpty(reason, manners, asked)) return { ...manners, empty: "omitted" };
  if (isAboutTools(reason, manners, asked)) return { ...manners, tools: "words" };
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
const inTurns = (messages: readonly WireMessage[]): WireMessage[] => {
  const turns: WireMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const isPlain = message.role !== "tool" && !("tool_calls" in message);
    if (isPlain && isEmptyContent(message.content)) continue;
    if (isPlain && last?.role === message.role && !("tool_calls" in last))
      last.content = joined(last.content, message.content);
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
  { model, messages, json, tools, mayCall = true }: Asked & { model: string },
  { instructions, format, tools: offered, empty, pictures }: Manners,
): ChatBody => {
  const isWorded = tools !== undefined && offered === "words";
  const said = [
    ...(json && format !== "json_schema" ? [inWords(json)] : []),
    ...(isWorded ? [toolsInWords(tools, mayCall), ...messagesInWords(messages)] : messages),
  ];
  const wired = said.map((message) => {
    const wire = wireMessage(message, pictures);
    return wire.role === "system" ? { ...wire, role: instructions } : wire;
  });
  const body: ChatBody = {
    model,
    messages: inTurns(wired),
    stream: false,
    ...(tools && !isWorded ? toolsBody(tools, { mayCall, empty }) : {}),
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
