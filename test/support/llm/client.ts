import { afterAll, beforeAll, beforeEach } from "bun:test";
import { createHttp, type OutboundHttp } from "../../../src/adapters/http/http.ts";
import { createLlm } from "../../../src/adapters/models/llm.ts";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import type { Llm } from "../../../src/contract/ports/llm.ts";
import { fill } from "../use-world.ts";
import { type SimulatedLlm, startLlm } from "./index.ts";
import { passingClock } from "./passing-clock.ts";

type LlmClient = { sim: SimulatedLlm; http: OutboundHttp; clock: ManualClock; llm: Llm };

/**
 * A simulated provider for the tests of a file, and for each test a new client of it with a clock of its own. The pauses
 * between the client's attempts pass by themselves.
 */
export const useLlmClient = (): LlmClient => {
  const s = { sim: {}, http: {}, clock: {}, llm: {} } as LlmClient;
  beforeAll(() => {
    fill(s.sim, startLlm());
    fill(s.http, createHttp({ allow: ["127.0.0.1"], extraCa: undefined }));
  });
  afterAll(async () => {
    s.http.close();
    await s.sim.stop();
  });
  beforeEach(() => {
    s.sim.reset();
    const clock = manualClock();
    fill(s.clock, clock);
    fill(s.llm, createLlm(s.http, passingClock(clock)));
  });
  return s;
};
