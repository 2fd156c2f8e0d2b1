import { describe, expect, test } from "bun:test";
import { fanOutQueue } from "../../../../src/core/events/fan-out.ts";
import { publish } from "../../../../src/core/events/publish.ts";
import { newSubscription } from "../../../../src/core/events/subscriptions.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { insertSubscription } from "../../../../src/store/tables/events/subscriptions.ts";
import { pauseQueue } from "../../../../src/store/tables/queues.ts";
import { addContact, changeContact } from "../../../support/customers/contacts.ts";
import { type Customer, customer, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const EVENTS = ["contact.created", "contact.updated"];

/** A database from before there was a limit: so many webhooks of one institution. */
const withWebhooks = async (count: number, url: string): Promise<Customer> => {
  const who = await customer(w);
  await w.app.env.db.write(async (tx) => {
    for (let n = 0; n < count; n++)
      await insertSubscription(
        tx,
        newSubscription(
          w.app.env,
          who.id as TenantId,
          { audience: "platform", kind: "account" },
          { name: `${n}`, url: `${url}/${n}`, secret: WEBHOOK_SECRET, events: EVENTS },
        ),
      );
  });
  return who;
};

const rows = <Row>(sql: string, ...params: unknown[]): Promise<Row[]> =>
  w.app.env.db.read((reader) => reader.rows<Row>(sql, params));
const SERIES = `SELECT d.subscription_id AS id,
  group_concat(json_extract(e.body, '$.type') || coalesce(json_extract(e.body, '$.contact.name'), ''), ' ') AS events
  FROM (SELECT * FROM deliveries WHERE tenant_id = ?1 ORDER BY rowid) d
  JOIN events e ON e.seq = d.event_seq GROUP BY d.subscription_id`;

/** The events for each webhook, in the order in which its deliveries were written. */
const eventsFor = async ({ id }: Customer): Promise<string[]> =>
  (await rows<{ events: string }>(SERIES, id)).map((row) => row.events);

const HELD_MS = 1000;
/** Nothing is written to the webhooks for a second. */
const hold = ({ id }: Customer) =>
  w.app.env.db.write(async (tx) =>
    pauseQueue(tx, fanOutQueue(id as TenantId).key, w.clock.now() + HELD_MS, "rate-limit"),
  );

/** How many deliveries each write of the database holds, from now on; until the function that is given is called. */
const countPerWrite = (): (() => number[]) => {
  const { db } = w.app.env;
  const write = db.write.bind(db);
  const counts: number[] = [];
  db.write = (body, options) =>
    write(async (tx) => {
      const count = async () => (await tx.rows<{ n: number }>("SELECT count(*) AS n FROM deliveries"))[0]?.n ?? 0;
      const before = await count();
      const result = await body(tx);
      counts.push((await count()) - before);
      return result;
    }, options);
  return () => {
    db.write = write;
    return counts;
  };
};

describe("an event that concerns thousands of webhooks", () => {
  test("is written to them a hundred at a time", async () => {
    const who = await withWebhooks(4000, "https://hooks.example.com");
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE subscriptions SET is_active = 0, disabled_at = 1 WHERE tenant_id = ?1", [who.id]),
    ); // they keep what they miss: none is called
    const stopCounting = countPerWrite();
    const { id } = made(await addContact(w, who), 201);
    await w.settle();
    made(await changeContact(w, who, id, { name: "Bia" }), 200);
    await w.settle();
    const counts = stopCounting();
    expect(Math.max(...counts)).toBeLessThanOrEqual(100);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(8000);
    expect(new Set(await eventsFor(who))).toEqual(new Set(["contact.createdAna contact.updatedBia"]));
  });

  test("reaches each once and in order, though a later event for fewer comes while the first is written", async () => {
    const who = await withWebhooks(130, w.receiver().url);
    const { id } = made(await addContact(w, who), 201);
    await w.settle();
    await hold(who);
    made(await changeContact(w, who, id, { name: "Bia" }), 200);
    await w.app.env.db.write(async (tx) =>
      tx.run(
        "DELETE FROM subscriptions WHERE id IN (SELECT id FROM subscriptions WHERE tenant_id = ?1 ORDER BY id LIMIT 40)",
        [who.id],
      ),
    );
    made(await changeContact(w, who, id, { name: "Clara" }), 200);
    await w.advance(HELD_MS);
    const series = await eventsFor(who);
    expect(series.filter((one) => one.includes("Bia"))).toEqual(
      Array.from({ length: 90 }, () => "contact.createdAna contact.updatedBia contact.updatedClara"),
    );
  });

  test("is one of many of a write: the write has 300 deliveries, the rest follow in order", async () => {
    const who = await withWebhooks(50, "https://hooks.example.com");
    const contact = {
      ...made(await addContact(w, who), 201),
      tenantId: who.id,
      seq: 1,
      numberKey: null,
      alias: null,
      createdAt: 1,
      updatedAt: 1,
    };
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE subscriptions SET is_active = 0, disabled_at = 1 WHERE tenant_id = ?1", [who.id]),
    );
    const stopCounting = countPerWrite();
    await w.app.env.db.write(async (tx) => {
      for (let n = 10; n < 50; n++)
        await publish(
          w.app.env,
          tx,
          { tenantId: who.id as TenantId, channel: null },
          { type: "contact.updated", contact: { ...contact, name: `${n}` }, chat: "pn:1" },
        );
    });
    await w.settle();
    const counts = stopCounting();
    expect([Math.max(...counts), counts.reduce((sum, n) => sum + n, 0)]).toEqual([300, 2000]);
    const received = Array.from({ length: 40 }, (_, n) => `contact.updated${n + 10}`);
    expect(new Set(await eventsFor(who))).toEqual(new Set([["contact.createdAna", ...received].join(" ")]));
  });

  test("is neither lost nor doubled when the work stops in the middle and the server restarts", async () => {
    const who = await withWebhooks(350, w.receiver().url);
    await w.app.env.db.write(async (tx) => {
      tx.run(
        `CREATE TRIGGER breaks BEFORE INSERT ON deliveries
          WHEN (SELECT count(*) FROM deliveries WHERE tenant_id = '${who.id}') >= 250
          BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      );
    });
    made(await addContact(w, who), 201);
    await w.settle();
    expect(await eventsFor(who)).toHaveLength(200);
    await w.restart();
    await w.app.env.db.write(async (tx) => tx.run("DROP TRIGGER breaks"));
    await w.advance(60_000);
    expect(await eventsFor(who)).toEqual(Array.from({ length: 350 }, () => "contact.createdAna"));
    expect(await rows("SELECT 1 FROM jobs WHERE kind = 'event.fan-out'")).toEqual([]);
  });

  test("does not go to a webhook that was made after it", async () => {
    const who = await withWebhooks(101, w.receiver().url);
    const { id } = made(await addContact(w, who), 201);
    await w.settle();
    await hold(who);
    made(await changeContact(w, who, id, { name: "Bia" }), 200);
    w.clock.advance(1);
    const late = newSubscription(
      w.app.env,
      who.id as TenantId,
      { audience: "platform", kind: "account" },
      { name: "late", url: "https://hooks.example.com", secret: WEBHOOK_SECRET, events: EVENTS },
    );
    await w.app.env.db.write((tx) => insertSubscription(tx, late));
    await w.advance(HELD_MS);
    expect(await eventsFor(who)).toEqual(Array.from({ length: 101 }, () => "contact.createdAna contact.updatedBia"));
  });
});
