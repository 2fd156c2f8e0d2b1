import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { classify, SUMMARY_FORMATS, summarise } from "../../../core/ai/stateless.ts";
import { described, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, TokenUsage } from "../schemas.ts";

const Language = Type.Optional(Text(1, 60));
const SummaryBody = Type.Object({
  messages: Type.Array(
    Type.Object({
      from: OneOf(["user", "assistant"], { description: "The person who wrote it" }),
      text: described(Text(1, 8000), "The text of the message", "Olá, Maria! Seu bolo está pronto."),
    }),
    {
      minItems: 1,
      maxItems: 200,
      description: "The chat, oldest first; not all blank",
    },
  ),
  format: Type.Optional(OneOf(SUMMARY_FORMATS, { description: "The form of the summary; `bullet` by default" })),
  language: described(Language, "The language of the summary; pt_BR by default", "pt_BR"),
  model: Type.Optional(
    described(Text(1, 120), "The language model that answers; the account's default without a name", "gpt-4.1-mini"),
  ),
});
const ClassifyBody = Type.Object({
  text: described(
    FilledText(1, 8000),
    "The text to classify; at most 8,000 characters",
    "Quero dois bolos de cenoura.",
  ),
  categories: Type.Array(Text(1, 60), {
    minItems: 2,
    maxItems: 20,
    description: "The choices",
    examples: [["pedido", "reclamação"]],
  }),
  language: described(Language, "The language of the answer; pt_BR by default", "pt_BR"),
});

const Made = {
  model: Type.String({ description: "The language model that answered", examples: ["gpt-4.1-mini"] }),
  usage: described(TokenUsage, "The tokens that the answer cost"),
};
const SummaryView = Type.Object(
  {
    summary: Type.String({
      description: "A summary of the chat, in the requested language",
      examples: ["Maria pergunta pelo horário de domingo."],
    }),
    keyTopics: Type.Array(Type.String(), { description: "The topics of the chat", examples: [["horário"]] }),
    openQuestions: Type.Array(Type.String(), {
      description: "Questions without an answer",
      examples: [["Aceitam encomendas?"]],
    }),
    ...Made,
  },
  { title: "Summary" },
);
const Choice = {
  category: Type.String({ description: "The likeliest of the given ones", examples: ["pedido"] }),
  confidence: Type.Number({ description: "How sure the model is, from 0 to 1", examples: [0.9] }),
};
const ClassifyView = Type.Object(
  {
    ...Choice,
    alternatives: Type.Array(Type.Object(Choice), { description: "Other categories, likeliest first" }),
    rationale: Type.String({ description: "Why, in the model's words", examples: ["Pede dois bolos."] }),
    ...Made,
  },
  { title: "Classification" },
);

/** Routes that need no agent. The chat to summarise may be longer than any other body. */
export const ai = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/ai", tags: ["ai"] })
    .use(auth)
    .guard({ parse: [bodyReaders(env).readJson, "json"] })
    .post("/summary", ({ principal, body }) => summarise(env, principal, body), {
      body: SummaryBody,
      response: { 200: SummaryView, ...APP_REFUSALS },
      detail: {
        ...route({
          operationId: "summarise",
          acts: "none: no change",
          isolation: "own",
          maxBodyBytes: MAX_LONG_BODY_BYTES,
        }),
        summary: "Summarise a chat",
        description:
          "The account's own provider of language models answers, within 30 seconds. Nothing is stored but the " +
          "tokens used.",
      },
    })
    .post("/classify", ({ principal, body }) => classify(env, principal, body), {
      body: ClassifyBody,
      response: { 200: ClassifyView, ...APP_REFUSALS },
      detail: {
        ...route({ operationId: "classify", acts: "none: no change", isolation: "own" }),
        summary: "Find the category of a text",
        description:
          "The answer is always one of the given categories. The account's own provider of language models " +
          "answers, within 30 seconds.",
      },
    });
