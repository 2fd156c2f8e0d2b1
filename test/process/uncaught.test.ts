import { expect, test } from "bun:test";
import { chmodSync, cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { faultyCode } from "../../src/commands/server/uncaught.ts";
import { clientOf } from "../support/client.ts";
import { processes } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN } from "../support/world.ts";

const { dataDir, folder, serve } = processes();

test("what an adapter throws where nobody waits for it is logged with its name and counted, and the server serves on", async () => {
  const [code, plugins] = [folder(), folder()];
  cpSync(resolve(import.meta.dir, "../support/adapters/leaky"), join(code, "leaky"), { recursive: true });
  for (const path of [join(code, "leaky"), join(code, "leaky/plugin.js")]) chmodSync(path, 0o700);
  symlinkSync(join(code, "leaky"), join(plugins, "leaky")); // stacks name where it leads
  const server = await serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_PLUGIN_DIR: plugins,
  });
  const client = clientOf(server, ADMIN_TOKEN);
  const { key } = await client.account();
  await client.gateway("/v1/phones", key, { type: "LEAKY", label: "A phone", credentials: { token: "t" } });
  const lines = () =>
    server
      .out()
      .split("\n")
      .filter((line) => line.includes('"plugin":"leaky"'))
      .map((line) => JSON.parse(line) as { fault: string; what: string; detail: string });
  await untilTrue(() => lines().length >= 2);
  expect(lines().map(({ fault, what, detail }) => [fault, what, detail])).toEqual(
    expect.arrayContaining([
      ["threw", expect.stringMatching(/^an uncaught exception, at plugin\.js:\d+:\d+$/), "Error: the timer failed"],
      ["threw", expect.stringMatching(/^an unhandled rejection, at plugin\.js:\d+:\d+$/), "Error: the promise failed"],
    ]),
  );
  const metrics = await fetch(`${server.url}/metrics`);
  expect(await metrics.text()).toContain('recado_adapter_faults_total{plugin="leaky",fault="threw"} 2');
  await client.health();
  server.signal("SIGTERM");
  const { code: exit, err } = await server.ended;
  expect([exit, err.includes("the timer failed")]).toEqual([0, false]);
}, 120_000);

const FOLDERS = [{ plugin: "pager", path: "/plugins/pager/" }];
const withStack = (stack: unknown): Error => Object.defineProperty(new Error("x"), "stack", { value: stack });

test.each<[string, unknown, string | undefined]>([
  ["a frame of its code", withStack("Error: x\n    at poll (/plugins/pager/lib/poll.js:7:3)"), "lib/poll.js:7:3"],
  [
    "a frame below those of the server",
    withStack("Error: x\n    at f (/app/a.js:1:1)\n    at /plugins/pager/plugin.js:2:2"),
    "plugin.js:2:2",
  ],
  [
    "a text that names its file",
    withStack("Error: cannot read /plugins/pager/plugin.js\n    at f (/app/a.js:1:1)"),
    undefined,
  ],
  [
    "the code of a folder whose name begins alike",
    withStack("Error: x\n    at /plugins/pager2/plugin.js:2:2"),
    undefined,
  ],
  ["a stack that is no text", withStack({}), undefined],
  ["no error", "/plugins/pager/plugin.js", undefined],
])("the adapter is found by frames alone: %s", (_, thrown, at) => {
  expect(faultyCode(thrown, FOLDERS)?.at).toBe(at as string);
});
