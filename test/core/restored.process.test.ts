import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { verifyChain } from "../../src/core/tenancy/audit/audit-chain.ts";
import { auditPage } from "../../src/core/tenancy/audit/audit-search.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { processes } from "../support/processes/process.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../support/world.ts";

const tools = processes();
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

const rows = <Row>({ db }: { db: Db }, sql: string): Promise<Row[]> => db.read(async (reader) => reader.rows<Row>(sql));

/**
 * A world in whose backup everything waits that sends: a message for a network which recognises no repeat, one that is
 * scheduled for before the restore and one for long after it, a batch, and an agent's answer; with what a process
 * holds.
 */
const waiting = async (policy: "fail" | "resend") => {
  const world = await startWorld({ env: { RECADO_UNCERTAIN_SENDS: policy } });
  worlds.push(world);
  const { env } = world.app;
  const receiver = world.receiver();
  const { id: tenantId, key } = await world.account();
  const phone = await world.wabaPhone(key, { webhook: { url: receiver.url, secret: WEBHOOK_SECRET } });
  world.graph.failNext(1, { kind: "error", code: 130429 });
  const send = async (text: string): Promise<string> =>
    (
      await world.gateway("/v1/messages", {
        key,
        body: { phoneId: phone.id, to: "5511999990001", type: "text", content: { text } },
      })
    ).body.messageId;
  await send("asked to slow down");
  await world.settle();
  const messageId = await send("waits");
  await world.settle();
  const now = Date.now();
  await env.db.write(async (tx) => {
    for (const [id, at] of [
      ["was due", now - MINUTE_MS],
      ["is to come", now + 1000 * MINUTE_MS],
    ] as const) {
      await tx.rows(
        "INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload) VALUES (?1, ?2, ?3, ?4, 'PENDING', 0, 0, '{}')",
        [id, tenantId, phone.id, at],
      );
    }
    await tx.rows(
      "INSERT INTO batches (id, tenant_id, channel_id, environment, delay_ms, jitter, status, next_at, created_at, text) VALUES ('batch', ?1, ?2, 'live', 1000, 0, 'RUNNING', ?3, 0, 'oi')",
      [tenantId, phone.id, now * 2],
    );
    await tx.rows(
      "INSERT INTO batch_recipients (batch_id, position, recipient, status) VALUES ('batch', 0, 'pn:5511999990002', 'PENDING')",
    );
    await tx.rows(
      "INSERT INTO jobs (kind, queue, priority, payload, run_at, owner, claims, attempts, crashes, created_at) VALUES ('agent.respond', 'ai:x', 1, '{}', ?1, 'a process', 1, 1, 0, 0)",
      [now * 2],
    );
    await tx.rows(
      "INSERT INTO jobs (kind, queue, priority, payload, run_at, owner, claims, attempts, crashes, created_at) VALUES ('store.prune', 'held', 1, '{}', ?1, 'a process', 1, 1, 0, 0)",
      [now * 2],
    );
    await tx.rows(
      "INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until, owner) VALUES ('held', 'held', 1, 1, NULL, 0, 'a process')",
    );
    await tx.rows("INSERT INTO leases (key, owner) VALUES (?1, 'a process')", [phone.id]);
    await tx.rows("INSERT INTO rate_windows (key, minute, used) VALUES ('a window', 1, 600) ON CONFLICT DO NOTHING");
  });
  const file = join(tools.folder(), "backup.db");
  const settings = { RECADO_DATA_DIR: world.dataDir, RECADO_UNCERTAIN_SENDS: policy };
  expect((await tools.run(["backup", file], settings)).err).toBe("");
  await world.app.stop();
  const { out, err } = await tools.run(["restore", "--json", file], settings);
  expect(err).toBe("");
  const restored = JSON.parse(out) as { plan: { waiting: object }; mended: object };
  await world.restart();
  return { world, receiver, messageId, restored, file };
};

