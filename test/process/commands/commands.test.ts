import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SettingView } from "../../../src/kernel/settings/described-config.ts";
import { SETTING_NAMES } from "../../../src/kernel/settings/settings.ts";
import { MIGRATIONS } from "../../../src/store/engine/migrations.ts";
import { VERSION } from "../../../src/version.ts";
import { ADMIN_TOKEN } from "../../support/admin-token.ts";
import { clientOf } from "../../support/client.ts";
import { processes } from "../../support/processes/process.ts";

const { dataDir, folder, program, run, serve } = processes();
const COMMANDS = [
  "serve",
  "demo",
  "migrate",
  "backup",
  "restore",
  "phone",
  "send",
  "connect",
  "events",
  "account",
  "admin",
  "user",
  "operator",
  "key",
  "person",
  "import",
  "export",
  "doctor",
  "health",
  "config",
  "mcp",
  "openapi",
  "completion",
  "version",
];
/** What the server runs of itself: nothing for people to find. */
const CHILDREN = ["read-document", "store-backup"];
const SNAPSHOTS = resolve(import.meta.dir, "../../snapshots");
const TAGS = MIGRATIONS.map(({ tag }) => tag);

describe("recado", () => {
  test.each(["--help", "-h", "help"])("%s lists every command that people run", async (flag) => {
    const { code, out, err } = await run([flag]);
    expect([code, err]).toEqual([0, ""]);
    for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
    for (const name of CHILDREN) expect(out).not.toContain(name);
  });

  test.each([...COMMANDS, ...CHILDREN])("%s --help says what it does and its flags, and does nothing", async (name) => {
    const home = folder();
    const { code, out, err } = await run([name, "--help"], { RECADO_DATA_DIR: join(home, "data") });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^recado ${name}( [[\\]a-zA-Z|]+)*: [a-z]`));
    expect(out).toContain("--help");
    expect(readdirSync(home)).toEqual([]);
  });

  const WRONG = [
    "sevre",
    "toString",
    "serve --port=1",
    "serve now",
    "version --xml",
    "openapi",
    "openapi console",
    "backup",
    "backup one two",
    "restore",
    "restore --force x",
    "read-document",
    "read-document film",
    "account",
    "account delete --name x",
    "account create",
    "admin",
    "admin key",
    "admin token --port=1",
    "person",
    "person export",
    "person forget --person 5511999990001",
    "import",
    "import a-folder",
    "import a-folder --account x",
    "import a-folder another --dry-run",
    "export session",
    "export session 5511999990001",
    "export person 5511999990001 --to a-folder",
    "user",
    "user reset",
    "user delete --email a@example.com",
    "user create --email a@example.com --name x",
    "operator",
    "operator reset",
    "operator create --email a@example.com",
    "operator delete --email a@example.com",
    "phone",
    "phone remove",
    "phone --json list",
    "phone add --type SESSION",
    "phone link",
    "phone list x",
    "connect",
    "connect chatwoot",
    "connect chatwoot --phone x --chatwoot https://chat.example.com --account x --token -",
    "send",
    "send x",
    "phone send x",
    "send --phone x --to 5511999990001",
    "send --phone x --to 5511999990001 --content {}",
    "send --phone x --to 5511999990001 --type text --content {} x",
    "events x",
    "events --limit 0",
    "completion",
    "completion csh",
    "--port=1",
  ];
  test.each(WRONG)("refuses '%s' with 2 and a message on stderr, and does nothing", async (line) => {
    const dir = dataDir();
    const { code, out, err } = await run(line.split(" "), { RECADO_DATA_DIR: dir });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith("recado");
    expect(existsSync(dir)).toBe(false);
  });

  test("version names version and commit, as JSON too", async () => {
    const { code, out } = await run(["version", "--json"]);
    expect(code).toBe(0);
    const version = JSON.parse(out) as Record<string, unknown>;
    expect(version).toMatchObject({ version: VERSION, bun: Bun.version });
    expect(String(version["commit"])).toMatch(/^([0-9a-f]{40}|unknown)$/);
    expect((await run(["version"])).out).toStartWith(`recado ${VERSION} (`);
  });
});

describe("recado config", () => {
  const settings = { RECADO_LISTEN: "127.0.0.1:1", RECADO_ADMIN_TOKEN: `canary-${ADMIN_TOKEN}` };

  test("prints every setting with its value and source, of secrets only that they are set", async () => {
    const { code, out } = await run(["config"], settings);
    const row = (name: string) => out.split("\n").find((line) => line.startsWith(`${name} `));
    expect(code).toBe(0);
    expect(row("RECADO_LISTEN")).toMatch(/ 127\.0\.0\.1:1 +environment$/);
    expect(row("RECADO_ADMIN_TOKEN")).toMatch(/ set +environment$/);
    expect(row("RECADO_MASTER_KEY")).toMatch(/ unset +default$/);
    expect(row("RECADO_LOG_LEVEL")).toMatch(/ info +default$/);
    expect(out).not.toContain("canary");
  });

  test("prints the same as JSON", async () => {
    const { code, out } = await run(["config", "--json"], settings);
    const views = JSON.parse(out) as SettingView[];
    expect([code, views.map(({ name }) => name)]).toEqual([0, SETTING_NAMES]);
    expect(views.find(({ name }) => name === "RECADO_ADMIN_TOKEN")).toMatchObject({
      value: "set",
      source: "environment",
    });
    expect(out).not.toContain("canary");
  });

  test("ends with 78 and every fault on stderr when the configuration is wrong", async () => {
    const { code, out, err } = await run(["config"], { RECADO_LISTEN: "here", RECADO_NONE: "1" });
    expect([code, out]).toEqual([78, ""]);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
  });
});

describe("recado migrate", () => {
  test("makes the database, and says so only the first time", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    expect(await run(["migrate"], settings)).toEqual({ code: 0, out: `applied ${TAGS.join(", ")}\n`, err: "" });
    expect(await run(["migrate"], settings)).toEqual({
      code: 0,
      out: `up to date: ${TAGS.length} migrations\n`,
      err: "",
    });
  });

  test("prints the same as JSON", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    const asJson = async () => JSON.parse((await run(["migrate", "--json"], settings)).out) as object;
    expect(await asJson()).toEqual({ applied: TAGS, total: TAGS.length });
    expect(await asJson()).toEqual({ applied: [], total: TAGS.length });
  });

  test("is refused with 1 while a server runs on the database", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    await serve(settings);
    const { code, out, err } = await run(["migrate"], settings);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("another process is serving");
  });
});

describe("recado user", () => {
  const create = ["user", "create", "--email", "ana@example.com", "--name", "Ana", "--institution", "Padaria"];
  const reset = ["user", "reset", "--email", "ANA@example.com"];
  const choose = async (url: string, line: string, password: string) => {
    const token = new URL((JSON.parse(line) as { link: string }).link).searchParams.get("token");
    return post(url, "reset-password", { token, password });
  };
  const post = async (url: string, path: string, body: object) =>
    (
      await fetch(`${url}/platform/v1/auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).status;

  test("GAP-C02 makes a user and a link for its password, without a server and beside one, whatever registration says", async () => {
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_REGISTRATION: "closed" };
    const made = await run(create, settings);
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(made.out) as object).toSorted()).toEqual([
      "email",
      "expiresAt",
      "institutionId",
      "link",
      "userId",
    ]);
    const offline = await run(reset, settings);
    const server = await serve(settings);
    const beside = await run(reset, settings);
    expect([offline.code, beside.code]).toEqual([0, 0]);
    expect(await choose(server.url, offline.out, "password-1")).toBe(200);
    // a password that was chosen voids the other links
    expect(await choose(server.url, beside.out, "password-2")).toBe(404);
    expect(await choose(server.url, (await run(reset, settings)).out, "password-3")).toBe(200);
    expect(await post(server.url, "login", { email: "ana@example.com", password: "password-3" })).toBe(200);
  });

  test("says which e-mail is nobody's, or somebody's already, with and without a server", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    const unknown = async () => {
      const { code, out, err } = await run(["user", "reset", "--email", "nobody@example.com"], settings);
      return [code, out, err.includes("no user with this e-mail") && !err.includes("{")];
    };
    expect(await unknown()).toEqual([1, "", true]);
    expect((await run(create, settings)).code).toBe(0);
    await serve(settings);
    expect(await unknown()).toEqual([1, "", true]);
    const again = await run(create, settings);
    expect([again.code, again.out, again.err.includes("already in use")]).toEqual([1, "", true]);
    const bad = await run(["user", "create", "--email", "no mail", "--name", "x", "--institution", "x"], settings);
    expect([bad.code, bad.err]).toEqual([
      1,
      expect.stringMatching(/refused \(HTTP 400\): The request is not valid\. email must be an e-mail address\n$/),
    ]);
  });
});

