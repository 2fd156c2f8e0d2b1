import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { processes } from "../support/processes/process.ts";
import { startLibsqlServer } from "../support/servers/libsql-server.ts";
import { listenAt } from "../support/servers/service-manager.ts";

const { dataDir, folder, serve } = processes();
const server = await startLibsqlServer();
afterAll(() => server.stop());

test("a node whose database is away goes on giving its service manager signs of life: starting it anew would bring nothing back", async () => {
  const address = join(folder(), "notify");
  const manager = await listenAt(address);
  const node = await serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_DATABASE_URL: server.url,
    NOTIFY_SOCKET: address,
    WATCHDOG_USEC: "300000",
  });
  const isAlive = (note: string | null) => note?.split("\n").includes("WATCHDOG=1") ?? false;
  await manager.until(isAlive);
  server.pause();
  let at = manager.notes().length;
  for (let beats = 0; beats < 20; beats++) at = (await manager.until(isAlive, at)) + 1;
  server.resume();
  await manager.until(isAlive, at);
  node.signal("SIGTERM");
  expect((await node.ended).code).toBe(0);
  await manager.stop();
});
