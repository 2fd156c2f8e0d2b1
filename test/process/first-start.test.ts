import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openConnection } from "../../src/store/engine/connection.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { processes, type Server } from "../support/processes/process.ts";

const { dataDir, run, serve } = processes();
const CONFIGURED = ADMIN_TOKEN;

const stopped = async (server: Server): Promise<void> => {
  server.signal("SIGTERM");
  expect((await server.ended).code).toBe(0);
};
const statusOf = async ({ url }: Server, token: string): Promise<number> =>
  (await fetch(`${url}/gateway/v1/admin/accounts`, { headers: { "x-admin-token": token } })).status;
/** The same address by the port that it listens on. */
const here = (server: Server, url = "") => url.replace(server.publicUrl, server.url);

describe("a first start", () => {
  test("prints one link, for programs and for people, which sets it up; the next start prints none", async () => {
    const dir = dataDir();
    const server = await serve({ RECADO_DATA_DIR: dir });
    const url = server.setupUrl;
    expect(url).toMatch(/^http:\/\/localhost:\d+\/console\/setup\?token=[\w-]{43}$/);
    const answer = await fetch(here(server, url), {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ name: "ACME" }),
    });
    const { adminToken } = (await answer.json()) as { adminToken: string };
    expect(await statusOf(server, adminToken)).toBe(200);
    const { items } = (await (
      await fetch(`${server.url}/gateway/v1/admin/audit`, { headers: { "x-admin-token": adminToken } })
    ).json()) as {
      items: { action: string; actor: string }[];
    };
    expect(items.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      "setup-link key.create",
      "setup-link account.create",
      "setup-link admin-token.create",
    ]);
    await stopped(server);
    expect(server.err()).toBe(`Set up Recado: ${url}\n`);
    const again = await serve({ RECADO_DATA_DIR: dir });
    expect(again.setupUrl).toBeUndefined();
    expect(await statusOf(again, adminToken)).toBe(200);
    await stopped(again);
    expect(again.err()).toBe("");
  });

  test("that was killed before anybody used its link is a first start again", async () => {
    const dir = dataDir();
    const first = await serve({ RECADO_DATA_DIR: dir });
    first.signal("SIGKILL");
    await first.ended;
    const second = await serve({ RECADO_DATA_DIR: dir });
    const old = await fetch(here(first, first.setupUrl).replace(first.url, second.url));
    expect(old.status).toBe(404);
    expect((await fetch(here(second, second.setupUrl))).status).toBe(200);
  });

  test("with an admin token of the operator's prints no link, and voids the one of an earlier start", async () => {
    const dir = dataDir();
    const open = await serve({ RECADO_DATA_DIR: dir });
    await stopped(open);
    const server = await serve({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: CONFIGURED });
    expect(server.setupUrl).toBeUndefined();
    const old = here(open, open.setupUrl).replace(open.url, server.url);
    expect((await fetch(old, { method: "POST", body: new URLSearchParams({ name: "ACME" }) })).status).toBe(404);
    expect(await statusOf(server, CONFIGURED)).toBe(200);
    await stopped(server);
    expect(server.err()).toBe("");
  });

  test("behind a proxy prints the public address, below its path", async () => {
    const server = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_PUBLIC_URL: "https://example.com/recado" });
    const path = server.setupUrl?.slice("https://example.com".length) ?? "";
    expect(path).toStartWith("/recado/console/setup?token=");
    expect((await fetch(server.url + path)).status).toBe(200);
  });
});

