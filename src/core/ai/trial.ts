import type { Completion } from "../../contract/llm.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getAgent } from "./agents.ts";
import { withProvider } from "./asking.ts";
import type { AiEnv } from "./env.ts";
import { blank, isBlank } from "./words.ts";

/**
 * The answer of a channel's agent to a message, optionally with another system prompt. Searches no documents, and
 * stores and sends nothing.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, and what `withProvider` throws.
 */
export const tryAgent = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  { message, systemPromptOverride }: { message: string; systemPromptOverride?: string },
): Promise<Completion> => {
  if (isBlank(message)) throw blank("message");
  const { model, systemPrompt } = await getAgent(env, scope, channelId);
  return withProvider(env, scope, (ask) =>
    ask({
      model,
      messages: [
        { role: "system", content: systemPromptOverride ?? systemPrompt },
        { role: "user", content: message },
      ],
    }),
  );
};
