import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Agent, getAgent, removeAgent, saveAgent, switchAgent } from "../../../core/ai/agents.ts";
import { budgetOf } from "../../../core/ai/budget.ts";
import { BUILT_IN_TOOLS } from "../../../core/ai/tools/built-in-names.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { MAX_DAILY_TOKENS } from "../../../kernel/settings/settings.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const BUILT_IN =
  "Recado's own tools that the agent may call: hand over to a person, send a template, send a file of the knowledge, " +
  "look up the contact, set a tag of it, business hours";
const BUDGET =
  "Tokens that the agent may use per UTC day, for one contact and in all; the server's default if " +
  "none is given. Beyond the budget no call is made, and agent:budget_exhausted is published";
const Tokens = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_DAILY_TOKENS })));

const AgentBody = Type.Object(
  {
    systemPrompt: described(
      Text(20, 20_000),
      "Who the agent is and how it answers",
      "Você atende os clientes da Padaria Estrela, em São Paulo.",
    ),
    model: Type.Optional(
      described(
        Text(1, 120),
        "Any model of the provider that completes chats; the account's default if absent",
        "gpt-4.1-mini",
      ),
    ),
    enabled: Type.Optional(Type.Boolean({ description: "Whether the agent begins conversations; true by default" })),
    handoffRules: Type.Optional(
      described(
        Type.Object({
          keywords: Type.Optional(
            Type.Array(Text(1, 120), {
              maxItems: 20,
              description: "Words that hand the conversation over when the last message has one of them",
              examples: [["atendente"]],
            }),
          ),
          afterTurns: Type.Optional(
            Nullable(
              Type.Integer({
                minimum: 1,
                maximum: 1000,
                description: "How many turns hand the conversation over; null means never",
                examples: [20],
              }),
            ),
          ),
        }),
        "When the agent hands a conversation over to a person",
        { keywords: ["atendente"], afterTurns: 20 },
      ),
    ),
    contextWindowTurns: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: "How many last turns the model sees; 10 by default",
        examples: [10],
      }),
    ),
    ragTopK: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: "How many pieces of knowledge an answer may use; 4 by default, 0 uses none",
        examples: [4],
      }),
    ),
    conversationTtlDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: "Days without a turn after which a conversation closes; 30 by default",
        examples: [30],
      }),
    ),
    greeting: Type.Optional(
      described(
        Nullable(Text(0, 4096)),
        "Sent before the first answer to a contact; null: none",
        "Olá! Aqui é a Padaria Estrela.",
      ),
    ),
    respectHours: Type.Optional(
      Type.Boolean({
        description: "True: messages outside business hours get `closedText` or no answer; false by default",
      }),
    ),
    builtInTools: Type.Optional(
      Type.Array(OneOf(BUILT_IN_TOOLS, { title: "AgentBuiltInTool" }), {
        maxItems: BUILT_IN_TOOLS.length,
        description: `${BUILT_IN}; none by default`,
        examples: [["hand_over", "business_hours"]],
      }),
    ),
    closedText: Type.Optional(
      described(
        Nullable(
          Text(0, 4096, "With `respectHours`: sent outside business hours, once per chat and day; null: nothing is"),
        ),
        "The text that is sent outside business hours, once per chat and day, with `respectHours`; null " +
          "sends nothing",
      ),
    ),
    runTrialsOnChange: Type.Optional(
      Type.Boolean({
        description:
          "True: the agent's questions are asked again a minute after the last change of its instructions, model or " +
          "knowledge, at most 10 times per UTC day; false by default",
      }),
    ),
    transcribesVoice: Type.Optional(
      Type.Boolean({
        description:
          "True: the agent reads what voice notes say, and answers them, also where the phone's `transcribeVoice` is " +
          "`off`; false by default",
      }),
    ),
    speaks: Type.Optional(
      Type.Boolean({ description: "True: it answers a voice note by a voice note; false by default" }),
    ),
    voice: Type.Optional(
      described(Nullable(Text(1, 120)), "The voice of its voice notes, by the provider's name; null: `alloy`", "coral"),
    ),
    sees: Type.Optional(
      described(
        Type.Object({
          images: Type.Optional(Type.Boolean({ description: "True: its model is shown pictures; false by default" })),
          documents: Type.Optional(
            Type.Boolean({ description: "True: its model is given the text of documents; false by default" }),
          ),
        }),
        "Which files of contacts the agent reads",
        { images: true, documents: true },
      ),
    ),
    budget: Type.Optional(
      described(
        Type.Object(
          {
            dailyTokensPerContact: described(
              Tokens,
              "Tokens per UTC day for one contact; null is the server's default",
              20000,
            ),
            dailyTokens: described(Tokens, "Tokens per UTC day in all; null is the server's default", 1000000),
          },
          { description: BUDGET },
        ),
        "How many tokens the agent may use",
        { dailyTokensPerContact: 20000, dailyTokens: 1000000 },
      ),
    ),
  },
  { title: "AgentRequest" },
);

