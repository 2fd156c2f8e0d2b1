import { describe, expect, test } from "bun:test";
import { useWorld } from "../../../support/use-world.ts";
import { ADMIN_TOKEN, type Answer, APP_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_ALERT_MAIL: "" } });
const get = (path: string): Promise<Answer> => w.gateway(`/v1/admin${path}`, { admin: true });

const PATHS = ["/system", "/nodes", "/settings", "/troubles", "/licences", "/backups", "/billing", "/invoices"];

describe("the machine", () => {
  test("is shown to the holder of the admin token alone", async () => {
    const { key } = await w.account();
    for (const path of PATHS) {
      expect((await get(path)).status).toBe(200);
      expect((await w.gateway(`/v1/admin${path}`)).status).toBe(403);
      expect((await w.gateway(`/v1/admin${path}`, { key })).status).toBe(403);
    }
  });

  test("says its version, its room and its sizes", async () => {
    const { body } = await get("/system");
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d/),
      runtime: `Bun ${Bun.version}`,
      addresses: { dataDir: w.dataDir },
      media: { place: "disk", sizeBytes: 0 },
    });
    expect(body.disk.totalBytes).toBeGreaterThan(body.disk.freeBytes);
    expect(body.memoryBytes).toBeGreaterThan(1_000_000);
    if (!body.database.isShared) expect(body.database.sizeBytes).toBeGreaterThan(0);
  });

  test("names each process that serves the database; this one is among them", async () => {
    const { items } = (await get("/nodes")).body;
    expect(items.filter(({ isSelf }: { isSelf: boolean }) => isSelf)).toEqual([
      { id: expect.any(String), url: null, startedAt: expect.any(String), isLive: true, isSelf: true, channels: 0 },
    ]);
  });

  test("shows each setting with its default and its source, and of a secret only whether it is set", async () => {
    const answer = await get("/settings");
    const byName = Object.fromEntries(answer.body.items.map((one: { name: string }) => [one.name, one]));
    expect(byName["RECADO_LISTEN"]).toMatchObject({
      value: "127.0.0.1:0",
      fallback: "127.0.0.1:8080",
      source: "environment",
      isSecret: false,
    });
    expect(byName["RECADO_BILLING_TZ"]).toMatchObject({ value: "UTC", source: "default" });
    expect(byName["RECADO_ADMIN_TOKEN"]).toMatchObject({ value: "set", isSecret: true, fallback: null });
    expect(byName["RECADO_PROCESSOR_API_KEY"]).toMatchObject({ value: "unset", isSecret: true });
    for (const secret of [ADMIN_TOKEN, APP_SECRET]) expect(answer.text).not.toContain(secret);
  });

  test("names the packages inside, with their licences", async () => {
    const { items } = (await get("/licences")).body;
    const named = Object.fromEntries(items.map((one: { name: string; licence: string }) => [one.name, one.licence]));
    expect(named).toMatchObject({ elysia: "MIT", bun: "MIT", libsignal: "GPL-3.0" });
    expect(items.length).toBeGreaterThan(30);
  });

  test("says what is wrong also where nobody is notified", async () => {
    expect((await get("/troubles")).body).toEqual({ items: [], ways: { mail: false, url: false, telegram: false } });
    const { key } = await w.account();
    const { id } = await w.wabaPhone(key, { label: "Loja Centro" });
    await w.app.env.db.write(async (tx) => tx.run("UPDATE channels SET state = 'FAILED' WHERE id = ?1", [id]));
    expect((await get("/troubles")).body.items).toEqual([
      {
        kind: "phone-lost",
        title: "A phone is not connected",
        subject: id,
        text: expect.stringContaining("Loja Centro"),
        since: null,
        announcedAt: null,
      },
    ]);
  });
});