describe("recado operator", () => {
  const choose = async (line: string, password: string) => {
    const { link } = JSON.parse(line) as { link: string };
    return (await fetch(link, { method: "POST", body: new URLSearchParams({ password }) })).status;
  };
  const signIn = async (url: string, password: string) =>
    (
      await fetch(`${url}/console/sign-in`, {
        method: "POST",
        headers: { "x-recado-console": "1", "sec-fetch-site": "same-origin" },
        body: JSON.stringify({ email: "olga@example.com", password }),
      })
    ).status;

  test("makes an operator, and resets one, without a server and beside one", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    const made = await run(["operator", "create", "--email", "olga@example.com", "--name", "Olga"], settings);
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(made.out) as object).toSorted()).toEqual(["email", "expiresAt", "id", "link"]);
    const server = await serve(settings);
    const linkHere = ({ out }: { out: string }) => out.replace(/http:\/\/localhost:\d+/, server.url);
    expect(await choose(linkHere(made), "a long password")).toBe(200);
    expect(await signIn(server.url, "a long password")).toBe(200);
    const reset = await run(["operator", "reset", "--email", "OLGA@example.com"], settings);
    expect(reset.code).toBe(0);
    expect(await choose(linkHere(reset), "another password")).toBe(200);
    expect([await signIn(server.url, "a long password"), await signIn(server.url, "another password")]).toEqual([
      401, 200,
    ]);
    const unknown = await run(["operator", "reset", "--email", "nobody@example.com"], settings);
    expect([unknown.code, unknown.err.includes("no such operator")]).toEqual([1, true]);
  });
});

