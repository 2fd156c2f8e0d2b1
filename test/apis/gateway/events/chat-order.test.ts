import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, customerOf, receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { WEBHOOK_SECRET, type World } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });

const OTHER = "5511999990002";
const EVENTS = ["message:received"];

type Strict = Customer & { webhookId: string };
const strictCustomer = async (world: World, fields: object = {}): Promise<Strict> => {
  const { id: accountId, key } = await world.account();
  const hook = world.receiver();
  const phone = await world.wabaPhone(key);
  const { body } = await world.gateway("/v1/webhooks", {
    key,
    body: {
      label: "In order",
      url: hook.url,
      secret: WEBHOOK_SECRET,
      events: EVENTS,
      allPhones: true,
      ordering: "chat",
      ...fields,
    },
  });
  return { ...customerOf(world, { accountId, key, phone, hook }), webhookId: body.id };
};
const c = useEach(() => strictCustomer(w));

const post = async (words: readonly string[], from = TO) => {
  for (const text of words) await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text });
};
const receive = async (words: readonly string[], from = TO) => {
  await post(words, from);
  await w.settle();
};
const change = async (body: object) => {
  const { status } = await w.gateway(`/v1/webhooks/${c.webhookId}`, { key: c.key, method: "PATCH", body });
  expect(status).toBe(200);
  await w.settle();
};
const texts = ({ arrived }: Pick<Receiver, "arrived"> = c.hook): string[] =>
  receivedBy({ arrived }).map(({ content }) => content.text);
/** What the endpoint has taken, in the order in which it did. */
let taken: string[] = [];
const refuseWhile = (isRefused: (text: string) => boolean, status = 500) => {
  const own: string[] = []; // another test's endpoint may still get something
  taken = own;
  c.hook.reply(({ body }) => {
    const { text } = body.data.content;
    if (isRefused(text)) return new Response("", { status });
    own.push(text);
    return new Response("ok");
  });
};
const states = () =>
  rowsOf<{ text: string; status: string; attempts: number; hasJob: number; nextAt: number | null }>(
    w,
    `SELECT json_extract(e.body, '$.data.content.text') AS text, d.status, d.attempts, d.next_at AS nextAt,
      EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'delivery:' || d.id) AS hasJob
      FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.subscription_id = ?1 ORDER BY d.event_seq`,
    [c.webhookId],
  );
const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

describe("a delivery that fails", () => {
  test("holds back the later ones of its chat, unattempted and without a job, and nobody else's", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2", "a3"]);
    await receive(["b1", "b2"], OTHER);
    expect(texts()).toEqual(["a1", "b1", "b2"]);
    expect(await states()).toEqual([
      { text: "a1", status: "PENDING", attempts: 1, hasJob: 1, nextAt: w.clock.now() + 5 * SECOND_MS },
      { text: "a2", status: "PENDING", attempts: 0, hasJob: 0, nextAt: null },
      { text: "a3", status: "PENDING", attempts: 0, hasJob: 0, nextAt: null },
      expect.objectContaining({ text: "b1", status: "DELIVERED" }),
      expect.objectContaining({ text: "b2", status: "DELIVERED" }),
    ]);
  });

  test("lets them go in their order once it is delivered", async () => {
    refuseWhile((text) => text === "a1");
    await receive(numbered("a", 5));
    await w.advance(5 * SECOND_MS);
    expect(taken).toEqual([]);
    refuseWhile(() => false);
    await w.advance(25 * SECOND_MS);
    expect(taken).toEqual(numbered("a", 5));
  });

  test("lets them go when it is a dead letter, and each has its own nine attempts", async () => {
    refuseWhile((text) => text === "a1" || text === "a2");
    await receive(["a1", "a2", "a3"]);
    for (let n = 0; n < 8; n++) await w.advance(13 * 60 * MINUTE_MS);
    expect((await states()).map(({ status, attempts }) => [status, attempts])).toEqual([
      ["DEAD", 9],
      ["PENDING", 1],
      ["PENDING", 0],
    ]);
    for (let n = 0; n < 8; n++) await w.advance(13 * 60 * MINUTE_MS);
    expect(taken).toEqual(["a3"]);
    const dead = (await states()).filter(({ status }) => status === "DEAD"); // what was delivered is forgotten by now
    expect(dead.map(({ text, attempts }) => [text, attempts])).toEqual([
      ["a1", 9],
      ["a2", 9],
    ]);
  });

  test("that ends by a 410 lets them go at once", async () => {
    refuseWhile((text) => text === "a1", 410);
    await receive(["a1", "a2"]);
    expect(taken).toEqual(["a2"]);
  });

  test("holds its chat of one phone back, and not the same person's chat with another phone", async () => {
    const second = await w.wabaPhone(c.key);
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    await w.graph.inbound.text({ to: second.phoneNumberId, from: TO, text: "to the second" });
    await w.settle();
    expect(taken).toEqual(["to the second"]);
  });

  test("is overtaken where the order is not asked for", async () => {
    await change({ ordering: "none" });
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    expect(taken).toEqual(["a2"]);
  });
});

