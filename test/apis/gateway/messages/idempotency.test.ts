import { describe, expect, test } from "bun:test";
import { acceptMessage } from "../../../../src/core/messaging/sending/accept.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { type Customer, newCustomer, rowsOf, sendsOf, TO } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });

const KEY = "order-4711";

/** A repeat is answered as one, and the upstream has still got one message. */
const expectRepeat = async (customer: Customer, messageId: string, input: object = {}) => {
  const repeat = await customer.send({ idempotencyKey: KEY, ...input });
  expect([repeat.status, repeat.body, repeat.headers.get("idempotent-replayed")]).toEqual([
    200,
    { messageId, status: "SENT" },
    "true",
  ]);
  await w.settle();
  expect(sendsOf(w, customer)).toHaveLength(1);
};

test("G-285 G-287 GAP-G36 a repeat is answered 200 with the first message's id, marked, and not sent", async () => {
  const customer = await newCustomer(w);
  const first = await customer.send({ idempotencyKey: KEY });
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([202, null]);
  await w.settle();
  await expectRepeat(customer, first.body.messageId);
});

test("G-285 GAP-G36 the repeat of a message that FAILED says SENT too; its outcome is shown by GET", async () => {
  const customer = await newCustomer(w);
  w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: customer.phone.phoneNumberId });
  const messageId = await customer.sent({ idempotencyKey: KEY });
  await expectRepeat(customer, messageId);
  expect((await customer.message(messageId)).status).toBe("FAILED");
});

const IN_PROGRESS = {
  code: "IDEMPOTENCY_IN_PROGRESS",
  message: "A request with the same idempotency key is being answered. Repeat this one later.",
  details: {},
};

test("G-284 G-287 GAP-G36 a repeat that comes while the first is being answered is refused, and one message is sent", async () => {
  const customer = await newCustomer(w);
  const scope = { tenantId: customer.accountId as TenantId };
  const envelope = {
    channelId: customer.phone.id,
    to: TO,
    type: "text" as const,
    content: { text: "olá" },
    idempotencyKey: KEY,
  };
  const accept = () =>
    acceptMessage(w.app.env, scope, envelope, {
      environment: "live",
      mustBeConnected: true,
      acceptedBy: null,
      requestId: null,
    });
  const [first, second] = await Promise.allSettled([accept(), accept()]);
  expect(first).toEqual({
    status: "fulfilled",
    value: { is: "accepted", messageId: expect.any(String), recipient: expect.any(String) },
  });
  expect(second).toMatchObject({
    status: "rejected",
    reason: { code: "IDEMPOTENCY_IN_PROGRESS", retryAfterSeconds: 1 },
  });
  await w.settle();
  expect(sendsOf(w, customer)).toHaveLength(1);
});

test("G-284 G-287 GAP-G36 of thirty equal requests at once one is accepted; the others are repeats", async () => {
  const customer = await newCustomer(w);
  const answers = await Promise.all(Array.from({ length: 30 }, () => customer.send({ idempotencyKey: KEY })));
  const accepted = answers.filter(({ body }) => body.status === "QUEUED");
  expect(accepted.map(({ status }) => status)).toEqual([202]);
  for (const { status, body } of answers.filter(({ body }) => body.status !== "QUEUED")) {
    expect([
      [409, { error: IN_PROGRESS }],
      [200, { messageId: accepted[0]?.body.messageId, status: "SENT" }],
    ]).toContainEqual([status, body]);
  }
  await w.settle();
  expect(sendsOf(w, customer)).toHaveLength(1);
});

test("G-284 GAP-G36 a repeat during the first request is 409 with Retry-After, and nothing is sent", async () => {
  const customer = await newCustomer(w);
  const claim = `${customer.accountId}/${KEY}`;
  w.app.env.beingAccepted.add(claim); // as if the first request were at the disk at this moment
  try {
    const second = await customer.send({ idempotencyKey: KEY });
    expect([second.status, second.body, second.headers.get("retry-after")]).toEqual([409, { error: IN_PROGRESS }, "1"]);
  } finally {
    w.app.env.beingAccepted.delete(claim);
  }
  await w.settle();
  expect(sendsOf(w, customer)).toEqual([]);
});

