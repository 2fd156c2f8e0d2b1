import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { iso, MINUTE_MS, SECOND_MS } from "../../../../../src/kernel/clock.ts";
import {
  type Customer,
  newCustomer,
  receivedBy,
  rowsOf,
  TO,
  tracesOf,
} from "../../../../support/customers/customer.ts";
import type { InboundSeed } from "../../../../support/graph/index.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";
import { addWabaNumber } from "../../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const text = (words: string, { phone }: Pick<Customer, "phone"> = c): InboundSeed => ({
  kind: "text",
  to: phone.phoneNumberId,
  from: TO,
  text: words,
});
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(`message ${index}`));
const WORDS = (count: number) => Array.from({ length: count }, (_, index) => `message ${index}`);

/** What the customer's webhook received, in short: the words of texts, and the kinds of everything else. */
const published = (customer = c) =>
  receivedBy(customer.hook).map(
    ({ type, content, status }) => content?.text ?? content?.originalType ?? status ?? type,
  );

const change = (value: object, field = "messages") => ({ field, value });
const envelope = (...changes: object[]) => ({ object: "whatsapp_business_account", entry: [{ id: "1", changes }] });
const metadata = () => ({ messaging_product: "whatsapp", metadata: { phone_number_id: c.phone.phoneNumberId } });
const message = (fields: object) => ({
  from: TO,
  id: `wamid.${Bun.randomUUIDv7()}`,
  timestamp: "1700000000",
  ...fields,
});

/** Posts a body, signed; the answers that the upstream got. */
const post = async (body: unknown) => {
  const { answers } = await w.graph.inbound.raw(body);
  await w.settle();
  return answers.map(({ status }) => status);
};

