import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWriter } from "../../src/store/engine/connection.ts";
import { VERSION } from "../../src/version.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { processes, type Server, type Settings } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";

const { dataDir, folder, run, serve } = processes();
const DAY_MS = 24 * 3600 * 1000;

describe("recado serve", () => {
  test("G-020 G-021 prints one JSON line once it accepts requests, which names the port that port 0 became", async () => {
    const server = await serve({ RECADO_DATA_DIR: dataDir() });
    const port = new URL(server.url).port;
    expect(Number(port)).toBeGreaterThan(0);
    expect(JSON.parse(server.out())).toEqual({
      event: "ready",
      url: `http://127.0.0.1:${port}`,
      publicUrl: `http://localhost:${port}`,
      platformUrl: `http://localhost:${port}/platform`,
      gatewayUrl: `http://localhost:${port}/gateway`,
      setupUrl: expect.stringContaining(`http://localhost:${port}/console/setup?token=`),
      version: VERSION,
      pid: server.pid,
    });
    expect(server.out().trimEnd().split("\n")).toHaveLength(1);
    expect((await fetch(`${server.url}/gateway/health`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/gateway/health/ready`)).json()).toMatchObject({ status: "ready" });
  });

  test("gives memory back once it has started, and serves as before", async () => {
    const server = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_LOG_LEVEL: "debug" });
    await untilTrue(() => server.out().includes("memory was given back"));
    expect((await fetch(`${server.url}/gateway/health/ready`)).status).toBe(200);
    expect(server.out()).not.toContain("could not be given back");
  });

  test("names every unknown setting and every bad value at once on stderr, starts nothing, and ends with 78", async () => {
    const dir = dataDir();
    const { code, out, err } = await run(["serve"], {
      RECADO_DATA_DIR: dir,
      RECADO_LISTENN: "x",
      RECADO_LISTEN: "no port",
      RECADO_GATEWAY_RATE: "many",
      RECADO_ADMIN_TOKEN_FILE: "/does/not/exist",
    });
    expect([code, out]).toEqual([78, ""]);
    const lines = err.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    for (const name of [
      "RECADO_LISTENN is not a setting; did you mean RECADO_LISTEN?",
      "RECADO_LISTEN must be",
      "RECADO_GATEWAY_RATE must be",
      "RECADO_ADMIN_TOKEN_FILE: cannot read",
    ])
      expect(lines.some((line) => line.startsWith(name))).toBe(true);
    expect(existsSync(dir)).toBe(false);
  });

  test.each([0o775, 0o707, 0o1777])(
    "ends with 78 where others can write the data directory (%o), says how to mend it, and puts nothing there",
    async (mode) => {
      const dir = folder();
      chmodSync(dir, mode);
      const { code, out, err } = await run(["serve"], { RECADO_DATA_DIR: dir });
      expect([code, out, err.trimEnd()]).toEqual([
        78,
        "",
        `${dir} can be written by others (mode ${mode.toString(8).padStart(4, "0")}): chmod go-w ${dir}`,
      ]);
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test("ends with 1 where the database's server does not answer, so that it is started again", async () => {
    const { code, err } = await run(["serve"], {
      RECADO_DATA_DIR: dataDir(),
      RECADO_DATABASE_URL: "http://127.0.0.1:1",
    });
    expect(code).toBe(1);
    expect(err).toContain("no answer of the database server");
  });

  test("G-082 reads a setting from the file that RECADO_X_FILE names", async () => {
    const file = join(folder(), "token");
    writeFileSync(file, `${ADMIN_TOKEN}\n`);
    const server = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN_FILE: file });
    expect((await admin(server, "GET", "/accounts")).status).toBe(200);
  });

  test("refuses a database that another server serves: a clear message, exit code 1, and the first one goes on", async () => {
    const dir = dataDir();
    const first = await serve(settings(dir));
    const { code, out, err } = await run(["serve"], { ...settings(dir), RECADO_LISTEN: "127.0.0.1:0" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`another process is serving ${dir}/recado.db`);
    expect((await admin(first, "POST", "/accounts", { name: "Still here" })).status).toBe(201);
  });

  test("says which address is taken when it cannot listen, and ends with 1", async () => {
    const first = await serve({ RECADO_DATA_DIR: dataDir() });
    const { port } = new URL(first.url);
    const { code, out, err } = await run(["serve"], { RECADO_DATA_DIR: dataDir(), RECADO_LISTEN: `127.0.0.1:${port}` });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(port);
  });
});

describe("the data directory", () => {
  test("is the operator's alone, with a master key that is made once and kept", async () => {
    const dir = dataDir();
    const key = join(dir, "master.key");
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const first = await serve(settings(dir));
    const made = readFileSync(key, "utf8");
    expect(Buffer.from(made, "base64")).toHaveLength(32);
    expect([modeOf(dir), modeOf(key)]).toEqual(["700", "600"]);
    await stopped(first);
    await serve(settings(dir));
    expect(readFileSync(key, "utf8")).toBe(made);
  });

  test("with a master key that is none ends the start with 78 and is left as it is", async () => {
    const dir = dataDir();
    await stopped(await serve(settings(dir)));
    writeFileSync(join(dir, "master.key"), "too short");
    const { code, err } = await run(["serve"], settings(dir));
    expect(code).toBe(78);
    expect(err).toContain("does not hold a key of 32 bytes");
    expect(readFileSync(join(dir, "master.key"), "utf8")).toBe("too short");
  });

  test("with a database newer than the program is refused with 1, and nothing in it changes", async () => {
    const dir = dataDir();
    await stopped(await serve(settings(dir)));
    const writer = openWriter(join(dir, "recado.db"));
    writer.exec(
      "INSERT INTO migrations (tag, hash, applied_at) VALUES ('9999_from_the_future', 'x', 0); PRAGMA wal_checkpoint(TRUNCATE)",
    );
    writer.close();
    const before = contentsOf(dir);
    const { code, out, err } = await run(["serve"], settings(dir));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("the database is newer than this program: it has migration 9999_from_the_future");
    expect(contentsOf(dir)).toEqual(before);
  });
});

describe("the test clock", () => {
  test("moves the process's time and keeps its offset over a restart", async () => {
    const dir = dataDir();
    const first = await serve({ ...settings(dir), RECADO_TEST_CLOCK: "1" });
    const startedAt = await timeOf(first);
    expect(Math.abs(startedAt - Date.now())).toBeLessThan(60_000);
    const moved = await timeOf(first, 3 * DAY_MS);
    expect(moved - startedAt).toBeWithin(3 * DAY_MS, 3 * DAY_MS + 60_000);
    first.signal("SIGKILL");
    await first.ended;
    const second = await serve({ ...settings(dir), RECADO_TEST_CLOCK: "1" });
    expect((await timeOf(second)) - moved).toBeWithin(0, 60_000);
  });

  test("G-082 is no endpoint where it is not enabled, and needs the admin token where it is", async () => {
    const without = await serve(settings(dataDir()));
    expect((await admin(without, "POST", "/clock", { advanceMs: 1000 })).status).toBe(404);
    const withClock = await serve({ ...settings(dataDir()), RECADO_TEST_CLOCK: "1" });
    const before = await timeOf(withClock);
    const refused = await fetch(`${withClock.url}/gateway/v1/admin/clock`, {
      method: "POST",
      headers: JSON_BODY,
      body: JSON.stringify({ advanceMs: DAY_MS }),
    });
    expect(refused.status).toBe(403);
    expect((await timeOf(withClock)) - before).toBeLessThan(60_000);
  });

  test.each(["https://api.example.com", "http://10.0.0.1:8080"])(
    "is refused with 78 for the public URL %s, which is not loopback",
    async (publicUrl) => {
      const { code, err } = await run(["serve"], {
        ...settings(dataDir()),
        RECADO_TEST_CLOCK: "1",
        RECADO_PUBLIC_URL: publicUrl,
      });
      expect([code, err]).toEqual([78, "RECADO_TEST_CLOCK is refused because RECADO_PUBLIC_URL is not loopback\n"]);
    },
  );
});

const JSON_BODY = { "content-type": "application/json" };

const settings = (dir: string): Settings => ({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: ADMIN_TOKEN });

const admin = (server: Server, method: string, path: string, body?: object) =>
  fetch(`${server.url}/gateway/v1/admin${path}`, {
    method,
    headers: { ...JSON_BODY, "x-admin-token": ADMIN_TOKEN },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** The server's time, after it was moved. */
const timeOf = async (server: Server, advanceMs = 0): Promise<number> => {
  const answer = (await (await admin(server, "POST", "/clock", { advanceMs })).json()) as { now: string };
  return Date.parse(answer.now);
};

const stopped = async (server: Server): Promise<void> => {
  server.signal("SIGTERM");
  expect((await server.ended).code).toBe(0);
};

/**
 * Every file of a folder with the hash of what it holds; not SQLite's shared memory or an empty log, which say nothing
 * and go with the process that closes last.
 */
const contentsOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter(
        (name) =>
          statSync(join(dir, name)).isFile() &&
          !name.endsWith("-shm") &&
          !(name.endsWith("-wal") && statSync(join(dir, name)).size === 0),
      )
      .map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(dir, name)))
          .digest("hex"),
      ]),
  );
