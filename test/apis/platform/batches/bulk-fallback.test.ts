import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { rowsOf, sendsOf } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import {
  batchOf,
  bulkSender,
  cancel,
  newBatch,
  numbers,
  passes,
  postBatch,
  type Sender,
} from "../../../support/tenants/bulk.ts";
import { customer, gatewayKeyOf, wabaChannel, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let network: SessionNetwork;
let w: World;
let who: Sender;
let official: Awaited<ReturnType<World["wabaPhone"]>>;
let received: () => any[];
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  await w.advance(MINUTE_MS);
  network.pace = () => 0;
  network.sent.length = 0;
  network.outcomes.length = 0;
  who = await bulkSender(w);
  official = await w.wabaPhone(await gatewayKeyOf(w, who));
  await knownTemplate(w, official.id);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: ["bulk.completed", "bulk.failed"] });
  received = () => hook.arrived.map(({ body }) => body);
});
afterAll(() => w.stop());

const fallback = (more: object = {}) => ({
  fallback: { channelId: official.id, template: { name: "hello", variables: ["{{name}}"] }, afterMinutes: 10, ...more },
  recipients: numbers(3).map((to, index) => ({ to, variables: { name: `Ana ${index}` } })),
});
const templates = () => sendsOf(w, { phone: official });
const bySession = () => network.sent.filter(({ channelId }) => channelId === who.channelId);
const lost = () => reported(w, network, who.channelId, { state: "CONNECTING" });
const RESTRICTED: SendOutcome = { ok: false, kind: "refused", code: "UPSTREAM_ACCOUNT_RESTRICTED", reason: "no" };

test("a batch whose channel is lost goes out through the other one, with each one's values, and counts once", async () => {
  await lost();
  const id = await newBatch(w, who, fallback());
  await passes(w, HOUR_MS);
  expect(bySession()).toEqual([]);
  const values = templates().map(({ template }) => String(template.components[0].parameters[0].text));
  expect(values.toSorted((one, other) => one.localeCompare(other))).toEqual(["Ana 0", "Ana 1", "Ana 2"]);
  expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", total: 3, sent: 3, failed: 0, pending: 0 });
  expect(received()).toHaveLength(1);
  const counted = await rowsOf<{ count: number }>(
    w,
    "SELECT sum(sends) AS count FROM daily_sends WHERE tenant_id = ?1",
    [who.id],
  );
  expect(counted[0]?.count).toBe(3);
});

test("of those whom the network refuses, each gets the template, and the others the text", async () => {
  network.outcomes.push(RESTRICTED);
  const id = await newBatch(w, who, fallback());
  await passes(w, HOUR_MS);
  expect([bySession().length, templates().length]).toEqual([3, 1]);
  expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 3, failed: 0, errors: [] });
});

test("a template that is refused leaves the failure as it was", async () => {
  const id = await newBatch(w, who, {
    ...fallback(),
    startsAt: new Date(w.app.env.clock.now() + HOUR_MS).toISOString(),
  });
  await w.app.env.db.write(async (tx) =>
    tx.run("UPDATE templates SET status = 'PAUSED' WHERE channel_id = ?1", [official.id]),
  );
  network.outcomes.push(RESTRICTED);
  await passes(w, 2 * HOUR_MS);
  expect(templates()).toEqual([]);
  expect(await batchOf(w, who, id)).toMatchObject({
    status: "COMPLETED",
    sent: 2,
    failed: 1,
    errors: [{ to: numbers(1)[0], code: "UPSTREAM_ACCOUNT_RESTRICTED" }],
  });
});

test("what is cancelled goes out through neither channel", async () => {
  await lost();
  const id = await newBatch(w, who, fallback());
  await passes(w, 9 * MINUTE_MS);
  expect((await cancel(w, who, id)).status).toBe(200);
  await passes(w, HOUR_MS);
  expect([bySession(), templates()]).toEqual([[], []]);
  expect(await batchOf(w, who, id)).toMatchObject({ status: "CANCELLED", sent: 0, cancelled: 3 });
});

test("a fallback without a recipient's value, or of another institution's channel, is refused, and nothing is made", async () => {
  const stranger = await customer(w);
  const theirs = await wabaChannel(w, stranger.key);
  const made = () => rowsOf(w, "SELECT id FROM batches WHERE tenant_id = ?1", [who.id]);
  const bare = await postBatch(w, who, { ...fallback(), recipients: numbers(2) });
  expect([bare.status, bare.body.errors?.[0]?.path]).toEqual([400, "recipients.0.variables.name"]);
  expect((await postBatch(w, who, fallback({ channelId: theirs.id }))).status).toBe(404);
  expect((await postBatch(w, who, fallback({ channelId: who.channelId }))).status).toBe(400);
  expect(await made()).toEqual([]);
});
