import { describe, expect, test } from "bun:test";
import { iso } from "../../../../src/kernel/clock.ts";
import { newId } from "../../../../src/kernel/ids.ts";
import { type Customer, newCustomer, rowsOf, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { customer, gatewayKeyOf } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const ANA = "5511988887777";

const writes = async (text: string, from = TO, to: Customer = c) => {
  await w.graph.inbound.text({ to: to.phone.phoneNumberId, from, text, at: w.clock.now() });
  await w.settle();
};
const list = (query = "", key = c.key) => w.gateway(`/v1/messages${query}`, { key });
const items = async (query = "", key = c.key): Promise<any[]> => (await list(query, key)).body.items;
const texts = async (query = ""): Promise<string[]> => (await items(query)).map(({ content }) => content.text);
const searched = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`;

describe("GET /v1/messages", () => {
  test("lists sent and received messages, newest first, with their chat", async () => {
    await writes("bom dia");
    const messageId = await c.sent({ content: { text: "olá, Ana" } });
    const [sent, received] = await items();
    const { chatId } = sent;
    expect([typeof chatId, received.chatId]).toEqual(["string", chatId]);
    expect(sent).toMatchObject({
      id: messageId,
      phoneId: c.phone.id,
      direction: "outbound",
      to: { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net` },
      type: "text",
      content: { text: "olá, Ana" },
      media: null,
      status: "SENT",
      failedReason: null,
      quotedMessageId: null,
      isStandby: false,
      sentAt: expect.any(String),
      deliveredAt: null,
    });
    expect(received).toMatchObject({
      direction: "inbound",
      from: { canonicalKey: `pn:${TO}` },
      content: { text: "bom dia" },
      status: "RECEIVED",
    });
    expect(c.hook.arrived[0]?.body.data.messageId).toBe(received.id);
  });

  test("pages by its cursor without a gap or a repeat", async () => {
    for (const n of [1, 2, 3]) {
      await writes(`in ${n}`);
      await c.sent({ content: { text: `out ${n}` } });
    }
    const all = await texts();
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await list(searched({ limit: "4", ...(cursor ? { cursor } : {}) }));
      paged.push(...body.items.map((one: any) => one.content.text));
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  test.each([
    [{ direction: "inbound" }, ["preço?", "oi"]],
    [{ direction: "outbound" }, ["Olá, João"]],
    [{ status: "SENT" }, ["Olá, João"]],
    [{ status: "RECEIVED", type: "text" }, ["preço?", "oi"]],
    [{ status: "FAILED" }, []],
    [{ type: "image" }, []],
    [{ q: "JOAO" }, ["Olá, João"]],
    [{ q: "ola jo" }, ["Olá, João"]],
    [{ q: "preco joao" }, []],
    [{ q: "?!" }, []],
    [{ contact: TO }, ["Olá, João", "oi"]],
    [{ contact: "+55 (11) 99999-0001" }, ["Olá, João", "oi"]],
    [{ contact: "551199990001" }, ["Olá, João", "oi"]],
    [{ contact: `pn:${TO}` }, ["Olá, João", "oi"]],
    [{ contact: `${TO}@s.whatsapp.net` }, ["Olá, João", "oi"]],
    [{ contact: ANA, direction: "inbound" }, ["preço?"]],
    [{ contact: "5511000000000" }, []],
  ])("of %j", async (fields, expected) => {
    await writes("oi");
    await c.sent({ content: { text: "Olá, João" } });
    await writes("preço?", ANA);
    const wanted: string[] = expected;
    expect((await texts(searched(fields))).toSorted()).toEqual(wanted.toSorted());
  });

  test("a search looks at what people read: not at names of fields, and not at how a text is stored", async () => {
    await writes('diz "até logo"\nesperança');
    const found = (q: string) => texts(searched({ q })).then((all) => all.length);
    expect([await found("esperanca"), await found("ate"), await found("logo espe")]).toEqual([1, 1, 1]);
    await writes("Lista:\nΣ1 = 10");
    expect(await found("Σ1")).toBe(1);
    expect([await found("text"), await found("nesperanca"), await found("speranca")]).toEqual([0, 0, 0]);
  });

  test("of a time: `since` is included, `until` is not", async () => {
    const start = w.clock.now();
    await c.sent({ content: { text: "one" } });
    await w.advance(60_000);
    const middle = iso(w.clock.now());
    await c.sent({ content: { text: "two" } });
    expect(await texts(searched({ since: middle }))).toEqual(["two"]);
    expect(await texts(searched({ until: middle }))).toEqual(["one"]);
    expect(await texts(searched({ since: iso(start), until: middle }))).toEqual(["one"]);
    expect(await texts(searched({ since: iso(w.clock.now() + 60_000) }))).toEqual([]);
  });

  test("of one phone, also after its deletion, and of one chat", async () => {
    await c.sent({ content: { text: "first" } });
    const second = await w.wabaPhone(c.key);
    await c.send({ phoneId: second.id, content: { text: "second" } });
    await w.settle();
    expect(await texts(searched({ phoneId: second.id }))).toEqual(["second"]);
    const [one] = await items(searched({ phoneId: c.phone.id }));
    expect(one.content.text).toBe("first");
    expect(await texts(searched({ chatId: one.chatId }))).toEqual(["first"]);
    expect(await texts(searched({ chatId: one.chatId, contact: TO }))).toEqual(["first"]);
    for (const contact of [ANA, one.chatId]) expect(await texts(searched({ chatId: one.chatId, contact }))).toEqual([]);
    expect(await texts(searched({ contact: TO, phoneId: second.id }))).toEqual(["second"]);
    expect(await texts(searched({ contact: TO }))).toEqual(["second", "first"]);
    expect(await texts(searched({ contact: TO, q: "fir" }))).toEqual(["first"]);
    const { nextCursor } = (await list(searched({ contact: TO, limit: "1" }))).body;
    expect(await texts(searched({ contact: TO, cursor: nextCursor }))).toEqual(["first"]);
    await w.gateway(`/v1/phones/${second.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect(await texts(searched({ phoneId: second.id }))).toEqual(["second"]);
  });

  test("shows what a message answers, both ways, and why one failed", async () => {
    await writes("pergunta");
    const asked = (await items())[0].id;
    const answer = await c.sent({ quotedMessageId: asked, content: { text: "resposta" } });
    expect((await items()).find(({ id }) => id === answer)).toMatchObject({ quotedMessageId: asked });
    w.graph.failNext(1, { kind: "error", code: 131_026 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    expect((await items(searched({ status: "FAILED" })))[0].failedReason).toMatch(/^\[[A-Z_]+\] ./);
  });

  test("a page that looked at its most rows is short, and goes on by its cursor", async () => {
    const old = await c.sent({ content: { text: "needle" } });
    const [row] = await rowsOf<{ id: string }>(w, "SELECT id FROM messages WHERE id = ?1", [old]);
    expect(row?.id).toBe(old);
    await w.advance(1000);
    const columns =
      "tenant_id, channel_id, environment, type, recipient, content, status, send_state, uncertain_attempts, created_at";
    await w.app.env.db.write(async (tx) => {
      for (let n = 0; n < 10_600; n++)
        tx.run(
          `INSERT INTO messages (id, ${columns}) SELECT ?1, ${columns.replace("content", `'{"text":"hay"}'`)}
             FROM messages WHERE id = ?2`,
          [newId({ clock: w.clock, random: w.app.env.random }), old],
        );
    });
    const first = (await list(searched({ q: "needle" }))).body;
    expect([first.items, first.nextCursor]).toEqual([[], expect.any(String)]);
    const second = (await list(searched({ q: "needle", cursor: first.nextCursor }))).body;
    expect([second.items.map(({ id }: any) => id), second.nextCursor]).toEqual([[old], null]);
  });

  test("G-009 shows nothing of another account, and nothing of test keys", async () => {
    await c.sent();
    const other = await newCustomer(w);
    const [mine] = await items();
    expect(await items("", other.key)).toEqual([]);
    expect(await items(searched({ phoneId: c.phone.id }), other.key)).toEqual([]);
    expect(await items(searched({ contact: TO }), other.key)).toEqual([]);
    expect(gatewaySays(await list(searched({ chatId: mine.chatId }), other.key))).toBe("404 CONVERSATION_NOT_FOUND");
    const institution = await customer(w);
    expect(await items("", await gatewayKeyOf(w, institution))).toEqual([]);
  });

  test.each([
    ["limit=0"],
    ["limit=201"],
    ["cursor=x"],
    ["phoneId=x"],
    ["direction=both"],
    ["status=sent"],
    ["since=today"],
  ])("refuses %s", async (query) => {
    expect(gatewaySays(await list(`?${query}`))).toBe("400 VALIDATION_ERROR");
  });
});
