import { afterAll, beforeAll, expect, test } from "bun:test";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { inline, type Knowledge, knowledgeOf } from "../support/customers/agents/knowledge.ts";
import { callsOf } from "../support/customers/calls.ts";
import { customerOf, rowsOf } from "../support/customers/customer.ts";
import { arrives, filesOf, mediaCalls } from "../support/customers/media.ts";
import { giveAgent, giveKey, type LlmWorld, startLlmWorld } from "../support/llm/world.ts";
import { type Customer, connectedChannel, customer, gatewayKeyOf, made } from "../support/tenants/platform.ts";
import type { World } from "../support/world.ts";

let s: LlmWorld;
let w: World;
beforeAll(async () => {
  s = await startLlmWorld({ env: { RECADO_KEEP_MESSAGES: "1d", RECADO_KEEP_MEDIA: "2d" } });
  w = s.w;
});
afterAll(() => s.stop());

const { RECADO_TEST_SEED: SEED = "7" } = process.env;
const STEPS = 120;

type Thing = { id: string };

/** What an institution may do that changes what is counted; each is drawn at random. */
const actsOf = async (random: () => number, who: Customer) => {
  const key = await gatewayKeyOf(w, who);
  const phone = await connectedChannel(w, who);
  const c = customerOf(w, { accountId: who.id, key, phone, hook: w.receiver() });
  await giveKey(w, c);
  await giveAgent(w, c);
  const k: Knowledge = knowledgeOf(w, s.llm, c);
  const calls = callsOf(w, c);
  const one = async (table: string, where = "true"): Promise<Thing | undefined> => {
    const found = await rowsOf<Thing>(w, `SELECT id FROM ${table} WHERE tenant_id = ?1 AND ${where} ORDER BY id`, [
      who.id,
    ]);
    return found[Math.floor(random() * found.length)];
  };
  const number = () => `551199999000${Math.floor(random() * 8)}`;
  const contact = (as: string) => w.platform("/v1/contacts", { key: as, body: { phoneNumber: number(), name: "Ana" } });
  const acts: Record<string, () => Promise<unknown>> = {
    contact: () => contact(who.key),
    "contact of a test key": () => contact(who.testKey),
    "contact deleted": async () =>
      w.platform(`/v1/contacts/${(await one("contacts"))?.id}`, { key: who.key, method: "DELETE" }),
    text: () => w.graph.inbound.text({ to: phone.phoneNumberId, from: number(), text: "oi" }),
    file: () => arrives(w, c),
    files: () => arrives(w, c, {}, { mediaId: "unknown" }, { kind: "document", filename: "a.png" }),
    "file acknowledged": async () => mediaCalls(w, c).ack((await one("media"))?.id ?? "none"),
    call: () => calls.placed(),
    recording: async () =>
      calls.ask(`/${(await one("calls"))?.id}/recording`, {
        method: "POST",
        raw: "a sound",
        headers: { "content-type": "audio/ogg" },
      }),
    document: () => k.ask("", { body: inline("Abrimos todos os dias. ".repeat(Math.ceil(random() * 400))) }),
    "document deleted": async () => k.ask(`/${(await one("documents"))?.id}`, { method: "DELETE" }),
    upload: () => k.ask("/files", { raw: "a text", headers: { "content-type": "text/plain" } }),
    erasure: () =>
      w.gateway("/v1/admin/people/erase", {
        admin: true,
        body: { person: number(), ...(random() < 0.5 ? { accountId: who.id } : {}) },
      }),
    day: () => w.advance(DAY_MS),
    restart: () => (random() < 0.3 ? w.restart() : Promise.resolve()),
  };
  return { acts, phone };
};

const bytesOf = (tenantId: string) =>
  rowsOf<{ key: string; n: number }>(
    w,
    `SELECT tenant_id || '/' || id AS key, size_bytes AS n FROM media WHERE tenant_id = ?1 AND stored_at IS NOT NULL AND deleted_at IS NULL
     UNION ALL SELECT recording ->> 'objectKey', recording ->> 'sizeBytes' FROM calls WHERE tenant_id = ?1 AND recording IS NOT NULL
     UNION ALL SELECT 'document/' || id, NULL FROM documents WHERE tenant_id = ?1 AND status = 'READY'`,
    [tenantId],
  );

const check = async (tenantId: string, after: string): Promise<void> => {
  const rows = await rowsOf<{ collection: string; n: number }>(
    w,
    "SELECT collection, n FROM tenant_counts WHERE tenant_id = ?1",
    [tenantId],
  );
  const counted = {
    contacts: 0,
    "stored-bytes": 0,
    ...Object.fromEntries(rows.map(({ collection, n }) => [collection, n])),
  };
  const [contacts] = await rowsOf<{ n: number }>(w, "SELECT count(*) AS n FROM contacts WHERE tenant_id = ?1", [
    tenantId,
  ]);
  const items = await rowsOf<{ key: string; n: number }>(
    w,
    "SELECT key, size_bytes AS n FROM stored_items WHERE tenant_id = ?1",
    [tenantId],
  );
  expect([after, counted]).toEqual([
    after,
    { contacts: contacts?.n ?? 0, "stored-bytes": items.reduce((sum, { n }) => sum + n, 0) },
  ]);
  const uploads = (key: string): boolean => key.startsWith(`${tenantId}/knowledge/`);
  const keys = items.map(({ key }) => key).toSorted();
  expect([after, keys.filter((key) => !uploads(key))]).toEqual([
    after,
    (await bytesOf(tenantId)).map(({ key }) => key).toSorted(),
  ]);
  expect([after, keys.filter((key) => !key.startsWith("document/"))]).toEqual([
    after,
    filesOf(w)
      .filter((file) => file.startsWith(tenantId))
      .toSorted(),
  ]);
};

test("counters of contacts and stored bytes are what there is, whatever is done and in whatever order", async () => {
  const random = seededRandom(Number(SEED)).float;
  const tenants = await Promise.all(
    [await customer(w), await customer(w)].map(async (who) => ({ who, ...(await actsOf(random, who)) })),
  );
  for (let step = 0; step < STEPS; step++) {
    const { who, acts } = tenants[Math.floor(random() * 2)] ?? expect.unreachable();
    const names = Object.keys(acts);
    // some at the same time, so that they meet
    const drawn = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => names[Math.floor(random() * names.length)] ?? "",
    );
    const isAlone = drawn.some((name) => ["day", "restart", "call"].includes(name));
    for (const batch of isAlone ? drawn.map((name) => [name]) : [drawn])
      await Promise.all(batch.map(async (name) => acts[name]?.()));
    await w.settle();
    await check(who.id, `seed ${SEED}, step ${step}: ${drawn.join(", ")}`);
  }
  for (const { who, phone } of tenants) {
    made(await w.platform(`/v1/channels/${phone.id}`, { key: who.key, method: "DELETE" }), 204);
    await w.settle();
    await w.advance(2 * DAY_MS);
    await check(who.id, `seed ${SEED}: channel deleted`);
  }
});
