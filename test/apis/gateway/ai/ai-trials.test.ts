import { beforeEach, describe, expect, test } from "bun:test";
import { HOURS, inline, useKnowledge } from "../../../support/customers/agents/knowledge.ts";
import { newCustomer, receivedBy, rowsOf, sendsOf, suspend, tracesOf } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveAgent, PROMPT } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

const { w, llm, c, k } = useKnowledge();

const QUESTIONS = [
  { text: "Quando abrem?", facts: ["segunda a sexta", "18h"] },
  { text: "Qual é o CNPJ da loja?", expectUnknown: true },
];
const ask = (path = "", call: object = {}): Promise<Answer> =>
  w.gateway(`/v1/phones/${c.phone.id}/ai-agent/trials${path}`, { key: c.key, ...call });
const put = (questions: unknown, key = c.key) => ask("", { method: "PUT", key, body: { questions } });
const begin = () => ask("/runs", { method: "POST" });
/** Runs the questions, and gives the run with its results. */
const run = async (): Promise<any> => {
  const { body, status, text } = await begin();
  if (status !== 202) throw new Error(`no run began: ${status} ${text}`);
  await w.settle();
  return (await ask(`/runs/${body.id}`)).body;
};
/** Has the model answer each question so; the last part of a prompt is the question. */
const answering = (answers: Record<string, string>) =>
  llm.answer(({ body }) => answers[body.messages?.at(-1).content as string]);

describe("the questions of an agent", () => {
  test("are none at first; PUT replaces them as a whole, in their order", async () => {
    expect((await ask()).body).toEqual({ questions: [], updatedAt: null });
    const stored = [
      { text: "Quando abrem?", facts: ["segunda a sexta", "18h"], expectUnknown: false },
      { text: "Qual é o CNPJ da loja?", facts: [], expectUnknown: true },
    ];
    const { status, body } = await put(QUESTIONS);
    expect([status, body]).toEqual([200, { questions: stored, updatedAt: new Date(w.clock.now()).toISOString() }]);
    await put(QUESTIONS.slice(1));
    expect((await ask()).body.questions).toEqual(stored.slice(1));
  });

  test.each([
    ["twice the same", [QUESTIONS[0], QUESTIONS[0]]],
    ["nothing to be judged by", [{ text: "Oi?" }]],
    ["facts and expectUnknown", [{ ...QUESTIONS[0], expectUnknown: true }]],
    ["a fact of signs alone", [{ text: "Oi?", facts: ["—"] }]],
    ["a blank text", [{ text: "  ", facts: ["pão"] }]],
    ["eleven facts", [{ text: "Oi?", facts: Array(11).fill("pão") }]],
    ["more than a hundred", Array.from({ length: 101 }, (_, n) => ({ text: `${n}?`, facts: ["pão"] }))],
    ["a long text", [{ text: "x".repeat(1001), facts: ["pão"] }]],
  ])("are refused with %s, and nothing changes", async (_, questions) => {
    await put(QUESTIONS);
    const before = await tracesOf(w, c);
    expect(fieldsOf(await put(questions))).toEqual(["questions"]);
    expect(await tracesOf(w, c)).toEqual(before);
    expect((await ask()).body.questions.length).toBe(2);
  });

  test("are gone with the agent", async () => {
    await put(QUESTIONS);
    await run();
    await w.gateway(`/v1/phones/${c.phone.id}/ai-agent`, { key: c.key, method: "DELETE" });
    expect(gatewaySays(await ask())).toBe("404 AGENT_NOT_FOUND");
    await w.settle();
    for (const table of ["trial_sets", "trial_runs"])
      expect(await rowsOf(w, `SELECT 1 FROM ${table} WHERE channel_id = ?1`, [c.phone.id])).toEqual([]);
    expect(await rowsOf(w, "SELECT 1 FROM trial_results WHERE run_id NOT IN (SELECT id FROM trial_runs)")).toEqual([]);
    await giveAgent(w, c);
    expect([(await ask()).body.questions, (await ask("/runs")).body]).toEqual([[], []]);
  });
});

