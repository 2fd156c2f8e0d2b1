import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { pruneAuditLog, recordAct, THE_SERVER } from "../../../src/core/tenancy/audit/audit.ts";
import { verifyChain } from "../../../src/core/tenancy/audit/audit-chain.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { auditLogOf, type Recorded } from "../../support/apis/audit.ts";
import { fieldsOf } from "../../support/refusals.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld();
});
afterEach(() => w.stop());

/** Does something as somebody who has the database at hand. */
const meddle = (sql: string, params: unknown[] = []) => w.app.env.db.write(async (tx) => tx.run(sql, params));
const verify = () => verifyChain(w.app.env.db);
const accounts = async (count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await w.gateway("/v1/admin/accounts", { admin: true, body: { name: `Account ${n}` } })).body.id);
  return ids;
};

const acts = (count: number) =>
  w.app.env.db.write(async (tx) => {
    for (let n = 0; n < count; n++)
      await recordAct(w.app.env, tx, THE_SERVER, { action: "job.run", target: String(n) });
  });

describe("GET /v1/admin/audit", () => {
  const page = (query = "") => w.gateway(`/v1/admin/audit${query}`, { admin: true });

  test("lists acts newest first, page by page, each once", async () => {
    const ids = await accounts(5);
    const seen: { target: string; id: string }[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { status, body } = await page(`?limit=2${cursor && `&cursor=${cursor}`}`);
      expect([status, body.items.length <= 2]).toEqual([200, true]);
      seen.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(seen.map(({ target }) => target)).toEqual(ids.toReversed());
    expect(seen[0]).toEqual({
      id: "5",
      at: new Date(w.clock.now()).toISOString(),
      actor: "admin",
      actorName: null,
      action: "account.create",
      target: ids[4],
      targetName: "Account 4",
      tenantId: ids[4],
      tenantName: "Account 4",
      details: { address: "127.0.0.1", planCode: "free_tier" },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    } as never);
  });

  test("of one tenant, of one kind of act, or of both", async () => {
    const [one = "", other = ""] = await accounts(2);
    for (const id of [one, other])
      await w.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true, body: { name: "key" } });
    const actsIn = async (query: string) =>
      (await page(query)).body.items.map(
        ({ action, tenantId }: Recorded) => `${action} ${tenantId === one ? "one" : "other"}`,
      );
    expect(await actsIn(`?tenantId=${one}`)).toEqual(["key.create one", "account.create one"]);
    expect(await actsIn("?action=key.create")).toEqual(["key.create other", "key.create one"]);
    expect(await actsIn(`?tenantId=${other}&action=account.create`)).toEqual(["account.create other"]);
    expect(await actsIn("?tenantId=nobody")).toEqual([]);
  });

  test("refuses a cursor that is no entry, an act that there is not, and a sender without the admin token", async () => {
    await accounts(1);
    for (const cursor of ["0", "99", "x", "1.5", "-1"])
      expect([cursor, (await page(`?cursor=${cursor}`)).status]).toEqual([cursor, 400]);
    expect(fieldsOf(await page("?action=nothing"))).toEqual(["action"]);
    expect((await w.gateway("/v1/admin/audit", { headers: { "x-admin-token": "no" } })).status).toBe(403);
    const { key } = await w.account();
    expect((await w.gateway("/v1/admin/audit", { key })).status).toBe(403);
  });
});

describe("the chain", () => {
  test("is whole when there is nothing, and after whatever has happened", async () => {
    expect(await verify()).toEqual({ isWhole: true, entries: 0, head: undefined });
    await accounts(3);
    await w.institution();
    const entries = await auditLogOf(w);
    expect(await verify()).toEqual({ isWhole: true, entries: entries.length, head: entries.at(-1)?.hash });
    await w.restart();
    await accounts(1);
    expect(await verify()).toMatchObject({ isWhole: true, entries: entries.length + 1 });
  });

  test("is whole when many acts are done at once, and none is lost by one that fails", async () => {
    const acts = Array.from({ length: 40 }, (_, n) =>
      w.gateway("/v1/admin/accounts", {
        admin: true,
        body: { name: "x", ...(n % 4 === 0 ? { planCode: "none" } : {}) },
      }),
    );
    const made = (await Promise.all(acts)).filter(({ status }) => status === 201);
    expect(made).toHaveLength(30);
    expect(await verify()).toMatchObject({ isWhole: true, entries: 30 });
  });

  test("is whole whenever it is looked at, also while it grows", async () => {
    let isOver = false;
    const growing = accounts(30).then(() => (isOver = true));
    let looks = 0;
    for (; !isOver; looks++) {
      expect(await verify()).toMatchObject({ isWhole: true });
      await new Promise((resolve) => setImmediate(resolve)); // a look alone lets nothing else happen
    }
    await growing;
    expect(looks).toBeGreaterThan(1);
  });

  test("is longer than what is looked at at once", async () => {
    await acts(1203);
    expect(await verify()).toMatchObject({ isWhole: true, entries: 1203 });
    await meddle("UPDATE audit_entries SET target = 'x' WHERE id = 1100");
    expect(await verify()).toEqual({ isWhole: false, brokenAt: 1100 });
  });

  const MEDDLING: [what: string, sql: string, brokenAt: number | "end"][] = [
    ["an entry is changed: who", "UPDATE audit_entries SET actor = 'key:somebody' WHERE id = 3", 3],
    ["an entry is changed: when", "UPDATE audit_entries SET at = at + 1 WHERE id = 3", 3],
    ["an entry is changed: what", "UPDATE audit_entries SET action = 'job.run' WHERE id = 3", 3],
    ["an entry is changed: to whom", "UPDATE audit_entries SET target = NULL WHERE id = 3", 3],
    ["an entry is changed: of whom", "UPDATE audit_entries SET tenant_id = NULL WHERE id = 3", 3],
    ["an entry is changed: the details", "UPDATE audit_entries SET details = '{}' WHERE id = 3", 3],
    ["an entry is changed: its hash", "UPDATE audit_entries SET hash = '' WHERE id = 3", 3],
    ["the first one is taken out", "DELETE FROM audit_entries WHERE id = 1", 2],
    ["one in the middle is taken out", "DELETE FROM audit_entries WHERE id = 3", 4],
    ["the last one is taken out", "DELETE FROM audit_entries WHERE id = 5", "end"],
    ["all are taken out", "DELETE FROM audit_entries", "end"],
    [
      "one is put between",
      "INSERT INTO audit_entries SELECT 6, at, actor, action, target, tenant_id, details, hash FROM audit_entries WHERE id = 2",
      6,
    ],
    [
      "two change places",
      "UPDATE audit_entries SET id = -2 WHERE id = 2; UPDATE audit_entries SET id = 2 WHERE id = 3; UPDATE audit_entries SET id = 3 WHERE id = -2",
      2,
    ],
  ];
  test.each(MEDDLING)("shows when %s", async (_, sql, brokenAt) => {
    await accounts(5);
    for (const statement of sql.split("; ")) await meddle(statement);
    expect(await verify()).toEqual({ isWhole: false, brokenAt });
  });
});

