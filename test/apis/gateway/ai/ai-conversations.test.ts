import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { type Chat, keyOf, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { newCustomer, receivedBy, TO, tracesOf } from "../../../support/customers/customer.ts";
import { type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { postInbound } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";
const OTHER = "5511999990002";

let l: LlmWorld;
let c: Chat;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(async () => {
  l.llm.reset();
  c = await newChat(l, { handoffRules: { keywords: ["humano", "Atenção"], afterTurns: 4 } });
});

const post = (verb: string, body?: object, from = TO) =>
  c.talk(`/${keyOf(from)}/${verb}`, { method: "POST", ...(body ? { body } : {}) });
const handoffs = () => receivedBy(c.hook, "agent:handoff");

describe("what is shown", () => {
  test("X-070 X-074 X-075 a conversation has these fields, in the list and by its URL-encoded key", async () => {
    await c.says("oi");
    const shown = await c.with();
    expect(shown).toEqual({
      id: expect.any(String),
      contactKey: `pn:${TO}`,
      status: "AI",
      turnCount: 1,
      handoffReason: null,
      handoffAt: null,
      lastTurnAt: expect.any(String),
      closedAt: null,
      createdAt: new Date(l.w.clock.now()).toISOString(),
    });
    expect((await c.talk()).body).toEqual({ items: [shown], nextCursor: null });
  });

  test("X-071 X-072 X-073 the list is filtered by status and goes on by its cursor, newest first", async () => {
    const people = ["5511999990001", "5511999990002", "5511999990003"];
    for (const from of people) {
      await c.says("oi", from);
      await l.w.advance(1);
    }
    await post("close", undefined, people[1]);
    const keys = async (query: string) =>
      (await c.talk(query)).body.items.map(({ contactKey }: any) => contactKey.slice(3));
    const first = (await c.talk("?limit=2")).body;
    expect(first.items.map(({ contactKey }: any) => contactKey)).toEqual([`pn:${people[2]}`, `pn:${people[1]}`]);
    expect(await keys(`?limit=2&cursor=${first.nextCursor}`)).toEqual([people[0]]);
    expect([await keys("?status=CLOSED"), await keys("?status=AI"), await keys("?status=HUMAN_HANDOFF")]).toEqual([
      [people[1]],
      [people[2], people[0]],
      [],
    ]);
    expect(await keys(`?status=AI&cursor=${first.items[0].id}`)).toEqual([people[0]]);
  });

  test.each([
    ["X-071", "status=DONE", "status"],
    ["X-072", "limit=201", "limit"],
    ["X-072", "limit=0", "limit"],
    ["X-073", "cursor=abc", "cursor"],
    ["X-073", `cursor=${NOBODY}`, "cursor"],
  ])("%s the list refuses %s", async (_, query, field) => {
    expect(fieldsOf(await c.talk(`?${query}`))).toEqual([field]);
  });

  test("X-034 X-075 a conversation is found by every name of its contact: the one under which it began, and the one in events by now", async () => {
    const [first, now] = ["bsuid:BR.777", "pn:5511999990777"].map((key) => `/${encodeURIComponent(key)}`);
    await postInbound(l.w, c, { bsuid: "BR.777" }, { text: { body: "quero humano" } });
    await postInbound(l.w, c, { pn: "5511999990777", bsuid: "BR.777" }, { text: { body: "oi" } });
    expect([handoffs()[0].contactKey, receivedBy(c.hook, "message:received").at(-1).from.canonicalKey]).toEqual([
      "bsuid:BR.777",
      "pn:5511999990777",
    ]);
    expect((await c.talk(first)).body).toEqual((await c.talk(now)).body);
    expect((await c.talk(`${now}/release`, { method: "POST" })).body).toMatchObject({
      status: "AI",
      contactKey: "bsuid:BR.777",
    });
    await postInbound(l.w, c, { pn: "5511999990777", bsuid: "BR.777" }, { text: { body: "quero humano" } });
    expect((await c.talk(`${first}/release`, { method: "POST" })).body).toMatchObject({
      status: "AI",
      contactKey: "pn:5511999990777",
    });
    expect((await c.talk()).body.items).toHaveLength(1);
  });

  test.each(["nobody", "pn:", ":", "toString:1", "bsuid:BR.778"])("X-076 nobody has the name %s", async (key) => {
    await c.says("oi");
    expect(gatewaySays(await c.talk(`/${encodeURIComponent(key)}`))).toBe("404 CONVERSATION_NOT_FOUND");
  });

  test("X-077 X-078 X-079 X-080 turns are shown in the order of time, with what came in and what was sent", async () => {
    const wamid = await c.says("oi");
    const [user, assistant, ...none] = await c.turns();
    const { id: conversationId } = await c.with();
    const common = {
      id: expect.any(String),
      conversationId,
      tokensEstimate: expect.any(Number),
      createdAt: expect.any(String),
    };
    expect(user).toEqual({
      ...common,
      role: "USER",
      content: "oi",
      chatMessageId: wamid,
      messageId: expect.any(String),
    });
    expect(assistant).toEqual({
      ...common,
      role: "ASSISTANT",
      content: "You said: oi",
      sentMessageId: expect.any(String),
      retrievedChunkIds: [],
      passages: [],
    });
    expect((await c.message(assistant.sentMessageId)).messageId).toBe(assistant.sentMessageId);
    expect(receivedBy(c.hook, "message:received")[0].messageId).toBe(user.messageId);
    expect(none).toEqual([]);
  });

  test("X-077 GAP-X18 the last turns are shown, and those before one of them", async () => {
    for (const text of ["um", "dois", "três"]) await c.says(text);
    const last = (await c.talk(`/${keyOf()}/messages?limit=2`)).body;
    expect(last.map(({ content }: any) => content)).toEqual(["três", "You said: três"]);
    const before = (await c.talk(`/${keyOf()}/messages?limit=3&before=${last[0].id}`)).body;
    expect(before.map(({ content }: any) => content)).toEqual(["You said: um", "dois", "You said: dois"]);
    expect(fieldsOf(await c.talk(`/${keyOf()}/messages?limit=201`))).toEqual(["limit"]);
    expect(fieldsOf(await c.talk(`/${keyOf()}/messages?before=${NOBODY}`))).toEqual(["before"]);
  });

  test("X-076 a contact without a conversation has none, whatever is asked about it", async () => {
    await c.says("oi", OTHER);
    const before = await tracesOf(l.w, c);
    for (const path of ["", "/messages"])
      expect(gatewaySays(await c.talk(`/${keyOf()}${path}`))).toBe("404 CONVERSATION_NOT_FOUND");
    for (const verb of ["handoff", "release", "close"])
      expect(gatewaySays(await post(verb))).toBe("404 CONVERSATION_NOT_FOUND");
    expect(await tracesOf(l.w, c)).toEqual(before);
  });

  test("X-018 X-026 nor has a phone without an agent, or one of somebody else", async () => {
    await c.says("oi");
    const other = await newCustomer(l.w);
    const ask = (id: string, path: string, method = "GET") =>
      l.w.gateway(`/v1/phones/${id}/ai-agent/conversations${path}`, { key: other.key, method });
    for (const [id, refusal] of [
      [other.phone.id, "404 AGENT_NOT_FOUND"],
      [c.phone.id, "404 PHONE_NOT_FOUND"],
      [NOBODY, "404 PHONE_NOT_FOUND"],
    ] as const) {
      for (const path of ["", `/${keyOf()}`, `/${keyOf()}/messages`])
        expect(gatewaySays(await ask(id, path))).toBe(refusal);
      for (const verb of ["handoff", "release", "close"])
        expect(gatewaySays(await ask(id, `/${keyOf()}/${verb}`, "POST"))).toBe(refusal);
    }
    expect((await c.with()).status).toBe("AI");
  });
});

describe("handing off", () => {
  test.each(["quero HUMANO já", "que bolo sobre-humano!", "atencao por favor", "ATENÇÃO"])(
    "X-035 X-037 X-038 a keyword does so: %s",
    async (text) => {
      await c.says("oi");
      await c.says(text);
      expect(await c.with()).toMatchObject({
        status: "HUMAN_HANDOFF",
        turnCount: 2,
        handoffReason: "keyword",
        handoffAt: new Date(l.w.clock.now()).toISOString(),
      });
      await c.says("alguém aí?");
      expect([c.sent(), l.llm.chats().length, (await c.turns()).length]).toEqual([[`${TO}: You said: oi`], 1, 4]);
      const { id, handoffAt } = await c.with();
      expect(handoffs()).toEqual([
        { conversationId: id, contactKey: `pn:${TO}`, reason: "keyword", manual: false, turnCount: 2, handoffAt },
      ]);
    },
  );

  test("X-036 GAP-X14 so many turns do so, and the last of them has no answer", async () => {
    for (const text of ["um", "dois", "três", "quatro"]) await c.says(text);
    expect(await c.with()).toMatchObject({ status: "HUMAN_HANDOFF", turnCount: 4, handoffReason: "after_turns" });
    expect([c.sent().length, handoffs().map(({ manual, reason }) => `${reason} ${manual}`)]).toEqual([
      3,
      ["after_turns false"],
    ]);
  });

  test("X-081 X-082 X-083 somebody may do so by hand, and says why", async () => {
    await c.says("oi");
    const { status, body } = await post("handoff");
    expect([status, body.status, body.handoffReason, body.handoffAt]).toEqual([
      200,
      "HUMAN_HANDOFF",
      "manual",
      new Date(l.w.clock.now()).toISOString(),
    ]);
    await l.w.settle();
    expect(handoffs()).toEqual([
      {
        conversationId: body.id,
        contactKey: `pn:${TO}`,
        reason: "manual",
        manual: true,
        turnCount: 1,
        handoffAt: body.handoffAt,
      },
    ]);
    await post("release");
    expect((await post("handoff", { reason: "vip" })).body.handoffReason).toBe("vip");
    for (const reason of ["", "x".repeat(501), 1])
      expect(fieldsOf(await post("handoff", { reason }))).toEqual(["reason"]);
  });

  test("X-083 GAP-X15 again it changes nothing and is not published again; a closed conversation refuses it", async () => {
    await c.says("oi");
    const handed = (await post("handoff", { reason: "first" })).body;
    await l.w.advance(1000);
    expect(await post("handoff", { reason: "second" })).toMatchObject({ status: 200, body: handed });
    await l.w.settle();
    expect(handoffs().length).toBe(1);
    await post("close");
    expect(gatewaySays(await post("handoff"))).toBe("409 CONVERSATION_CLOSED");
    expect((await c.with()).status).toBe("CLOSED");
    expect(handoffs().length).toBe(1);
  });
});

describe("going on", () => {
  test("X-039 X-084 GAP-X14 after release the agent answers again, and its turns are counted anew", async () => {
    for (const text of ["um", "dois", "três", "quatro"]) await c.says(text);
    const { status, body } = await post("release");
    expect([status, body.status, body.turnCount, body.handoffReason, body.handoffAt]).toEqual([
      200,
      "AI",
      0,
      null,
      null,
    ]);
    await c.says("cinco");
    expect([c.sent().at(-1), (await c.with()).turnCount]).toEqual([`${TO}: You said: cinco`, 1]);
  });

  test("X-085 GAP-X15 release leaves a conversation that the agent has as it is, and refuses a closed one", async () => {
    await c.says("oi");
    const before = await c.with();
    expect(await post("release")).toMatchObject({ status: 200, body: before });
    await post("close");
    expect(gatewaySays(await post("release"))).toBe("409 CONVERSATION_CLOSED");
  });

  test("X-086 X-087 close closes from any state, once", async () => {
    await c.says("oi");
    await post("handoff");
    const closed = await post("close");
    expect([closed.status, closed.body.status, closed.body.closedAt]).toEqual([
      200,
      "CLOSED",
      new Date(l.w.clock.now()).toISOString(),
    ]);
    await l.w.advance(1000);
    expect(await post("close")).toMatchObject({ status: 200, body: closed.body });
  });

  test("GAP-X16 what its contact writes opens a closed conversation again, its turns counted anew", async () => {
    for (const text of ["um", "dois"]) await c.says(text);
    const { id } = (await post("close")).body;
    await c.says("voltei");
    expect(await c.with()).toMatchObject({ id, status: "AI", turnCount: 1, closedAt: null });
    expect(c.sent().at(-1)).toBe(`${TO}: You said: voltei`);
  });

  test("GAP-X16 but a disabled agent leaves it closed", async () => {
    await c.says("um");
    await post("close");
    await c.agent("/disable");
    await c.says("voltei");
    expect([(await c.with()).status, c.sent().length]).toEqual(["CLOSED", 1]);
  });

  test("X-040 a conversation of the agent without a turn for so many days is closed; one that a human has is not", async () => {
    const soon = await newChat(l, { conversationTtlDays: 1 });
    for (const from of [TO, OTHER]) await soon.says("oi", from);
    await soon.talk(`/${keyOf(OTHER)}/handoff`, { method: "POST" });
    await c.says("oi");
    await l.w.advance(DAY_MS - HOUR_MS);
    expect((await soon.with()).status).toBe("AI");
    await l.w.advance(2 * HOUR_MS);
    const { status, closedAt } = await soon.with();
    expect([status, Date.parse(closedAt) > l.w.clock.now() - 2 * HOUR_MS]).toEqual(["CLOSED", true]);
    expect([(await soon.with(OTHER)).status, (await c.with()).status]).toEqual(["HUMAN_HANDOFF", "AI"]);
  });

  test("X-040 however many there are", async () => {
    const soon = await newChat(l, { conversationTtlDays: 1 });
    await l.w.app.env.db.write(async (tx) => {
      const row =
        "INSERT INTO ai_conversations (id, tenant_id, channel_id, contact_key, status, turn_count, last_turn_at, created_at) VALUES ('many-' || ?1, ?2, ?3, 'pn:' || ?1, 'AI', 1, 1, 1)";
      for (let n = 0; n < 250; n++) tx.run(row, [n, soon.accountId, soon.phone.id]);
    });
    await l.w.advance(HOUR_MS);
    expect((await soon.talk("?status=AI")).body.items).toEqual([]);
  });
});
