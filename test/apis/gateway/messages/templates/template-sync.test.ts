import { beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, sendsOf, tracesOf } from "../../../../support/customers/customer.ts";
import { businessAccountOf, templatesOf } from "../../../../support/customers/templates.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { connect, customer, made, wabaChannel } from "../../../../support/tenants/platform.ts";
import { useWorld } from "../../../../support/use-world.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { addWabaNumber } from "../../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
let businessAccountId: string;
beforeEach(async () => {
  c = await newCustomer(w);
  businessAccountId = await businessAccountOf(w, c.phone.id);
});

const atNetwork = (name: string, account = businessAccountId) =>
  w.graph.addTemplate({
    businessAccountId: account,
    name,
    language: "pt_BR",
    category: "UTILITY",
    components: [{ type: "BODY", text: "Olá!" }],
  });
/** How often the network was asked for the templates of the account. */
const asked = () =>
  w.graph.journal.filter(
    ({ method, path }) => method === "GET" && path.endsWith(`/${businessAccountId}/message_templates`),
  ).length;
const send = (name: string) => c.send({ type: "template", content: { name } });
const namesKnown = async () => (await templatesOf(w, c).list()).map(({ name }) => name);

describe("EP-P04 the templates of a business account are taken in", () => {
  test("when its phone connects, so that they can be sent at once", async () => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    atNetwork("hello", credentials.businessAccountId);
    const { body: phone } = await w.gateway("/v1/phones", {
      key: c.key,
      body: { type: "WABA", label: "A phone", credentials },
    });
    await untilTrue(
      async () => (await w.gateway(`/v1/phones/${phone.id}`, { key: c.key })).body.status === "CONNECTED",
    );
    await w.settle();
    expect(gatewaySays(await c.send({ phoneId: phone.id, type: "template", content: { name: "hello" } }))).toBe("202");
  });

  test("every day", async () => {
    atNetwork("of_today");
    expect(await namesKnown()).toEqual([]);
    await w.advance(24 * 60 * MINUTE_MS);
    expect(await namesKnown()).toEqual(["of_today"]);
  });

  test("again after a network that was away, a few times, and no more", async () => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    w.graph.failNext(3, { kind: "http", status: 503 }, { operation: "template.list" });
    atNetwork("hello", credentials.businessAccountId);
    const { body: phone } = await w.gateway("/v1/phones", {
      key: c.key,
      body: { type: "WABA", label: "A phone", credentials },
    });
    await untilTrue(
      async () => (await w.gateway(`/v1/phones/${phone.id}`, { key: c.key })).body.status === "CONNECTED",
    );
    await w.settle();
    expect(await namesKnown()).toEqual([]);
    await w.advance(MINUTE_MS);
    await w.advance(2 * MINUTE_MS);
    await w.advance(4 * MINUTE_MS);
    expect(await namesKnown()).toEqual(["hello"]);
  });

  test("when a send names one that is unknown: it is accepted in the same request", async () => {
    await w.advance(MINUTE_MS);
    atNetwork("new_one");
    expect(gatewaySays(await send("new_one"))).toBe("202");
    await w.settle();
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test("once for wrong names: then they are 400 without a question for a minute, and nothing happens", async () => {
    await w.advance(MINUTE_MS);
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(`wrong_${n}`)));
    expect(new Set(answers.map(gatewaySays))).toEqual(new Set(["400 TEMPLATE_NOT_APPROVED"]));
    expect(asked() - before).toBe(1);
    const traces = await tracesOf(w, c);
    expect(gatewaySays(await send("wrong_again"))).toBe("400 TEMPLATE_NOT_APPROVED");
    expect(await tracesOf(w, c)).toEqual(traces);
    await w.advance(MINUTE_MS);
    await send("wrong_again");
    expect(asked() - before).toBe(2);
  });

  test("and a network that is away makes the send no more than 400", async () => {
    await w.advance(MINUTE_MS);
    w.graph.failNext(1, { kind: "http", status: 503 }, { operation: "template.list" });
    expect(gatewaySays(await send("unknown"))).toBe("400 TEMPLATE_NOT_APPROVED");
    await w.settle();
    expect(sendsOf(w, c)).toEqual([]);
  });
});

describe("EP-P04 the platform", () => {
  const channelOf = async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    atNetwork("hello", await businessAccountOf(w, channel.id));
    await connect(w, who, channel.id);
    await w.settle();
    return { who, channel, path: `/v1/channels/${channel.id}/templates` };
  };

  test("lists the templates of a channel in pages, and sends one that nobody has synchronised through the gateway", async () => {
    const { who, channel, path } = await channelOf();
    const { data, meta } = made(await w.platform(path, { key: who.key }), 200);
    expect([data, meta]).toEqual([
      [
        {
          id: expect.any(String),
          channelId: channel.id,
          name: "hello",
          language: "pt_BR",
          category: "UTILITY",
          status: "APPROVED",
          components: [{ type: "BODY", text: "Olá!" }],
          maxPricePer1000: null,
          rejectionReason: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      { total: 1, limit: 20, offset: 0, hasMore: false },
    ]);
    await w.app.env.db.write((tx) =>
      tx.rows("UPDATE templates SET max_price_per_1000 = 25000 WHERE channel_id = ?1", [channel.id]),
    );
    expect(made(await w.platform(path, { key: who.key }), 200).data[0].maxPricePer1000).toBe(25_000);
    expect(made(await w.platform(`${path}?status=PAUSED`, { key: who.key }), 200).data).toEqual([]);
    expect(made(await w.platform(`${path}?name=hello&page=2`, { key: who.key }), 200)).toMatchObject({
      data: [],
      meta: { total: 1 },
    });
    const sent = await w.platform(`/v1/channels/${channel.id}/messages/template`, {
      key: who.key,
      body: { to: "5511999990001", name: "hello" },
    });
    expect(sent.status).toBe(202);
    await w.settle();
  });

  test("takes them in when it is asked to, and says how many", async () => {
    const { who, channel, path } = await channelOf();
    atNetwork("second", await businessAccountOf(w, channel.id));
    expect(made(await w.platform(`${path}/sync`, { key: who.key, method: "POST" }), 200)).toEqual({
      created: 1,
      updated: 1,
      total: 2,
    });
  });

  test("has no templates for a test key to take in, nor for a session", async () => {
    const { who, path } = await channelOf();
    const before = w.graph.journal.length;
    expect(await w.platform(`${path}/sync`, { key: who.testKey, method: "POST" })).toMatchObject({
      status: 404,
      body: { code: "CHANNEL_NOT_FOUND" },
    });
    const session = made(
      await w.platform("/v1/channels", { key: who.key, body: { name: "A session", type: "CHAT_SESSION" } }),
      201,
    );
    expect(
      await w.platform(`/v1/channels/${session.id}/templates/sync`, { key: who.key, method: "POST" }),
    ).toMatchObject({ status: 404, body: { code: "CHANNEL_NOT_FOUND" } });
    expect(made(await w.platform(`/v1/channels/${session.id}/templates`, { key: who.key }), 200).data).toEqual([]);
    expect(w.graph.journal.length).toBe(before);
  });
});
