import { expect, test } from "bun:test";
import { processes } from "../../support/processes/process.ts";
import { startReceiver } from "../../support/servers/receiver.ts";

const { dataDir, run, serve } = processes();

test("what commands ask a server of this machine goes through no proxy that the environment names, and with it no key", async () => {
  const proxy = startReceiver();
  const through = { http_proxy: proxy.url, HTTP_PROXY: proxy.url };
  const settings = { RECADO_DATA_DIR: dataDir() };
  await serve(settings);
  const made = await run(["account", "create", "--name", "ACME"], { ...settings, ...through });
  expect([made.code, made.err]).toEqual([0, ""]);
  const looked = await run(["doctor", "--only", "server"], { ...settings, ...through });
  expect(looked.out).toMatch(/^ok +server /m);
  expect((await run(["demo", "--once"], through)).code).toBe(0);
  expect(proxy.arrived).toEqual([]);
  await proxy.stop();
});
