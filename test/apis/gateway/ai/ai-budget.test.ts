import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Chat, chatOf } from "../../../support/customers/agents/ai-chat.ts";
import { HOURS, inline, knowledgeOf } from "../../../support/customers/agents/knowledge.ts";
import { receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import type { Reply } from "../../../support/llm/replies.ts";
import { giveAgent, giveKey, useLlmCustomer } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const OTHER = "5511999990002";

const { w, llm, c } = useLlmCustomer();
let chat: Chat;
beforeEach(async () => {
  await giveKey(w, c);
  await giveAgent(w, c);
  chat = chatOf(w, c);
});

/** An answer that took so many tokens; `null`: the provider does not say. */
const taking = (tokens: number | null, content = "ok"): Reply => {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  const usage =
    tokens === null ? {} : { usage: { prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens } };
  return {
    is: "raw",
    body: JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "gpt-4o-mini",
      choices,
      ...usage,
    }),
  };
};
const received = () => receivedBy(c.hook, "agent:budget_exhausted");
const midnight = () => new Date((Math.floor(w.clock.now() / DAY_MS) + 1) * DAY_MS).toISOString();
const patch = (body: object) => w.gateway("/v1/account/integrations/llm", { method: "PATCH", key: c.key, body });
const classify = () =>
  w.gateway("/v1/ai/classify", { key: c.key, body: { text: "Quero pão", categories: ["venda", "outro"] } });
const refusedCalls = async (budget: string): Promise<number> =>
  Number(
    new RegExp(`recado_llm_calls_refused_total\\{budget="${budget}"\\} (\\d+)`).exec(
      await w.app.env.metrics.text(),
    )?.[1] ?? 0,
  );

