import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { COUNTERS, DISTRIBUTIONS, GAUGES } from "../../../src/kernel/metrics-table.ts";
import { parseMetrics, scrape, valueIn } from "../../support/apis/prometheus.ts";
import { ADMIN_TOKEN, startWorld, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_ADDRESS_RATE: "5" } });
});
beforeEach(() => w.advance(60_000)); // a new window for strangers
afterAll(() => w.stop());

const ask = (headers: Record<string, string> = {}, { path = "/metrics", method = "GET" } = {}) =>
  fetch(w.app.url + path, { headers, method });

describe("who may ask for the figures", () => {
  test("a program of this machine, and it gets them as Prometheus' text", async () => {
    const answer = await ask();
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    expect(parseMetrics(await answer.text()).size).toBeGreaterThan(40);
  });

  const PASSED_ON: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.9" },
    { forwarded: "for=203.0.113.9" },
    { "x-real-ip": "203.0.113.9" },
    { via: "1.1 proxy" },
    { "x-forwarded-proto": "https" },
    { "x-forwarded-host": "recado.example.com" },
    { host: "recado.example.com" },
    { host: "127.0.0.1.example.com" },
  ];
  test.each(PASSED_ON)("not what a proxy of this machine passes on: %p", async (headers) => {
    const answer = await ask(headers);
    expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining("recado_")]);
  });

  test("a sender with the admin token, in either header, from anywhere", async () => {
    for (const headers of [{ "x-admin-token": ADMIN_TOKEN }, { authorization: `Bearer ${ADMIN_TOKEN}` }]) {
      const answer = await ask({ "x-forwarded-for": "203.0.113.9", ...headers });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("recado_")]);
    }
  });

  test("a sender with the token that was made here, as long as it is valid", async () => {
    const renew = async () =>
      (await w.gateway("/v1/admin/token", { admin: true, method: "POST" })).body.token as string;
    const first = await renew();
    const second = await renew();
    const statusOf = async (token: string) =>
      (await ask({ "x-forwarded-for": "203.0.113.9", "x-admin-token": token })).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([403, 200]);
  });

  test("nobody with another token, and after a few attempts has to wait; a sender with the right one does not", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await ask({ "x-forwarded-for": "203.0.113.7", "x-admin-token": `${ADMIN_TOKEN}${n}` })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    const waiting = await ask({ "x-forwarded-for": "203.0.113.7" });
    expect([waiting.status, Number(waiting.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await ask({ "x-forwarded-for": "203.0.113.7", "x-admin-token": ADMIN_TOKEN })).status).toBe(200);
    expect((await ask({ "x-forwarded-for": "203.0.113.8" })).status).toBe(403);
  });

  test("only by asking, and only there", async () => {
    expect((await ask({}, { method: "POST" })).status).toBe(405);
    for (const path of ["/metrics/more", "/metrics/"])
      expect([path, (await ask({}, { path })).status]).toEqual([path, 404]); // proxies keep `/metrics` to themselves
    expect((await ask({}, { path: "/gateway/metrics" })).status).toBe(404);
  });
});

describe("the figures", () => {
  test("are those of the table, each with what it says, and a few of the process", async () => {
    const families = await scrape(w);
    const own = { ...COUNTERS, ...DISTRIBUTIONS, ...GAUGES };
    const scraped = [...families.values()];
    expect(
      scraped
        .filter(({ name }) => name.startsWith("recado_"))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(own).toSorted());
    for (const [name, { help }] of Object.entries(own)) expect(families.get(name)?.help).toBe(help);
    const ofProcess = [
      "process_cpu_seconds_total",
      "process_start_time_seconds",
      "process_resident_memory_bytes",
      "process_open_fds",
      "process_max_fds",
      "nodejs_heap_size_used_bytes",
    ];
    for (const name of ofProcess) expect([name, valueIn(families, name) > 0]).toEqual([name, true]);
    for (const name of [
      "nodejs_eventloop_lag_p50_seconds",
      "nodejs_eventloop_lag_p99_seconds",
      "nodejs_eventloop_lag_max_seconds",
    ])
      expect(families.has(name)).toBe(true);
    expect(valueIn(families, "recado_build_info", { version: w.app.env.version.version })).toBe(1);
    expect(valueIn(families, "recado_nodes_alive")).toBe(1);
    expect(valueIn(families, "recado_disk_free_bytes")).toBeGreaterThan(0);
    expect(valueIn(families, "recado_database_bytes") + valueIn(families, "recado_wal_bytes")).toBeGreaterThan(4096);
  });

  test("are looked up once in five seconds, however often they are asked for", async () => {
    const textOf = async () => (await ask()).text();
    await scrape(w);
    const first = await textOf();
    await w.wabaPhone((await w.account()).key);
    w.clock.advance(4999);
    expect(new Set([first, ...(await Promise.all(Array.from({ length: 50 }, textOf)))]).size).toBe(1);
    w.clock.advance(1);
    const scraped = await textOf();
    expect([
      first.includes('recado_channels{kind="WABA",state="CONNECTED"} 1'),
      scraped.includes('recado_channels{kind="WABA",state="CONNECTED"} 1'),
    ]).toEqual([false, true]);
  });

  test("begin at zero with the process", async () => {
    const fresh = await startWorld();
    await fresh.gateway("/health");
    expect(valueIn(await scrape(fresh), "recado_http_request_duration_seconds", { route: "/health" })).toBe(1);
    await fresh.restart();
    expect(valueIn(await scrape(fresh), "recado_http_request_duration_seconds", { route: "/health" })).toBe(0);
    await fresh.stop();
  });

  test("without a database say so, show nothing of what it holds, and all that was counted", async () => {
    const fresh = await startWorld({ logLevel: "debug" });
    await fresh.gateway("/health");
    await fresh.app.env.db.close();
    const families = await scrape(fresh);
    expect(valueIn(families, "recado_database_up")).toBe(0);
    for (const name of [
      "recado_jobs_waiting",
      "recado_dead_letters",
      "recado_channels",
      "recado_backup_last_success_timestamp_seconds",
    ])
      expect([name, families.get(name)?.samples]).toEqual([name, []]);
    expect(valueIn(families, "recado_http_request_duration_seconds", { route: "/health" })).toBe(1);
    expect(fresh.logs.some((line) => line.includes("the gauges of the database could not be read"))).toBe(true);
    await fresh.stop();
  });
});