test("by default nothing that may have been sent is sent again: it fails, and says why", async () => {
  const { world, receiver, messageId, restored } = await waiting("fail");
  expect(restored.plan.waiting).toEqual({ sessions: 0, messages: 2, due: 1, batches: 1, answers: 1 });
  expect(restored.mended).toEqual({ sessions: 0, doubted: { messages: 2, scheduled: 1, batches: 1, answers: 1 } });
  const sent = world.graph.sent.size;
  await world.settle();
  for (let minutes = 0; minutes < 5; minutes++) await world.advance(MINUTE_MS);
  expect(world.graph.sent.size).toBe(sent);
  const { env } = world.app;
  expect(await rows(env, "SELECT status, failed_reason LIKE '[OUTCOME_UNKNOWN]%' AS isUnknown FROM messages")).toEqual([
    { status: "FAILED", isUnknown: 1 },
    { status: "FAILED", isUnknown: 1 },
  ]);
  expect(await rows(env, "SELECT id, status, failure ->> 'code' AS code FROM scheduled ORDER BY id")).toEqual([
    { id: "is to come", status: "PENDING", code: null },
    { id: "was due", status: "FAILED", code: "OUTCOME_UNKNOWN" },
  ]);
  expect(
    await rows(
      env,
      "SELECT b.status, r.status AS recipient, error_code AS code FROM batches b JOIN batch_recipients r",
    ),
  ).toEqual([{ status: "FAILED", recipient: "FAILED", code: "OUTCOME_UNKNOWN" }]);
  expect(await rows(env, "SELECT id FROM jobs WHERE kind = 'agent.respond'")).toEqual([]);
  const published = (await receiver.received(2)).map(({ body }) => body.data);
  expect(published.find((data) => data.messageId === messageId)).toMatchObject({ status: "failed" });
});

test("with RECADO_UNCERTAIN_SENDS=resend everything goes on", async () => {
  const { world, restored } = await waiting("resend");
  expect(restored.mended).toEqual({ sessions: 0, doubted: { messages: 0, scheduled: 0, batches: 0, answers: 0 } });
  await world.settle();
  for (let minutes = 0; minutes < 5; minutes++) await world.advance(MINUTE_MS);
  const { env } = world.app;
  expect(await rows(env, "SELECT DISTINCT status FROM messages")).toEqual([{ status: "SENT" }]);
  expect(await rows(env, "SELECT DISTINCT status FROM scheduled")).toEqual([{ status: "PENDING" }]);
  expect(await rows(env, "SELECT status FROM batches")).toEqual([{ status: "RUNNING" }]);
  expect((await rows(env, "SELECT id FROM jobs WHERE kind = 'agent.respond'")).length).toBe(1);
});

test("leases of earlier processes are free, without counting as crashes; the audit log records the restore", async () => {
  const { world, file } = await waiting("fail");
  const { env } = world.app;
  const { items } = await auditPage(env, {
    tenantId: undefined,
    action: "backup.restore",
    cursor: undefined,
    limit: 10,
  });
  expect(items.map(({ actor, target }) => ({ actor, target }))).toEqual([{ actor: "local", target: file }]);
  expect(await verifyChain(env.db)).toMatchObject({ isWhole: true });
  expect(await rows(env, "SELECT owner, crashes FROM jobs WHERE queue = 'held'")).toEqual([
    { owner: null, crashes: 0 },
  ]);
  expect(await rows(env, "SELECT running FROM queues WHERE key = 'held'")).toEqual([{ running: 0 }]);
  expect(await rows(env, "SELECT id FROM processes WHERE id = 'a process'")).toEqual([]);
  expect(
    await rows(
      env,
      "SELECT key FROM leases WHERE owner = 'a process' UNION ALL SELECT key FROM queues WHERE owner IS NOT NULL",
    ),
  ).toEqual([]);
  expect(await rows(env, "SELECT key FROM rate_windows WHERE key = 'a window'")).toEqual([]);
});
