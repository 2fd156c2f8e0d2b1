import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Agent, getAgent, removeAgent, saveAgent, switchAgent } from "../../../core/ai/agents.ts";
import { budgetOf } from "../../../core/ai/budget.ts";
import { type FoundChunk, tryAgent } from "../../../core/ai/trial.ts";
import { iso } from "../../../kernel/clock.ts";
import { Nullable, Text } from "../../../kernel/schema.ts";
import { MAX_DAILY_TOKENS } from "../../../kernel/settings/settings.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { APP_REFUSALS, Instant, Nothing, REFUSALS, TokenUsage } from "../schemas.ts";

const BUDGET =
  "Tokens that the agent may use per UTC day, for one contact and in all; the server's default where none is named. " +
  "Beyond it no call is made, and agent:budget_exhausted is published";
const Tokens = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_DAILY_TOKENS })));

const AgentBody = Type.Object(
  {
    systemPrompt: Text(20, 20_000),
    model: Type.Optional(
      Text(1, 120, "Any model of the provider that completes chats; the account's default where none is named"),
    ),
    enabled: Type.Optional(Type.Boolean()),
    handoffRules: Type.Optional(
      Type.Object({
        keywords: Type.Optional(Type.Array(Text(1, 120), { maxItems: 20 })),
        afterTurns: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1000 }))),
      }),
    ),
    contextWindowTurns: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    ragTopK: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: "0 disables retrieval" })),
    conversationTtlDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    greeting: Type.Optional(Nullable(Text(0, 4096))),
    respectHours: Type.Optional(
      Type.Boolean({
        description: "True: what comes outside business hours gets `closedText` or nothing; false by default",
      }),
    ),
    closedText: Type.Optional(
      Nullable(
        Text(0, 4096, "With `respectHours`: sent outside business hours, once per chat and day; null: nothing is"),
      ),
    ),
    budget: Type.Optional(Type.Object({ dailyTokensPerContact: Tokens, dailyTokens: Tokens }, { description: BUDGET })),
  },
  { title: "AgentRequest" },
);

export const AgentView = Type.Object(
  {
    id: Type.String(),
    phoneId: Type.String(),
    systemPrompt: Type.String(),
    model: Type.String(),
    enabled: Type.Boolean(),
    handoffRules: Type.Object({ keywords: Type.Array(Type.String()), afterTurns: Nullable(Type.Integer()) }),
    contextWindowTurns: Type.Integer(),
    ragTopK: Type.Integer(),
    conversationTtlDays: Type.Integer(),
    greeting: Nullable(Type.String()),
    respectHours: Type.Boolean(),
    closedText: Nullable(Type.String()),
    budget: Type.Object({ dailyTokensPerContact: Type.Integer(), dailyTokens: Type.Integer() }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Agent" },
);

export const agentView = (env: GatewayEnv, { keywords, afterTurns, ...agent }: Agent): Static<typeof AgentView> => ({
  id: agent.id,
  phoneId: agent.channelId,
  systemPrompt: agent.systemPrompt,
  model: agent.model,
  enabled: agent.isEnabled,
  handoffRules: { keywords, afterTurns },
  contextWindowTurns: agent.contextWindowTurns,
  ragTopK: agent.ragTopK,
  conversationTtlDays: agent.conversationTtlDays,
  greeting: agent.greeting,
  respectHours: agent.respectsHours,
  closedText: agent.closedText,
  budget: budgetOf(env, agent),
  createdAt: iso(agent.createdAt),
  updatedAt: iso(agent.updatedAt),
});

const TrialBody = Type.Object({
  message: FilledText(1, 4000),
  systemPromptOverride: Type.Optional(Text(0, 20_000)),
  withKnowledge: Type.Optional(
    Type.Boolean({ description: "Answer as a contact is answered, from the agent's documents; false by default" }),
  ),
});
const PassageView = Type.Object(
  {
    id: Type.String(),
    documentId: Type.String(),
    title: Nullable(Type.String()),
    text: Type.String(),
    similarity: Type.Number({ description: "To the question: 1 for the same, 0 for nothing in common" }),
  },
  { title: "AgentPassage" },
);
const TrialView = Type.Object(
  {
    reply: Type.String(),
    model: Type.String(),
    usage: TokenUsage,
    passages: Type.Optional(
      Type.Array(PassageView, { description: "With `withKnowledge`: what of the documents was in the prompt" }),
    ),
  },
  { title: "AgentReply" },
);

const passageView = ({ id, documentId, title, body, distance }: FoundChunk): Static<typeof PassageView> => ({
  id,
  documentId,
  title,
  text: body,
  similarity: Math.max(0, Math.round((1 - distance) * 1000) / 1000),
});

const one = { 200: AgentView, ...REFUSALS };

export const agents = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["ai"] })
    .use(auth)
    .put(
      "/:id/ai-agent",
      async ({ principal, params, body }) => agentView(env, await saveAgent(env, principal, params.id, body)),
      {
        body: AgentBody,
        response: one,
        detail: {
          operationId: "putAgent",
          summary: "Give a phone its agent, or replace its configuration",
          description: "What is missing returns to its default. Knowledge and conversations stay.",
        },
      },
    )
    .get("/:id/ai-agent", async ({ principal, params }) => agentView(env, await getAgent(env, principal, params.id)), {
      response: one,
      detail: { operationId: "getAgent", summary: "Get a phone's agent" },
    })
    .delete(
      "/:id/ai-agent",
      async ({ principal, params, status }) => {
        await removeAgent(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: { operationId: "deleteAgent", summary: "Delete a phone's agent with its knowledge and conversations" },
      },
    )
    .post(
      "/:id/ai-agent/enable",
      async ({ principal, params }) => agentView(env, await switchAgent(env, principal, params.id, true)),
      {
        response: one,
        detail: { operationId: "enableAgent", summary: "Have the agent answer" },
      },
    )
    .post(
      "/:id/ai-agent/disable",
      async ({ principal, params }) => agentView(env, await switchAgent(env, principal, params.id, false)),
      {
        response: one,
        detail: {
          operationId: "disableAgent",
          summary: "Have the agent begin no conversation any more",
          description: "Running conversations go on.",
        },
      },
    )
    .post(
      "/:id/ai-agent/test",
      async ({ principal, params, body }) => {
        const { text: reply, model, usage, passages } = await tryAgent(env, principal, params.id, body);
        return { reply, model, usage, ...(body.withKnowledge ? { passages: passages.map(passageView) } : {}) };
      },
      {
        body: TrialBody,
        response: { 200: TrialView, ...APP_REFUSALS },
        detail: {
          operationId: "testAgent",
          summary: "Get what the agent would answer",
          description:
            "Without its knowledge unless `withKnowledge` is true; the passages that it used are then in the answer. " +
            "Nothing is stored or sent, but the tokens count against the budget.",
        },
      },
    );
