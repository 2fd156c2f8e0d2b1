import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chatOf } from "../../../support/customers/agents/ai-chat.ts";
import { knowledgeOf } from "../../../support/customers/agents/knowledge.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import {
  ANSWER,
  PROVIDER_KEY,
  PROVIDERS,
  type Provider,
  type StartedProvider,
  startProvider,
  THOUGHT,
} from "../../../support/llm/providers/index.ts";
import { giveAgent, giveKey, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld({ logLevel: "debug" });
});
afterAll(() => l.stop());

/** Forty pieces of knowledge: more than some providers read at once. */
const SUBJECTS = Array.from(
  { length: 40 },
  (_, n) => `Assunto${n}. O prazo do assunto${n} é de dois dias. ${"Mais palavras sobre isso. ".repeat(26)}`,
).join("\n\n");

type Run = {
  document: { status: string; chunkCount: number; errorReason: string | null };
  sent: string[];
  provider: StartedProvider;
  trial: { status: number; text: string };
};

/** Has an agent learn and answer twice, with a provider of its own. */
const run = async (provider: Provider): Promise<Run> => {
  const started = startProvider(provider);
  const customer = await newCustomer(l.w);
  const { models } = provider;
  await giveKey(l.w, customer, {
    apiKey: PROVIDER_KEY,
    baseUrl: started.url,
    defaultModel: models.chat,
    embeddingModel: models.embedding,
  });
  await giveAgent(l.w, customer, { greeting: "Bem-vindo!" });
  const document = await knowledgeOf(l.w, l.llm, customer).learn({ source: "TEXT_INLINE", text: SUBJECTS });
  const chat = chatOf(l.w, customer);
  await chat.says("Qual é o prazo do assunto7?");
  await chat.says("E do assunto9?");
  const trial = await l.w.gateway(`/v1/phones/${customer.phone.id}/ai-agent/test`, {
    key: customer.key,
    body: { message: "Qual é o prazo?" },
  });
  await started.stop();
  return { document, sent: chat.sent().slice(1), provider: started, trial };
};

describe.each(PROVIDERS.map((provider) => [provider.name, provider] as const))("%s", (_name, provider) => {
  let done: Run;
  beforeAll(async () => {
    done = await run(provider);
  });
  const asked = (path: string) => done.provider.calls.filter((call) => call.path === path);

  test("X-030 X-045 an agent answers with it, or the account is told why not", () => {
    if (provider.chats === true) {
      expect(done.sent).toEqual([`${TO}: ${ANSWER}`, `${TO}: ${ANSWER}`]);
      expect([done.trial.status, JSON.parse(done.trial.text).reply]).toEqual([200, ANSWER]);
    } else {
      expect([done.sent, done.trial.status]).toEqual([[], 502]);
      expect(done.trial.text).toMatch(provider.chats);
    }
    expect(done.sent.join() + done.trial.text).not.toContain(THOUGHT);
  });

  test("X-045 an agent learns with it, and answers from what it has learnt, or the account is told why not", () => {
    const { status, chunkCount, errorReason } = done.document;
    if (provider.learns === true) {
      expect([status, errorReason]).toEqual(["READY", null]);
      expect(chunkCount).toBeGreaterThanOrEqual(40);
      const prompts = asked(provider.paths.chat).map(({ body }) => JSON.stringify(body.messages));
      if (provider.chats === true) expect(prompts.some((prompt) => prompt.includes("Assunto7. O prazo"))).toBe(true);
    } else {
      expect(status).toBe("FAILED");
      expect(errorReason).toMatch(provider.learns);
    }
  });

  test("X-103 what it has refused once is not asked again in each turn, and the key is in no log", () => {
    const chats = asked(provider.paths.chat).slice(3);
    if (provider.chats === true) expect(chats.filter(({ status }) => status >= 400)).toEqual([]);
    expect(l.w.logs.some((line) => line.includes(PROVIDER_KEY))).toBe(false);
  });
});

test.each(["docs/agents.md", "docs/pt-BR/agents.md"])("%s says of each provider what to set and what works", (page) => {
  const text = readFileSync(join(import.meta.dir, "../../../..", page), "utf8");
  expect(PROVIDERS.filter(({ name }) => !text.includes(`\n| ${name} | \`http`)).map(({ name }) => name)).toEqual([]);
});