export const AgentView = Type.Object(
  {
    id: Id("The agent's id"),
    phoneId: Id("The phone that the agent answers on", "phone"),
    systemPrompt: Type.String({
      description: "Who the agent is and how it answers",
      examples: ["Você atende os clientes da Padaria Estrela, em São Paulo."],
    }),
    model: Type.String({ description: "The language model that answers", examples: ["gpt-4.1-mini"] }),
    enabled: Type.Boolean({ description: "Whether the agent begins conversations; true by default" }),
    handoffRules: described(
      Type.Object({
        keywords: Type.Array(Type.String(), {
          description: "Words that hand the conversation over when the last message has one of them",
          examples: [["atendente"]],
        }),
        afterTurns: Nullable(
          Type.Integer({ description: "How many turns hand the conversation over; null means never", examples: [20] }),
        ),
      }),
      "When the agent hands a conversation over to a person",
    ),
    contextWindowTurns: Type.Integer({
      description: "How many last turns the model sees; 10 by default",
      examples: [10],
    }),
    ragTopK: Type.Integer({
      description: "How many pieces of knowledge an answer may use; 4 by default",
      examples: [4],
    }),
    conversationTtlDays: Type.Integer({
      description: "Days without a turn after which a conversation closes; 30 by default",
      examples: [30],
    }),
    greeting: Nullable(
      Type.String({
        description: "The text that is sent before the first answer to a contact; null sends nothing",
        examples: ["Olá! Aqui é a Padaria Estrela."],
      }),
    ),
    respectHours: Type.Boolean({ description: "Whether business hours apply to it" }),
    builtInTools: Type.Array(OneOf(BUILT_IN_TOOLS, { title: "AgentBuiltInTool" }), {
      description: BUILT_IN,
      examples: [["hand_over", "business_hours"]],
    }),
    closedText: Nullable(
      Type.String({
        description: "The text that is sent outside business hours, once per chat and day; null sends nothing",
        examples: ["Estamos fechados. Voltamos às 9h."],
      }),
    ),
    runTrialsOnChange: Type.Optional(
      Type.Boolean({ description: "Whether its questions are asked again after each change" }),
    ),
    transcribesVoice: Type.Boolean({ description: "Whether it reads what voice notes say, and answers them" }),
    speaks: Type.Boolean({ description: "Whether it answers a voice note by a voice note" }),
    voice: Nullable(
      Type.String({
        description: "The voice of its voice notes, by the provider's name; null: `alloy`",
        examples: ["coral"],
      }),
    ),
    sees: described(
      Type.Object({
        images: Type.Boolean({ description: "Whether its model is shown pictures" }),
        documents: Type.Boolean({ description: "Whether its model is given the text of documents" }),
      }),
      "Which files of contacts the agent reads",
    ),
    budget: described(
      Type.Object({
        dailyTokensPerContact: Type.Integer({ description: "Tokens per UTC day for one contact", examples: [20000] }),
        dailyTokens: Type.Integer({ description: "Tokens per UTC day for all contacts together", examples: [1000000] }),
      }),
      "How many tokens the agent may use",
    ),
    createdAt: CreatedAt("agent"),
    updatedAt: described(Instant, "When the agent last changed"),
  },
  { title: "Agent" },
);

export const agentView = (env: GatewayEnv, agent: Agent) =>
  toView(AgentView, agent, {
    phoneId: agent.channelId,
    enabled: agent.isEnabled,
    handoffRules: { keywords: agent.keywords, afterTurns: agent.afterTurns },
    respectHours: agent.respectsHours,
    runTrialsOnChange: agent.runsTrialsOnChange,
    sees: { images: agent.seesImages, documents: agent.seesDocuments },
    builtInTools: BUILT_IN_TOOLS.filter((name) => agent.builtInTools.includes(name)),
    budget: budgetOf(env, agent),
  });

const one = { 200: AgentView, ...REFUSALS };

export const agents = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["ai"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .put(
      "/:id/ai-agent",
      async ({ principal, params, body }) => agentView(env, await saveAgent(env, principal, params.id, body)),
      {
        body: AgentBody,
        response: one,
        detail: {
          ...route({ operationId: "putAgent", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Set a phone's agent, or replace its configuration",
          description: "A missing field returns to its default. Knowledge and conversations stay.",
        },
      },
    )
    .get("/:id/ai-agent", async ({ principal, params }) => agentView(env, await getAgent(env, principal, params.id)), {
      response: one,
      detail: {
        ...route({ operationId: "getAgent", isolation: { id: "channel" } }),
        summary: "Get a phone's agent",
        description: "404 if the phone has no agent.",
      },
    })
    .delete(
      "/:id/ai-agent",
      async ({ principal, params, status }) => {
        await removeAgent(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteAgent", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Delete a phone's agent with its knowledge and conversations",
          description: "Nothing of it can be restored.",
        },
      },
    )
    .post(
      "/:id/ai-agent/enable",
      async ({ principal, params }) => agentView(env, await switchAgent(env, principal, params.id, true)),
      {
        response: one,
        detail: {
          ...route({ operationId: "enableAgent", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Switch the agent on",
          description: "It answers from the next message on.",
        },
      },
    )
    .post(
      "/:id/ai-agent/disable",
      async ({ principal, params }) => agentView(env, await switchAgent(env, principal, params.id, false)),
      {
        response: one,
        detail: {
          ...route({ operationId: "disableAgent", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Stop the agent from beginning conversations",
          description: "Running conversations go on.",
        },
      },
    );
