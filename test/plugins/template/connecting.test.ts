import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { Type } from "@sinclair/typebox";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { AdapterModule } from "../../../src/contract/adapter.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";

/** The template as a server loads it; the program itself has it as a text. */
const templateModule = async (): Promise<AdapterModule> => {
  const path = resolve(import.meta.dir, "../../../plugins/template/plugin.js");
  const { default: module } = (await import(path)) as { default: AdapterModule };
  return module;
};

test("the template stays CONNECTING while it tries an unreachable network again, so that a restart opens it", async () => {
  const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
  const module = await templateModule();
  const plugin = module.create({ Type, settings: { API_URL: "http://127.0.0.1:1" } });
  const host = recordingHost({ http, vault: { token: "token-of-the-test", webhookSecret: "secret-of-the-test" } });
  const link = plugin.open(host);
  link.connect();
  await host.settled();
  expect(host.reports.at(-1)).toEqual({ state: "CONNECTING", reason: "NETWORK_UNREACHABLE" });
  const touches = host.touches;
  host.clock.advance(30 * SECOND_MS);
  await host.settled();
  expect([host.touches > touches, host.state, host.clock.pendingTimers]).toEqual([true, "CONNECTING", 1]);
  await link.close();
  http.close();
});
