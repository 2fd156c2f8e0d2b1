import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { TRIED_OUTCOMES } from "../../../core/ai/tools/tools.ts";
import { type FoundChunk, tryAgent } from "../../../core/ai/trial.ts";
import {
  beginTrialRun,
  getTrialRun,
  readTrialRuns,
  removeTrialRun,
  TRIAL_CHANGES,
  TRIAL_OUTCOMES,
  TRIAL_RUN_STATUSES,
  type TrialResult,
  type TrialRun,
} from "../../../core/ai/trials/runs.ts";
import { getTrialSet, MAX_QUESTIONS, replaceTrialSet, type TrialSet } from "../../../core/ai/trials/sets.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { TrialCause } from "../events/event-schemas/parts.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, InstantOrNull, Nothing, PHONE_IN_PATH, REFUSALS, TokenUsage } from "../schemas.ts";
import { CallFields } from "./tools.ts";

const QUESTION = "Vocês abrem no domingo?";
const FACTS = ["não abrimos no domingo"];
const EXPECT_UNKNOWN = "True: the agent is to say that it does not know; such a question has no `facts`";

const SetBody = Type.Object(
  {
    questions: Type.Array(
      Type.Object(
        {
          text: described(Text(1, 1000), "The question, as a contact might write it", QUESTION),
          facts: Type.Optional(
            Type.Array(Text(1, 200), {
              maxItems: 10,
              description: "Texts that the answer must have; case, accents, spaces and spellings of numbers are alike",
              examples: [FACTS],
            }),
          ),
          expectUnknown: Type.Optional(Type.Boolean({ description: `${EXPECT_UNKNOWN}; false by default` })),
        },
        { description: "A question with `facts`, or with a true `expectUnknown`" },
      ),
      { maxItems: MAX_QUESTIONS, description: "All questions of the agent; each text once" },
    ),
  },
  { title: "TrialSetRequest" },
);

const SetView = Type.Object(
  {
    questions: Type.Array(
      Type.Object(
        {
          text: Type.String({ description: "The question, as a contact might write it", examples: [QUESTION] }),
          facts: Type.Array(Type.String(), { description: "Texts that the answer must have", examples: [FACTS] }),
          expectUnknown: Type.Boolean({ description: EXPECT_UNKNOWN }),
        },
        { title: "TrialQuestion" },
      ),
      { description: "The questions in their order" },
    ),
    updatedAt: described(InstantOrNull, "When the questions last changed; null before the first ones"),
  },
  { title: "TrialSet" },
);

const setView = ({ questions, updatedAt }: TrialSet) => toView(SetView, { questions: [...questions], updatedAt });

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

const Run = {
  id: Id("The run's id"),
  status: OneOf(TRIAL_RUN_STATUSES, {
    title: "TrialRunStatus",
    description: "RUNNING while questions are asked; DONE after the last one; FAILED if it could not go on",
  }),
  cause: TrialCause,
  model: Type.String({ description: "The agent's model when the run began", examples: ["gpt-4.1-mini"] }),
  callTools: Type.Boolean({ description: "Whether the agent's HTTP tools are called" }),
  totals: described(
    Type.Object(
      {
        questions: count("All questions of the run", 12),
        pending: count("Questions that are still to be asked", 0),
        passed: count("Answers that are as expected", 10),
        failed: count("Answers that are not", 2),
        errors: count("Questions that the provider refused to answer", 0),
        unknown: count("Answers that say that the agent does not know", 3),
        invented: count("Answers that should say so, and do not", 1),
      },
      { title: "TrialTotals" },
    ),
    "How many questions have which outcome",
  ),
  errorReason: Nullable(
    Type.String({ description: "Why the run could not go on: a code and a few words; null if nothing failed" }),
  ),
  createdAt: CreatedAt("run"),
  endedAt: described(InstantOrNull, "When the run ended; null before"),
};
const RunView = Type.Object(Run, { title: "TrialRun" });

