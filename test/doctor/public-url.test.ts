import { afterEach, describe, expect, test } from "bun:test";
import { publicUrl } from "../../src/doctor/network/public-url.ts";
import { server } from "../../src/doctor/server.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { places } from "../support/processes/doctor.ts";
import { selfSigned } from "../support/servers/certificate.ts";
import { healthy, saying } from "../support/servers/hostile.ts";
import { startWorld, type World } from "../support/world.ts";

const HOST = "recado.example";
const { report } = places();
/** The name of the public URL leads to this machine. */
const machine = { resolve: async () => ["127.0.0.1"] };

const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.stop();
});

/** What a proxy does with the header that says whom it speaks for. */
type Forwarding = "adds" | "passes on" | "drops";

/** A reverse proxy on this machine; where it leads is said later. */
const startProxy = (forwarding: Forwarding, tls?: { cert: string; key: string }) => {
  const proxy = { to: "", port: 0 };
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls ? { tls } : {}),
    async fetch(request) {
      const url = new URL(request.url);
      const headers = new Headers(request.headers);
      const said = headers.get("x-forwarded-for");
      headers.delete("x-forwarded-for");
      const passed = {
        adds: [said, "203.0.113.9"].filter(Boolean).join(", "),
        "passes on": said ?? "203.0.113.9",
        drops: null,
      }[forwarding];
      if (passed !== null) headers.set("x-forwarded-for", passed);
      return fetch(`${proxy.to}${url.pathname}`, { headers, decompress: false });
    },
  });
  open.push(listener);
  return Object.assign(proxy, { port: listener.port ?? 0 });
};

const serve = async (publicAddress: string, env: Record<string, string> = {}): Promise<World> => {
  const world = await startWorld({ env: { RECADO_PUBLIC_URL: publicAddress, RECADO_TEST_CLOCK: "", ...env } });
  open.push(world);
  return world;
};

/** What is found of a server behind a proxy, whose certificate ends at `endsAt` where it has one. */
const behind = async (forwarding: Forwarding, endsAt?: number, env: Record<string, string> = {}) => {
  const tls = endsAt === undefined ? undefined : selfSigned(HOST, endsAt);
  const proxy = startProxy(forwarding, tls);
  const address = `${tls ? "https" : "http"}://${HOST}:${proxy.port}`;
  const world = await serve(address, env);
  proxy.to = world.app.url;
  return report(
    publicUrl,
    { RECADO_DATA_DIR: world.dataDir, RECADO_PUBLIC_URL: address, ...(tls ? { RECADO_EXTRA_CA: tls.cert } : {}) },
    machine,
  );
};

describe("public-url behind a proxy", () => {
  test("is ok over TLS, where the proxy says whom it speaks for", async () => {
    expect(await behind("adds", Date.now() + 90 * DAY_MS)).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining("its certificate holds for 89 days"),
    });
  });

  test("a warning: no https", async () => {
    expect(await behind("adds")).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("is not encrypted"),
      remedy: expect.stringContaining("https"),
    });
  });

  test("a warning: a certificate that ends soon", async () => {
    expect(await behind("adds", Date.now() + 5 * DAY_MS)).toMatchObject({
      outcome: "warning",
      found: expect.stringMatching(/^the certificate of recado\.example:\d+ ends in 4 days$/),
    });
  });

  test("at fault: a certificate that has ended", async () => {
    expect(await behind("adds", Date.now() - DAY_MS)).toMatchObject({
      outcome: "fault",
      found: expect.stringMatching(/cannot be reached \(tls: .*expired/),
    });
  });

  test("a warning: the proxy does not say whom it speaks for", async () => {
    expect(await behind("drops", Date.now() + 90 * DAY_MS)).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("X-Forwarded-For"),
    });
  });

  test("a warning: the proxy is not among those that are trusted", async () => {
    const found = await behind("adds", Date.now() + 90 * DAY_MS, { RECADO_TRUSTED_PROXIES: "10.0.0.0/8" });
    expect(found).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("not trusted"),
      remedy: expect.stringContaining("RECADO_TRUSTED_PROXIES"),
    });
  });

  test("at fault: the proxy passes on what clients say of themselves", async () => {
    expect(await behind("passes on", Date.now() + 90 * DAY_MS)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("whatever X-Forwarded-For a client sends"),
    });
  });
});

describe("public-url", () => {
  test("of this machine alone is ok beside a server", async () => {
    const world = await startWorld();
    open.push(world);
    expect(await report(publicUrl, { RECADO_DATA_DIR: world.dataDir })).toMatchObject({ outcome: "ok" });
  });

  test("at fault: nobody there, something else there, another Recado there", async () => {
    const page = await saying("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi");
    open.push({ stop: () => page[Symbol.asyncDispose]() });
    const [world, other] = [await startWorld(), await startWorld()];
    open.push(world, other);
    other.clock.advance(5000);
    await other.restart();
    const found = (url: string) => report(publicUrl, { RECADO_DATA_DIR: world.dataDir, RECADO_PUBLIC_URL: url });
    expect(await found("http://127.0.0.1:1")).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("cannot be reached (connect"),
    });
    expect(await found(new URL(page.url).origin)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("leads to something else (HTTP 200)"),
    });
    expect(await found(other.app.url)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("leads to another Recado"),
    });
  });

  test("without a server only its form is looked at", async () => {
    expect(await report(publicUrl, { RECADO_DATA_DIR: "/nowhere" })).toMatchObject({ outcome: "skipped" });
    expect(
      await report(publicUrl, { RECADO_DATA_DIR: "/nowhere", RECADO_PUBLIC_URL: "http://recado.example" }),
    ).toMatchObject({ outcome: "warning" });
  });
});

describe("server", () => {
  test("that runs is ready, and reported with its process", async () => {
    const world = await startWorld();
    open.push(world);
    expect(await report(server, { RECADO_DATA_DIR: world.dataDir })).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining(`(process ${process.pid}) is ready at ${world.app.url}`),
    });
  });

  test("at fault: none runs, and its port is taken", async () => {
    const taken = await healthy();
    open.push({ stop: () => taken[Symbol.asyncDispose]() });
    const found = (port: number) => report(server, { RECADO_DATA_DIR: "/nowhere", RECADO_LISTEN: `127.0.0.1:${port}` });
    expect(await found(taken.port)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("EADDRINUSE"),
      remedy: expect.stringContaining("RECADO_LISTEN"),
    });
    expect(await found(0)).toMatchObject({ outcome: "skipped" });
  });
});
