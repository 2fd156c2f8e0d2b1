import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newId } from "../../../../src/kernel/ids.ts";
import { newCustomer } from "../../../support/customers/customer.ts";
import { groupUser } from "../../../support/customers/groups.ts";
import { payloadOf } from "../../../support/customers/scheduled.ts";
import { knownTemplate, TEMPLATE, templatesOf } from "../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { numbers } from "../../../support/tenants/bulk.ts";
import { connectedChannel, customer, RECIPIENT } from "../../../support/tenants/platform.ts";
import { SENDS } from "../../../support/tenants/platform-sends.ts";
import { everyRow } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

// `dryRun=true`: every check of the real call, and nothing done. Each case compares every row of the database, and what
// came to the network.

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });

type Case = {
  call(query: string, change?: object): Promise<Answer>;
  /** What the dry run answers. */
  answer: object;
  /** The status of the real call. */
  status: number;
  /** A change that both refuse alike. */
  refused: object;
};

const text = { to: RECIPIENT, type: "text", content: { text: "olá" } };

const CASES: Record<string, () => Promise<Case>> = {
  async "POST /v1/messages"() {
    const { key, phone } = await newCustomer(w);
    const body = { phoneId: phone.id, ...text, to: "+55 (11) 99999-0002" };
    return {
      call: (query, change) => w.gateway(`/v1/messages${query}`, { key, body: { ...body, ...change } }),
      answer: {
        dryRun: true,
        to: `pn:${RECIPIENT}`,
        isRepeat: false,
        cost: { isCharged: true, category: "SERVICE", currency: expect.any(String), amountMicros: expect.anything() },
      },
      status: 202,
      refused: { phoneId: newId(w.app.env) },
    };
  },
  async "POST /v1/messages with a template that is not known"() {
    const { key, phone } = await newCustomer(w);
    await knownTemplate(w, phone.id);
    const body = { phoneId: phone.id, to: RECIPIENT, type: "template" };
    const named = (name: string) => ({ content: { name, language: "pt_BR" } });
    return {
      call: (query, change) =>
        w.gateway(`/v1/messages${query}`, { key, body: { ...body, ...named("hello"), ...change } }),
      answer: {
        dryRun: true,
        to: `pn:${RECIPIENT}`,
        isRepeat: false,
        cost: { isCharged: true, category: "UTILITY", currency: expect.any(String), amountMicros: expect.anything() },
      },
      status: 202,
      refused: named("another"),
    };
  },
  async "POST /v1/messages/cheapest"() {
    const { key, phone } = await newCustomer(w);
    await knownTemplate(w, phone.id);
    const body = { ...text, template: { name: "hello" } };
    return {
      call: (query, change) => w.gateway(`/v1/messages/cheapest${query}`, { key, body: { ...body, ...change } }),
      answer: {
        dryRun: true,
        chosen: {
          phoneId: phone.id,
          by: "template",
          cost: { category: "UTILITY", currency: expect.any(String), amountMicros: expect.anything() },
          isOpenChat: false,
        },
        fallbackPhoneId: null,
        others: [],
        unable: [],
      },
      status: 202,
      refused: { template: { name: "another" } },
    };
  },
  async "POST /v1/chats/{id}/messages"() {
    const { key, phone } = await newCustomer(w);
    await w.graph.inbound.text({ to: phone.phoneNumberId, from: RECIPIENT, text: "oi", at: w.clock.now() });
    await w.settle();
    const [chat] = (await w.gateway("/v1/chats", { key })).body.items;
    const body = { type: "text", content: { text: "olá" } };
    return {
      call: (query, change) =>
        w.gateway(`/v1/chats/${chat.id}/messages${query}`, { key, body: { ...body, ...change } }),
      answer: {
        dryRun: true,
        to: `pn:${RECIPIENT}`,
        isRepeat: false,
        cost: expect.objectContaining({ isCharged: true }),
      },
      status: 202,
      refused: { content: { text: "" } },
    };
  },
  async "POST /v1/messages/scheduled"() {
    const c = await newCustomer(w);
    const scheduledAt = new Date(w.clock.now() + DAY_MS).toISOString();
    return {
      call: (query, change) =>
        w.gateway(`/v1/messages/scheduled${query}`, {
          key: c.key,
          body: { scheduledAt, payload: payloadOf(c), ...change },
        }),
      answer: {
        dryRun: true,
        to: expect.stringMatching(/^pn:/),
        isRepeat: false,
        cost: expect.objectContaining({ isCharged: true }),
      },
      status: 201,
      refused: { scheduledAt: new Date(w.clock.now()).toISOString() },
    };
  },
  async "POST /v1/groups/{id}/messages"() {
    const c = await newCustomer(w);
    const { body: group } = await groupUser(w, c).create({ subject: "x" });
    const body = { type: "text", payload: { body: "olá" } };
    return {
      call: (query, change) =>
        w.gateway(`/v1/groups/${group.id}/messages${query}`, { key: c.key, body: { ...body, ...change } }),
      answer: { dryRun: true, to: expect.stringMatching(/^group:/), isRepeat: false, cost: null },
      status: 202,
      refused: { payload: {} },
    };
  },
  async "POST /v1/templates"() {
    const { key, phone } = await newCustomer(w);
    return {
      call: (query, change) =>
        w.gateway(`/v1/templates${query}`, { key, body: { phoneId: phone.id, ...TEMPLATE, ...change } }),
      answer: { dryRun: true, action: "submit", name: TEMPLATE.name, language: TEMPLATE.language },
      status: 201,
      refused: {
        components: [
          { type: "FOOTER", text: "x" },
          { type: "FOOTER", text: "y" },
        ],
      },
    };
  },
  async "PATCH /v1/templates/{id}"() {
    const c = await newCustomer(w);
    const { id, upstreamTemplateId } = (await templatesOf(w, c).create()).body;
    await w.graph.reviewTemplate(upstreamTemplateId, "APPROVED");
    await w.settle();
    const body = { components: TEMPLATE.components };
    return {
      call: (query, change) =>
        w.gateway(`/v1/templates/${id}${query}`, { key: c.key, method: "PATCH", body: { ...body, ...change } }),
      answer: { dryRun: true, action: "edit", name: TEMPLATE.name, language: TEMPLATE.language },
      status: 200,
      refused: {
        components: [
          { type: "FOOTER", text: "x" },
          { type: "FOOTER", text: "y" },
        ],
      },
    };
  },
  async "POST /v1/bulk"() {
    const who = await customer(w);
    const { key } = who;
    const { id: channelId } = await connectedChannel(w, who);
    const [one = ""] = numbers(1);
    const body = { channelId, text: "olá", recipients: [...numbers(2), one] };
    return {
      call: (query, change) => w.platform(`/v1/bulk${query}`, { key, body: { ...body, ...change } }),
      answer: { dryRun: true, channelId, total: 3, valid: 2, invalid: 1 },
      status: 202,
      refused: { recipients: ["123"] },
    };
  },
};