test("a random endpoint gets every chat in order, over restarts", async () => {
  let n = 0;
  refuseWhile(() => n++ % 3 === 0);
  const chats = ["5511999990011", "5511999990012", "5511999990013", "5511999990014"];
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      chats.map(async (from, index) => {
        for (let k = 0; k < 4; k++)
          await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text: `${index}-${round * 4 + k}` });
      }),
    );
    await w.restart();
    await w.settle();
    await w.advance(5 * SECOND_MS);
  }
  for (let tries = 0; taken.length < 64 && tries < 300; tries++) await w.advance(30 * SECOND_MS);
  for (const [index] of chats.entries())
    expect(taken.filter((text) => text.startsWith(`${index}-`))).toEqual(
      Array.from({ length: 16 }, (_, k) => `${index}-${k}`),
    );
});

test("events that are published at once go out in the order of their numbers", async () => {
  refuseWhile(() => false);
  await Promise.all(
    numbered("m", 30).map((text) => w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text })),
  );
  await w.settle();
  const inOrder = (await states()).map(({ text }) => text);
  expect(inOrder).toHaveLength(30);
  expect(taken).toEqual(inOrder);
});

test("the next one of a chat waits for the answer to the one before it", async () => {
  const answer = Promise.withResolvers<Response>();
  c.hook.reply(({ body }) => (body.data.content.text === "a1" ? answer.promise : new Response("ok")));
  await post(["a1", "a2"]);
  await post(["b1"], OTHER);
  await untilTrue(() => texts().includes("a1"));
  await untilTrue(async () => (await states()).length === 3);
  expect(texts()).not.toContain("a2");
  answer.resolve(new Response("ok"));
  await w.settle();
  expect(texts().filter((text) => text.startsWith("a"))).toEqual(["a1", "a2"]);
});

describe("while many chats fail", () => {
  test("the breaker holds all back, attempts are not used up, and each chat goes on in order", async () => {
    refuseWhile(() => true);
    const chats = numbered("55119999910", 12).map((one) => one.padEnd(13, "0"));
    for (const [index, from] of chats.entries()) await receive([`${index}-0`, `${index}-1`, `${index}-2`], from);
    const before = await states();
    expect(before.filter(({ text }) => !text.endsWith("-0")).every(({ attempts }) => attempts === 0)).toBe(true);
    refuseWhile(() => false);
    for (let tries = 0; taken.length < 36 && tries < 50; tries++) await w.advance(MINUTE_MS);
    for (const [index] of chats.entries())
      expect(taken.filter((text) => text.startsWith(`${index}-`))).toEqual([`${index}-0`, `${index}-1`, `${index}-2`]);
  });
});

