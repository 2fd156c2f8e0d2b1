import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { processes } from "../../support/processes/process.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

setDefaultTimeout(120_000);
type Checks = { checks: { name: string; outcome: string; found: string; remedy?: string }[] };

/** As systemd starts a service: in mounts of its own, where some folders may only be read. */
const inSandbox = (readOnly: readonly string[], program: readonly string[]): string[] => {
  const mounts = readOnly.map((path) => `mount --bind '${path}' '${path}'; mount -o remount,bind,ro '${path}'; `);
  const script = `${mounts.join("")}exec "$0" "$@"`;
  return ["unshare", "--mount", "--propagation", "private", "sh", "-euc", script, ...program];
};

const cleanUps: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const clean of cleanUps) await clean();
});
const keep = (clean: () => Promise<void>): void => void cleanUps.push(clean);

test("what is read-only for the service alone is a fault, of the place and with the remedy, also where its owner is right", async () => {
  const { folder, program, run } = processes(keep);
  const [dataDir, backups, media] = [join(folder(), "data"), join(folder(), "back ups"), join(folder(), "media")];
  for (const path of [backups, media]) mkdirSync(path, { mode: 0o700 });
  const settings = {
    RECADO_DATA_DIR: dataDir,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_BACKUP: `file:${backups}`,
    RECADO_MEDIA: `file:${media}`,
  };
  const doctor = async () => {
    const { out } = await run(["doctor", "--json"], { ...settings, RECADO_LISTEN: "127.0.0.1:0" });
    const { checks } = JSON.parse(out) as Checks;
    return new Map(checks.map(({ name, ...rest }) => [name, rest]));
  };
  const { pid, gatewayUrl, signal, ended } = await processes(keep, inSandbox([backups], program)).serve(settings);
  const found = await doctor();
  const asked = await fetch(`${gatewayUrl}/v1/admin/doctor`, { headers: { "x-admin-token": ADMIN_TOKEN } });
  expect(((await asked.json()) as Checks).checks.find(({ name }) => name === "backups")).toMatchObject({
    outcome: "fault",
    found: `${backups} is mounted read-only`,
    remedy: expect.stringContaining(`add ReadWritePaths="${backups}" below [Service]`),
  });
  expect(found.get("backups")).toEqual({
    outcome: "fault",
    found: `${backups} is read-only for the service (process ${pid})`,
    remedy: `run systemctl edit recado, add ReadWritePaths="${backups}" below [Service], and restart it`,
  });
  expect([found.get("media-storage")?.outcome, found.get("data-directory")?.outcome]).toEqual(["ok", "ok"]);
  signal("SIGTERM");
  await ended;
  expect((await doctor()).get("backups")?.found).toStartWith("the last one failed at ");
});