describe("GAP-G36 the key of another request is 409 IDEMPOTENCY_KEY_REUSED, and nothing is sent", () => {
  const expectReused = async (customer: Customer, input: object) => {
    const other = await customer.send({ idempotencyKey: KEY, ...input });
    expect([gatewaySays(other), other.headers.get("idempotent-replayed")]).toEqual([
      "409 IDEMPOTENCY_KEY_REUSED",
      null,
    ]);
    await w.settle();
    expect(sendsOf(w, customer)).toHaveLength(1);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [customer.accountId])).toHaveLength(1);
  };

  test("with another text, recipient, type or quoted message, also after a restart; the first request still replays", async () => {
    const customer = await newCustomer(w);
    const messageId = await customer.sent({ idempotencyKey: KEY });
    await expectReused(customer, { content: { text: "something else" } });
    await expectReused(customer, { to: "5511999990002" });
    await expectReused(customer, { type: "image", content: { mediaUrl: "https://example.com/a.png" } });
    await expectReused(customer, { quotedMessageId: messageId });
    await w.restart();
    await expectReused(customer, { content: { text: "something else" } });
    await expectRepeat(customer, messageId);
  });

  test("the order of the fields and what the API ignores make no other request", async () => {
    const customer = await newCustomer(w);
    const contact = { name: "Ana", phone: "5511999990009" };
    const messageId = await customer.sent({ type: "contact", content: { contacts: [contact] }, idempotencyKey: KEY });
    const turned = Object.fromEntries(Object.entries(contact).toReversed());
    const repeat = await customer.send({
      idempotencyKey: KEY,
      content: { ignored: 1, contacts: [turned] },
      type: "contact",
      ignored: true,
    });
    expect([repeat.status, repeat.body.messageId]).toEqual([200, messageId]);
  });

  test("another spelling of the same number makes no other request", async () => {
    const customer = await newCustomer(w);
    const messageId = await customer.sent({ idempotencyKey: KEY });
    for (const to of ["55 11 99999-0001", "+55 (11) 99999-0001", `pn:${TO}`])
      await expectRepeat(customer, messageId, { to });
  });

  test("a key of an older version, whose request is not known, replays as before", async () => {
    const customer = await newCustomer(w);
    const messageId = await customer.sent({ idempotencyKey: KEY });
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE idempotency_keys SET fingerprint = NULL WHERE tenant_id = ?1", [customer.accountId]),
    );
    await expectRepeat(customer, messageId, { content: { text: "something else" } });
  });
});

test("G-286 GAP-G36 the key belongs to the account: to all its phones, and to no other account", async () => {
  const [a, b] = [await newCustomer(w), await newCustomer(w)];
  const first = await a.sent({ idempotencyKey: KEY });
  expect(await b.sent({ idempotencyKey: KEY })).not.toBe(first);
  const other = await w.wabaPhone(a.key);
  expect(gatewaySays(await a.send({ idempotencyKey: KEY, phoneId: other.id }))).toBe("409 IDEMPOTENCY_KEY_REUSED");
  await expectRepeat(a, first);
  expect(sendsOf(w, { phone: other })).toEqual([]);
});

test("G-288 the key is remembered for 24 hours to the millisecond, also over a restart; then it is a new message's", async () => {
  const customer = await newCustomer(w);
  const first = await customer.sent({ idempotencyKey: KEY });
  await w.advance(DAY_MS - 1);
  await w.restart();
  await expectRepeat(customer, first);
  await w.advance(1);
  const second = await customer.send({ idempotencyKey: KEY });
  expect(second.status).toBe(202);
  expect(second.body.messageId).not.toBe(first);
  await w.settle();
  expect(sendsOf(w, customer)).toHaveLength(2);
  expect(gatewaySays(await customer.send({ idempotencyKey: KEY }))).toBe("200");
});

test("G-282 GAP-G36 a request that was refused uses up no key", async () => {
  const customer = await newCustomer(w);
  expect(gatewaySays(await customer.send({ idempotencyKey: KEY, content: { text: "" } }))).toBe("400 VALIDATION_ERROR");
  expect(gatewaySays(await customer.send({ idempotencyKey: KEY, to: "+55" }))).toBe("400 INVALID_TO");
  expect(gatewaySays(await customer.send({ idempotencyKey: KEY, quotedMessageId: "nobody" }))).toBe(
    "404 MESSAGE_KEY_NOT_FOUND",
  );
  expect(await rowsOf(w, "SELECT key FROM idempotency_keys WHERE tenant_id = ?1", [customer.accountId])).toEqual([]);
  const accepted = await customer.send({ idempotencyKey: KEY });
  expect(accepted.status).toBe(202);
  await w.settle();
});

test("G-285 keys that would be one on disk are refused: half of a surrogate pair is no character", async () => {
  const customer = await newCustomer(w);
  for (const half of ["\\ud800", "\\ud801"]) {
    const raw = `{"phoneId":"${customer.phone.id}","to":"${TO}","type":"text","content":{"text":"olá"},"idempotencyKey":"${half}-order-4711"}`;
    expect(fieldsOf(await w.gateway("/v1/messages", { key: customer.key, raw }))).toEqual(["idempotencyKey"]);
  }
  await w.settle();
  expect(sendsOf(w, customer)).toEqual([]);
  expect(await rowsOf(w, "SELECT key FROM idempotency_keys WHERE tenant_id = ?1", [customer.accountId])).toEqual([]);
});

