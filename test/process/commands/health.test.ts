import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processes } from "../../support/processes/process.ts";
import { type Endpoint, hanging } from "../../support/servers/hostile.ts";

const { dataDir, folder, run, serve } = processes();

const endpoints: Endpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint[Symbol.asyncDispose]();
});

const health = (dir: string) => run(["health"], { RECADO_DATA_DIR: dir });

test("is well while the server is ready, and not after it has ended, whether it was stopped or killed", async () => {
  const dir = dataDir();
  const stopped = await serve({ RECADO_DATA_DIR: dir });
  expect(await health(dir)).toEqual({ code: 0, out: "the server is ready\n", err: "" });
  stopped.signal("SIGTERM");
  await stopped.ended;
  expect((await health(dir)).code).toBe(1);
  const killed = await serve({ RECADO_DATA_DIR: dir });
  killed.signal("SIGKILL");
  await killed.ended;
  expect(await health(dir)).toEqual({
    code: 1,
    out: "",
    err: "recado health: no server runs on this data directory\n",
  });
});

test("is not well before a first start, and makes nothing", async () => {
  const dir = dataDir();
  expect((await health(dir)).code).toBe(1);
  expect(existsSync(dir)).toBe(false);
});

test("is not well where the server does not answer in time", async () => {
  const dir = folder();
  const endpoint = await hanging();
  endpoints.push(endpoint);
  writeFileSync(
    join(dir, "serving.json"),
    JSON.stringify({ gatewayUrl: `${endpoint.url}/gateway`, host: "localhost" }),
  );
  const { code, err } = await health(dir);
  expect([code, err]).toEqual([1, expect.stringContaining("does not answer at")]);
});

test("says what is wrong with the settings, with the exit code for them", async () => {
  const { code, err } = await run(["health"], { RECADO_DATA_DIR: dataDir(), RECADO_LISTEN: "nowhere" });
  expect([code, err]).toEqual([78, expect.stringContaining("RECADO_LISTEN")]);
});
