import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { troublesNow } from "../../src/core/alerts/overview.ts";
import type { ServerSettings } from "../../src/store/engine/remote/hrana.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

// A server forgets its durability_mode at each start. Who connects to it notices.

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});
const servers = libsqlServers(); // gone after the worlds that use them

/** What the unit that is shipped runs after each start of the server, for a server elsewhere. */
const runUnit = async (admin: string): Promise<number> => {
  const unit = readFileSync(join(import.meta.dir, "../../systemd/examples/sqld.service"), "utf8");
  const [, command = ""] = /^ExecStartPost=(.+)$/m.exec(unit) ?? [];
  return Bun.spawn(["sh", "-c", command.replace("http://127.0.0.1:8088", admin)], { stdout: "ignore" }).exited;
};

test("every connection finds whether the server is durable, also after its restart, and the unit makes it so", async () => {
  const server = await servers.server();
  expect(await runUnit(server.admin)).toBe(0);
  const found: ServerSettings[] = [];
  const db = await servers.open(server.url, { onSettings: (settings) => void found.push(settings) });
  const write = () => db.write(async (tx) => tx.run("INSERT OR REPLACE INTO meta VALUES ('a', 'b')"));
  await write();
  expect([db.isDurable, found]).toEqual([true, [{ isDurable: true, hasReferences: true }]]);

  await server.kill();
  await server.restart();
  await untilTrue(() =>
    write().then(
      () => true,
      () => false,
    ),
  );
  expect([db.isDurable, found.length]).toEqual([false, 2]);

  expect(await runUnit(server.admin)).toBe(0);
  await write();
  expect([db.isDurable, found.map(({ isDurable }) => isDurable)]).toEqual([true, [true, false, true]]);
});

test("a server that is not durable is in the log, in the figures and an alert; where durability is required nobody is ready", async () => {
  const server = await servers.server();
  const world = await startWorld({
    logLevel: "debug",
    env: { RECADO_DATABASE_URL: server.url, RECADO_DATABASE_REQUIRE_DURABLE: "on" },
  });
  worlds.push(world);
  const ready = async () => (await world.gateway("/health/ready")) as { status: number; body: unknown };
  expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: "error" } } });
  expect(world.logs.filter((line) => line.includes('"durability":"relaxed"'))).toHaveLength(1);
  expect(await world.app.env.scrape()).toContain("\nrecado_database_durable 0\n");
  const kinds = async () => (await troublesNow(world.app.env)).troubles.map(({ kind }) => kind);
  expect(await kinds()).toContain("database-not-durable");

  await server.makeDurable();
  await untilTrue(async () => (await ready()).status === 200);
  expect(await kinds()).not.toContain("database-not-durable");
});
