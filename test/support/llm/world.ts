import { afterAll, beforeAll, beforeEach } from "bun:test";
import { createLlm } from "../../../src/adapters/models/llm.ts";
import { type Customer, newCustomer } from "../customers/customer.ts";
import { fill } from "../use-world.ts";
import { startWorld, type World } from "../world.ts";
import { LLM_KEY, type SimulatedLlm, startLlm } from "./index.ts";
import { passingClock } from "./passing-clock.ts";

/** A world whose default provider of language models is a simulated one. Accounts have no key of it yet. */
export type LlmWorld = { w: World; llm: SimulatedLlm; stop(): Promise<void> };

/** Lets the pauses between the attempts at a provider pass by themselves. */
export const passPauses = ({ app: { env }, clock }: World): void =>
  void Object.assign(env.llm, createLlm(env.http, passingClock(clock)));

export const startLlmWorld = async ({
  env = {},
  ...options
}: Parameters<typeof startWorld>[0] = {}): Promise<LlmWorld> => {
  const llm = startLlm();
  const w = await startWorld({ ...options, env: { RECADO_GATEWAY_RATE: "100000", RECADO_LLM_URL: llm.url, ...env } });
  passPauses(w);
  return {
    w,
    llm,
    async stop() {
      await w.stop();
      await llm.stop();
    },
  };
};

/** Such a world for the tests of a file. Before each test, earlier jobs are run and the provider is reset. */
export const useLlm = (): Omit<LlmWorld, "stop"> => {
  const s = { w: {} as World, llm: {} as SimulatedLlm };
  let stop: LlmWorld["stop"];
  beforeAll(async () => {
    const started = await startLlmWorld();
    fill(s.w, started.w);
    fill(s.llm, started.llm);
    stop = started.stop;
  });
  afterAll(() => stop());
  beforeEach(async () => {
    await s.w.settle();
    s.llm.reset();
  });
  return s;
};

/** The same, with a new customer for every test. The customer has neither key nor agent. */
export const useLlmCustomer = () => {
  const s = useLlm();
  const c = {} as Customer;
  beforeEach(async () => void fill(c, await newCustomer(s.w)));
  return { ...s, c };
};

/** Gives an account its key of the provider, LLM_KEY unless another is named. Throws if it is refused. */
export const giveKey = async (w: World, { key }: Pick<Customer, "key">, more: object = {}): Promise<void> => {
  const { status, text } = await w.gateway("/v1/account/integrations/llm", {
    method: "PATCH",
    key,
    body: { apiKey: LLM_KEY, ...more },
  });
  if (status !== 200) throw new Error(`the provider was not set: ${status} ${text}`);
};

export const PROMPT = "You are the attendant of a bakery. Be brief.";

/**
 * Gives a customer's phone its agent, enabled by default. Gives the agent in the form of GET. Throws if it is refused.
 */
export const giveAgent = async (
  w: World,
  { key, phone }: Pick<Customer, "key" | "phone">,
  more: object = {},
): Promise<any> => {
  const { status, body, text } = await w.gateway(`/v1/phones/${phone.id}/ai-agent`, {
    method: "PUT",
    key,
    body: { systemPrompt: PROMPT, enabled: true, ...more },
  });
  if (status !== 200) throw new Error(`the agent was not made: ${status} ${text}`);
  return body;
};
