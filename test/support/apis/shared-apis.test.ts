import { expect, test } from "bun:test";
import type { ApiName } from "../../../src/apis/shared/measured.ts";
import { makeApi } from "../../../src/mounts.ts";
import { untilTrue } from "../waiting.ts";
import { startWorld } from "../world.ts";
import { sharedApis } from "./shared-apis.ts";

const MOUNT = { prefix: "/api", url: () => "http://localhost/api" };

test.each<[ApiName, string[]]>([
  ["gateway", ["advanceClock", "registry", "version"]],
  ["platform", ["registry", "version"]],
  ["cloud", []],
  ["evolution", []],
  ["waha", []],
])("the %s API is made from %j of its environment, and reads the rest at each request", async (name, madeFrom) => {
  const w = await startWorld();
  const read = new Set<string>();
  const env = new Proxy(w.app.env, {
    get(target, key, receiver) {
      read.add(String(key));
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  (await makeApi(name, env, MOUNT)).app.compile();
  await w.stop();
  expect([...read].sort()).toEqual(madeFrom);
});

test("a world that gets the APIs of a stopped world answers from its own data, at its own address", async () => {
  const first = await startWorld();
  const { key } = await first.account();
  expect((await first.gateway("/v1/phones", { key })).status).toBe(200);
  await first.stop();
  const second = await startWorld();
  expect((await second.gateway("/v1/phones", { key })).status).toBe(401);
  const { servers } = (await second.gateway("/openapi.json")).body;
  expect(servers).toEqual([{ url: second.app.gatewayUrl }]);
  await second.stop();
});

/** A world's part whose URL keeps the whole world, as that of a server does. */
const keptIn = (world: { origin: string }) => ({ prefix: "/kept", url: () => world.origin });

test("an API that waits for its next world keeps neither the world that made it nor the one that it served last", async () => {
  const w = await startWorld();
  const apis = sharedApis();
  const serve = async (): Promise<WeakRef<object>> => {
    const world = { origin: "http://localhost" };
    await apis.makeApi("gateway", w.app.env, keptIn(world));
    apis.release();
    return new WeakRef(world);
  };
  const served = [await serve(), await serve(), await serve()];
  await untilTrue(() => {
    Bun.gc(true);
    return served.every((one) => one.deref() === undefined);
  });
  await w.stop();
});

test("APIs go from one process to the next if both make equal ones, and no request is open", async () => {
  const w = await startWorld();
  const [first, second] = [sharedApis(), sharedApis()];
  const mount = { ...MOUNT, prefix: "/unused" };
  const made = await first.makeApi("gateway", w.app.env, mount);
  expect(await second.makeApi("gateway", w.app.env, mount)).not.toBe(made); // the first is in use
  first.release();
  const version = { ...w.app.env.version, version: "0.0.7" };
  expect(await second.makeApi("gateway", { ...w.app.env, version }, mount)).not.toBe(made);
  expect(await second.makeApi("gateway", w.app.env, mount)).toBe(made);
  const answer = made.app.compile().fetch(new Request("http://localhost/unused/health/ready"));
  second.release();
  expect((await answer).status).toBe(200);
  expect(await first.makeApi("gateway", w.app.env, mount)).not.toBe(made);
  await w.stop();
});
