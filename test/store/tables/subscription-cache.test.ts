import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { CLOSED_BREAKER } from "../../../src/core/events/schedule.ts";
import type { ChannelId, SubscriptionId, TenantId } from "../../../src/kernel/ids.ts";
import type { Db, Tx } from "../../../src/store/engine/db.ts";
import { writeOrRehearse } from "../../../src/store/engine/rehearsal.ts";
import { createRowsOfOwners } from "../../../src/store/engine/row-cache.ts";
import { moveRows } from "../../../src/store/laws/joining.ts";
import { replaceSealed, SEALED } from "../../../src/store/laws/sealed.ts";
import * as subscriptions from "../../../src/store/tables/events/subscriptions.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { updateTenant } from "../../../src/store/tables/tenancy/tenants.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { insertEverythingOf } from "../../support/tenants/rows.ts";

// What a write gets from memory must be what it would read, whatever came before it in its group, or failed.

const temp = tempDatabases();
const tenantId = "a" as TenantId;
const id = "subscription-a" as SubscriptionId;
const reach = {
  tenantId,
  channel: { id: "channel-a" as ChannelId, sharedWebhookId: null, formerWebhookId: "another" as SubscriptionId },
};

/** Some concerned, as an event gets them and as the file has them; and one subscription in both ways. */
const both = async (tx: Tx) => ({
  known: [await subscriptions.concernedNow(tx, reach, 100), await subscriptions.subscriptionNow(tx, { tenantId, id })],
  stored: [
    await subscriptions.listConcerned(tx, reach, { after: "", limit: 101 }),
    await subscriptions.loadSubscription(tx, id),
  ],
});

/** Three writes: one fills the cache, one uses it. */
const expectExact = async (db: Db): Promise<void> => {
  for (let times = 0; times < 3; times++) {
    const { known, stored } = await db.write(both);
    expect(known).toEqual(stored);
  }
};

const rowOf = async (tx: Tx): Promise<subscriptions.SubscriptionRow> => {
  const row = await subscriptions.loadSubscription(tx, id);
  if (!row) throw new Error("the row is missing");
  return row;
};

const another = async (tx: Tx, given: Partial<subscriptions.SubscriptionRow> = {}) =>
  subscriptions.insertSubscription(tx, { ...(await rowOf(tx)), id: "another" as SubscriptionId, ...given });

type Step = (tx: Tx) => Promise<unknown>;

/** TABLE: what some changes below need. */
const BEFORE: Record<string, Step> = {
  "failures that are forgotten": (tx) =>
    subscriptions.updateSubscription(tx, EVERY_TENANT, id, { ...CLOSED_BREAKER, breakerFailures: 3 }),
  "the programs of a phone removed": (tx) => another(tx, { kind: "app", channelId: reach.channel.id }),
  // the event of a phone that was deleted meanwhile
  "webhooks of deleted phones pruned": (tx) => another(tx, { kind: "phone", channelId: null }),
  "previous secrets pruned": (tx) =>
    subscriptions.updateSubscription(tx, EVERY_TENANT, id, { previousSecret: "old", previousSecretUntil: 5 }),
};

/** TABLE: every way in which subscriptions change. */
const CHANGES: Record<string, Step> = {
  "a new one": (tx) => another(tx),
  "another secret": (tx) =>
    subscriptions.updateSubscription(tx, EVERY_TENANT, id, { secret: "new", previousSecret: "old" }),
  disabled: (tx) => subscriptions.updateSubscription(tx, { tenantId }, id, { isActive: false }),
  "an open breaker": (tx) => subscriptions.updateSubscription(tx, EVERY_TENANT, id, { breakerOpenUntil: 9 }),
  "failures that are forgotten": (tx) => subscriptions.forgetFailures(tx, id),
  removed: (tx) => subscriptions.deleteSubscription(tx, { tenantId }, { kind: "shared" }, id),
  "a phone's webhook without its phone": (tx) => subscriptions.detachPhoneSubscription(tx, reach.channel.id),
  "the programs of a phone removed": (tx) => subscriptions.deleteAppSubscriptions(tx, reach.channel.id),
  "webhooks of deleted phones pruned": async (tx) => subscriptions.pruneSubscriptions(tx),
  "previous secrets pruned": async (tx) => subscriptions.pruneSecrets(tx, 6),
  "an account that is joined": async (tx) =>
    moveRows(tx, { from: tenantId, into: "b" as TenantId, channelIds: [reach.channel.id] }),
  "secrets under another key": async (tx) => {
    const [row] = await tx.rows<{ at: number; sealed: string }>(
      "SELECT rowid AS at, secret AS sealed FROM subscriptions WHERE id = ?1",
      [id],
    );
    const place = SEALED.find(({ table, column }) => table === "subscriptions" && column === "secret");
    if (!row || !place) throw new Error("nothing is sealed");
    replaceSealed(tx, place, { ...row, by: "under another key" });
  },
};

