import { describe, expect, test } from "bun:test";
import { webhooks } from "../../../../../clients/typescript/src/webhooks.ts";
import { newChat } from "../../../../support/customers/agents/ai-chat.ts";
import { shownCalls, useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { giveTool } from "../../../../support/customers/agents/tools.ts";
import { rowsOf, TO } from "../../../../support/customers/customer.ts";
import { REPLIES } from "../../../../support/llm/index.ts";
import { messageFrom, ofNumber, post } from "../../../../support/networks/waba-posts.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../../../support/world.ts";

const s = useToolWorld();
const ASK = ["order_status", { order: "A-7" }] as const;
type Call = [string, unknown];
const SHIPPED = '{"status":"a caminho"}';

describe("an HTTP tool of an agent", () => {
  test("is called for the contact who wrote, signed like a webhook, and the model answers with what it says", async () => {
    const c = await s.chat({ headers: { "X-Shop-Token": "the-token-of-the-shop" } });
    s.llm.next(REPLIES.calls(ASK), "O pedido está a caminho.");
    await c.says("Onde está o pedido A-7?");
    expect([c.sent(), s.toolAnswers()]).toEqual([[`${TO}: O pedido está a caminho.`], [SHIPPED]]);
    const [call] = s.server.calls;
    const { id: conversationId } = await c.with();
    expect(call?.body).toMatchObject({
      accountId: c.accountId,
      phoneId: c.phone.id,
      data: {
        tool: "order_status",
        arguments: { order: "A-7" },
        contact: { key: `pn:${TO}`, phoneNumber: TO },
        conversationId,
        messageId: (await c.turns())[0].messageId,
        isTest: false,
      },
    });
    expect(call?.headers).toMatchObject({ "x-shop-token": "the-token-of-the-shop", "idempotency-key": call?.body.id });
    const verify = (secret: string) =>
      webhooks.verify(call?.raw ?? "", call?.headers ?? {}, secret, { nowMs: s.w.clock.now() });
    expect(await verify(WEBHOOK_SECRET)).toMatchObject({ id: call?.body.id });
    expect(await verify("another-secret-of-16").catch(({ name }) => name)).toBe("WebhookVerificationError");
    expect(await shownCalls(c)).toMatchObject([
      { tool: "order_status", kind: "HTTP", arguments: '{"order":"A-7"}', outcome: "ANSWERED", httpStatus: 200 },
    ]);
  });

  test("is offered with its schema, without the fields that no model needs", async () => {
    const parameters = { $schema: "https://json-schema.org/draft-07", type: "object", additionalProperties: false };
    const c = await s.chat({ parameters: { ...parameters, properties: { order: { type: "string" } } } });
    await c.says("oi");
    expect(s.llm.chats()[0]?.body.tools).toEqual([
      {
        type: "function",
        function: {
          name: "order_status",
          description: "Says where an order of this customer is.",
          parameters: { type: "object", properties: { order: { type: "string" } } },
        },
      },
    ]);
  });

  test("is offered to no agent but its own, and an agent without tools has none", async () => {
    await s.chat();
    const other = await newChat(s);
    await other.says("oi");
    expect(s.llm.chats().at(-1)?.body.tools).toBeUndefined();
    expect(s.llm.chats().at(-1)?.body.messages[0].content).toContain("You have no tools");
  });

  test("may be called several times at once and in rounds; each call has its answer, in order", async () => {
    const c = await s.chat();
    s.server.reply(({ body }) => Response.json(body.data.arguments.order));
    s.llm.next(
      REPLIES.calls(["order_status", { order: "A-1" }], ["order_status", { order: "A-2" }]),
      REPLIES.calls(["order_status", { order: "A-3" }]),
      "pronto",
    );
    await c.says("oi");
    expect([c.sent(), s.toolAnswers()]).toEqual([[`${TO}: pronto`], ['"A-1"', '"A-2"', '"A-3"']]);
    expect((await shownCalls(c)).map(({ arguments: given }: any) => given)).toEqual([
      '{"order":"A-1"}',
      '{"order":"A-2"}',
      '{"order":"A-3"}',
    ]);
  });

  test("is called at most eight times for an answer, in five rounds, of which the last may not call", async () => {
    const c = await s.chat();
    let n = 0;
    s.llm.answer(({ body }) =>
      body.tool_choice === "none"
        ? "chega"
        : REPLIES.calls(
            ["order_status", { order: `${n++}` }],
            ["order_status", { order: `${n++}` }],
            ["order_status", { order: `${n++}` }],
          ),
    );
    await c.says("oi");
    expect([c.sent(), s.server.calls.length, s.llm.chats().length]).toEqual([[`${TO}: chega`], 8, 5]);
    expect(s.toolAnswers().at(-1)).toBe("That were too many calls: answer now.");
  });

  test("is not called after half a minute; the model is told, and has half a minute to answer", async () => {
    const c = await s.chat();
    s.server.reply(() => {
      s.w.clock.advance(9000);
      return Response.json("ok");
    });
    s.llm.next(
      REPLIES.calls(...[1, 2, 3, 4, 5, 6].map((n): Call => ["order_status", { order: `${n}` }])),
      "tudo certo",
    );
    await c.says("oi");
    expect([c.sent(), s.server.calls.length]).toEqual([[`${TO}: tudo certo`], 4]);
    expect(s.toolAnswers().slice(3)).toEqual(['"ok"', ...Array(2).fill("The time for calls is over: answer now.")]);
    expect(s.llm.chats().at(-1)?.body.tool_choice).toBe("none");
  });

  test("a text beside a call is the answer in the last round", async () => {
    const c = await s.chat();
    let n = 0;
    const calls = () => [{ name: "order_status", arguments: { order: `${n++}` } }];
    s.llm.answer(() => ({ is: "calls", text: "Chega amanhã.", calls: calls() }));
    await c.says("oi");
    expect([c.sent(), s.server.calls.length]).toEqual([[`${TO}: Chega amanhã.`], 4]);
  });

  test("a model that calls and calls gives no answer, and the turn says why", async () => {
    const c = await s.chat();
    s.llm.answer(() => REPLIES.calls(ASK));
    await c.says("oi");
    expect(c.sent()).toEqual([]);
    expect((await c.turns())[0].unansweredReason).toBe("The model went on calling tools and gave no answer.");
  });

  test.each([
    ["an unknown tool", ["drop_tables", {}], "There is no such tool."],
    ["arguments that are no JSON", ["order_status", '{"order":'], "The arguments are no JSON object."],
    ["a missing argument", ["order_status", {}], "The argument order is required."],
    ["an argument of another type", ["order_status", { order: 7 }], "The argument order must be a string."],
    ["an argument that is not in the schema", ["order_status", { order: "1", contact: "pn:1" }], /argument contact/],
    ["arguments that are too long", ["order_status", { order: "x".repeat(9000) }], "The arguments are too long."],
  ] as const)("a call with %s reaches nobody; the model is told, and may call again", async (_, wrong, reason) => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(wrong as [string, unknown]), "desculpe");
    await c.says("oi");
    expect([s.server.calls, c.sent()]).toEqual([[], [`${TO}: desculpe`]]);
    expect(s.toolAnswers()[0]).toMatch(reason);
    expect(await shownCalls(c)).toMatchObject([{ outcome: "REFUSED", httpStatus: null }]);
  });

  test("a call that was answered is not made again for the same turn, whoever repeats it: the model, or the job after a crash", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(ASK), REPLIES.calls(ASK), "um");
    await c.says("oi");
    expect([s.server.calls.length, s.toolAnswers()]).toEqual([1, [SHIPPED, SHIPPED]]);
    const { id: conversationId, contactKey } = await c.with();
    const [{ id: turnId, messageId }] = await c.turns();
    s.llm.next(REPLIES.calls(ASK), "dois");
    const payload = { tenantId: c.accountId, channelId: c.phone.id, contactKey, messageId, conversationId, turnId };
    await s.w.app.env.db.write(async (tx) => s.w.app.env.jobs.enqueue(tx, "agent.respond", payload as never));
    await s.w.settle();
    expect([s.server.calls.length, (await shownCalls(c)).length, c.sent().at(-1)]).toEqual([1, 1, `${TO}: dois`]);
  });

  test("the repeat of a call beyond the most leaves its answer in the transcript", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(ASK, ...Array(9).fill(ASK)), "pronto");
    await c.says("oi");
    expect([s.server.calls.length, s.toolAnswers()]).toEqual([1, Array(10).fill(SHIPPED)]);
    expect(await shownCalls(c)).toMatchObject([{ outcome: "ANSWERED", answer: SHIPPED }]);
  });

  test("a repeat that is refused leaves in the transcript that its call failed", async () => {
    const c = await s.chat();
    s.server.reply(() => new Response("", { status: 503 }));
    s.llm.next(REPLIES.calls(...Array(9).fill(ASK)), "pronto");
    await c.says("oi");
    expect([s.server.calls.length, s.toolAnswers().at(-1)]).toEqual([8, "That were too many calls: answer now."]);
    expect(await shownCalls(c)).toMatchObject([{ outcome: "FAILED", httpStatus: 503 }]);
  });

  test("a call that failed may be made again, under the same key", async () => {
    const c = await s.chat();
    s.server.reply(() => (s.server.calls.length === 1 ? new Response("", { status: 503 }) : Response.json("ok")));
    s.llm.next(REPLIES.calls(ASK), REPLIES.calls(ASK), "um");
    await c.says("oi");
    expect(s.server.calls.map(({ headers }) => headers["idempotency-key"])).toEqual([
      s.server.calls[0]?.body.id,
      s.server.calls[0]?.body.id,
    ]);
    expect(await shownCalls(c)).toMatchObject([{ outcome: "ANSWERED", answer: '"ok"' }]);
    await c.says("de novo");
    expect(s.server.calls.length).toBe(2);
    s.llm.next(REPLIES.calls(ASK), "três");
    await c.says("e agora?");
    expect(s.server.calls.at(-1)?.body.id).not.toBe(s.server.calls[0]?.body.id);
  });

  test("takes no place at the provider while it works: the account's other requests are answered", async () => {
    const c = await s.chat();
    const [gate, both] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    s.server.reply(async () => {
      if (s.server.calls.length === 2) both.resolve();
      await gate.promise;
      return Response.json("ok");
    });
    s.llm.next(REPLIES.calls(ASK), REPLIES.calls(ASK));
    const chats = [c.says("um"), c.says("dois", "5511999990002")];
    await both.promise;
    const path = `/v1/phones/${c.phone.id}/ai-agent/test`;
    expect((await s.w.gateway(path, { key: c.key, body: { message: "oi" } })).status).toBe(200);
    gate.resolve();
    await Promise.all(chats);
    expect(c.sent().length).toBe(2);
  });

  test("is not called once a person has taken the conversation, and nothing is sent", async () => {
    const c = await s.chat();
    s.server.reply(async () => {
      await c.talk(`/${encodeURIComponent(`pn:${TO}`)}/handoff`, { method: "POST", body: {} });
      return Response.json("ok");
    });
    s.llm.next(REPLIES.calls(ASK), REPLIES.calls(["order_status", { order: "A-8" }]), "tarde demais");
    await c.says("oi");
    expect([s.server.calls.length, c.sent(), (await c.with()).status]).toEqual([1, [], "HUMAN_HANDOFF"]);
  });

  test("is not called once the message was deleted; what calls said of it is neither sent nor recorded", async () => {
    const c = await s.chat({}, { builtInTools: ["set_tag"] });
    const [gate, called] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    s.server.reply(async () => {
      called.resolve();
      await gate.promise;
      return Response.json("SECRETO");
    });
    const again: Call = ["order_status", { order: "SECRETO-2" }];
    s.llm.next(
      REPLIES.calls(["order_status", { order: "SECRETO" }], again, ["set_tag", { tag: "SECRETO" }]),
      "sobre SECRETO",
    );
    const { wamid } = await s.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "SECRETO" });
    await called.promise;
    const revoke = { original_message_id: wamid };
    const deleted = post(s.w, [ofNumber(c, messageFrom({ pn: TO }, { text: undefined, type: "revoke", revoke }))]);
    await untilTrue(async () => (await c.turns())[0].content === "");
    gate.resolve();
    await deleted;
    await s.w.settle();
    expect([s.server.calls.length, c.sent(), await shownCalls(c)]).toEqual([1, [], []]);
    const [{ tags }] = (await s.w.gateway("/v1/contacts", { key: c.key })).body.items;
    expect(tags).toEqual([]);
  });

  test("the tokens of every round count, and a used-up budget ends the rounds", async () => {
    const c = await s.chat({}, { budget: { dailyTokens: 2 } });
    s.llm.next(REPLIES.calls(ASK), "não chega aqui");
    await c.says("oi");
    expect([c.sent(), s.llm.chats().length]).toEqual([[], 1]);
    const [{ unansweredReason }] = await c.turns();
    expect(unansweredReason).toContain("used up");
    s.llm.reset();
    const one = await s.chat();
    s.llm.next(REPLIES.calls(ASK), "pronto");
    await one.says("oi");
    const [{ calls }] = (await rowsOf(s.w, "SELECT sum(calls) AS calls FROM llm_usage WHERE tenant_id = ?1", [
      one.accountId,
    ])) as [{ calls: number }];
    expect(calls).toBe(2);
  });

  test("the tools of a prompt count where the provider does not say what it took", async () => {
    const parameters = { type: "object", properties: { order: { type: "string", description: "x".repeat(4000) } } };
    const c = await s.chat({ parameters });
    const choices = [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }];
    s.llm.next({ is: "raw", body: JSON.stringify({ choices }) });
    await c.says("oi");
    const [{ usedTokens }] = (await s.w.gateway(`/v1/ai/agents?phoneId=${c.phone.id}`, { key: c.key })).body.items;
    expect(usedTokens).toBeGreaterThan(1000);
  });

  test("what calls said goes with the message for which they were made, and a deleted agent has neither tools nor calls", async () => {
    const c = await s.chat();
    s.llm.next(REPLIES.calls(ASK), "pronto");
    await c.says("oi");
    expect((await c.agent("", "DELETE")).status).toBe(204);
    await s.w.settle();
    const left = await rowsOf(
      s.w,
      "SELECT id FROM agent_tools WHERE tenant_id = ?1 UNION ALL SELECT id FROM ai_tool_calls WHERE call_key = ?2",
      [c.accountId, s.server.calls[0]?.body.id],
    );
    expect(left).toEqual([]);
  });

  test("another tool may have the name of a tool of another phone", async () => {
    const c = await s.chat();
    expect((await giveTool(s.w, await newChat(s), { url: s.server.url })).status).toBe(201);
    expect((await giveTool(s.w, c, { url: s.server.url })).status).toBe(400);
  });
});
