import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { type Receiver, startReceiver } from "../support/servers/receiver.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

// What cannot be stored is announced from memory, and a watcher elsewhere gets nothing meanwhile.

setDefaultTimeout(120_000);
const worlds: World[] = [];
const receivers: Receiver[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
const servers = libsqlServers(); // gone after the worlds that use them

const receiver = (): Receiver => {
  const one = startReceiver();
  receivers.push(one);
  return one;
};

test("a database that is away is announced once from memory, and its end once; the heartbeat stops meanwhile", async () => {
  const [alerts, watcher, server] = [receiver(), receiver(), await servers.server()];
  const world = await startWorld({
    env: { RECADO_DATABASE_URL: server.url, RECADO_ALERT_URL: alerts.url, RECADO_HEARTBEAT_URL: watcher.url },
    logLevel: "debug",
  });
  worlds.push(world);
  const posted = () =>
    alerts.arrived.map(({ body }) => `${body.type} ${body.data.kind}`).filter((one) => one.endsWith("database-away"));
  await untilTrue(() => watcher.arrived.length === 1);

  await server.kill();
  for (let minute = 0; minute < 3; minute++) {
    const looked = () => world.logs.filter((line) => line.includes("a firing of the timetable failed")).length;
    const before = looked();
    world.clock.advance(MINUTE_MS);
    await untilTrue(() => looked() > before);
  }
  await untilTrue(() => posted().length > 0);
  expect(posted()).toEqual(["trouble.opened database-away"]);
  expect(watcher.arrived).toHaveLength(1);

  await server.restart();
  await untilTrue(() =>
    world.advance(MINUTE_MS).then(
      () => true,
      () => false,
    ),
  );
  await untilTrue(() => watcher.arrived.length > 1);
  for (let minute = 0; minute < 14; minute++) await world.advance(MINUTE_MS);
  await untilTrue(() => posted().length > 1);
  expect(posted()).toEqual(["trouble.opened database-away", "trouble.closed database-away"]);
});
