import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changeLlmSettings, getLlmSettings, type LlmSettings } from "../../../core/ai/settings.ts";
import { described, Nullable, Text, Url } from "../../../kernel/schema.ts";
import { MAX_DAILY_TOKENS } from "../../../kernel/settings/settings.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, REFUSALS } from "../schemas.ts";

const Model = Type.Optional(Nullable(Text(1, 120)));
const Tokens = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAILY_TOKENS,
      description: "What all calls of the account may take per UTC day",
    }),
  ),
);
const PatchBody = Type.Object({
  baseUrl: Type.Optional(
    described(
      Nullable(Url()),
      "Without fragment, and without a query except Azure's `api-version`; null is the server's default",
      "https://api.openai.com/v1",
    ),
  ),
  apiKey: Type.Optional(
    described(Nullable(Text(8, 500)), "Visible ASCII; null removes it; never shown again", "sk-exemplo-1234"),
  ),
  defaultModel: described(
    Model,
    "The model for chats if a request names none; null is the server's default",
    "gpt-4.1-mini",
  ),
  embeddingModel: described(
    Model,
    "The model that reads knowledge; null is the server's default",
    "text-embedding-3-small",
  ),
  transcriptionModel: described(
    Model,
    "The model that turns voice notes into text; null is the server's default",
    "gpt-4o-mini-transcribe",
  ),
  transcriptionLanguage: Type.Optional(
    Nullable(
      Type.String({
        pattern: "^[a-z]{2}$",
        description: "The language of voice notes, in two letters; null lets the provider find it",
        examples: ["pt"],
      }),
    ),
  ),
  speechModel: described(
    Model,
    "The model that speaks an agent's answers; null is the server's default",
    "gpt-4o-mini-tts",
  ),
  embeddingBaseUrl: Type.Optional(
    described(
      Nullable(Url()),
      "Another provider for knowledge, in the same form as `baseUrl`; null is the provider of chats",
      "https://api.openai.com/v1",
    ),
  ),
  embeddingApiKey: Type.Optional(
    described(
      Nullable(Text(8, 500)),
      "The key of that provider, visible ASCII; null uses `apiKey`; never shown again",
      "sk-exemplo-5678",
    ),
  ),
  dailyTokens: described(
    Tokens,
    "Tokens that all calls of the account may use per UTC day; null is the server's default",
    1000000,
  ),
});

const LlmView = Type.Object(
  {
    configured: Type.Boolean({ description: "Whether there is a key" }),
    baseUrl: Type.String({ description: "The address of the provider's API", examples: ["https://api.openai.com/v1"] }),
    keyHint: Nullable(
      Type.String({ description: "The last four characters of the key; null without a key", examples: ["1234"] }),
    ),
    defaultModel: Type.String({
      description: "The model for chats if a request names none",
      examples: ["gpt-4.1-mini"],
    }),
    embeddingModel: Type.String({
      description: "The model that reads knowledge",
      examples: ["text-embedding-3-small"],
    }),
    transcriptionModel: Type.String({
      description: "The model that turns voice notes into text",
      examples: ["gpt-4o-mini-transcribe"],
    }),
    transcriptionLanguage: Nullable(
      Type.String({
        description: "The language of voice notes, in two letters; null lets the provider find it",
        examples: ["pt"],
      }),
    ),
    speechModel: Type.String({
      description: "The model that speaks an agent's answers",
      examples: ["gpt-4o-mini-tts"],
    }),
    embeddingBaseUrl: Type.Optional(
      Nullable(
        Type.String({
          description: "Another provider for knowledge; null if it is that of chats",
          examples: ["https://api.openai.com/v1"],
        }),
      ),
    ),
    embeddingKeyHint: Type.Optional(
      Nullable(
        Type.String({
          description: "The last four characters of its own key; null without an own key",
          examples: ["5678"],
        }),
      ),
    ),
    dailyTokens: Type.Integer({
      description: "The tokens that all calls of the account may use per UTC day",
      examples: [1000000],
    }),
    updatedAt: described(
      InstantOrNull,
      "When the account last changed it; null while all is the server's default",
      "2026-11-22T12:00:00.000Z",
    ),
  },
  { title: "LlmIntegration" },
);

const llmView = (settings: LlmSettings) => toView(LlmView, settings, { configured: settings.hasKey });

const response = { 200: LlmView, ...REFUSALS };

export const integrations = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/account/integrations", tags: ["ai"] })
    .use(auth)
    .get("/llm", async ({ principal }) => llmView(await getLlmSettings(env, principal)), {
      response,
      detail: {
        ...route({ operationId: "getLlmIntegration", isolation: "own" }),
        summary: "Get the account's provider of language models",
        description: "The key is never shown, only its end.",
      },
    })
    .patch("/llm", async ({ principal, body }) => llmView(await changeLlmSettings(env, principal, body)), {
      body: PatchBody,
      response,
      detail: {
        ...route({ operationId: "updateLlmIntegration", acts: ["llm.change"], isolation: "own" }),
        summary: "Set the account's provider of language models",
        description:
          "A missing field stays unchanged; null is the server's default, and removes the key. A `baseUrl` " +
          "on another host needs `apiKey` too, an `embeddingBaseUrl` on another host than `baseUrl` `embeddingApiKey`. " +
          "After a change of `embeddingModel` the documents are learnt anew, one after the other.",
      },
    });