for (const [type, { body }] of Object.entries(SENDS))
  CASES[`POST /v1/channels/{channelId}/messages/${type}`] = async () => {
    const who = await customer(w);
    const { id } = await connectedChannel(w, who);
    const name = "order_update";
    const components = [{ type: "BODY", text: "Hello {{1}}, order {{2}} is ready." }];
    if (type === "template") await knownTemplate(w, id, { name, language: "en_US", components });
    return {
      call: (query, change) =>
        w.platform(`/v1/channels/${id}/messages/${type}${query}`, {
          key: who.key,
          body: { to: RECIPIENT, ...body, ...change },
        }),
      answer: {
        dryRun: true,
        to: `pn:${RECIPIENT}`,
        isRepeat: false,
        cost: expect.objectContaining({ isCharged: true }),
      },
      status: 202,
      refused: { to: "12" },
    };
  };

describe.each(Object.entries(CASES))("a dry run of %s", (_, begin) => {
  test("answers with what would be done, and nothing is done; the real call then does it", async () => {
    const { call, answer, status } = await begin();
    const before = { rows: await everyRow(w), asked: w.graph.journal.length };
    const dry = await call("?dryRun=true");
    expect([dry.status, dry.body]).toEqual([200, answer]);
    expect({ rows: await everyRow(w), asked: w.graph.journal.length }).toEqual(before);
    expect((await call("?dryRun=false")).status).toBe(status);
  });

  test("refuses as the real call does, and leaves nothing", async () => {
    const { call, refused } = await begin();
    const before = await everyRow(w);
    const dry = await call("?dryRun=true", refused);
    expect(await everyRow(w)).toEqual(before);
    const real = await call("", refused);
    expect(dry.status).toBeGreaterThanOrEqual(400);
    expect([dry.status, dry.text]).toEqual([real.status, real.text]);
  });

  test("takes true and false alone", async () => {
    const { call } = await begin();
    const before = await everyRow(w);
    const answer = await call("?dryRun=yes");
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("dryRun");
    expect(await everyRow(w)).toEqual(before);
  });
});