describe("what the owner does meanwhile", () => {
  test("a retry of all tries the first of the chat; the others stay behind it", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2", "a3"]);
    const { status } = await w.gateway(`/v1/webhooks/${c.webhookId}/retry`, { key: c.key, method: "POST" });
    expect(status).toBe(202);
    await w.settle();
    expect(texts()).toEqual(["a1", "a1"]);
    refuseWhile(() => false);
    await w.gateway(`/v1/webhooks/${c.webhookId}/retry`, { key: c.key, method: "POST" });
    await w.settle();
    expect(taken).toEqual(["a1", "a2", "a3"]);
  });

  test("a replay of an event that is held back makes no attempt", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    const [held] = await c.events("?type=message:received");
    const { status } = await w.gateway(`/v1/events/${held.id}/replay`, { key: c.key, method: "POST" });
    expect(status).toBe(202);
    await w.settle();
    expect(texts()).toEqual(["a1"]);
    refuseWhile(() => false);
    await w.advance(5 * SECOND_MS);
    expect(taken).toEqual(["a1", "a2"]);
  });

  test("a replayed dead letter goes out of order and holds nothing back", async () => {
    refuseWhile((text) => text === "a1", 410);
    await receive(["a1"]);
    refuseWhile((text) => text === "a1" || text === "a2");
    await receive(["a2", "a3"]);
    const [dead] = await c.events("?type=message:received&status=DEAD");
    await w.gateway(`/v1/events/${dead.id}/replay`, { key: c.key, method: "POST" });
    await w.settle();
    expect(texts()).toEqual(["a1", "a2", "a1"]);
    refuseWhile((text) => text === "a1");
    await w.advance(5 * SECOND_MS);
    expect(taken).toEqual(["a2", "a3"]);
  });

  test("switched on with deliveries in flight, what waits is put in order, and nothing is lost", async () => {
    await change({ ordering: "none" });
    refuseWhile(() => true);
    await receive(["a1", "a2", "a3"]);
    await change({ ordering: "chat" });
    await receive(["a4"]);
    await w.advance(5 * SECOND_MS);
    expect(texts()).toEqual(["a1", "a2", "a3", "a1"]);
    refuseWhile(() => false);
    await w.advance(25 * SECOND_MS);
    expect(taken).toEqual(["a1", "a2", "a3", "a4"]);
  });

  test("switched on during an attempt, what is held back behind it goes out when it ends", async () => {
    await change({ ordering: "none" });
    const answer = Promise.withResolvers<Response>();
    c.hook.reply(({ body }) => (body.data.content.text === "a1" ? answer.promise : new Response("ok")));
    await post(["a1"]);
    await untilTrue(() => texts().includes("a1"));
    await w.gateway(`/v1/webhooks/${c.webhookId}`, { key: c.key, method: "PATCH", body: { ordering: "chat" } });
    await post(["a2"]);
    await untilTrue(async () => (await states()).length === 2);
    expect((await states())[1]).toMatchObject({ hasJob: 0, nextAt: null });
    answer.resolve(new Response("ok"));
    await w.settle();
    expect(texts()).toEqual(["a1", "a2"]);
  });

  test("switched off, everything that was held back goes out", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", ...numbered("later ", 120)]);
    await change({ ordering: "none" });
    expect(taken.toSorted()).toEqual(numbered("later ", 120).toSorted());
    refuseWhile(() => false);
    await w.advance(5 * SECOND_MS);
    expect(taken).toEqual(["a1"]);
  });

  test("paused and resumed, each chat goes on in order", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    await change({ active: false });
    await receive(["a3"]);
    await w.advance(5 * SECOND_MS);
    await receive(["a4"]);
    expect(texts()).toEqual(["a1"]);
    refuseWhile(() => false);
    await change({ active: true });
    await receive(["a5"]);
    expect(taken).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  });

  test("a webhook that is removed leaves dead letters, of those held back too", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2", "a3"]);
    await w.gateway(`/v1/webhooks/${c.webhookId}`, { key: c.key, method: "DELETE" });
    await w.advance(5 * SECOND_MS);
    expect((await states()).map(({ status }) => status)).toEqual(["DEAD", "DEAD", "DEAD"]);
    expect(texts()).toEqual(["a1"]);
  });

  test("a webhook that is removed while it is paused leaves nothing waiting", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2", "a3"]);
    await change({ active: false });
    await w.advance(5 * SECOND_MS); // a1 is paused now, and a2 and a3 wait for it
    await w.gateway(`/v1/webhooks/${c.webhookId}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect((await states()).map(({ text, status }) => [text, status])).toEqual([
      ["a2", "DEAD"],
      ["a3", "DEAD"],
    ]);
    expect(texts()).toEqual(["a1"]);
  });

  test("an event that is deleted with its delivery holds nothing back", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    await w.app.env.db.write(async (tx) => {
      const [first] = await tx.rows<{ seq: number }>(
        "SELECT min(event_seq) AS seq FROM deliveries WHERE subscription_id = ?1",
        [c.webhookId],
      );
      tx.run("DELETE FROM deliveries WHERE event_seq = ?1", [first?.seq]);
      tx.run("DELETE FROM events WHERE seq = ?1", [first?.seq]);
    });
    await w.advance(5 * SECOND_MS);
    expect(taken).toEqual(["a2"]);
  });

  test("a paused event that is deleted with its delivery holds nothing back after the pause", async () => {
    refuseWhile((text) => text === "a1");
    await receive(["a1", "a2"]);
    await change({ active: false });
    await w.advance(5 * SECOND_MS);
    await w.app.env.db.write(async (tx) =>
      tx.run("DELETE FROM deliveries WHERE subscription_id = ?1 AND status = 'PAUSED'", [c.webhookId]),
    );
    await change({ active: true });
    expect(taken).toEqual(["a2"]);
  });
});

test("a day of failures in one chat uses no attempt of those behind it", async () => {
  refuseWhile((text) => text.startsWith("a"));
  await receive(numbered("a", 40));
  for (let n = 0; n < 4; n++) await w.advance(DAY_MS / 6);
  expect(new Set(texts())).toEqual(new Set(["a1"]));
  expect((await states()).slice(1).every(({ attempts, hasJob }) => attempts === 0 && hasJob === 0)).toBe(true);
});
