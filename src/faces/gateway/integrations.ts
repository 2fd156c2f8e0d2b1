import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changeLlmSettings, getLlmSettings, type LlmSettings } from "../../core/ai/settings.ts";
import { isoOrNull } from "../../kernel/clock.ts";
import { Nullable, Text, Url } from "../../kernel/schema.ts";
import { actingAs, type FaceEnv } from "../shared/face-env.ts";
import type { GatewayAuth } from "./auth.ts";
import { InstantOrNull, REFUSALS } from "./schemas.ts";

const Model = Type.Optional(Nullable(Text(1, 120)));
const PatchBody = Type.Object({ baseUrl: Type.Optional(Nullable(Url())), apiKey: Type.Optional(Nullable(Text(8, 500))), defaultModel: Model, embeddingModel: Model });

const LlmView = Type.Object({
  configured: Type.Boolean({ description: "Whether there is a key" }),
  baseUrl: Type.String(),
  keyHint: Nullable(Type.String({ description: "The last four characters of the key" })),
  defaultModel: Type.String(),
  embeddingModel: Type.String(),
  updatedAt: InstantOrNull,
});

const llmView = ({ hasKey, baseUrl, keyHint, defaultModel, embeddingModel, updatedAt }: LlmSettings): Static<typeof LlmView> => ({
  configured: hasKey,
  baseUrl,
  keyHint,
  defaultModel,
  embeddingModel,
  updatedAt: isoOrNull(updatedAt),
});

const response = { 200: LlmView, ...REFUSALS };

export const integrations = (env: FaceEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/account/integrations", tags: ["ai"] })
    .use(auth)
    .get("/llm", async ({ principal }) => llmView(await getLlmSettings(env, principal)), {
      response,
      detail: { operationId: "getLlmIntegration", summary: "The account's provider of language models" },
    })
    .patch("/llm", async ({ principal, body }) => llmView(await changeLlmSettings(actingAs(env, principal), principal, body)), {
      body: PatchBody,
      response,
      detail: { operationId: "updateLlmIntegration", summary: "Set the account's provider: null returns to the server's default, and removes the key" },
    });