describe("a run", () => {
  beforeEach(() => put(QUESTIONS));

  test("answers from the knowledge as a contact is answered, and says what each answer has, lacks and came from", async () => {
    const document = await k.learn(inline(HOURS, { title: "Horários" }));
    llm.reset();
    answering({
      "Quando abrem?": "De SEGUNDA a sexta, das 8 às 18 h.",
      "Qual é o CNPJ da loja?": "Não sei o CNPJ da loja.",
    });
    const done = await run();
    expect(done).toMatchObject({ status: "DONE", cause: "REQUEST", model: "gpt-4o-mini", comparedWith: null });
    expect(done.totals).toEqual({ questions: 2, pending: 0, passed: 2, failed: 0, errors: 0, unknown: 1, invented: 0 });
    expect(done.results[0]).toMatchObject({
      question: "Quando abrem?",
      outcome: "PASSED",
      change: null,
      answer: "De SEGUNDA a sexta, das 8 às 18 h.",
      missing: [],
      saysUnknown: false,
      passages: [{ id: expect.any(String), documentId: document.id, title: "Horários" }],
      errorReason: null,
    });
    expect(done.results[0].tokens).toBeGreaterThan(0);
    const system: string = llm.chats()[0]?.body.messages[0].content;
    expect([system.includes(HOURS), system.includes("say plainly that you do not know it")]).toEqual([true, true]);
    expect([sendsOf(w, c).length, (await ask("/runs")).body.map(({ id }: { id: string }) => id)]).toEqual([
      0,
      [done.id],
    ]);
  });

  test("counts what a model invents that ignores its instructions, and the facts that an answer lacks", async () => {
    answering({ "Quando abrem?": "De segunda a sexta.", "Qual é o CNPJ da loja?": "É 12.345.678/0001-90." });
    const { totals, results } = await run();
    expect(totals).toEqual({ questions: 2, pending: 0, passed: 0, failed: 2, errors: 0, unknown: 0, invented: 1 });
    expect(results.map(({ outcome, missing }: any) => [outcome, missing])).toEqual([
      ["FAILED", ["18h"]],
      ["FAILED", []],
    ]);
  });

  test("says what changed since the run before: fixed, broken, answered otherwise, new", async () => {
    const more = [...QUESTIONS, { text: "Tem pão?", facts: ["sim"] }, { text: "Tem bolo?", facts: ["sim"] }];
    await put(more);
    answering({ "Quando abrem?": "Segunda a sexta até 18h", "Tem pão?": "Sim!", "Tem bolo?": "Sim." });
    const first = await run();
    await put([...more, { text: "Tem café?", facts: ["sim"] }]);
    answering({
      "Quando abrem?": "Sempre.",
      "Qual é o CNPJ da loja?": "I don't know that.",
      "Tem pão?": "Sim, temos.",
      "Tem bolo?": "Sim.",
      "Tem café?": "Sim.",
    });
    const second = await run();
    expect(second.comparedWith).toBe(first.id);
    expect(second.results.map(({ change }: any) => change)).toEqual([
      "BROKEN",
      "FIXED",
      "ANSWER_CHANGED",
      "SAME",
      "NEW",
    ]);
  });

  test("with an answer that was right in the run before, and is not now, is published with its questions, at its end", async () => {
    const worsened = () => receivedBy(c.hook, "agent:worsened");
    await put([...QUESTIONS, { text: "Tem pão?", facts: ["sim"] }]);
    answering({ "Quando abrem?": "Segunda a sexta até 18h", "Tem pão?": "Sim!" });
    const first = await run();
    answering({ "Quando abrem?": "Segunda a sexta até 18h, claro", "Tem pão?": "Sim.", "Qual é o CNPJ da loja?": "?" });
    const second = await run();
    expect([first.comparedWith, second.comparedWith, worsened()]).toEqual([null, first.id, []]);
    answering({ "Quando abrem?": "Segunda a sexta.", "Qual é o CNPJ da loja?": "Não sei.", "Tem pão?": "Sim." });
    const third = await run();
    expect(worsened()).toEqual([
      {
        runId: third.id,
        comparedWith: second.id,
        cause: "REQUEST",
        questionCount: 3,
        passedCount: 2,
        brokenCount: 1,
        broken: [{ question: "Quando abrem?", missing: ["18h"] }],
      },
    ]);
    await run();
    expect(worsened()).toHaveLength(1);
  });

  test("names ten of its broken questions in the event, and counts all", async () => {
    await put(Array.from({ length: 12 }, (_, n) => ({ text: `${n}?`, facts: ["pão"] })));
    llm.answer(() => "pão");
    await run();
    llm.answer(() => "bolo");
    await run();
    const [{ brokenCount, passedCount, broken }] = receivedBy(c.hook, "agent:worsened");
    expect([brokenCount, passedCount, broken.length]).toEqual([12, 0, 10]);
  });

  test("begins once: while it has not ended, the same run is given, and a deleted run asks nothing more", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    llm.next(REPLIES.held(promise));
    const first = (await begin()).body;
    await llm.received(1);
    expect([(await begin()).body.id, first.status, first.totals.pending]).toEqual([first.id, "RUNNING", 2]);
    expect((await ask(`/runs/${first.id}`, { method: "DELETE" })).status).toBe(204);
    resolve();
    await w.settle();
    expect(llm.chats().length).toBe(1);
    expect(gatewaySays(await ask(`/runs/${first.id}`))).toBe("404 TRIAL_RUN_NOT_FOUND");
    expect(await rowsOf(w, "SELECT 1 FROM trial_results WHERE run_id = ?1", [first.id])).toEqual([]);
  });

  test("goes on after a question that the provider declines, and after a provider that was busy for a while", async () => {
    llm.next(REPLIES.withheld(), REPLIES.busy({ retryAfter: "31" }));
    const { id } = (await begin()).body;
    await w.settle();
    expect((await ask(`/runs/${id}`)).body).toMatchObject({
      status: "RUNNING",
      totals: { errors: 1, pending: 1 },
      results: [{ outcome: "ERROR", errorReason: expect.stringContaining("withheld"), answer: null }, {}],
    });
    await w.advance(60_000);
    expect((await ask(`/runs/${id}`)).body).toMatchObject({ status: "DONE", totals: { errors: 1, failed: 1 } });
  });

  test.each([
    ["a key that is refused", () => llm.keys.clear(), /^PROVIDER_ERROR: Incorrect/, 1],
    ["a provider without credit", () => llm.answer(() => REPLIES.noCredit()), /^PROVIDER_ERROR: You exceeded/, 1],
  ])("ends at once with %s: no other question is asked", async (_, fails, reason, asked) => {
    fails();
    const done = await run();
    expect([done.status, done.totals.pending]).toEqual(["FAILED", 2]);
    expect(done.errorReason).toMatch(reason);
    expect(llm.journal.length).toBe(asked);
  });

  test("ends when the tokens of the day are used up, and none begins without tokens, key, questions or agent", async () => {
    await w.gateway("/v1/account/integrations/llm", { method: "PATCH", key: c.key, body: { dailyTokens: 1 } });
    const done = await run();
    expect([done.status, done.errorReason.split(":")[0], llm.chats().length]).toEqual([
      "FAILED",
      "BUDGET_EXHAUSTED",
      1,
    ]);
    expect(gatewaySays(await begin())).toBe("429 LLM_BUDGET_EXHAUSTED");
    await w.gateway("/v1/account/integrations/llm", { method: "PATCH", key: c.key, body: { apiKey: null } });
    expect(gatewaySays(await begin())).toBe("400 LLM_KEY_REQUIRED");
    expect((await ask("/runs")).body.length).toBe(1);
    const other = await newCustomer(w);
    expect(gatewaySays(await ask("/runs", { method: "POST", key: other.key }))).toBe("404 PHONE_NOT_FOUND");
    expect(llm.chats().length).toBe(1);
  });

  test("GAP-X08 of an account that is suspended meanwhile fails with that reason, and asks nothing more", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    llm.next(REPLIES.held(promise));
    const { id } = (await begin()).body;
    await llm.received(1);
    await suspend(w, c.accountId);
    resolve();
    await w.settle();
    await suspend(w, c.accountId, "NONE");
    const { status, errorReason, totals } = (await ask(`/runs/${id}`)).body;
    expect([status, errorReason.split(":")[0], totals.pending, llm.chats().length]).toEqual([
      "FAILED",
      "ACCOUNT_SUSPENDED",
      1,
      1,
    ]);
  });

  test("of no questions is refused, and the last twenty runs are kept", async () => {
    await put([]);
    expect(fieldsOf(await begin())).toEqual(["questions"]);
    expect((await ask("/runs")).body).toEqual([]);
    await put(QUESTIONS.slice(0, 1));
    const ids: string[] = [];
    for (let n = 0; n < 22; n++) ids.push((await run()).id);
    expect((await ask("/runs")).body.map(({ id }: any) => id)).toEqual(ids.toReversed().slice(0, 20));
    expect((await rowsOf(w, "SELECT 1 FROM trial_runs WHERE channel_id = ?1", [c.phone.id])).length).toBe(20);
  });
});