describe("the budget of one contact", () => {
  beforeEach(() => giveAgent(w, c, { budget: { dailyTokensPerContact: 2000 } }));

  test("once it is used up no call is made, which is published once; other contacts are answered", async () => {
    llm.answer(() => taking(1000));
    const before = await refusedCalls("contact");
    for (let n = 1; n <= 8; n++) await chat.says(`mensagem ${n}`);
    expect([llm.chats().length, chat.sent().length]).toEqual([2, 2]);
    const { id } = await chat.with();
    expect(received()).toEqual([
      {
        budget: "contact",
        conversationId: id,
        contactKey: `pn:${TO}`,
        dailyTokens: 2000,
        usedTokens: 2000,
        resetsAt: midnight(),
      },
    ]);
    expect([
      receivedBy(c.hook, "message:received").length,
      (await chat.turns()).length,
      await refusedCalls("contact"),
    ]).toEqual([8, 10, before + 6]);
    await chat.says("e eu?", OTHER);
    expect([llm.chats().length, chat.sent().length, received().length]).toEqual([3, 3, 1]);
  });

  test("the next day has a budget of its own, and its exhaustion is published again", async () => {
    llm.answer(() => taking(5000));
    for (const text of ["um", "dois"]) await chat.says(text);
    await w.advance(DAY_MS);
    for (const text of ["três", "quatro"]) await chat.says(text);
    expect([llm.chats().length, received().length]).toEqual([2, 2]);
    await w.advance(9 * DAY_MS);
    // nobody asks for them any more
    expect(await rowsOf(w, "SELECT day FROM llm_spending WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });

  test("no greeting is sent to whom no answer is", async () => {
    await giveAgent(w, c, { greeting: "Bem-vindo!", budget: { dailyTokens: 1 } });
    llm.answer(() => taking(10));
    await chat.says("oi");
    await chat.says("oi", OTHER);
    expect([chat.sent(), received().map(({ budget, contactKey }) => [budget, contactKey])]).toEqual([
      [`${TO}: Bem-vindo!`, `${TO}: ok`],
      [["agent", null]],
    ]);
  });

  test("a provider that does not say what it took is taken to have used what its texts are", async () => {
    llm.answer(() => taking(null, "palavra ".repeat(500)));
    for (const text of ["um", "dois", "três", "quatro"]) await chat.says(text);
    expect([llm.chats().length, received().length]).toEqual([2, 1]);
  });
});

describe("the budget of an agent", () => {
  test("is used by all its contacts, and by the vectors of what it is taught and asked", async () => {
    await giveAgent(w, c, { budget: { dailyTokens: 100_000 } });
    const knowledge = knowledgeOf(w, llm, c);
    expect(await knowledge.learn(inline())).toMatchObject({ status: "READY" });
    await chat.says("Quando abrem?");
    const spent = await rowsOf<{ n: number }>(
      w,
      "SELECT tokens AS n FROM llm_spending WHERE channel_id = ?1 AND conversation_id = ''",
      [c.phone.id],
    );
    const [used] = await rowsOf<{ n: number; calls: number }>(
      w,
      "SELECT sum(prompt_tokens + completion_tokens) AS n, sum(calls) AS calls FROM llm_usage WHERE tenant_id = ?1",
      [c.accountId],
    );
    expect([spent, used?.calls]).toEqual([[{ n: used?.n ?? 0 }], 3]);
    await giveAgent(w, c, { budget: { dailyTokens: used?.n } });
    await chat.says("E amanhã?", OTHER);
    expect(await knowledge.learn(inline(`${HOURS} De novo.`))).toMatchObject({
      status: "FAILED",
      errorReason: "BUDGET_EXHAUSTED: the tokens that may be used today are used up",
    });
    expect([llm.journal.length, received().map(({ budget, conversationId }) => [budget, conversationId])]).toEqual([
      3,
      [["agent", null]],
    ]);
  });

  test("is the server's where the agent names none, and is shown", async () => {
    const shown = async () => (await chat.agent("", "GET")).body.budget;
    expect(await shown()).toEqual({ dailyTokensPerContact: 200_000, dailyTokens: 5_000_000 });
    await giveAgent(w, c, { budget: { dailyTokens: 7 } });
    expect(await shown()).toEqual({ dailyTokensPerContact: 200_000, dailyTokens: 7 });
    await giveAgent(w, c);
    expect(await shown()).toEqual({ dailyTokensPerContact: 200_000, dailyTokens: 5_000_000 });
  });

  test.each([
    { dailyTokens: 0 },
    { dailyTokens: 1.5 },
    { dailyTokensPerContact: "9" },
    { dailyTokensPerContact: 1e13 },
  ])("%j is refused, and nothing changes", async (budget) => {
    const body = { systemPrompt: "You are another attendant.", budget };
    expect(fieldsOf(await w.gateway(`/v1/phones/${c.phone.id}/ai-agent`, { method: "PUT", key: c.key, body }))).toEqual(
      ["budget"],
    );
    expect((await chat.agent("", "GET")).body.systemPrompt).not.toBe(body.systemPrompt);
  });
});

describe("the budget of an account", () => {
  test("is used by what needs no agent too, which is then 429 until midnight", async () => {
    await patch({ dailyTokens: 1000 });
    llm.answer(() => taking(999));
    for (const expected of ["502 AI_BAD_OUTPUT", "429 LLM_BUDGET_EXHAUSTED", "429 LLM_BUDGET_EXHAUSTED"])
      expect(gatewaySays(await classify())).toBe(expected);
    const trial = await w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: "olá" } });
    expect([gatewaySays(trial), trial.headers.get("retry-after")]).toEqual([
      "429 LLM_BUDGET_EXHAUSTED",
      String(12 * 60 * 60),
    ]);
    await chat.says("oi");
    await w.settle();
    expect([llm.journal.length, chat.sent()]).toEqual([2, []]);
    expect(received()).toEqual([
      {
        budget: "account",
        conversationId: null,
        contactKey: null,
        dailyTokens: 1000,
        usedTokens: 1998,
        resetsAt: midnight(),
      },
    ]);
  });

  test("is the server's where the account names none, and is shown", async () => {
    expect((await patch({ dailyTokens: 5 })).body).toMatchObject({ dailyTokens: 5 });
    expect((await patch({ dailyTokens: null })).body).toMatchObject({ dailyTokens: 20_000_000, configured: true });
    expect(fieldsOf(await patch({ dailyTokens: 0 }))).toEqual(["dailyTokens"]);
  });
});