describe("a dry run", () => {
  test("of a phone that is not connected, or of a message that was sent, says so", async () => {
    const c = await newCustomer(w);
    const body = { phoneId: c.phone.id, ...text, idempotencyKey: "dry-and-then-sent" };
    const ask = (query: string, more: object = {}) =>
      w.gateway(`/v1/messages${query}`, { key: c.key, body: { ...body, ...more } });
    expect((await ask("?dryRun=true")).body.isRepeat).toBe(false);
    expect((await ask("")).status).toBe(202);
    expect((await ask("?dryRun=true")).body).toMatchObject({ dryRun: true, isRepeat: true, cost: null });
    expect(gatewaySays(await ask("?dryRun=true", { content: { text: "another" } }))).toBe("409 IDEMPOTENCY_KEY_REUSED");
  });

  test("checks its Idempotency-Key and leaves it free for the real call", async () => {
    const { key, phone } = await newCustomer(w);
    const ask = (query: string, content = "olá") =>
      w.gateway(`/v1/messages${query}`, {
        key,
        body: { phoneId: phone.id, ...text, content: { text: content } },
        headers: { "idempotency-key": "one" },
      });
    expect([(await ask("?dryRun=true")).status, (await ask("")).status]).toEqual([200, 202]);
    const dry = await ask("?dryRun=true");
    expect([dry.status, dry.headers.get("idempotent-replayed")]).toEqual([200, null]);
    expect(gatewaySays(await ask("?dryRun=true", "another"))).toBe("409 IDEMPOTENCY_KEY_REUSED");
  });

  test("that is spelled with percent signs is one too, and leaves its Idempotency-Key free", async () => {
    const { key, phone } = await newCustomer(w);
    const ask = (query: string) =>
      w.gateway(`/v1/messages${query}`, {
        key,
        body: { phoneId: phone.id, ...text },
        headers: { "idempotency-key": "one" },
      });
    expect((await ask("?dry%52un=true")).body).toMatchObject({ dryRun: true });
    const real = await ask("");
    expect([real.status, real.headers.get("idempotent-replayed")]).toEqual([202, null]);
    const hook = { label: "x", url: "https://hooks.example.com/a", secret: "a".repeat(16) };
    const before = await everyRow(w);
    expect(fieldsOf(await w.gateway("/v1/webhooks?%64ryRun=true", { key, body: hook }))).toEqual(["dryRun"]);
    expect(await everyRow(w)).toEqual(before);
  });

  test.each(["?dryRun=true&dryRun=false", "?dryRun=false&dryRun=true"])(
    "of two minds (%s) is refused, and nothing is done",
    async (query) => {
      const { key, phone } = await newCustomer(w);
      const before = await everyRow(w);
      const answer = await w.gateway(`/v1/messages${query}`, {
        key,
        body: { phoneId: phone.id, ...text },
        headers: { "idempotency-key": "one" },
      });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["dryRun"]]);
      expect(await everyRow(w)).toEqual(before);
    },
  );

  test("at the same time as the real call with its idempotencyKey holds that one up in nothing", async () => {
    const { key, phone } = await newCustomer(w);
    const body = { phoneId: phone.id, ...text, idempotencyKey: "dry-and-real-at-once" };
    const asked = Array.from({ length: 10 }, () => w.gateway("/v1/messages?dryRun=true", { key, body }));
    const real = await w.gateway("/v1/messages", { key, body });
    expect(real.status).toBe(202);
    for (const dry of await Promise.all(asked)) expect(dry.status).toBe(200);
  });

  test("is refused where it is not known: the request would be carried out", async () => {
    const c = await newCustomer(w);
    const before = await everyRow(w);
    const hook = { label: "x", url: "https://hooks.example.com/a", secret: "a".repeat(16) };
    expect(fieldsOf(await w.gateway("/v1/webhooks?dryRun=true", { key: c.key, body: hook }))).toEqual(["dryRun"]);
    expect(fieldsOf(await w.gateway(`/v1/phones/${c.phone.id}?dryRun=true`, { key: c.key, method: "DELETE" }))).toEqual(
      ["dryRun"],
    );
    expect(await everyRow(w)).toEqual(before);
  });

  test("of a test key's send has no cost", async () => {
    const who = await customer(w);
    const { id } = await connectedChannel(w, who);
    const answer = await w.platform(`/v1/channels/${id}/messages/text?dryRun=true`, {
      key: who.testKey,
      body: { to: RECIPIENT, text: "olá" },
    });
    expect([answer.status, answer.body.cost]).toEqual([200, null]);
  });
});