describe("the chain, while its old entries are pruned", () => {
  /** Verifies, and does something when the first page has been read. */
  const verifyAround = async (between: () => Promise<unknown>, pages = 1) => {
    let reads = 0;
    return verifyChain({
      read: async (body) => {
        const result = await w.app.env.db.read(body);
        // the first read asks for the highest id
        if (reads++ > 0 && reads <= 1 + pages) await between();
        return result;
      },
    });
  };
  const later = () => w.clock.advance(5 * DAY_MS);
  const pruned = () => pruneAuditLog(w.app.env, w.clock.now() - 2 * DAY_MS);

  test("is whole, when the entries that were verified and more are gone", async () => {
    await acts(700);
    later();
    await acts(600);
    expect(await verifyAround(pruned)).toMatchObject({ isWhole: true, entries: 602 });
    expect(await verify()).toMatchObject({ isWhole: true, entries: 602 });
  });

  test("is whole, however often that happens", async () => {
    for (let n = 0; n < 4; n++) {
      await acts(700);
      later();
    }
    await acts(1);
    let days = 16;
    const more = () => pruneAuditLog(w.app.env, w.clock.now() - (days -= 5) * DAY_MS);
    expect(await verifyAround(more, 3)).toMatchObject({ isWhole: true });
    expect(days).toBe(1);
  });

  test("is whole, when only entries that were verified are gone", async () => {
    await acts(300);
    later();
    await acts(600);
    expect(await verifyAround(pruned)).toMatchObject({ isWhole: true, entries: 901 });
  });

  test.each([
    ["an entry that stays was changed", "UPDATE audit_entries SET target = 'x' WHERE id = 1100", 1100],
    ["an entry that stays was taken out", "DELETE FROM audit_entries WHERE id = 1100", 1101],
    ["an entry behind the pruned ones was taken out too", "DELETE FROM audit_entries WHERE id = 701", 702],
    ["the first entry that stays was changed", "UPDATE audit_entries SET target = 'x' WHERE id = 701", 701],
  ])("shows when %s", async (_, sql, brokenAt) => {
    await acts(700);
    later();
    await acts(600);
    const both = async () => {
      await pruned();
      await meddle(sql);
    };
    expect(await verifyAround(both)).toEqual({ isWhole: false, brokenAt });
  });

  test("shows when somebody takes out all that was verified, and no entry records it", async () => {
    await acts(1300);
    expect(await verifyAround(() => meddle("DELETE FROM audit_entries WHERE id <= 700"))).toEqual({
      isWhole: false,
      brokenAt: 701,
    });
  });

  test("shows when an entry says that it records a deletion, and its details are no record", async () => {
    for (const details of ["", "null", "[]", '"through"']) {
      await acts(3);
      await meddle("DELETE FROM audit_entries WHERE id NOT IN (SELECT max(id) FROM audit_entries)");
      await meddle("UPDATE audit_entries SET action = 'audit.prune', details = ?1", [details]);
      expect(await verify()).toMatchObject({ isWhole: false });
    }
  });
});

test("the log has each act once it is on disk, with its hash", async () => {
  const talkative = await startWorld({ logLevel: "debug" });
  await talkative.account();
  const received = talkative.logs
    .map((line) => JSON.parse(line) as { msg: string; action: string; hash: string })
    .filter(({ msg }) => msg === "an administrative act");
  expect(received.map(({ hash }) => hash)).toEqual((await auditLogOf(talkative)).map(({ hash }) => hash));
  await talkative.stop();
});
