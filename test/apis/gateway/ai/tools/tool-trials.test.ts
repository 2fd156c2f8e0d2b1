import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import type { Chat } from "../../../../support/customers/agents/ai-chat.ts";
import { knowledgeOf } from "../../../../support/customers/agents/knowledge.ts";
import { useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import { knownTemplate } from "../../../../support/customers/templates.ts";
import { REPLIES } from "../../../../support/llm/index.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";

const s = useToolWorld();
const MESSAGE = "Onde está o pedido A-7?";
const CALL = ["order_status", { order: "A-7" }] as const;

const tried = (c: Chat, more: object = {}) =>
  s.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body: { message: MESSAGE, ...more } });
const run = async (c: Chat, query = "", texts: readonly string[] = [MESSAGE]): Promise<any> => {
  const path = `/v1/phones/${c.phone.id}/ai-agent/trials`;
  const questions = texts.map((text) => ({ text, facts: ["a caminho"] }));
  await s.w.gateway(path, { key: c.key, method: "PUT", body: { questions } });
  const { body } = await s.w.gateway(`${path}/runs${query}`, { key: c.key, method: "POST" });
  await s.w.settle();
  return again(c, body);
};
/** A run as it is by now. */
const again = async (c: Chat, { id }: { id: string }): Promise<any> =>
  (await s.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/trials/runs/${id}`, { key: c.key })).body;
/** What is stored of contacts, messages and calls: nothing, after a test. */
const stored = (c: Chat) =>
  rowsOf(
    s.w,
    `SELECT id FROM contacts WHERE tenant_id = ?1 UNION ALL SELECT id FROM messages WHERE tenant_id = ?1
      UNION ALL SELECT id FROM ai_conversations WHERE tenant_id = ?1 UNION ALL SELECT id FROM media WHERE tenant_id = ?1`,
    [c.accountId],
  );

describe("a run of an agent's questions", () => {
  test("calls HTTP tools where it was begun with callTools, marked as tests, and does nothing else", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(CALL), "Está a caminho.");
    const { results } = await run(c, "?callTools=true");
    expect(results).toMatchObject([{ outcome: "PASSED", answer: "Está a caminho." }]);
    const [{ body: asked, headers }, ...more] = s.server.calls as any[];
    expect([asked.data.isTest, asked.data.contact.key, headers["x-gateway-test"], more]).toEqual([
      true,
      "pn:5500000000000",
      "true",
      [],
    ]);
    expect([await stored(c), c.sent()]).toEqual([[], []]);
  });

  test("asks ten questions a minute with callTools, which are tests of the account's tools", async () => {
    const c = await s.chat();
    const texts = Array.from({ length: 12 }, (_, n) => `Onde está o pedido ${n}?`);
    s.llm.next(...texts.flatMap(() => [REPLIES.calls(CALL), "Está a caminho."]));
    await s.w.advance(MINUTE_MS - (s.w.clock.now() % MINUTE_MS));
    const begun = await run(c, "?callTools=true", texts);
    expect([begun.status, begun.totals.pending, s.server.calls.length]).toEqual(["RUNNING", 2, 10]);
    expect(gatewaySays(await tried(c, { callTools: true }))).toBe("429 RATE_LIMITED");
    await s.w.advance(MINUTE_MS);
    const { status, totals } = await again(c, begun);
    expect([status, totals.passed, s.server.calls.length]).toEqual(["DONE", 12, 12]);
  });

  test("asks any number of questions at once without callTools, though its account has used up its tests", async () => {
    const c = await s.chat();
    for (let n = 0; n < 10; n++) await tried(c, { callTools: true });
    const texts = Array.from({ length: 12 }, (_, n) => `Onde está o pedido ${n}?`);
    expect((await run(c, "", texts)).status).toBe("DONE");
  });

  test("is compared with the run before that called HTTP tools as it does", async () => {
    const c = await s.chat();
    const tool = REPLIES.calls(CALL);
    const [knows, knowsNot] = ["Está a caminho.", "Não consegui consultar o pedido."];
    s.llm.next(tool, knows, tool, knowsNot, tool, knows, tool, knowsNot);
    const withTools = await run(c, "?callTools=true");
    const without = await run(c);
    expect([withTools.callTools, without.callTools]).toEqual([true, false]);
    expect([without.comparedWith, without.results[0].change]).toEqual([null, null]);
    const [next, last] = [await run(c, "?callTools=true"), await run(c)];
    expect([next.comparedWith, next.results[0].change]).toEqual([withTools.id, "SAME"]);
    expect([last.comparedWith, last.results[0].change]).toEqual([without.id, "SAME"]);
    const events = await rowsOf(s.w, "SELECT type FROM events WHERE tenant_id = ?1", [c.accountId]);
    expect(events.filter(({ type }) => type === "agent.worsened")).toEqual([]);
  });

  test("refuses another word for callTools, and begins no run", async () => {
    const c = await s.chat();
    const path = `/v1/phones/${c.phone.id}/ai-agent/trials/runs`;
    expect(fieldsOf(await s.w.gateway(`${path}?callTools=yes`, { key: c.key, method: "POST" }))).toEqual(["callTools"]);
    expect((await s.w.gateway(path, { key: c.key })).body).toEqual([]);
  });
});

describe("a test of an agent with tools", () => {
  test("says what its built-in tools would do, as the model is told for a contact, and does nothing of it", async () => {
    const c = await s.chat({}, { builtInTools: ["hand_over", "set_tag", "business_hours"] });
    s.llm.next(
      REPLIES.calls(
        ["set_tag", { tag: "atacado" }],
        ["hand_over", { reason: "quer desconto" }],
        ["business_hours", {}],
      ),
      "Já chamo alguém.",
    );
    const { body } = await tried(c);
    expect(body).toMatchObject({
      reply: "Já chamo alguém.",
      toolCalls: [
        {
          tool: "set_tag",
          kind: "BUILT_IN",
          arguments: '{"tag":"atacado"}',
          outcome: "SIMULATED",
          answer: "The tag is changed with your answer.",
          httpStatus: null,
        },
        { tool: "hand_over", outcome: "SIMULATED", arguments: '{"reason":"quer desconto"}' },
        { tool: "business_hours", outcome: "ANSWERED", answer: "The business has told nobody its hours." },
      ],
    });
    expect(s.toolAnswers()[1]).toBe("A person of the team goes on after your answer.");
    expect([await stored(c), c.sent(), c.hook.arrived]).toEqual([[], [], []]);
  });

  test("sends no template and no file, and keeps no copy of the file", async () => {
    const c = await s.chat({}, { builtInTools: ["send_template", "send_file"], ragTopK: 0 });
    await knownTemplate(s.w, c.phone.id, { name: "pedido", components: [{ type: "BODY", text: "Seu pedido saiu." }] });
    const knowledge = knowledgeOf(s.w, s.llm, c);
    const headers = { "content-type": "text/plain" };
    const { objectKey } = (await knowledge.ask("/files", { raw: "O cardápio tem bolo.", method: "POST", headers }))
      .body;
    await knowledge.learn({ source: "OBJECT_FILE", title: "Cardápio", objectKey, sendable: true });
    s.llm.next(
      REPLIES.calls(["send_template", { template: "pedido/pt_BR" }], ["send_file", { file: "Cardápio.txt" }]),
      "Pronto.",
    );
    const before = await stored(c);
    const { body } = await tried(c);
    expect(body.toolCalls?.map(({ outcome }: any) => outcome)).toEqual(["SIMULATED", "SIMULATED"]);
    expect([await stored(c), c.sent()]).toEqual([before, []]);
  });

  test("calls no HTTP tool unless the account asks for it: the call and its arguments are shown alone", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(CALL), "Não sei.");
    const { body } = await tried(c);
    expect(body.toolCalls).toMatchObject([
      { tool: "order_status", kind: "HTTP", arguments: '{"order":"A-7"}', outcome: "SIMULATED", httpStatus: null },
    ]);
    expect(s.server.calls).toEqual([]);
  });

  test("calls them with callTools, marked as a test for a contact that nobody is, and shows their answers", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(CALL), "Está a caminho.");
    const { body } = await tried(c, { callTools: true });
    expect(body.toolCalls).toMatchObject([{ outcome: "ANSWERED", httpStatus: 200 }]);
    const [{ body: asked, headers }] = s.server.calls as any[];
    expect([asked.data.isTest, asked.data.contact.key, asked.data.arguments, headers["x-gateway-test"]]).toEqual([
      true,
      "pn:5500000000000",
      { order: "A-7" },
      "true",
    ]);
    expect([await stored(c), (await c.turns().catch(() => [])).length]).toEqual([[], 0]);
  });

  test("costs the tokens of all its rounds, in its answer and in the account's budget", async () => {
    const c = await s.chat({}, { builtInTools: ["business_hours"] });
    s.llm.next(REPLIES.calls(["business_hours", {}]), "Fechado.");
    const { usage } = (await tried(c)).body;
    const [{ prompt, completion }] = (await rowsOf(
      s.w,
      "SELECT sum(prompt_tokens) AS prompt, sum(completion_tokens) AS completion FROM llm_usage WHERE tenant_id = ?1",
      [c.accountId],
    )) as [any];
    expect(usage).toEqual({ promptTokens: prompt, completionTokens: completion });
    expect(s.llm.chats()).toHaveLength(2);
  });

  test("refuses an eleventh test with callTools within a minute, before a provider is asked", async () => {
    const c = await s.chat();
    for (let n = 0; n < 10; n++) await tried(c, { callTools: true });
    const asked = s.llm.journal.length;
    expect(gatewaySays(await tried(c, { callTools: true }))).toBe("429 RATE_LIMITED");
    expect(s.llm.journal.length).toBe(asked);
    expect((await tried(c)).status).toBe(200);
    expect(fieldsOf(await tried(c, { callTools: "yes" }))).toEqual(["callTools"]);
  });

  test("tells the model of a wrong call and of too many, and ends where it goes on calling", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(["order_status", {}], ["drop_tables", {}]), "Pronto.");
    expect((await tried(c)).body.toolCalls.map(({ outcome }: any) => outcome)).toEqual(["REFUSED", "REFUSED"]);
    s.llm.answer(() => REPLIES.calls(CALL));
    expect(gatewaySays(await tried(c))).toBe("502 AI_PROVIDER_ERROR");
  });

  test("has no calls in the answer of an agent that made none, and a plain prompt without tools", async () => {
    const c = await s.chat();
    expect((await tried(c)).body).not.toHaveProperty("toolCalls");
    expect(s.llm.chats()[0]?.body.messages[0].content).toContain("Your tools act for this person alone");
  });
});

test("a run of questions that did not ask for it simulates built-in tools, and calls no HTTP tool", async () => {
  const c = await s.chat({}, { builtInTools: ["set_tag"] });
  s.llm.next(REPLIES.calls(CALL, ["set_tag", { tag: "vip" }]), "Está a caminho.");
  const { status, totals, results } = await run(c);
  expect([status, totals.passed, results[0].answer]).toEqual(["DONE", 1, "Está a caminho."]);
  expect([s.server.calls, await stored(c)]).toEqual([[], []]);
});