describe("every message of a webhook is published, once, to its recipient", () => {
  test("one that cannot be taken in does not take the others with it, and is tried again", async () => {
    const change = (sql: string) => w.app.env.db.write(async (tx) => tx.rows(sql));
    await change(
      "CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.body LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    await w.graph.inbound.batch([text("message 0"), text("poison"), text("message 1")], { layout: "changes" });
    await w.settle();
    expect(published()).toEqual(["message 0", "message 1"]);
    await change("DROP TRIGGER poison");
    await w.advance(MINUTE_MS);
    expect(published()).toEqual(["message 0", "message 1", "poison"]);
  });

  test.each(["one-change", "changes", "entries"] as const)(
    "G-610 ten messages in the layout %s are ten events, in their order",
    async (layout) => {
      await w.graph.inbound.batch(texts(10), { layout });
      await w.settle();
      expect(published()).toEqual(WORDS(10));
      expect(new Set(c.hook.arrived.map(({ body }) => body.id)).size).toBe(10);
      expect(new Set(receivedBy(c.hook).map(({ messageId }) => messageId)).size).toBe(10);
    },
  );

  test.each(["one-change", "changes", "entries"] as const)(
    "G-610 two numbers of two accounts in one webhook (%s) get each its own",
    async (layout) => {
      const other = await newCustomer(w);
      await w.graph.inbound.batch([text("for the first"), text("for the second", other)], { layout });
      await w.settle();
      expect([published(c), published(other)]).toEqual([["for the first"], ["for the second"]]);
    },
  );

  test("G-610 two accounts that use the same number both receive it", async () => {
    const other = await newCustomer(w);
    const { phoneNumberId, accessToken } = c.phone;
    const credentials = {
      phoneNumberId,
      accessToken,
      businessAccountId: (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.wabaBusinessAccountId,
    };
    await w.gateway("/v1/phones", {
      key: other.key,
      body: {
        type: "WABA",
        label: "The same",
        credentials,
        webhook: { url: other.hook.url, secret: "x".repeat(16), events: ["message:received", "channel:connected"] },
      },
    });
    await other.hook.received(1);
    await w.settle();
    await post(envelope(change({ ...metadata(), messages: [message({ type: "text", text: { body: "for both" } })] })));
    expect([published(c), published(other).slice(1)]).toEqual([["for both"], ["for both"]]);
  });

  test("G-610 messages, statuses and what nobody knows yet, in one webhook, become each what it is", async () => {
    const id = await c.sent();
    const [wamid] = [...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === id).map((one) => one.wamid);
    c.hook.arrived.length = 0;
    const statuses = [
      { id: wamid, status: "read", timestamp: "1700000001" },
      { id: wamid, status: "invented" },
    ];
    await post(
      envelope(
        change({
          ...metadata(),
          messages: [message({ type: "text", text: { body: "hi" } }), message({ type: "order", order: {} })],
          statuses,
          errors: [{ code: 1 }],
        }),
        change({}, "account_update"),
      ),
    );
    expect(published()).toEqual(["hi", "order", "read"]);
  });
});

describe("repetition", () => {
  test("the same webhook three times is one event", async () => {
    const { delivery } = await w.graph.inbound.batch(texts(2));
    for (let again = 0; again < 2; again++) await w.graph.webhooks.resend(delivery.id);
    await w.settle();
    expect(published()).toEqual(WORDS(2));
    expect(await rowsOf(w, "SELECT id FROM upstream_envelopes WHERE body = ?1", [delivery.body])).toHaveLength(1);
  });

  test("the same message in another webhook is published no second time, and what is new beside it is", async () => {
    const repeated = message({ type: "text", text: { body: "once" } });
    await post(envelope(change({ ...metadata(), messages: [repeated] })));
    await post(
      envelope(change({ ...metadata(), messages: [repeated, message({ type: "text", text: { body: "new" } })] })),
    );
    expect(published()).toEqual(["once", "new"]);
  });

  test("thirty of the same at the same time are one event", async () => {
    const { delivery } = await w.graph.inbound.batch(texts(1));
    await Promise.all(Array.from({ length: 29 }, () => w.graph.webhooks.resend(delivery.id)));
    await w.settle();
    expect(published()).toEqual(WORDS(1));
  });
});

describe("what is not known", () => {
  test.each(["order", "ephemeral", "hologram"])(
    "a message of type %s arrives as unsupported, by its name",
    async (type) => {
      await w.graph.inbound.other({ to: c.phone.phoneNumberId, from: TO, type, content: { any: "thing" } });
      await w.settle();
      expect(receivedBy(c.hook)).toMatchObject([
        { direction: "inbound", type: "unsupported", content: { originalType: type } },
      ]);
    },
  );

  test.each([
    { type: "text" },
    { type: "image" },
    { type: "location", location: {} },
    { type: "interactive", interactive: { type: "nfm_reply" } },
    {},
    { type: 5 },
  ])("a message without what its type needs arrives as unsupported: %j", async (fields) => {
    expect(await post(envelope(change({ ...metadata(), messages: [message(fields)] })))).toEqual([200]);
    expect(receivedBy(c.hook)).toMatchObject([{ type: "unsupported" }]);
  });

  test("the envelope of what is not published stays stored", async () => {
    const { body } = await w.graph.inbound.field({
      businessAccountId: "1",
      field: "account_update",
      value: { event: "VERIFIED_ACCOUNT" },
    });
    await w.settle();
    expect(published()).toEqual([]);
    expect(await rowsOf(w, "SELECT id FROM upstream_envelopes WHERE body = ?1", [body])).toHaveLength(1);
  });
});

describe("what is not ours", () => {
  test("GAP-G62 a message for a number that nobody has is answered 200 and not published", async () => {
    const before = await tracesOf(w, c);
    const { delivery } = await w.graph.inbound.text({ to: "999999", from: TO, text: "for nobody" });
    expect(delivery.answers.map(({ status }) => status)).toEqual([200]);
    expect(await tracesOf(w, c)).toEqual({ ...before, envelopes: (before.envelopes ?? 0) + 1 });
  });

  test.each(["sent", "delivered", "read", "failed"] as const)(
    "a status %s of a message that was sent elsewhere is answered 200 and not published",
    async (status) => {
      const mine = await c.sent();
      c.hook.arrived.length = 0;
      const { delivery } = await w.graph.inbound.status({
        to: c.phone.phoneNumberId,
        from: TO,
        wamid: "wamid.ELSEWHERE",
        status,
        bizOpaque: "data of another program",
      });
      await w.settle();
      expect([delivery.answers.map((one) => one.status), published(), (await c.message(mine)).status]).toEqual([
        [200],
        [],
        "SENT",
      ]);
    },
  );
});

test("G-610 a message that comes while the phone's credentials are still being confirmed is published once they are", async () => {
  const { number: _, ...credentials } = addWabaNumber(w.graph);
  w.graph.fail({
    failure: { kind: "http", status: 503 },
    operation: "any",
    phoneNumberId: credentials.phoneNumberId,
    isLasting: true,
  });
  const webhook = { url: c.hook.url, secret: "x".repeat(16) };
  const made = await w.gateway("/v1/phones", {
    key: c.key,
    body: { type: "WABA", label: "Slow", credentials, webhook },
  });
  await w.graph.inbound.text({ to: credentials.phoneNumberId, from: TO, text: "early" });
  await w.settle();
  expect([made.status, published()]).toEqual([201, []]);
  w.graph.clearFailures();
  await w.advance(2 * SECOND_MS);
  await c.hook.received(1);
  await w.advance(10 * SECOND_MS);
  expect(c.hook.arrived.map(({ body }) => [body.type, body.phoneId])).toEqual([
    ["channel:connected", made.body.id],
    ["message:received", made.body.id],
  ]);
});

describe("no body of the upstream, however odd, is answered with a 5xx", () => {
  const ODD: unknown[] = [
    {},
    [],
    null,
    5,
    "text",
    true,
    { object: "page", entry: [] },
    { object: "whatsapp_business_account" },
    { object: "whatsapp_business_account", entry: {} },
    {
      object: "whatsapp_business_account",
      entry: [
        null,
        5,
        {},
        { changes: null },
        {
          id: {},
          changes: [
            null,
            {},
            { field: "messages" },
            { field: "messages", value: null },
            { field: "messages", value: { metadata: 5 } },
          ],
        },
      ],
    },
  ];
  test.each(ODD.map((body) => [body]))("%j is answered 200, and nothing is published", async (body) => {
    expect(await post(JSON.stringify(body))).toEqual([200]);
    expect(published()).toEqual([]);
  });

  test.each(["253402300800", 507977756170.594, "-1", 0])(
    "a message with the impossible time %j is published with the time at which it came",
    async (timestamp) => {
      const late = message({ timestamp, type: "text", text: { body: "from another age" } });
      expect(await post(envelope(change({ ...metadata(), messages: [late] })))).toEqual([200]);
      expect(receivedBy(c.hook).map(({ content, timestamp: at }) => [content.text, at])).toEqual([
        ["from another age", iso(w.clock.now())],
      ]);
    },
  );

  test("any JSON in the place of any part is answered 200, and the next message is published", async () => {
    const part = () => fc.jsonValue({ maxDepth: 2 });
    const anyMessage = fc.record({
      from: fc.oneof(fc.constant(TO), part()),
      id: fc.oneof(fc.uuid(), part()),
      timestamp: part(),
      type: fc.oneof(fc.constantFrom("text", "image", "interactive", "contacts", "button"), part()),
      text: part(),
      image: part(),
      interactive: part(),
      contacts: part(),
      button: part(),
      context: part(),
    });
    const anyStatus = fc.record({
      id: part(),
      status: fc.oneof(fc.constantFrom("sent", "read", "failed"), part()),
      timestamp: part(),
      errors: part(),
      recipient_id: part(),
      biz_opaque_callback_data: part(),
      pricing: part(),
    });
    const anyValue = fc.record({
      contacts: part(),
      messages: fc.oneof(fc.array(anyMessage, { maxLength: 3 }), part()),
      statuses: fc.oneof(fc.array(anyStatus, { maxLength: 3 }), part()),
      errors: part(),
    });
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expect(await post(envelope(change({ ...metadata(), ...value })))).toEqual([200]);
      }),
      { numRuns: 60 },
    );
    c.hook.arrived.length = 0;
    await w.graph.inbound.batch([text("still alive")]);
    await w.settle();
    expect(published()).toEqual(["still alive"]);
    expect(await rowsOf(w, "SELECT kind, reason FROM discarded_jobs")).toEqual([]);
    expect(await rowsOf(w, "SELECT id FROM jobs WHERE kind = 'upstream.process'")).toEqual([]);
  });
});
