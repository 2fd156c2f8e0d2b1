import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { readGrowth, type Sample } from "../../src/core/growth.ts";
import { growth } from "../../src/doctor/database/growth.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { readTableSizes } from "../../src/store/engine/growth.ts";
import { TABLE_LAWS } from "../../src/store/laws/table-list.ts";
import { writeMeta } from "../../src/store/tables/meta.ts";
import { scrape } from "../support/apis/prometheus.ts";
import { planOf } from "../support/databases/plans.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";
import { startWorld, type World } from "../support/world.ts";

const GB = 1024 ** 3;
const sample = (day: number, more: Partial<Sample> = {}): Sample => ({
  at: day * DAY_MS,
  databaseBytes: GB,
  freeBytes: 100 * GB,
  rows: {},
  written: {},
  ...more,
});

describe("what grows", () => {
  let w: World;
  beforeEach(async () => {
    w = await startWorld();
  });
  afterEach(() => w.stop());
  const known = () => w.app.env.db.read(readGrowth);
  const look = async () => {
    await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "store.prune", {}));
    await w.settle();
  };
  const mail = (id: string) =>
    w.app.env.db.write(async (tx) =>
      tx.run("INSERT INTO mails (id, tenant_id, subject, body, created_at) VALUES (?1, 't', 'x', 'x', ?2)", [
        id,
        w.clock.now(),
      ]),
    );

  test("is known once the server has looked twice, a day apart, and kept for a week of days", async () => {
    expect(await known()).toBeUndefined();
    await look();
    expect(await known()).toMatchObject({ rows: { mail: 0 }, perDay: undefined });
    for (let n = 0; n < 6; n++) await mail(`f${n}`);
    await w.advance(DAY_MS);
    await look();
    const found = await known();
    expect(found).toMatchObject({
      rows: { mail: 6 },
      perDay: { databaseBytes: expect.any(Number), written: { mail: 6 } },
    });
    for (let day = 0; day < 10; day++) {
      await w.advance(DAY_MS);
      await look();
    }
    const [row] = await w.app.env.db.read(async (reader) =>
      reader.rows<{ value: string }>("SELECT value FROM meta WHERE name = 'growth'"),
    );
    expect((JSON.parse(row?.value ?? "[]") as unknown[]).length).toBeLessThanOrEqual(9);
  });

  test("is shown in /metrics, by its group", async () => {
    await mail("f1");
    await w.app.env.db.write((tx) =>
      writeMeta(
        tx,
        "growth",
        JSON.stringify([
          sample(1, { written: { events: 0 } }),
          sample(3, { freeBytes: 90 * GB, rows: { events: 5 }, written: { events: 40 } }),
        ]),
      ),
    );
    const families = await scrape(w);
    const valuesOf = (name: string) =>
      Object.fromEntries(families.get(name)?.samples.map(({ labels, value }) => [labels["group"] ?? "", value]) ?? []);
    expect(valuesOf("recado_table_rows")).toEqual({ events: 5 });
    expect(valuesOf("recado_table_rows_written_per_day")).toMatchObject({ events: 20, mail: 0 });
    expect(valuesOf("recado_disk_full_seconds")).toEqual({ "": 18 * 86_400 });
  });
});

const temp = tempDatabases();
const { report } = places();

describe("recado doctor says what grows", () => {
  const found = async (...samples: Sample[]) => {
    const path = temp.path();
    const db = temp.database(path);
    if (samples.length > 0) await db.write((tx) => writeMeta(tx, "growth", JSON.stringify(samples)));
    await db.close();
    return report(growth, { RECADO_DATA_DIR: dirname(path) });
  };
  const written = { events: 3000, mail: 1 };

  test("nothing before the server has looked, and no rate after an hour", async () => {
    expect(await found()).toMatchObject({ outcome: "skipped" });
    expect(await found(sample(1), sample(1.04, { freeBytes: 1 }))).toMatchObject({ outcome: "ok" });
  });

  test("and that is ok while the disk lasts for a month, or does not fill at all", async () => {
    expect(await found(sample(1), sample(2, { freeBytes: 99 * GB, written }))).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining("events 3,000"),
    });
    expect(await found(sample(1), sample(2, { freeBytes: 101 * GB }))).toMatchObject({ outcome: "ok" });
  });

  test("when the disk will be full, as a warning or a fault, with the settings that shorten it", async () => {
    const soon = await found(sample(1), sample(2, { freeBytes: 90 * GB, databaseBytes: 2 * GB, written }));
    expect(soon).toMatchObject({
      outcome: "warning",
      found: expect.stringMatching(/full in 9 days.*grows by 1\.0 GB a day/),
      remedy: expect.stringContaining("RECADO_KEEP_EVENTS"),
    });
    expect(await found(sample(1), sample(2, { freeBytes: 40 * GB, written }))).toMatchObject({ outcome: "fault" });
  });
});

test("looking how many rows there are walks through no table", async () => {
  const plan = await planOf(temp, (tx) =>
    readTableSizes(
      tx,
      TABLE_LAWS.map(({ table }) => table),
    ),
  );
  expect(plan.length).toBeGreaterThan(100);
  expect(plan.filter((step) => /^SCAN (?!CONSTANT|pragma_table_list)/.test(step))).toEqual([]);
});
