import { saveAgent, switchAgent } from "../../src/core/ai/agents.ts";
import { addDocument } from "../../src/core/ai/knowledge/documents.ts";
import { changeLlmSettings } from "../../src/core/ai/settings.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { LLM_KEY } from "../../test/support/llm/index.ts";
import type { Account } from "./people.ts";
import { type Phones, providerMessageId } from "./phones.ts";
import type { Stage } from "./stage.ts";
import type { Moment } from "./talk.ts";
import { AGENT_EXCHANGES, KNOWLEDGE, PEOPLE } from "./texts.ts";

const PROMPT = "You answer questions about deliveries of a bakery. Be brief, and answer in the customer's language.";
const FIRST_KEY = 900_000;

/** The agent of the delivery phone, and its knowledge. The provider is simulated while the past is made. */
export const makeAgent = async (stage: Stage, { scope }: Account, { deliveries }: Phones): Promise<void> => {
  const { env, llm } = stage;
  await changeLlmSettings(env, scope, { baseUrl: llm.url, apiKey: LLM_KEY });
  await saveAgent(env, scope, deliveries, {
    systemPrompt: PROMPT,
    enabled: true,
    handoffRules: { keywords: ["atendente"] },
  });
  for (const { title, text } of KNOWLEDGE)
    await addDocument(env, scope, deliveries, { source: "TEXT_INLINE", title, text });
  await stage.until(env.clock.now());
};

/** Two customers ask the agent. */
export const agentTalks = (stage: Stage, { deliveries }: Phones, startMs: number): Moment[] =>
  AGENT_EXCHANGES.map(({ asked, answered }, index) => ({
    at: startMs + index * 30 * MINUTE_MS,
    async play() {
      const person = PEOPLE[index * 4];
      if (!person) throw new Error("nobody asks the agent");
      stage.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? answered : undefined));
      const from = { pn: person.number };
      const content = { type: "text", content: { text: asked } } as const;
      const at = stage.env.clock.now();
      const key = providerMessageId(FIRST_KEY + index);
      await stage.receive(deliveries, { kind: "received", key, at, from, chat: from, pushName: person.name, content });
    },
  }));

/** From now on the provider is the server's own. Nobody has its key, so the agent is off. */
export const retireProvider = async ({ env }: Stage, { scope }: Account, { deliveries }: Phones): Promise<void> => {
  await switchAgent(env, scope, deliveries, false);
  await changeLlmSettings(env, scope, { baseUrl: null, apiKey: null });
};