/** A database whose account `a` has one concerned shared webhook besides a phone's own, and an institution `b`. */
const prepared = async (before: Step = async () => {}): Promise<Db> => {
  const db = temp.database();
  await db.write(async (tx) => {
    await insertEverythingOf(tx, "a");
    await insertEverythingOf(tx, "b");
    await subscriptions.updateSubscription(tx, EVERY_TENANT, id, { kind: "shared", allChannels: true });
    await updateTenant(tx, "b" as TenantId, { platformPlan: "FREE" });
    await before(tx);
  });
  return db;
};

describe.each(Object.entries(CHANGES))("%s", (name, change) => {
  test("is seen by the next write, and by the write itself", async () => {
    const db = await prepared(BEFORE[name]);
    await expectExact(db);
    const { before, after } = await db.write(async (tx) => {
      const old = await both(tx);
      await change(tx);
      return { before: old, after: await both(tx) };
    });
    expect(after.known).toEqual(after.stored);
    expect(after.stored).not.toEqual(before.stored);
    await expectExact(db);
  });

  test("is seen by writes of the same group", async () => {
    const db = await prepared(BEFORE[name]);
    await expectExact(db);
    const [first, , second] = await Promise.all([db.write(both), db.write(change), db.write(both), db.write(both)]);
    expect(first.known).toEqual(first.stored);
    expect(second.known).toEqual(second.stored);
    expect(second.stored).not.toEqual(first.stored);
    await expectExact(db);
  });

  test("is seen by nobody when it was rolled back", async () => {
    const db = await prepared(BEFORE[name]);
    await expectExact(db);
    const failing = async (tx: Tx) => {
      await change(tx);
      const seen = await both(tx);
      expect(seen.known).toEqual(seen.stored);
      throw new Error("thought better of it");
    };
    const [first, failed, second] = await Promise.allSettled([db.write(both), db.write(failing), db.write(both)]);
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "thought better of it" } });
    if (first.status !== "fulfilled" || second.status !== "fulfilled") throw new Error("a read failed");
    expect(second.value.known).toEqual(second.value.stored);
    expect(second.value.stored).toEqual(first.value.stored);
    await expectExact(db);
    await writeOrRehearse(db, { isDryRun: true }, change);
    await expectExact(db);
  });
});

test("statements that change subscriptions stand in one file, which empties the cache", async () => {
  const statement = /(?:update|insert|delete)\(subscriptions\)|(?:UPDATE|INTO|DELETE FROM) subscriptions\b/;
  const found: string[] = [];
  for await (const path of new Glob("**/*.ts").scan("src"))
    if (statement.test(await Bun.file(`src/${path}`).text())) found.push(path);
  expect(found).toEqual(["store/tables/events/subscriptions.ts"]);
});

test("a second event of a tenant reads no subscriptions, however many it has", async () => {
  const db = await prepared();
  await expectExact(db);
  const known = () => db.write((tx) => subscriptions.concernedNow(tx, reach, 100));
  expect(await known()).toBe(await known());
});

describe("the rows in memory", () => {
  const row = (name: string, owner = "a") => ({ id: name, tenantId: owner });
  const commits = () => {
    const hooks: (() => void)[] = [];
    return {
      atCommit: (hook: () => void) => void hooks.push(hook),
      commit: () => hooks.splice(0).forEach((one) => one()),
    };
  };

  test("are bounded, over all owners", async () => {
    const rows = createRowsOfOwners(100);
    const tx = commits();
    for (let n = 0; n < 1000; n++) {
      const own = row(`row ${n}`, `owner ${n % 50}`);
      await rows.through(tx, { owner: own.tenantId, key: `key ${n}` }, async () => [own]);
      tx.commit();
    }
    const known = Array.from({ length: 1000 }, (_, n) => rows.find(`owner ${n % 50}`, `row ${n}`));
    expect(known.filter(Boolean).length).toBeLessThanOrEqual(100);
    expect(known.at(-1)).toBeDefined();
  });

  test("are one object for all keys", async () => {
    const rows = createRowsOfOwners();
    const tx = commits();
    for (const key of ["one", "two"]) await rows.through(tx, { owner: "a", key }, async () => [row("x")]);
    tx.commit();
    const read = (key: string) => rows.through(tx, { owner: "a", key }, async () => []);
    expect((await read("one"))[0]).toBe((await read("two"))[0] as never);
  });

  test("are not kept under an owner that they have left", async () => {
    const rows = createRowsOfOwners();
    const tx = commits();
    await rows.through(tx, { owner: "a", key: "k" }, async () => [row("x", "b")]);
    tx.commit();
    expect(rows.find("a", "x")).toBeUndefined();
  });
});