const ResultView = Type.Object(
  {
    question: Type.String({ description: "The question, as the set had it", examples: [QUESTION] }),
    facts: Type.Array(Type.String(), { description: "Texts that the answer must have", examples: [FACTS] }),
    expectUnknown: Type.Boolean({ description: EXPECT_UNKNOWN }),
    outcome: OneOf(TRIAL_OUTCOMES, {
      title: "TrialOutcome",
      description: "Whether the answer is as expected; ERROR if the provider refused to answer",
    }),
    change: described(
      Nullable(OneOf(TRIAL_CHANGES, { title: "TrialChange" })),
      "What became of the question since the run before; null before the answer, or without such a run",
    ),
    answer: Nullable(
      Type.String({ description: "The agent's answer; null without one", examples: ["Não abrimos no domingo."] }),
    ),
    missing: Type.Array(Type.String(), { description: "The facts that the answer has not", examples: [[]] }),
    saysUnknown: Type.Boolean({ description: "Whether the answer says that the agent does not know" }),
    passages: Type.Array(
      Type.Object(
        {
          id: Id("The passage's id"),
          documentId: Id("The document of the agent", "conversation"),
          title: Nullable(
            Type.String({ description: "The title of the document then; null without one", examples: ["Horários"] }),
          ),
        },
        { title: "TrialPassage" },
      ),
      { description: "The passages of documents that the prompt had" },
    ),
    tokens: count("The tokens that the answer cost", 420),
    errorReason: Nullable(
      Type.String({ description: "Why there is no answer, in the provider's words; null if none" }),
    ),
  },
  { title: "TrialResult" },
);
const FullRunView = Type.Object(
  {
    ...Run,
    comparedWith: Nullable(Id("The earlier run that `change` compares with; null without one")),
    results: Type.Array(ResultView, { description: "The questions in their order, with their answers" }),
  },
  { title: "TrialRunResults" },
);

const RunQuery = Type.Object({
  callTools: Type.Optional(
    described(
      OneOf(["true", "false"]),
      "`true`: the agent's HTTP tools are called, with `isTest` and without a contact; runs after a change never call them",
    ),
  ),
});

const runView = (run: TrialRun) => toView(RunView, run);
const resultView = (result: TrialResult) => toView(ResultView, result, { facts: result.expected });

/** The questions that an agent is tried with, and the runs of them. */
export const trials = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones/:id/ai-agent/trials",
    tags: ["ai"],
    detail: inPath({
      ...PHONE_IN_PATH,
      runId: Id("The run, as `GET /v1/phones/{id}/ai-agent/trials/runs` lists it"),
    }),
  })
    .use(auth)
    .get("/", async ({ principal, params }) => setView(await getTrialSet(env, principal, params.id)), {
      response: { 200: SetView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getTrialSet", isolation: { id: "channel" } }),
        summary: "Get the questions that an agent is tried with",
        description: "Each question has the facts that its answer must have, or expects the agent not to know.",
      },
    })
    .put(
      "/",
      async ({ principal, params, body }) => setView(await replaceTrialSet(env, principal, params.id, body.questions)),
      {
        body: SetBody,
        response: { 200: SetView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "putTrialSet",
            acts: "none: own settings",
            isolation: { id: "channel" },
          }),
          summary: "Replace the questions that an agent is tried with",
          description:
            "At most 100, each text once. A question has either `facts` or a true `expectUnknown`, and a fact has a letter or " +
            "a digit. Runs that have begun keep the questions that they began with.",
        },
      },
    )
    .post(
      "/runs",
      async ({ principal, params, query, status }) => {
        const callTools = query.callTools === "true";
        return status(202, runView(await beginTrialRun(env, principal, params.id, { callTools })));
      },
      {
        query: RunQuery,
        response: { 202: RunView, ...APP_REFUSALS },
        detail: {
          ...route({ operationId: "beginTrialRun", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Ask the agent its questions",
          description:
            "They are asked one after the other, as contacts would be answered, from the agent's knowledge. Nothing is " +
            "sent: built-in tools are simulated, and HTTP tools are called only with `callTools`, by at most 10 questions per " +
            "minute. The tokens count against the account's budget. While a run has not ended, the answer is that run. " +
            "An agent without questions is refused.",
        },
      },
    )
    .get("/runs", async ({ principal, params }) => (await readTrialRuns(env, principal, params.id)).map(runView), {
      response: { 200: Type.Array(RunView), ...REFUSALS },
      detail: {
        ...route({ operationId: "listTrialRuns", isolation: { id: "channel" } }),
        summary: "List the runs of an agent's questions, newest first",
        description: "The last 20 are kept.",
      },
    })
    .get(
      "/runs/:runId",
      async ({ principal, params }) => {
        const run = await getTrialRun(env, principal, params.id, params.runId);
        return toView(FullRunView, run, { results: run.results.map(resultView) });
      },
      {
        response: { 200: FullRunView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getTrialRun", isolation: { id: "channel", runId: "trialRun" } }),
          summary: "Get a run with its answers, and what changed since the run before",
          description:
            "The run before is the last earlier one with the same `callTools` that asked all of its questions.",
        },
      },
    )
    .delete(
      "/runs/:runId",
      async ({ principal, params, status }) => {
        await removeTrialRun(env, principal, params.id, params.runId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deleteTrialRun",
            acts: "none: own settings",
            isolation: { id: "channel", runId: "trialRun" },
          }),
          summary: "Delete a run",
          description: "A run that has not ended asks nothing more.",
        },
      },
    );

