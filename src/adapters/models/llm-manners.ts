import type { ChatMessage, JsonForm, LlmFailure } from "../../contract/ports/llm.ts";

/**
 * How a model is asked, by what its provider has refused before. `instructions`: whether they have a role of their own,
 * or stand before the first message. `format`: how a JSON document is asked for.
 */
export type Manners = { instructions: "system" | "user"; format: "json_schema" | "json_object" | "words" };
export const BEST_MANNERS: Manners = { instructions: "system", format: "json_schema" };

const SIMPLER = { json_schema: "json_object", json_object: "words", words: undefined } as const;

/** What Gemma's template says on vLLM and llama.cpp, what o1-mini, Mistral's first templates and Google's door say. */
const ABOUT_SYSTEM =
  /system(?: role| message| prompt|_instruction)|\brole.{0,40}\bsystem\b|developer instruction|roles must alternate|only user and assistant/i;
const ABOUT_FORMAT = /response_format|json/i;
const ABOUT_BATCH = /batch|too many (?:inputs|tokens)|single (?:element|string)|too large to process/i;
const ABOUT_DIMENSIONS = /dimension|matryoshka/i;

/** Whether a reason is about the form of the request: the same request would be refused again, whatever the status. */
export const isAboutRequest = (reason: string): boolean =>
  [ABOUT_SYSTEM, ABOUT_BATCH, ABOUT_DIMENSIONS, /response_format/i].some((pattern) => pattern.test(reason));

/** Whether the provider does not let the dimensions of this model be chosen. */
export const isAboutDimensions = ({ reason }: LlmFailure): boolean => ABOUT_DIMENSIONS.test(reason);

/** The same of a request that was taken without dimensions, whatever the words: an unknown field is 400 or 422. */
export const mayRefuseDimensions = (failure: LlmFailure): boolean =>
  isAboutDimensions(failure) || failure.status === 400 || failure.status === 422;

const MALFORMED = [400, 413, 422];

/** Whether fewer texts at once may be taken: limits differ in number and in tokens, and each provider words them anew. */
export const isAboutBatch = ({ kind, status, reason }: LlmFailure): boolean =>
  kind !== "busy" && status !== undefined && (MALFORMED.includes(status) || ABOUT_BATCH.test(reason));

/** Simpler manners after a refusal; undefined if the refusal is not about them. */
export const simplerAfter = (
  failure: LlmFailure,
  manners: Manners,
  json: JsonForm | undefined,
): Manners | undefined => {
  const { kind, status = 0, reason } = failure;
  if (kind === "busy" || status < 400) return undefined;
  const format = SIMPLER[manners.format];
  if (json && format && ABOUT_FORMAT.test(reason) && (MALFORMED.includes(status) || isAboutRequest(reason)))
    return { ...manners, format };
  return manners.instructions === "system" && ABOUT_SYSTEM.test(reason)
    ? { ...manners, instructions: "user" }
    : undefined;
};

/**
 * The messages as every provider accepts them: many refuse consecutive messages of one role, and blank ones.
 * Consecutive messages are joined by a blank line; a blank message is left out.
 */
const inTurns = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.content.trim() === "") continue;
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else turns.push({ ...message });
  }
  return turns;
};

type ChatBody = {
  model: string;
  messages: ChatMessage[];
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
  { model, messages, json }: { model: string; messages: readonly ChatMessage[]; json?: JsonForm | undefined },
  { instructions, format }: Manners,
): ChatBody => {
  const said = json && format !== "json_schema" ? [inWords(json), ...messages] : messages;
  const roles = said.map(({ role, content }) => ({ role: role === "system" ? instructions : role, content }));
  const body: ChatBody = { model, messages: inTurns(roles), stream: false };
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
