import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { auditLogOf } from "../../../support/apis/audit.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { tempFolders } from "../../../support/temp-folders.ts";
import { type Answer, startWorld, untilTrue, type World } from "../../../support/world.ts";

const { newFolder, removeFolders } = tempFolders();
const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.stop();
  removeFolders();
});

const begun = async (env: Record<string, string> = {}): Promise<World> => {
  const world = await startWorld({ env });
  worlds.push(world);
  return world;
};
const get = (w: World, path: string): Promise<Answer> => w.gateway(`/v1/admin${path}`, { admin: true });

describe("the doctor", () => {
  test("reports what recado doctor reports, once a minute, without secrets", async () => {
    const w = await begun({ RECADO_META_APP_ID: "an app" });
    const [first, second] = await Promise.all([get(w, "/doctor"), get(w, "/doctor")]);
    expect(first.status).toBe(200);
    const names = first.body.checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["settings", "disk", "database", "integrity", "backups", "audit-log"]),
    );
    const backups = first.body.checks.find(({ name }: { name: string }) => name === "backups");
    expect(backups).toEqual({
      name: "backups",
      outcome: "warning",
      found: "none are made",
      remedy: expect.any(String),
    });
    expect(second.body).toEqual(first.body); // one examination answered both
    expect((await get(w, "/doctor")).body.checkedAt).toBe(first.body.checkedAt);
    expect(first.text).not.toContain("the-meta-app-secret");
    expect(await w.gateway("/v1/admin/doctor")).toMatchObject({ status: 403 });
  });
});

describe("backups", () => {
  test("one is made now, with its audit entry, and listed with its size", async () => {
    const dir = join(newFolder(), "backups");
    mkdirSync(dir);
    const w = await begun({ RECADO_BACKUP: `file:${dir}`, RECADO_BACKUP_AT: "15 2 1 1 *", RECADO_BACKUP_KEEP: "3" });
    const idle = async () => {
      await w.settle();
      return (await get(w, "/backups")).body.isRunning === false;
    };
    await untilTrue(idle);
    const before = (await get(w, "/backups")).body;
    expect(before).toMatchObject({ isConfigured: true, place: dir, schedule: "15 2 1 1 *", keep: 3, fault: null });
    w.clock.advance(1000);
    const asked = await w.gateway("/v1/admin/backups", { admin: true, method: "POST" });
    expect([asked.status, asked.body.isRunning]).toEqual([202, true]);
    expect((await auditLogOf(w)).at(-1)).toMatchObject({ actor: "admin", action: "job.run", target: "backup" });
    await untilTrue(idle);
    const after = (await get(w, "/backups")).body;
    expect(after.items).toHaveLength(before.items.length + 1);
    expect(readdirSync(dir)).toContain(after.items[0].name);
    expect(after.items[0]).toMatchObject({ sizeBytes: after.lastMade.sizeBytes, isChecked: true });
    expect(after.lastMade).toMatchObject({ isMade: true, name: after.items[0].name, error: null });
  });

  test("without a location none is made, and the answer says which setting is missing", async () => {
    const w = await begun();
    expect((await get(w, "/backups")).body).toMatchObject({ isConfigured: false, place: null, items: [] });
    const refused = await w.gateway("/v1/admin/backups", { admin: true, method: "POST" });
    expect(gatewaySays(refused)).toBe("404 NOT_FOUND");
    expect(refused.body.error.message).toContain("RECADO_BACKUP");
    expect((await auditLogOf(w)).filter(({ action }) => action === "job.run")).toEqual([]);
  });
});
