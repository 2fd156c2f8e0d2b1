import { expect, test } from "bun:test";
import { type Agent, createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { createProxies } from "../../../src/adapters/http/proxies.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ChannelHost, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { guardPlugin } from "../../../src/core/channels/links/guard/guarded-plugin.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import { selfSigned } from "../../support/servers/certificate.ts";
import { redirecting, tripwire } from "../../support/servers/hostile.ts";
import { connectProxy } from "../../support/servers/proxies.ts";

const never = () => new Promise<never>(() => {});
/** An answer in the form that each of the four requests has. */
const given = (value: object): never => value as never;

/** What the link of a guarded adapter with these hosts gets as its host. */
const hostGivenTo = (hosts: readonly string[], options: Omit<Parameters<typeof recordingHost>[0], "vault">) => {
  const [clock, metrics] = [manualClock(), createMetrics()];
  const host = recordingHost({ vault: { token: "t" }, clock, ...options });
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
  guardPlugin(declared, { clock, metrics, log: host.log, hosts }).open(host);
  return { host: inner, metrics };
};

/** Requests of every form, which say where they went. */
const requestsTo = (asked: string[]) => {
  const send = async ({ url }: { url: string }) => {
    asked.push(url);
    return given({ ok: true, status: 200, headers: {}, body: new Uint8Array(), isCut: false, durationMs: 1 });
  };
  return { guarded: send, trusted: send, guardedStream: send, trustedStream: send };
};

test("a host that the adapter does not declare is not asked by any of its requests, and counts as a fault", async () => {
  const asked: string[] = [];
  const { host, metrics } = hostGivenTo(["api.pigeon.example", "*.cdn.example"], { http: requestsTo(asked) });
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
      const answer = await host.http[name]({ url, method: "GET" });
      outcomes.push([url, answer.ok, answer.ok ? "" : `${answer.failure} ${answer.mayHaveArrived}`]);
    }
  expect(asked.length).toBe(3 * 4);
  expect(outcomes.filter(([, isOk]) => !isOk).length).toBe(5 * 4);
  expect(new Set(outcomes.flatMap(([, isOk, how]) => (isOk ? [] : [how])))).toEqual(new Set(["blocked false"]));
  expect(await metrics.text()).toContain('recado_adapter_faults_total{plugin="pigeon",fault="strayed"} 20');
});

test("a redirect to a host that the adapter does not declare is not followed, and counts as a fault", async () => {
  await using wire = await tripwire({ hostname: "127.0.0.2" });
  await using endpoint = await redirecting(`${wire.url}/file`);
  const http = createHttp({ allow: ["127.0.0.0/8"], extraCa: undefined });
  try {
    const request = { url: endpoint.url, method: "GET", maxRedirects: 1 } as const;
    const { host, metrics } = hostGivenTo(["127.0.0.1"], { http });
    for (const name of ["guarded", "guardedStream"] as const)
      expect(await host.http[name](request)).toMatchObject({
        ok: false,
        failure: "blocked",
        message: "the adapter does not declare the host 127.0.0.2",
        mayHaveArrived: true,
      });
    expect([endpoint.requests.length, wire.connections]).toEqual([2, 0]);
    expect(await metrics.text()).toContain('recado_adapter_faults_total{plugin="pigeon",fault="strayed"} 2');
    const declared = hostGivenTo(["127.0.0.1", "127.0.0.2"], { http });
    expect(await declared.host.http.guarded(request)).toMatchObject({ status: 200, finalUrl: `${wire.url}/file` });
  } finally {
    http.close();
  }
});

test("the way through a proxy leads only to hosts that the adapter declares, by its agents as by its requests", async () => {
  const { cert, key } = selfSigned("localhost", Date.now() + DAY_MS);
  const server = createServer({ cert, key }, (request, response) => response.end(request.url));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createHttp({ allow: ["127.0.0.1"], extraCa: cert });
  await using proxy = await connectProxy();
  try {
    const openProxy = createProxies(http, cert).open;
    const { host, metrics } = hostGivenTo(["localhost"], { http: requestsTo([]), openProxy });
    const route = host.openProxy?.(proxy.url);
    if (!route) throw new Error("the link got no way through the proxy");
    const agent = route.agentFor(`https://localhost:${port}`) as Agent;
    expect(route.agentFor(`https://localhost:${port}`)).toBe(agent);
    const byAgent = (name: string) =>
      new Promise<string>((resolve) => {
        get({ agent, host: name, port, path: "/agent" }, (answer) => {
          answer.resume();
          resolve(`HTTP ${answer.statusCode}`);
        }).on("error", ({ message }) => resolve(message));
      });
    expect(await byAgent("localhost")).toBe("HTTP 200");
    expect(await byAgent("127.0.0.1")).toBe("the adapter does not declare the host 127.0.0.1");
    expect(await route.stream({ url: `https://localhost:${port}/`, method: "GET" })).toMatchObject({ status: 200 });
    const strayed = await route.stream({ url: `https://127.0.0.1:${port}/`, method: "GET" });
    expect(strayed).toMatchObject({ ok: false, failure: "blocked", mayHaveArrived: false });
    expect(proxy.asked).toEqual([`localhost:${port}`, `localhost:${port}`]);
    expect(await metrics.text()).toContain('recado_adapter_faults_total{plugin="pigeon",fault="strayed"} 2');
  } finally {
    server.close();
    http.close();
  }
});

test("an IPv6 host that the adapter declares is reached through a proxy, as by http, and no other is", () => {
  const dialled: unknown[] = [];
  const agent = { createConnection: ({ host }: { host: string }) => dialled.push(host) };
  const openProxy = () => ({ agentFor: () => agent, stream: never, fault: undefined });
  const { host } = hostGivenTo(["[::1]", "localhost"], { http: requestsTo([]), openProxy });
  const limited = host.openProxy?.("http://proxy.example").agentFor("https://[::1]/") as unknown as {
    createConnection(options: { host: string }, done: (error: Error) => void): void;
  };
  const refusals: string[] = [];
  for (const name of ["::1", "0:0:0:0:0:0:0:1", "LOCALHOST", "::2"])
    limited.createConnection({ host: name }, ({ message }) => refusals.push(message));
  expect(dialled).toEqual(["::1", "0:0:0:0:0:0:0:1", "LOCALHOST"]);
  expect(refusals).toEqual(["the adapter does not declare the host [::2]"]);
});
