import type { Completion } from "../../contract/llm.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getAgent } from "./agents.ts";
import { withProvider } from "./asking.ts";
import type { AiEnv } from "./env.ts";
import { blank, isBlank } from "./words.ts";

/**
 * What a channel's agent would answer to a message, by another system prompt where one is given. Nothing is looked up,
 * nothing is kept, and nobody is sent anything. Throws CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, and what `withProvider`
 * throws.
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
