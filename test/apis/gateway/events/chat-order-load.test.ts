import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { customerOf, receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const OTHER = "5511999990002";
const HELD = 100_000;

/** As many deliveries behind the first one of the webhook, with their events; none has a job. */
const HOLD = [
  `INSERT INTO events (id, tenant_id, channel_id, chat, audience, type, body, created_at)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${HELD})
    SELECT 'held-' || i, tenant_id, channel_id, chat, audience, type, body, created_at FROM n,
      (SELECT e.* FROM events e JOIN deliveries d ON d.event_seq = e.seq WHERE d.subscription_id = ?1)`,
  `INSERT INTO deliveries (id, event_seq, tenant_id, subscription_id, status, chat, url, attempts, created_at)
    SELECT e.id, e.seq, d.tenant_id, d.subscription_id, 'PENDING', d.chat, d.url, 0, d.created_at
    FROM events e, (SELECT * FROM deliveries WHERE subscription_id = ?1) d WHERE e.id LIKE 'held-%'`,
];

test("100,000 deliveries behind one that fails are no jobs: other chats flow, and their order goes on afterwards", async () => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const phone = await w.wabaPhone(key);
  const { body } = await w.gateway("/v1/webhooks", {
    key,
    body: {
      label: "In order",
      url: hook.url,
      secret: WEBHOOK_SECRET,
      events: ["message:received"],
      allPhones: true,
      ordering: "chat",
    },
  });
  const c = customerOf(w, { accountId, key, phone, hook });
  const receive = async (text: string, from: string) => {
    await w.graph.inbound.text({ to: phone.phoneNumberId, from, text });
    await w.settle();
  };
  hook.reply(({ body: { data } }) => new Response("", { status: data.content.text === "a1" ? 500 : 200 }));
  await receive("a1", TO);
  await w.app.env.db.write(async (tx) => {
    for (const sql of HOLD) tx.run(sql, [body.id]);
  });
  await receive("a2", TO);
  const others = Array.from({ length: 20 }, (_, index) => `b${index}`);
  for (const text of others) await receive(text, OTHER);
  expect(receivedBy(c.hook).map(({ content }) => content.text)).toEqual(["a1", ...others]);
  expect(await rowsOf(w, "SELECT kind FROM jobs WHERE queue LIKE 'endpoint%'")).toEqual([{ kind: "event.retry" }]);

  const limit = 10;
  hook.arrived.length = 0;
  hook.reply((_, index) => new Response("", { status: index >= limit ? 500 : 200 }));
  await w.advance(MINUTE_MS);
  const first = await rowsOf<{ id: string }>(
    w,
    "SELECT e.id FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.subscription_id = ?1 AND d.status = 'DELIVERED' AND e.id LIKE 'held-%' ORDER BY e.seq",
    [body.id],
  );
  expect(first.map(({ id }) => id)).toEqual(Array.from({ length: limit - 1 }, (_, index) => `held-${index + 1}`));
}, 120_000);
