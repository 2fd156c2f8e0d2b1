import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openKeyStore } from "../../src/core/channels/settings/vault.ts";
import { RETENTION, SWEEPS } from "../../src/core/retention.ts";
import { recordAct, THE_SERVER } from "../../src/core/tenancy/audit/audit.ts";
import { verifyChain } from "../../src/core/tenancy/audit/audit-chain.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { type ChannelId, idBoundAt } from "../../src/kernel/ids.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";
import { pruneDeparted } from "../../src/store/tables/tenancy/departed.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
const TERMS = {
  MESSAGES: "40d",
  EVENTS: "2d",
  CONVERSATIONS: "40d",
  MEDIA: "3d",
  BATCHES: "40d",
  USAGE: "40d",
  AUDIT: "40d",
  MAIL: "40d",
};
const env = Object.fromEntries(Object.entries(TERMS).map(([name, term]) => [`RECADO_KEEP_${name}`, term]));
beforeEach(async () => {
  w = await startWorld({ env });
});
afterEach(() => w.stop());

const rows = <Row = Record<string, unknown>>(sql: string): Promise<Row[]> =>
  w.app.env.db.read(async (reader) => reader.rows<Row>(sql));
const run = (sql: string, params: unknown[] = []) => w.app.env.db.write(async (tx) => tx.run(sql, params));
const prune = async () => {
  await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "store.prune", {}));
  await w.settle();
};
const ago = (days: number): number => w.clock.now() - days * DAY_MS;
let made = 0;
/** An id that was made so many days ago. */
const idOf = (days: number): string => `${idBoundAt(ago(days))}-4000-8000-${String(++made).padStart(12, "0")}`;
const left = async (table: string): Promise<string[]> =>
  (await rows<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

const insert = (table: string, row: Record<string, unknown>): Promise<void> =>
  run(
    `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
      .map((_, index) => `?${index + 1}`)
      .join(", ")})`,
    Object.values(row),
  );
const OF = { tenant_id: "t", channel_id: "c" };
const message = (days: number, more: object = {}) => ({
  ...OF,
  id: idOf(days),
  environment: "live",
  type: "text",
  recipient: "pn:1",
  content: '{"text":"x"}',
  status: "SENT",
  send_state: "NONE",
  uncertain_attempts: 0,
  created_at: ago(days),
  ...more,
});
const received = (days: number, more: object = {}) => ({
  ...OF,
  id: idOf(days),
  environment: "live",
  type: "text",
  sender: "pn:1",
  created_at: ago(days),
  content: "{}",
  ...more,
});
const conversation = (days: number, more: object = {}) => ({
  ...OF,
  id: idOf(days),
  contact_id: `p${made}`,
  status: "CLOSED",
  last_message_at: ago(days),
  created_at: ago(days),
  closed_at: ago(days),
  ...more,
});

describe("the table of retention", () => {
  test("says of each table what stays, and names every setting that keeps something", () => {
    for (const { rule } of RETENTION) expect(rule.length).toBeGreaterThan(5);
    const named = new Set(RETENTION.flatMap(({ setting }) => (setting === "none" ? [] : [setting])));
    expect([...named].toSorted()).toEqual(SETTING_NAMES.filter((name) => name.startsWith("RECADO_KEEP_")).toSorted());
  });

  test("has a sweep for every table whose laws say that it is swept, and for no other", () => {
    const swept = RETENTION.flatMap(({ table, isSwept }) => (isSwept ? [table] : []));
    expect(Object.keys(SWEEPS).toSorted()).toEqual(swept.toSorted());
  });
});

describe("what is older than its term goes", () => {
  /** TABLE: rows that go, and rows that stay although they are as old, or because they are not. */
  const CASES: Record<string, { goes: () => object[]; stays: () => object[] }> = {
    messages: {
      goes: () => [message(41), message(300, { status: "FAILED" })],
      stays: () => [message(39), message(41, { status: "QUEUED" })],
    },
    received_messages: { goes: () => [received(41)], stays: () => [received(39)] },
    calls: {
      goes: () => [call(41)],
      stays: () => [call(39), call(41, { status: "IN_PROGRESS" }), call(41, { recording: `{"storedAt":${ago(1)}}` })],
    },
    conversations: {
      goes: () => [conversation(41)],
      stays: () => [conversation(39), conversation(41, { status: "OPEN", closed_at: null })],
    },
    ai_conversations: {
      goes: () => [agentTalk(41, { status: "CLOSED", closed_at: ago(41) })],
      stays: () => [agentTalk(39, { status: "CLOSED", closed_at: ago(39) }), agentTalk(41, { status: "AI" })],
    },
    ai_turns: { goes: () => [turn(41)], stays: () => [turn(39)] },
    batches: { goes: () => [batch(41)], stays: () => [batch(39), batch(41, { status: "RUNNING", finished_at: null })] },
    mails: { goes: () => [mail(41)], stays: () => [mail(39)] },
    media: {
      goes: () => [file(91, { deleted_at: ago(2) })],
      stays: () => [file(91, {}), file(89, { deleted_at: ago(80) })],
    },
    groups: {
      goes: () => [group(50, { deleted_at: ago(31) })],
      stays: () => [group(50, { deleted_at: ago(29) }), group(50)],
    },
  };
  const call = (days: number, more: object = {}) => ({
    ...OF,
    id: idOf(days),
    direction: "INBOUND",
    status: "COMPLETED",
    peer: "pn:1",
    created_at: ago(days),
    updated_at: ago(days),
    ...more,
  });
  const agentTalk = (days: number, more: object) => ({
    ...OF,
    id: idOf(days),
    contact_key: `pn:${made}`,
    turn_count: 0,
    created_at: ago(days),
    ...more,
  });
  const turn = (days: number) => ({
    id: idOf(days),
    conversation_id: "x",
    role: "USER",
    content: "x",
    tokens_estimate: 1,
    created_at: ago(days),
  });
  const batch = (days: number, more: object = {}) => ({
    ...OF,
    id: idOf(days),
    environment: "live",
    delay_ms: 1,
    jitter: 0,
    status: "COMPLETED",
    next_at: 0,
    created_at: ago(days),
    finished_at: ago(days),
    text: "x",
    ...more,
  });
  const mail = (days: number) => ({ id: idOf(days), tenant_id: "t", subject: "x", body: "x", created_at: ago(days) });
  const file = (days: number, more: object) => ({
    ...OF,
    id: idOf(days),
    message_id: "m",
    content_type: "x/y",
    created_at: ago(days),
    expires_at: ago(days),
    ...more,
  });
  const group = (days: number, more: object = {}) => ({
    ...OF,
    id: idOf(days),
    subject: "x",
    description: "",
    join_approval_mode: "auto_approve",
    participants: "[]",
    total_participant_count: 0,
    is_suspended: 0,
    is_deleting: 0,
    created_at: ago(days),
    updated_at: ago(days),
    ...more,
  });

  for (const [table, { goes, stays }] of Object.entries(CASES)) {
    test(`${table}: what is in its term stays, and so does what is not over`, async () => {
      const kept = stays();
      for (const row of [...goes(), ...kept]) await insert(table, { ...row });
      await prune();
      expect(await left(table)).toEqual(kept.map((row) => String((row as { id: string }).id)).toSorted());
    });
  }

  test("a closed conversation is deleted with all its messages, unless one waits to be sent", async () => {
    const [gone, waits] = [conversation(41), conversation(41)];
    const late = message(1, { conversation_id: waits.id, status: "QUEUED" });
    for (const one of [gone, waits]) await insert("conversations", one);
    for (let n = 0; n < 120; n++) await insert("received_messages", received(1, { conversation_id: gone.id }));
    await insert("messages", message(1, { conversation_id: gone.id }));
    await insert("messages", late);
    await prune();
    expect([await left("conversations"), await left("received_messages"), await left("messages")]).toEqual([
      [waits.id],
      [],
      [late.id],
    ]);
  });

  test("a batch goes with its recipients, however many", async () => {
    await insert("batches", batch(41, { id: "b" }));
    for (let n = 0; n < 250; n++)
      await insert("batch_recipients", { batch_id: "b", position: n, recipient: "1", status: "SENT" });
    await prune();
    expect([await left("batches"), await rows("SELECT 1 FROM batch_recipients")]).toEqual([[], []]);
  });

  test("a deleted phone without messages goes, however many there are, a part of them in each write", async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `phone-${String(n).padStart(3, "0")}`);
    for (const channel_id of ids) await insert("departed_channels", { channel_id, kind: "WABA", webhook_id: "h" });
    await insert("messages", message(1, { channel_id: ids[120] }));
    const { db } = w.app.env;
    expect(await db.write((tx) => pruneDeparted(tx, { after: "", limit: 100 }))).toBe("phone-099");
    expect((await rows("SELECT 1 FROM departed_channels")).length).toBe(150);
    await prune();
    expect(await rows("SELECT channel_id AS id, webhook_id AS hook FROM departed_channels")).toEqual([
      { id: ids[120], hook: null },
    ]);
  });

  test("delivered events go after the term, undelivered ones and dead letters after 30 days", async () => {
    const event = (days: number, seq: number) =>
      insert("events", {
        seq,
        id: idOf(days),
        tenant_id: "t",
        chat: "x",
        audience: "x",
        type: "x",
        body: "{}",
        created_at: ago(days),
      });
    const delivery = (seq: number, status: string) =>
      insert("deliveries", {
        id: `d${seq}`,
        event_seq: seq,
        tenant_id: "t",
        subscription_id: "s",
        status,
        url: "https://x",
        attempts: 1,
        created_at: 0,
      });
    let seq = 0;
    for (const [days, status] of [
      [3, "DELIVERED"],
      [3, "DEAD"],
      [29, "PAUSED"],
      [31, "DEAD"],
      [1, "DELIVERED"],
    ] as const) {
      await event(days, ++seq);
      await delivery(seq, status);
    }
    await prune();
    const kept = await rows(
      "SELECT round((?1 - events.created_at) / 86400000) AS days, status FROM events JOIN deliveries ON event_seq = seq ORDER BY 1".replace(
        "?1",
        String(w.clock.now()),
      ),
    );
    expect(kept).toEqual([
      { days: 1, status: "DELIVERED" },
      { days: 3, status: "DEAD" },
      { days: 29, status: "PAUSED" },
    ]);
    expect(await rows("SELECT id FROM deliveries")).toHaveLength(3);
  });

  test("usage goes after its term, but not what no invoice was made of, nor what an unpaid one is for", async () => {
    const { id: tenantId } = await w.account();
    const { id: debtor } = await w.account();
    const day = (days: number): number => Math.floor(ago(days) / DAY_MS);
    for (const tenant of [tenantId, debtor])
      for (const days of [200, 100, 50, 1])
        await insert("usage_days", {
          tenant_id: tenant,
          day: day(days),
          channel_id: "c",
          kind: "WABA",
          sent: 1,
          received: 0,
        });
    const unpaid = {
      id: idOf(60),
      tenant_id: debtor,
      period_start: ago(110),
      period_end: ago(80),
      is_manual: 1,
      total_cents: 1,
      breakdown: "{}",
      status: "OVERDUE",
      due_date: "2030-01-01",
    };
    await insert("invoices", { ...unpaid, created_at: 0, updated_at: 0 });
    await run("UPDATE meta SET value = ?1 WHERE name = 'billing-closed-until'", [String(day(45))]);
    await prune();
    const kept = async (tenant: string) =>
      (await rows<{ day: number }>(`SELECT day FROM usage_days WHERE tenant_id = '${tenant}' ORDER BY day`)).map(
        (row) => day(0) - row.day,
      );
    expect([await kept(tenantId), await kept(debtor)]).toEqual([[1], [100, 50, 1]]);
    await insert("usage_days", {
      tenant_id: tenantId,
      day: day(60),
      channel_id: "c",
      kind: "WABA",
      sent: 1,
      received: 0,
    });
    await run("UPDATE meta SET value = ?1 WHERE name = 'billing-closed-until'", [String(day(300))]);
    await prune();
    expect(await kept(tenantId)).toEqual([60, 1]);
  });

  test("rows of a session's key store go when nobody needs them any more, and the others never", async () => {
    await w.app.env.db.write((tx) => insertEverythingOf(tx, "mine"));
    for (const [id, until] of [
      ["over", ago(0)],
      ["later", ago(-1)],
      ["kept", null],
    ] as const)
      await insert("key_rows", { channel_id: "channel-mine", kind: "address", id, sealed: "x", expires_at: until });
    await prune();
    expect((await left("key_rows")).filter((id) => ["over", "later", "kept"].includes(id))).toEqual(["kept", "later"]);
  });

  test("a key store that has read such a row does not find it in memory", async () => {
    const phone = await w.wabaPhone((await w.account()).key);
    const store = await openKeyStore(w.app.env, phone.id as ChannelId, async () => {});
    const addresses = ["over", "later"];
    await store.write({
      rows: [
        { kind: "address", id: "over", value: "a", until: ago(0) },
        { kind: "address", id: "later", value: "b", until: ago(-1) },
      ],
    });
    expect([...(await store.read("address", addresses)).keys()].toSorted()).toEqual(["later", "over"]);
    await prune();
    expect([...(await store.read("address", addresses)).keys()]).toEqual(["later"]);
  });

  test("of the texts that a session keeps nothing is older than messages are", async () => {
    for (const days of [39, 41])
      await insert("cached_messages", {
        channel_id: "c",
        provider_message_id: `k${days}`,
        sealed: "x",
        cached_at: ago(days),
      });
    for (const days of [39, 41])
      await insert("inbox", {
        channel_id: "c",
        provider_message_id: `k${days}`,
        message_id: `m${days}`,
        received_at: ago(days),
      });
    await prune();
    expect([
      await rows("SELECT provider_message_id FROM cached_messages"),
      await rows("SELECT provider_message_id FROM inbox"),
    ]).toEqual([[{ provider_message_id: "k39" }], [{ provider_message_id: "k39" }]]);
  });
});