const TestBody = Type.Object({
  message: described(FilledText(1, 4000), "A text that a contact might write", "Vocês abrem no domingo?"),
  systemPromptOverride: Type.Optional(
    described(
      Text(0, 20_000),
      "A prompt that replaces the agent's own, for this test alone",
      "Você atende os clientes da Padaria Estrela. Responda com uma frase.",
    ),
  ),
  withKnowledge: Type.Optional(
    Type.Boolean({ description: "True: answer from the agent's documents, as for a contact; false by default" }),
  ),
  callTools: Type.Optional(
    Type.Boolean({
      description: "True: HTTP tools are called, marked as tests; false by default, which names the calls alone",
    }),
  ),
});
const PassageView = Type.Object(
  {
    id: Id("The passage's id"),
    documentId: Id("The document of the agent", "conversation"),
    title: Nullable(
      Type.String({ description: "The title of the document; null without one", examples: ["Cardápio da semana"] }),
    ),
    text: Type.String({ description: "The text of the passage", examples: ["Olá, Maria! Seu bolo está pronto."] }),
    similarity: Type.Number({
      description: "How close the passage is to the question: 1 is the same, 0 has nothing in common",
      examples: [0.82],
    }),
  },
  { title: "AgentPassage" },
);
const TriedCallView = Type.Object(
  {
    ...CallFields,
    outcome: OneOf(TRIED_OUTCOMES, {
      title: "TriedToolOutcome",
      description:
        "As in a conversation; SIMULATED: nothing was done and nobody was called, but for a contact it would be",
    }),
  },
  { title: "TriedToolCall" },
);
const TestView = Type.Object(
  {
    reply: Type.String({ description: "The answer that the agent would give", examples: ["Sim, das 7h às 13h."] }),
    model: Type.String({ description: "The language model that answered", examples: ["gpt-4.1-mini"] }),
    usage: described(TokenUsage, "The tokens that the answer cost"),
    passages: Type.Optional(
      Type.Array(PassageView, {
        description: "The passages of documents that the prompt had; absent without `withKnowledge`",
      }),
    ),
    toolCalls: Type.Optional(
      Type.Array(TriedCallView, {
        description: "The calls of tools for this answer, in the order of time; absent without calls",
      }),
    ),
  },
  { title: "AgentReply" },
);

const passageView = (passage: FoundChunk) =>
  toView(PassageView, passage, {
    text: passage.body,
    similarity: Math.max(0, Math.round((1 - passage.distance) * 1000) / 1000),
  });

/** Messages that the owner of an agent tries it with, without the type of their route: the chain of parts is deep. */
export const agentTests = (env: GatewayEnv, auth: GatewayAuth): Elysia => {
  const tests: AnyElysia = new Elysia({ prefix: "/v1/phones", tags: ["ai"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/ai-agent/test",
      async ({ principal, params, body }) => {
        const { text: reply, model, usage, passages, tried } = await tryAgent(env, principal, params.id, body);
        return {
          reply,
          model,
          usage,
          ...(body.withKnowledge ? { passages: passages.map(passageView) } : {}),
          ...(tried.length > 0 ? { toolCalls: [...tried] } : {}),
        };
      },
      {
        body: TestBody,
        response: { 200: TestView, ...APP_REFUSALS },
        detail: {
          ...route({ operationId: "testAgent", acts: "none: no change", isolation: { id: "channel" } }),
          summary: "Get the agent's answer to a test message",
          description:
            "Without its knowledge unless `withKnowledge` is true; the passages that it used are then in the answer. " +
            "Nothing is stored or sent, but the tokens count against the budget. Built-in tools are simulated: `toolCalls` " +
            "has what they would do. HTTP tools are called only with `callTools`, at most 10 such tests per minute.",
        },
      },
    );
  return tests;
};
