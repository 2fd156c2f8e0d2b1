import { afterEach, describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openConnection } from "../../src/store/engine/connection.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { clientOf } from "../support/client.ts";
import { startGraph } from "../support/graph/index.ts";
import { processes, type Settings } from "../support/processes/process.ts";
import { type Listening, listenAt } from "../support/servers/service-manager.ts";
import { addWabaNumber } from "../support/world.ts";

const { dataDir, folder, run, serve } = processes();
const listeners: Listening[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop();
});

/** A service manager, and a server that knows of it. */
const managed = async (settings: Settings = {}, address = join(folder(), "notify")) => {
  const manager = await listenAt(address);
  listeners.push(manager);
  const dir = dataDir();
  const server = await serve({
    RECADO_DATA_DIR: dir,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIFY_SOCKET: address,
    ...settings,
  });
  return { manager, server, dir, client: clientOf(server, ADMIN_TOKEN) };
};
const WATCHED = { WATCHDOG_USEC: "300000" };
const has = (line: string) => (note: string | null) => note?.split("\n").includes(line) ?? false;
const isAlive = has("WATCHDOG=1");
const isSilence = (note: string | null) => note === null;

describe("a service manager", () => {
  test.each(["path", "abstract"])(
    "is notified of the start, of readiness, of how it goes and of the end, on a socket with an address of this kind: %s",
    async (kind) => {
      const graph = startGraph();
      const settings = { ...WATCHED, RECADO_META_GRAPH_URL: graph.url };
      const { manager, server, client } = await managed(
        settings,
        kind === "path" ? undefined : `@recado-test-${process.pid}-${crypto.randomUUID()}`,
      );
      await manager.until(has("STATUS=0 channels connected, 0 connecting, queue 0"));
      const { key } = await client.account();
      const { number: _, ...credentials } = addWabaNumber(graph);
      await client.gateway("/v1/phones", key, { type: "WABA", label: "A phone", credentials });
      await manager.until(has("STATUS=1 channel connected, 0 connecting, queue 0"));
      server.signal("SIGTERM");
      expect((await server.ended).code).toBe(0);
      const stopping = await manager.until(has("STOPPING=1"));
      const notes = manager.notes();
      const said = notes.filter((note) => note !== null);
      expect(said.slice(1, 3)).toEqual([
        "STATUS=opening the database\nEXTEND_TIMEOUT_USEC=600000000",
        "READY=1\nSTATUS=ready",
      ]);
      expect(notes.slice(stopping + 1).filter((note) => note !== null)).toEqual([]);
      await graph.stop();
    },
  );

  test("that waits for no sign of life gets none", async () => {
    for (const settings of [{}, { ...WATCHED, WATCHDOG_PID: "1" }] as Settings[]) {
      const { manager, server } = await managed(settings);
      await manager.until(has("STATUS=0 channels connected, 0 connecting, queue 0"));
      server.signal("SIGTERM");
      await manager.until(has("STOPPING=1"));
      expect(manager.notes().filter(isAlive)).toEqual([]);
    }
  });

  test("is notified that the server stops while it finishes its work; stopped again, it ends at once with 1", async () => {
    const { manager, server, dir, client } = await managed(WATCHED);
    const other = openConnection(join(dir, "recado.db"), ["busy_timeout=5000"]);
    other.exec("BEGIN IMMEDIATE"); // holds the write of the request back
    const unanswered = client.admin("/accounts", { name: "In flight" }).catch(() => "cut off");
    for (let turn = 0; turn < 3; turn++) await client.health();
    server.signal("SIGTERM");
    await manager.until(has("STOPPING=1"));
    await client.refused();
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(1);
    expect(await unanswered).toBe("cut off");
    other.close();
  });

  test("that says SIGHUP does not end it", async () => {
    const { manager, server, client } = await managed({ ...WATCHED });
    await manager.until(isAlive);
    process.kill(server.pid, "SIGHUP");
    await manager.until(isAlive, manager.notes().length);
    expect(await client.health()).toEqual({ status: "ok" });
    expect(server.out()).toContain("settings are read only at the start");
  });

  test.each([
    ["that listens nowhere", { NOTIFY_SOCKET: "/does/not/exist" }, ""],
    [
      "with an address of another kind",
      { NOTIFY_SOCKET: "vsock:2:1234" },
      "vsock:2:1234 is not the address of a Unix socket",
    ],
    [
      "with an address that is too long",
      { NOTIFY_SOCKET: `/${"x".repeat(108)}` },
      "is not the address of a Unix socket",
    ],
    [
      "that cannot be spoken to without writable code",
      { NOTIFY_SOCKET: "/run/notify", BUN_JSC_useJIT: "0" },
      "needs Type=exec",
    ],
  ])("%s keeps nobody from serving", async (_, settings, received) => {
    const server = await serve({
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      CACHE_DIRECTORY: folder(),
      ...WATCHED,
      ...settings,
    });
    expect(await clientOf(server, ADMIN_TOKEN).health()).toEqual({ status: "ok" });
    expect(server.out()).toContain(received);
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });
});