describe("by default", () => {
  test("messages and conversations stay for ever", async () => {
    await w.stop();
    w = await startWorld();
    await insert("messages", message(3999));
    await insert("received_messages", received(3999));
    await insert("conversations", conversation(3999));
    await prune();
    expect(
      [await left("messages"), await left("received_messages"), await left("conversations")].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 1, 1]);
  });
});

describe("the audit log", () => {
  /** An act of so many days ago. */
  const act = (target: string, days = 0, details = {}) =>
    w.app.env.db.write((tx) =>
      recordAct({ ...w.app.env, clock: { ...w.app.env.clock, now: () => ago(days) } }, tx, THE_SERVER, {
        action: "job.run",
        target,
        details,
      }),
    );
  const verify = () => verifyChain(w.app.env.db);
  const actions = async () =>
    (await rows<{ action: string; target: string }>("SELECT action, target FROM audit_entries ORDER BY id")).map(
      ({ action, target }) => target ?? action,
    );

  test("is pruned and can still be verified; what is taken out besides shows", async () => {
    for (let n = 0; n < 5; n++) await act(`old ${n}`, 42);
    for (let n = 0; n < 3; n++) await act(`new ${n}`);
    await prune();
    expect(await actions()).toEqual(["new 0", "new 1", "new 2", "audit.prune"]);
    expect(await verify()).toMatchObject({ isWhole: true, entries: 4 });
    await run("DELETE FROM audit_entries WHERE target = 'new 0'");
    expect(await verify()).toEqual({ isWhole: false, brokenAt: 7 });
  });

  test("is pruned again and again, however much of it is over, and an entry that says so falsely shows", async () => {
    for (let n = 0; n < 600; n++) await act("old", 300);
    for (let n = 0; n < 3; n++) await act("older by then", 30);
    await prune();
    expect([await actions(), await verify()]).toMatchObject([
      ["older by then", "older by then", "older by then", "audit.prune", "audit.prune"],
      { isWhole: true },
    ]);
    w.app.env.config.keep.audit = 20 * DAY_MS;
    await prune();
    expect([await actions(), await verify()]).toMatchObject([
      ["audit.prune", "audit.prune", "audit.prune"],
      { isWhole: true, entries: 3 },
    ]);
    await run("UPDATE audit_entries SET details = replace(details, 'hash', 'hush') WHERE action = 'audit.prune'");
    expect(await verify()).toMatchObject({ isWhole: false });
  });

  test("leaves no entry where nothing was over, nor every hour", async () => {
    for (const days of [39, 40.5]) await act("one", days);
    await prune();
    expect(await actions()).toEqual(["one", "one"]);
  });

  test("has entries of bounded length, which say when they were cut", async () => {
    await act("x".repeat(10_000), 0, {
      url: "😀".repeat(2000),
      events: Array.from({ length: 5000 }, () => "message:received"),
      last: 1,
    });
    const [entry] = await rows<{ target: string; details: string }>(
      "SELECT target, details FROM audit_entries ORDER BY id DESC LIMIT 1",
    );
    expect([entry?.target.length, (entry?.details.length ?? 0) < 4200]).toEqual([501, true]);
    expect(JSON.parse(entry?.details ?? "")).toEqual({ url: `${"😀".repeat(250)}…`, cut: true });
    expect(await verify()).toMatchObject({ isWhole: true });
  });
});
