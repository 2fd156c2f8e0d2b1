import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { writeMeta } from "../../src/store/tables/meta.ts";
import { VERSION } from "../../src/version.ts";
import { startWorld, type World } from "../support/world.ts";

const NEWER = { version: "99.1.0", date: "2026-12-01", notes: "https://recado.example/99.1.0" };

let w: World | undefined;
let asked: { method: string; url: string; headers: Record<string, string> }[];
let answer: (request: Request) => Response;
let server: ReturnType<typeof Bun.serve>;
beforeEach(() => {
  asked = [];
  answer = () => Response.json(NEWER);
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push({ method: request.method, url: request.url, headers: Object.fromEntries(request.headers) });
      return answer(request);
    },
  });
});
afterEach(async () => {
  await w?.stop();
  w = undefined;
  await server.stop(true);
});

const start = async (env: Record<string, string> = {}): Promise<World> => {
  w = await startWorld({ env: { RECADO_UPDATE_URL: `http://127.0.0.1:${server.port}/latest.json`, ...env } });
  return w;
};
const look = async ({ gateway, settle }: World) => {
  expect((await gateway("/v1/admin/jobs/updates/run", { admin: true, method: "POST" })).status).toBe(202);
  await settle();
};
const shown = async ({ gateway }: World) => (await gateway("/v1/admin/system", { admin: true })).body.updates;

describe("the newest release", () => {
  test("is read once a day, and shown when it is newer", async () => {
    const world = await start();
    expect(await shown(world)).toEqual({ isOn: true, readAt: null, failure: null, newer: null });
    expect(asked).toEqual([]);
    await world.advance(DAY_MS);
    await world.settle();
    expect(asked.length).toBe(1);
    expect(await shown(world)).toEqual({
      isOn: true,
      readAt: expect.any(String),
      failure: null,
      newer: { ...NEWER, isUrgent: false },
    });
    await world.advance(DAY_MS);
    await world.settle();
    expect(asked.length).toBe(2);
  });

  test("is read once however many ask for it at the same time", async () => {
    const { app, settle } = await start();
    await app.env.db.write(async (tx) => {
      for (let n = 0; n < 3; n++) app.env.jobs.enqueue(tx, "updates.look", {});
    });
    await settle();
    expect(asked.length).toBe(1);
  });

  test("is asked for without a word about this server", async () => {
    await look(await start());
    const host = `127.0.0.1:${server.port}`;
    expect(asked).toEqual([{ method: "GET", url: `http://${host}/latest.json`, headers: expect.any(Object) }]);
    const { "accept-encoding": _, connection: __, ...headers } = asked[0]?.headers ?? {};
    expect(headers).toEqual({ host, accept: "application/json", "user-agent": "recado" });
  });

  test.each([
    ["the same", { version: VERSION, date: "2026-12-01" }],
    ["older", { version: "0.0.1", date: "2026-12-01", minimum: "0.0.1" }],
    ["a pre-release of the same", { version: `${VERSION}-rc.1`, date: "2026-12-01" }],
  ])("is not shown when it is %s", async (_, file) => {
    answer = () => Response.json(file);
    const world = await start();
    await look(world);
    expect(await shown(world)).toMatchObject({ isOn: true, readAt: expect.any(String), failure: null, newer: null });
  });

  test("is urgent for versions below the least one that may stay in use", async () => {
    answer = () => Response.json({ ...NEWER, notes: undefined, minimum: "99.0.0", other: "field" });
    const world = await start();
    await look(world);
    expect((await shown(world)).newer).toEqual({ version: "99.1.0", date: "2026-12-01", notes: null, isUrgent: true });
    answer = () => Response.json({ ...NEWER, minimum: VERSION });
    await look(world);
    expect((await shown(world)).newer.isUrgent).toBe(false);
  });

  test("is not read where the address is off, and what was read before is not shown", async () => {
    const world = await start({ RECADO_UPDATE_URL: "off" });
    await world.app.env.db.write((tx) => writeMeta(tx, "updates", JSON.stringify({ readAt: 1, release: NEWER })));
    await world.advance(DAY_MS);
    await look(world);
    expect(asked).toEqual([]);
    expect(await shown(world)).toEqual({ isOn: false, readAt: null, failure: null, newer: null });
  });
});

describe("an answer that is not a release", () => {
  test.each<[what: string, reply: () => Response, reason: string]>([
    ["a failure", () => new Response("no", { status: 503 }), "HTTP 503"],
    ["a redirect, which is not followed", () => Response.redirect("/elsewhere"), "HTTP 302"],
    ["a page", () => new Response("<html>"), "the file is not one of a release"],
    ["a list", () => Response.json([NEWER]), "the file is not one of a release"],
    ["no version", () => Response.json({ ...NEWER, version: "next" }), "its version is wrong"],
    ["a long version", () => Response.json({ ...NEWER, version: `9.9.9-${"a".repeat(99)}` }), "its version is wrong"],
    ["no date", () => Response.json({ version: "99.1.0" }), "its date is wrong"],
    ["no address of notes", () => Response.json({ ...NEWER, notes: "javascript:alert(1)" }), "its notes is wrong"],
    [
      "more than it may be",
      () => Response.json({ ...NEWER, more: "x".repeat(20_000) }),
      "the file is not one of a release",
    ],
  ])("%s is stored as the reason, and what was known stays", async (_, reply, reason) => {
    const world = await start();
    await look(world);
    answer = reply;
    await look(world);
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(["/latest.json", "/latest.json"]);
    const found = await shown(world);
    expect(found).toMatchObject({ isOn: true, newer: NEWER });
    expect(found.failure).toContain(reason);
    answer = () => Response.json(NEWER);
    await look(world);
    expect((await shown(world)).failure).toBeNull();
  });

  test("nobody answering is one too", async () => {
    const world = await start();
    await server.stop(true);
    await look(world);
    expect(await shown(world)).toMatchObject({ readAt: null, failure: expect.any(String), newer: null });
    expect((await world.gateway("/health")).status).toBe(200);
  });
});