describe("the watchdog is given no sign of life, and goes on afterwards, while", () => {
  const FAULT = /^READY=1\nSTATUS=the (database|runner of jobs) /;

  test("another process holds the database", async () => {
    const { manager, dir, server } = await managed(WATCHED);
    await manager.until(isAlive);
    const other = openConnection(join(dir, "recado.db"), ["busy_timeout=5000"]);
    other.exec("BEGIN IMMEDIATE");
    const fault = await manager.until((note) => FAULT.test(note ?? ""));
    expect(manager.notes()[fault]).toContain("the database does not answer");
    const silence = await manager.until(isSilence, fault);
    expect(manager.notes().slice(fault, silence).filter(isAlive)).toEqual([]);
    expect(server.out()).toMatch(/"faults":\["the database does not answer"/);
    other.exec("ROLLBACK");
    other.close();
    await manager.until(isAlive, silence);
  });

  test("the jobs cannot be claimed, although everything can be written", async () => {
    const { manager, dir, client } = await managed(WATCHED);
    await manager.until(isAlive);
    const other = openConnection(join(dir, "recado.db"), ["busy_timeout=5000"]);
    other.exec("ALTER TABLE queues RENAME TO queues_elsewhere");
    const fault = await manager.until((note) => FAULT.test(note ?? ""));
    expect(manager.notes()[fault]).toContain("STATUS=the runner of jobs does not answer");
    const silence = await manager.until(isSilence, fault);
    expect(manager.notes().slice(fault, silence).filter(isAlive)).toEqual([]);
    expect(await client.admin("/accounts", { name: "Written" })).toMatchObject({ status: "ACTIVE" });
    other.exec("ALTER TABLE queues_elsewhere RENAME TO queues");
    other.close();
    await manager.until(isAlive, silence);
  });

  /**
   * A server that does `work` on SIGUSR2, with a pipe at `fifo` from which its reader waits until somebody
   * writes.
   */
  const sabotaged = async (work: string) => {
    const fifo = join(folder(), "fifo");
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0);
    const preloaded = join(folder(), "sabotage.ts");
    await Bun.write(
      preloaded,
      `import { open, readFileSync } from "node:fs"; const fifo = ${JSON.stringify(fifo)}; process.on("SIGUSR2", () => { ${work} });`,
    );
    return { fifo, ...(await managed({ ...WATCHED, BUN_OPTIONS: `--preload ${preloaded}` })) };
  };

  test("nothing gets its turn", async () => {
    const { fifo, manager, server } = await sabotaged("readFileSync(fifo)");
    await manager.until(isAlive);
    process.kill(server.pid, "SIGUSR2");
    const silence = await manager.until(isSilence, manager.notes().length);
    closeSync(openSync(fifo, "r+"));
    await manager.until(isAlive, silence);
  });

  test("the disk does not answer, although requests are answered", async () => {
    // takes every thread that could wait for a disk
    const { fifo, manager, server, client } = await sabotaged(
      'for (let n = 0; n < 500; n++) open(fifo, "r", () => {})',
    );
    await manager.until(isAlive);
    await client.health(); // the first request reads the code of its API from the disk
    process.kill(server.pid, "SIGUSR2");
    const fault = await manager.until((note) => FAULT.test(note ?? ""));
    // a job begins once its cause is on disk, so the runner waits with the database; alone where that has just answered
    expect(manager.notes()[fault]).toMatch(
      /^READY=1\nSTATUS=(the database does not answer; )?the runner of jobs does not answer$/,
    );
    const silence = await manager.until(isSilence, fault);
    expect(manager.notes().slice(fault, silence).filter(isAlive)).toEqual([]);
    expect(await client.health()).toEqual({ status: "ok" });
    const writer = openSync(fifo, "r+");
    await manager.until(isAlive, silence);
    closeSync(writer);
  });
});

