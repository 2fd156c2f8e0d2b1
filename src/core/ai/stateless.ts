import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ChatMessage, LlmUsage } from "../../contract/ports/llm.ts";
import { AppError } from "../../kernel/errors.ts";
import { toIssues } from "../../kernel/schema.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { type Ask, withProvider } from "./asking.ts";
import type { AiEnv } from "./env.ts";
import { newFence } from "./fence.ts";
import { addedUsage } from "./provider.ts";
import { blank, isBlank } from "./words.ts";

const CLOSED = { additionalProperties: false }; // providers take no other schema as strict
const Summary = Type.Object(
  { summary: Type.String(), keyTopics: Type.Array(Type.String()), openQuestions: Type.Array(Type.String()) },
  CLOSED,
);

const Confidence = Type.Number({ minimum: 0, maximum: 1 });
const classificationOf = (categories: readonly string[]) => {
  const choice = { category: Type.Union(categories.map((category) => Type.Literal(category))), confidence: Confidence };
  return Type.Object(
    { ...choice, alternatives: Type.Array(Type.Object(choice, CLOSED)), rationale: Type.String() },
    CLOSED,
  );
};

/** The tokens of an answer, and its model. */
type Made = { model: string; usage: LlmUsage };

export const SUMMARY_FORMATS = ["bullet", "paragraph"] as const;
export type SummaryInput = {
  messages: readonly { from: "user" | "assistant"; text: string }[];
  format?: (typeof SUMMARY_FORMATS)[number];
  language?: string;
  model?: string;
};

const LANGUAGE = "pt_BR";
const FORMS = {
  bullet: "a list of short points, each on a line of its own that begins with `- `",
  paragraph: "one paragraph of prose",
};

/** Summarises a chat. Throws VALIDATION when no message has text, what `withProvider` throws, and LLM_BAD_OUTPUT. */
export const summarise = async (
  env: AiEnv,
  scope: TenantScope,
  { messages, format = "bullet", language = LANGUAGE, model }: SummaryInput,
): Promise<Static<typeof Summary> & Made> => {
  const said = messages.filter(({ text }) => !isBlank(text));
  if (said.length === 0) throw blank("messages");
  const { rule, around } = newFence(env);
  const instructions = [
    [
      "You summarise a chat between a user and an assistant.",
      "It is given one message a line, each a JSON object that says whom it is from.",
    ].join(" "),
    rule,
    [
      `Answer with a JSON object: \`summary\`, which is ${FORMS[format]};`,
      "`keyTopics`, what it is about in a few words each; `openQuestions`, what is still unanswered.",
    ].join(" "),
    `Write all of it in this language: ${JSON.stringify(language)}.`,
  ].join("\n");
  const chat = said.map(({ from, text }) => JSON.stringify({ from, text })).join("\n");
  return withProvider(env, scope, (ask) =>
    documentOf(ask, { model, name: "summary", schema: Summary, messages: inRoles(instructions, around(chat)) }),
  );
};

export type ClassifyInput = { text: string; categories: readonly string[]; language?: string };
type Choice = { category: string; confidence: number };
export type Classification = Choice & { alternatives: Choice[]; rationale: string };

/**
 * Chooses the category that fits a text: always one of the given categories.
 *
 * @throws AppError VALIDATION for a blank text, what `withProvider` throws, and LLM_BAD_OUTPUT.
 */
export const classify = async (
  env: AiEnv,
  scope: TenantScope,
  { text, categories, language = LANGUAGE }: ClassifyInput,
): Promise<Classification & Made> => {
  if (isBlank(text)) throw blank("text");
  const choices = [...new Set(categories)];
  const { rule, around } = newFence(env);
  const instructions = [
    `You say which category a text belongs to. The categories: ${JSON.stringify(choices)}.`,
    rule,
    [
      "Answer with a JSON object: `category`, the one that fits best; `confidence`, from 0 to 1;",
      "`alternatives`, the others that might fit, each with its `category` and `confidence`, the likeliest first;",
      "`rationale`, one sentence on why.",
    ].join(" "),
    `Write the rationale in this language: ${JSON.stringify(language)}. Leave the categories as they are.`,
  ].join("\n");
  return withProvider(env, scope, (ask) =>
    documentOf(ask, {
      name: "classification",
      schema: classificationOf(choices),
      messages: inRoles(instructions, around(text)),
    }),
  );
};

const inRoles = (instructions: string, given: string): ChatMessage[] => [
  { role: "system", content: instructions },
  { role: "user", content: given },
];

type Wanted<Schema extends TObject> = {
  model?: string | undefined;
  name: string;
  schema: Schema;
  messages: ChatMessage[];
};

/**
 * Asks for a JSON document of the schema. An invalid document is sent back once with its faults. Throws LLM_BAD_OUTPUT
 * when the second document is invalid too.
 */
const documentOf = async <Schema extends TObject>(
  ask: Ask,
  { model, name, schema, messages }: Wanted<Schema>,
): Promise<Static<Schema> & Made> => {
  const json = { name, schema };
  const first = await ask({ model, messages, json });
  const read = readDocument(schema, first.text);
  if (read.ok) return { ...read.value, model: first.model, usage: first.usage };
  const repaired = await ask({ model, messages: [...messages, ...complaintAbout(first.text, read.fault)], json });
  const reread = readDocument(schema, repaired.text);
  if (!reread.ok)
    throw new AppError("LLM_BAD_OUTPUT", {
      message: "The language-model provider answered twice in another form than the one asked for.",
      details: { reason: reread.fault },
    });
  return { ...reread.value, model: repaired.model, usage: addedUsage(first.usage, repaired.usage) };
};

const MAX_REPEATED = 4000;

const complaintAbout = (text: string, fault: string): ChatMessage[] => [
  { role: "assistant", content: text.slice(0, MAX_REPEATED).toWellFormed() },
  {
    role: "user",
    content: `That is not what was asked for: ${fault}. Answer again, with nothing but the JSON object.`,
  },
];

type Read<Schema extends TObject> = { ok: true; value: Static<Schema> } | { ok: false; fault: string };

/** The longest document that is parsed, in UTF-16 units. A valid document is much shorter. */
const MAX_DOCUMENT = 100_000;

/** Parses a document, and leaves out keys that the schema does not have. */
const readDocument = <Schema extends TObject>(schema: Schema, text: string): Read<Schema> => {
  if (text.length > MAX_DOCUMENT) return { ok: false, fault: "it is too long" };
  const parsed = parsedJson(unwrapped(text));
  if (parsed === undefined) return { ok: false, fault: "it is not JSON" };
  const value = Value.Clean(schema, parsed);
  if (Value.Check(schema, value)) return { ok: true, value };
  const error = Value.Errors(schema, value).First();
  const [fault] = toIssues(error ? [error] : []);
  return { ok: false, fault: `${fault?.path || "it"} ${fault?.message ?? "is not of the schema"}` };
};

const BLOCK = "```";

/** Some models put their JSON into a block of Markdown. */
const unwrapped = (text: string): string => {
  const trimmed = text.trim();
  return trimmed.startsWith(BLOCK) && trimmed.endsWith(BLOCK)
    ? trimmed.slice(trimmed.indexOf("\n") + 1, -BLOCK.length)
    : trimmed;
};
