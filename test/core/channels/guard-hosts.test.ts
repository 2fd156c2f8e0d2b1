import { expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ChannelHost, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { guardPlugin } from "../../../src/core/channels/links/guard/guarded-plugin.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";

const never = () => new Promise<never>(() => {});
/** An answer in the form that each of the four requests has. */
const given = (value: object): never => value as never;

test("a host that the adapter does not declare is not asked by any of its requests, and counts as a fault", async () => {
  const asked: string[] = [];
  const send = async ({ url }: { url: string }) => {
    asked.push(url);
    return given({ ok: true, status: 200, headers: {}, body: new Uint8Array(), isCut: false, durationMs: 1 });
  };
  const http = { guarded: send, trusted: send, guardedStream: send, trustedStream: send };
  const [clock, metrics] = [manualClock(), createMetrics()];
  const host = recordingHost({ http, vault: { token: "t" }, clock });
  let inner: ChannelHost = host;
  const declared: ChannelPlugin = {
    name: "pigeon",
    kind: "PIGEON",
    label: { en: "pigeon", pt: "pombo", es: "paloma" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    address: (to) => ({ ok: true, to }),
    open(given) {
      inner = given;
      return { connect() {}, close: never, forget: never, send: never };
    },
  };
  const hosts = ["api.pigeon.example", "*.cdn.example"];
  guardPlugin(declared, { clock, metrics, log: host.log, hosts }).open(host);
  const outcomes: [string, boolean, string][] = [];
  for (const url of [
    "https://api.pigeon.example/v1",
    "https://API.pigeon.example:8443/v1",
    "https://eu.cdn.example/a",
    "https://cdn.example/a",
    "https://api.pigeon.example.evil.example/",
    "https://evilcdn.example/",
    "https://api.pigeon.example@evil.example/",
    "http://169.254.169.254/latest",
  ])
    for (const name of ["guarded", "trusted", "guardedStream", "trustedStream"] as const) {
      const answer = await inner.http[name]({ url, method: "GET" });
      outcomes.push([url, answer.ok, answer.ok ? "" : `${answer.failure} ${answer.mayHaveArrived}`]);
    }
  expect(asked.length).toBe(3 * 4);
  expect(outcomes.filter(([, isOk]) => !isOk).length).toBe(5 * 4);
  expect(new Set(outcomes.flatMap(([, isOk, how]) => (isOk ? [] : [how])))).toEqual(new Set(["blocked false"]));
  expect(await metrics.text()).toContain('recado_adapter_faults_total{plugin="pigeon",fault="strayed"} 20');
});