describe("recado admin token", () => {
  test("makes one without a server, which opens it afterwards; the one before opens nothing", async () => {
    const dir = dataDir();
    const first = await run(["admin", "token"], { RECADO_DATA_DIR: dir });
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out).toMatch(/^adm_[\w-]{43}\n$/);
    const second = await run(["admin", "token", "--json"], { RECADO_DATA_DIR: dir });
    const { token } = JSON.parse(second.out) as { token: string };
    const server = await serve({ RECADO_DATA_DIR: dir });
    expect(server.setupUrl).toBeUndefined();
    expect([await statusOf(server, token), await statusOf(server, first.out.trim())]).toEqual([200, 403]);
  });

  test("works beside a running server, at once, and leaves the configured token alone", async () => {
    const dir = dataDir();
    const server = await serve({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: CONFIGURED });
    const made = async () => (await run(["admin", "token"], { RECADO_DATA_DIR: dir })).out.trim();
    const [first, second] = [await made(), await made()];
    expect(first).not.toBe(second);
    expect([await statusOf(server, first), await statusOf(server, second), await statusOf(server, CONFIGURED)]).toEqual(
      [403, 200, 200],
    );
  });

  test("opens what had no admin token at all", async () => {
    const dir = dataDir();
    const server = await serve({ RECADO_DATA_DIR: dir });
    expect(await statusOf(server, CONFIGURED)).toBe(503);
    const { out } = await run(["admin", "token"], { RECADO_DATA_DIR: dir });
    expect(await statusOf(server, out.trim())).toBe(200);
    expect((await fetch(here(server, server.setupUrl))).status).toBe(410);
  });
});

describe("the commands that work on the database", () => {
  test.each(["admin token", "account create --name ACME"])(
    "say what to do while something else than a server has it: %s",
    async (line) => {
      const dir = dataDir();
      await stopped(await serve({ RECADO_DATA_DIR: dir }));
      const lock = openConnection(join(dir, "recado.db.lock"), []);
      lock.exec("BEGIN EXCLUSIVE");
      const { code, out, err } = await run(line.split(" "), { RECADO_DATA_DIR: dir });
      lock.close();
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("try again in a moment");
    },
  );

  test("say so when their master key is not the server's, make nothing, and leave no key of their own behind", async () => {
    const dir = dataDir();
    const key = (byte: number) => ({
      RECADO_DATA_DIR: dir,
      RECADO_MASTER_KEY: Buffer.alloc(32, byte).toString("base64"),
    });
    const server = await serve({ ...key(1), RECADO_ADMIN_TOKEN: CONFIGURED });
    for (const settings of [{ RECADO_DATA_DIR: dir }, key(2)]) {
      const { code, out, err } = await run(["admin", "token"], settings);
      expect([code, out]).toEqual([78, ""]);
      expect(err).toContain("RECADO_MASTER_KEY");
    }
    expect(existsSync(join(dir, "master.key"))).toBe(false);
    const { out } = await run(["admin", "token"], key(1));
    expect(await statusOf(server, out.trim())).toBe(200);
  });

  test("do not ask where a server that was killed had listened", async () => {
    const dir = dataDir();
    const killed = await serve({ RECADO_DATA_DIR: dir });
    killed.signal("SIGKILL");
    await killed.ended;
    const { code, out } = await run(["admin", "token"], { RECADO_DATA_DIR: dir });
    expect([code, out.startsWith("adm_")]).toEqual([0, true]);
  });

  test("account create refuses a name that the API would refuse, with and without a server, and makes nothing", async () => {
    const dir = dataDir();
    const name = "x".repeat(121);
    const make = () => run(["account", "create", "--name", name], { RECADO_DATA_DIR: dir });
    const offline = await make();
    expect([offline.code, offline.out, offline.err]).toEqual([
      1,
      "",
      "The request is not valid. name must have at most 120 characters\n",
    ]);
    const server = await serve({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: CONFIGURED });
    const beside = await make();
    expect([beside.code, beside.out]).toEqual([1, ""]);
    expect(beside.err).toContain("must have at most 120 characters");
    const accounts = await fetch(`${server.url}/gateway/v1/admin/accounts`, {
      headers: { "x-admin-token": CONFIGURED },
    });
    expect(await accounts.json()).toEqual({ items: [], nextCursor: null });
  });
});