describe("GAP-G36 a key of one path stands for that path's request", () => {
  const content = { type: "text", content: { text: "até logo" } };
  const other = { type: "text", content: { text: "outra coisa" } };
  const AT = Date.parse("2027-03-01T12:00:00Z");
  const toOne = ({ phone }: Customer, message: object) => ({ phoneId: phone.id, to: TO, ...message });
  const later = (c: Customer, at: number, message: object) => ({
    scheduledAt: new Date(at).toISOString(),
    payload: toOne(c, message),
  });
  /** A request: its path and body, with what is given for the body. */
  type Ask = (c: Customer, key: object) => Promise<[path: string, body: object]> | [path: string, body: object];
  /** Every path that takes a key in its body, with a message for the same person; several with different bodies. */
  const PATHS: Record<string, Ask> = {
    send: (c, key) => ["/v1/messages", toOne(c, { ...content, ...key })],
    "other text": (c, key) => ["/v1/messages", toOne(c, { ...other, ...key })],
    fallback: async (c, key) => {
      const query = "SELECT id FROM channels WHERE tenant_id = ?1 AND id <> ?2";
      const [second] = await rowsOf<{ id: string }>(w, query, [c.accountId, c.phone.id]);
      const fallback = { phoneId: second?.id, template: { name: "hello", language: "pt_BR" }, afterMinutes: 5 };
      return ["/v1/messages", toOne(c, { ...content, fallback, ...key })];
    },
    chat: async (c, key) => {
      const { body } = await w.gateway("/v1/chats", { key: c.key });
      return [`/v1/chats/${body.items[0].id}/messages`, { ...content, ...key }];
    },
    schedule: (c, key) => ["/v1/messages/scheduled", later(c, AT, { ...content, ...key })],
    "later schedule": (c, key) => ["/v1/messages/scheduled", later(c, AT + 1, { ...content, ...key })],
    "other schedule": (c, key) => ["/v1/messages/scheduled", later(c, AT, { ...other, ...key })],
    "schedule in hours": (c, key) => [
      "/v1/messages/scheduled",
      { ...later(c, AT, { ...content, ...key }), respectHours: true },
    ],
  };
  /** Paths whose key is the header alone. */
  const BY_HEADER: Record<string, Ask> = {
    cheapest: () => ["/v1/messages/cheapest", { to: TO, ...content }],
    webhook: () => ["/v1/webhooks", { label: "A", url: "https://example.com/a", secret: WEBHOOK_SECRET }],
  };
  type Key = { body?: object; headers?: Record<string, string> };
  const asked = async (c: Customer, ask: Ask, { body: key = {}, headers = {} }: Key) => {
    const [path, body] = await ask(c, key);
    return await w.gateway(path, { key: c.key, headers, body });
  };
  const pairsOf = (paths: Record<string, Ask>) =>
    Object.entries(paths).flatMap(([first, ask], at, all) =>
      all.filter((_, one) => one !== at).map(([second, askOther]) => ({ first, second, ask, askOther })),
    );
  const TABLES = ["messages", "scheduled", "fallbacks", "subscriptions"];
  /** A customer with two phones, an approved template and a chat. */
  const ready = async (): Promise<Customer> => {
    const c = await newCustomer(w);
    const second = await w.wabaPhone(c.key);
    await knownTemplate(w, second.id);
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    return c;
  };
  const kept = async (c: Customer) =>
    Object.fromEntries(
      await Promise.all(
        TABLES.map(async (table) => [
          table,
          await rowsOf(w, `SELECT id FROM ${table} WHERE tenant_id = ?1`, [c.accountId]),
        ]),
      ),
    );
  /** The second request is refused at once, and again when all that waits is done; the first one replays. */
  const expectRefused = async (c: Customer, first: () => Promise<Answer>, second: () => Promise<Answer>) => {
    const accepted = await first();
    expect(accepted.status, accepted.text).toBeLessThan(300);
    const before = await kept(c);
    expect(gatewaySays(await second())).toBe("409 IDEMPOTENCY_KEY_REUSED");
    await w.settle();
    expect(await kept(c)).toEqual(before);
    const again = await first();
    expect([again.status < 300, again.headers.get("idempotent-replayed")]).toEqual([true, "true"]);
    expect(await kept(c)).toEqual(before);
  };

  const everyPair = (key: Key, paths: Record<string, Ask>) =>
    test.each(pairsOf(paths))("first $first, then $second", async ({ ask, askOther }) => {
      const c = await ready();
      await expectRefused(
        c,
        () => asked(c, ask, key),
        () => asked(c, askOther, key),
      );
    });

  describe("in the body", () => everyPair({ body: { idempotencyKey: KEY } }, PATHS));
  describe("in the header", () => everyPair({ headers: { "idempotency-key": KEY } }, { ...PATHS, ...BY_HEADER }));
});
