import { afterAll, beforeAll, expect, test } from "bun:test";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy } from "../support/customers/customer.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({ clock: manualClock(Date.now()), env: { RECADO_KEEP_MESSAGES: "1d" } });
  c = await newCustomer(w);
});
afterAll(() => w.stop());

const receipt = async (id: string, status: "sent" | "delivered") => {
  const wamid = [...w.graph.sent.values()].find(({ bizOpaque }) => bizOpaque === id)?.wamid ?? "";
  await w.graph.deliverStatuses(wamid, [status]);
  await w.settle();
};
const isThere = async (id: string): Promise<boolean> =>
  (await w.gateway(`/v1/messages/${id}`, { key: c.key })).status === 200;

test("a message stays for 8 days while its receipt may still come, which is published then", async () => {
  const [delivered, silent] = [await c.sent(), await c.sent({ to: "5511999990007" })];
  for (const id of [delivered, silent]) await receipt(id, "sent");
  await w.advance(7 * DAY_MS);
  await receipt(delivered, "delivered");
  expect(receivedBy(c.hook, "message:status").at(-1)).toMatchObject({ messageId: delivered, status: "delivered" });
  await w.advance(DAY_MS / 2);
  expect(await isThere(silent)).toBe(true);
  await w.advance(DAY_MS);
  expect([await isThere(delivered), await isThere(silent)]).toEqual([false, false]);
});

test("a message that waited longer than the term stays for the term after it was sent or has failed", async () => {
  const { body } = await c.send({ idempotencyKey: "a-key-of-this-test" });
  await w.settle();
  await w.app.env.db.write(async (tx) =>
    tx.run("UPDATE messages SET sent_at = NULL, failed_at = NULL, status = 'QUEUED' WHERE id = ?1", [body.messageId]),
  );
  await w.advance(30 * DAY_MS);
  expect(await isThere(body.messageId)).toBe(true);
  await w.app.env.db.write(async (tx) =>
    tx.run("UPDATE messages SET failed_at = ?2, status = 'FAILED' WHERE id = ?1", [body.messageId, w.clock.now()]),
  );
  await w.advance(DAY_MS / 2);
  expect(await isThere(body.messageId)).toBe(true);
  await w.advance(DAY_MS);
  expect(await isThere(body.messageId)).toBe(false);
});
