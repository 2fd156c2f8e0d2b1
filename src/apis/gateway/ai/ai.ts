import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { classify, SUMMARY_FORMATS, summarise } from "../../../core/ai/stateless.ts";
import { OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { APP_REFUSALS, TokenUsage } from "../schemas.ts";

const Language = Type.Optional(Text(1, 60));
const SummaryBody = Type.Object({
  messages: Type.Array(Type.Object({ from: OneOf(["user", "assistant"]), text: Text(1, 8000) }), {
    minItems: 1,
    maxItems: 200,
  }),
  format: Type.Optional(OneOf(SUMMARY_FORMATS)),
  language: Language,
  model: Type.Optional(Text(1, 120)),
});
const ClassifyBody = Type.Object({
  text: FilledText(1, 8000),
  categories: Type.Array(Text(1, 60), { minItems: 2, maxItems: 20 }),
  language: Language,
});

const Made = { model: Type.String(), usage: TokenUsage };
const SummaryView = Type.Object(
  {
    summary: Type.String(),
    keyTopics: Type.Array(Type.String()),
    openQuestions: Type.Array(Type.String()),
    ...Made,
  },
  { title: "Summary" },
);
const Choice = { category: Type.String(), confidence: Type.Number() };
const ClassifyView = Type.Object(
  {
    ...Choice,
    alternatives: Type.Array(Type.Object(Choice)),
    rationale: Type.String(),
    ...Made,
  },
  { title: "Classification" },
);

/** Routes that need no agent. The chat to summarise may be longer than any other body. */
export const ai = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/ai", tags: ["ai"] })
    .use(auth)
    .guard({ parse: [bodyReaders(env.intake).readJson, "json"] })
    .post("/summary", ({ principal, body }) => summarise(env, principal, body), {
      body: SummaryBody,
      response: { 200: SummaryView, ...APP_REFUSALS },
      detail: {
        ...routeOptions({ maxBodyBytes: MAX_LONG_BODY_BYTES }),
        operationId: "summarise",
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
        operationId: "classify",
        summary: "Find the category that a text belongs to",
        description:
          "The answer is always one of the given categories. The account's own provider of language models " +
          "answers, within 30 seconds.",
      },
    });
