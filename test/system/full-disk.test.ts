import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBackup } from "../../src/store/backup/backup.ts";
import { clientOf } from "../support/client.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { processes } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN } from "../support/world.ts";

setDefaultTimeout(240_000);
const { serve } = processes();
const temp = tempDatabases();
const mounted: string[] = [];
afterAll(async () => {
  for (const path of mounted) {
    await Bun.$`umount -l ${path}`.quiet().nothrow();
    rmSync(path, { recursive: true, force: true });
  }
});

/** A disk of 30 MB. */
const smallDisk = async (): Promise<string> => {
  const path = mkdtempSync(join(tmpdir(), "recado-disk-"));
  await Bun.$`mount -t tmpfs -o size=30m tmpfs ${path}`.quiet();
  mounted.push(path);
  return path;
};

/** Takes all the room that there is, to the last byte. */
const fill = (path: string): void => {
  for (const size of [1 << 20, 4096, 1]) {
    for (let part = 0; ; part++) {
      try {
        writeFileSync(join(path, `filling-${size}-${part}`), Buffer.alloc(size));
      } catch {
        break;
      }
      if (size === 1 && part > 4096) break;
    }
  }
};

test("a backup to a place that is read-only for the service says how to allow it", async () => {
  const disk = await smallDisk();
  await Bun.$`mount -o remount,ro ${disk}`.quiet();
  const path = temp.path();
  await temp.database(path).close();
  const order = { from: path, draft: join(disk, "x.partial"), plain: undefined, details: { madeAt: 1, version: "1" } };
  const key = { keyId: "0123abcd", secret: Buffer.alloc(32, 5) };
  const making = makeBackup({ ...order, key, mark: "0".repeat(64) }, new AbortController().signal);
  expect(await making.catch(String)).toContain(`add ReadWritePaths=${disk} below [Service]`);
});

test("a full disk is announced once although nothing can be stored, is named in the log, and refused with its own code", async () => {
  const [alerts, watcher, disk] = [startReceiver(), startReceiver(), await smallDisk()];
  const dataDir = join(disk, "data");
  const server = await serve({
    RECADO_DATA_DIR: dataDir,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_ALERT_URL: alerts.url,
    RECADO_HEARTBEAT_URL: watcher.url,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  });
  const posted = () => alerts.arrived.map(({ body }) => `${body.type} ${body.data.kind}`);
  const account = () =>
    clientOf(server, ADMIN_TOKEN)
      .admin("/accounts", { name: "one more" })
      .then(
        () => "stored",
        (error: unknown) => String(error),
      );
  await untilTrue(() => watcher.arrived.length > 0, 30_000);
  fill(disk);
  let said = "stored";
  await untilTrue(async () => (said = await account()) !== "stored", 30_000); // what room the WAL still had is used up
  expect(said).toContain("STORAGE_FULL");
  await untilTrue(() => posted().length > 0, 150_000);
  const pings = watcher.arrived.length;
  for (const size of [1 << 20, 4096])
    for (let part = 0; part < 40; part++) rmSync(join(disk, `filling-${size}-${part}`), { force: true });
  await untilTrue(async () => (await account()) === "stored", 30_000);
  await untilTrue(() => watcher.arrived.length > pings, 150_000);
  expect(posted()).toEqual(["trouble.opened disk-full"]);
  server.signal("SIGTERM");
  const { out } = await server.ended;
  expect(out).toContain(`the disk of ${dataDir} is full`);
  await Promise.all([alerts.stop(), watcher.stop()]);
});