describe("with runTrialsOnChange", () => {
  const set = (more: object = {}) => giveAgent(w, c, { runTrialsOnChange: true, ...more });
  const causes = async () => (await ask("/runs")).body.map(({ cause }: any) => cause);

  beforeEach(async () => {
    await put(QUESTIONS);
    expect((await set()).runTrialsOnChange).toBe(true);
  });

  test("one run follows the last change of instructions and knowledge, a minute later", async () => {
    await set({ systemPrompt: `${PROMPT} Be kind.` });
    const { id } = await k.learn(inline());
    await w.advance(59_000);
    await k.ask(`/${id}`, { method: "DELETE" });
    await w.advance(59_000);
    expect(await causes()).toEqual([]);
    await w.advance(1000);
    expect(await causes()).toEqual(["CHANGE"]);
    await w.advance(600_000);
    expect(await causes()).toEqual(["CHANGE"]);
  });

  test("a change of nothing that an answer depends on begins none, nor does any change without the setting", async () => {
    await set({ greeting: "Olá!" });
    await w.advance(600_000);
    expect(await causes()).toEqual([]);
    await giveAgent(w, c, { systemPrompt: `${PROMPT} Be kind.` });
    await k.learn(inline());
    await w.advance(600_000);
    expect([await causes(), llm.chats()]).toEqual([[], []]);
  });

  test("a change while questions are asked is tried when that run has ended", async () => {
    llm.answer(() => REPLIES.busy());
    await begin();
    await set({ systemPrompt: `${PROMPT} Be kind.` });
    await w.advance(60_000);
    expect(await causes()).toEqual(["REQUEST"]);
    llm.reset();
    await w.advance(600_000);
    await w.advance(60_000);
    expect(await causes()).toEqual(["CHANGE", "REQUEST"]);
  });

  test("GAP-X08 none begins for an account that is suspended since the change", async () => {
    await set({ systemPrompt: `${PROMPT} Be kind.` });
    await suspend(w, c.accountId);
    await w.advance(600_000);
    await suspend(w, c.accountId, "NONE");
    expect([await causes(), llm.chats()]).toEqual([[], []]);
  });

  test("at most ten runs begin in a day, and what changed after them is tried the next day", async () => {
    for (let n = 0; n < 12; n++) {
      await set({ systemPrompt: `${PROMPT} ${n}` });
      await w.advance(60_000);
    }
    expect((await causes()).length).toBe(10);
    await w.advance(24 * 3_600_000);
    expect((await causes()).length).toBe(11);
  });
});