describe("recado account create", () => {
  const create = (settings: Record<string, string>) => run(["account", "create", "--name", "Casa São João"], settings);

  test("G-070 makes an account and its first key without a server; the key opens the gateway once there is one", async () => {
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
    const { code, out, err } = await create(settings);
    expect([code, err]).toEqual([0, ""]);
    const made = JSON.parse(out) as { id: string; name: string; key: string };
    expect(Object.keys(made)).toEqual(["id", "name", "key"]);
    expect(made.name).toBe("Casa São João");
    expect(made.key).toStartWith("ak_live_");
    const client = clientOf(await serve(settings), settings.RECADO_ADMIN_TOKEN);
    expect(await client.gateway("/v1/phones", made.key)).toEqual([]);
    expect(await client.admin("/accounts")).toMatchObject({
      items: [{ id: made.id, name: "Casa São João", status: "ACTIVE" }],
    });
    expect(await client.admin("/audit")).toMatchObject({
      items: [{ action: "key.create" }, { action: "account.create", actor: "local", target: made.id, details: {} }],
    });
  });

  test("G-070 makes them through the server that runs, whose admin API may be switched off; the key works at once", async () => {
    const settings = { RECADO_DATA_DIR: dataDir() };
    const server = await serve(settings);
    const { code, out, err } = await create(settings);
    expect([code, err]).toEqual([0, ""]);
    const made = JSON.parse(out) as { id: string; key: string };
    expect(await clientOf(server, "").gateway("/v1/phones", made.key)).toEqual([]);
    const { token } = JSON.parse((await run(["admin", "token", "--json"], settings)).out) as { token: string };
    const { items } = await clientOf(server, token).admin<{ items: { action: string; actor: string }[] }>("/audit");
    expect(items.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      "local admin-token.create",
      "local key.create",
      "local account.create",
    ]);
  });

  test("is refused with 1 and the server's words when the name is none", async () => {
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
    const server = await serve(settings);
    const { code, out, err } = await run(["account", "create", "--name", "x".repeat(121)], settings);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("name must have at most 120 characters");
    expect(await clientOf(server, settings.RECADO_ADMIN_TOKEN).admin("/accounts")).toMatchObject({ items: [] });
  });
});

describe("recado openapi", () => {
  test.each(["platform", "gateway"])("%s prints what is committed, and what a server serves", async (api) => {
    const { code, out, err } = await run(["openapi", api]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(await Bun.file(join(SNAPSHOTS, `openapi.${api}.json`)).text());
    // a server with the public URL of the default settings, on whatever port
    const server = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_PUBLIC_URL: "http://localhost:8080" });
    expect(await (await fetch(`${server.url}/${api}/openapi.json`)).json()).toEqual(JSON.parse(out));
  });

  test("ends quietly with 0 when the reader has seen enough", async () => {
    const env = { PATH: process.env["PATH"] ?? "" };
    const child = Bun.spawn(
      ["bash", "-c", 'set -o pipefail; "$@" | head -c 1', "bash", ...program, "openapi", "gateway"],
      {
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual(["{", "", 0]);
  });
});
