import { mkdirSync, mkdtempSync } from "node:fs";
import { takeOver } from "./machine.ts";
const realNow = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
takeOver();
const t0 = realNow();
const { makeScene } = await import("./scene.ts");
const t1 = realNow();
mkdirSync("/tmp/recado-simulation", { recursive: true, mode: 0o700 });
const folder = mkdtempSync("/dev/shm/recado-sim-");
const scene = await makeScene(folder);
const t2 = realNow();
console.log("import", t1 - t0, "scene", t2 - t1, scene.image.db.length, JSON.stringify(scene.tenants, null, 1));
const { createWorld, until } = await import("./world.ts");
for (let i = 0; i < 30; i++) {
  const a = realNow();
  const world = createWorld(i, { folder, image: scene.image });
  world.server.start();
  while (!world.server.isUp) if (!(await world.machine.step())) await world.machine.quiet();
  const b = realNow();
  const tenant = scene.tenants[0]!;
  const send = () => world.server.ask("/gateway/v1/messages", { headers: { "x-api-key": tenant.key }, body: { phoneId: tenant.phones[0]!.id, to: "5511999990001", type: "text", content: { text: "m1" } } });
  const answer = await until(world, send());
  const c = realNow();
  for (let n = 0; n < 20; n++) void send();
  const end = world.machine.now + 30_000;
  while ((world.machine.nextAt() ?? end) < end) await world.machine.step();
  const d = realNow();
  world.server.drop();
  console.log("start", b - a, "send", c - b, "rest", d - c, "drop", realNow() - d, answer?.status, world.graph.taken.length, world.customers.arrivals.length, world.machine.count, world.machine.trace, world.wrong);
}