describe("what a service manager hands over", () => {
  test("are no sockets: they are refused with 78, nothing is started, and those of another process are none of our business", async () => {
    const dir = dataDir();
    const { code, out, err } = await run(["serve"], { RECADO_DATA_DIR: dir, LISTEN_FDS: "1" });
    expect([code, out]).toEqual([78, ""]);
    expect(err).toStartWith("LISTEN_FDS: Recado cannot take over sockets");
    expect(await Bun.file(join(dir, "recado.db")).exists()).toBe(false);
    await serve({ RECADO_DATA_DIR: dir, LISTEN_FDS: "1", LISTEN_PID: "1" });
  });

  test("are secrets, which are served with", async () => {
    const dir = folder();
    await Bun.write(join(dir, "admin-token"), `${ADMIN_TOKEN}\n`);
    await Bun.write(join(dir, "master-key"), Buffer.alloc(32, 7).toString("base64"));
    const data = dataDir();
    const server = await serve({ RECADO_DATA_DIR: data, CREDENTIALS_DIRECTORY: dir });
    expect(await clientOf(server, ADMIN_TOKEN).admin("/accounts")).toMatchObject({ items: [] });
    expect(await Bun.file(join(data, "master.key")).exists()).toBe(false);
  });
});

describe("Bun's limit of requests in flight", () => {
  const S3 = {
    RECADO_MEDIA: "s3://bucket?endpoint=http://127.0.0.1:1&region=eu",
    RECADO_S3_ACCESS_KEY_ID: "id",
    RECADO_S3_SECRET_ACCESS_KEY: "secret",
  };
  const limitOf = (pid: number) =>
    /(?:^|\0)BUN_CONFIG_MAX_HTTP_REQUESTS=(\d+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1];

  test("is raised where media lies on S3, in the same process", async () => {
    const server = await serve({ RECADO_DATA_DIR: dataDir(), ...S3 });
    expect(limitOf(server.pid)).toBe("4096");
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });

  test("stays what the operator has set, and what it is where nothing needs more", async () => {
    const set = await serve({ RECADO_DATA_DIR: dataDir(), ...S3, BUN_CONFIG_MAX_HTTP_REQUESTS: "512" });
    expect(limitOf(set.pid)).toBe("512");
    expect(limitOf((await serve({ RECADO_DATA_DIR: dataDir() })).pid)).toBeUndefined();
  });

  test("that cannot be raised is reported, and served with", async () => {
    const server = await serve({ RECADO_DATA_DIR: dataDir(), CACHE_DIRECTORY: folder(), ...S3, BUN_JSC_useJIT: "0" });
    expect(server.out()).toContain("set BUN_CONFIG_MAX_HTTP_REQUESTS=4096");
  });
});
