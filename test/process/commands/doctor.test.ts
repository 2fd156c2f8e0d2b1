import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { CHECK_NAMES } from "../../../src/doctor/words.ts";
import { LANGUAGES, type Language } from "../../../src/kernel/texts/languages.ts";
import { ADMIN_TOKEN } from "../../support/admin-token.ts";
import { clientOf } from "../../support/client.ts";
import { processes } from "../../support/processes/process.ts";
import { type Endpoint, hanging } from "../../support/servers/hostile.ts";

const { dataDir, folder, run, serve } = processes();
const NOBODY = 65_534;
const FREE_PORT = { RECADO_LISTEN: "127.0.0.1:0" };

const Outcome = Type.Union([
  Type.Literal("ok"),
  Type.Literal("warning"),
  Type.Literal("fault"),
  Type.Literal("skipped"),
]);
const Report = Type.Object(
  { name: Type.String(), outcome: Outcome, found: Type.String(), remedy: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const Answer = Type.Object(
  { ok: Type.Boolean(), checks: Type.Array(Report, { minItems: 1 }) },
  { additionalProperties: false },
);

const endpoints: Endpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint[Symbol.asyncDispose]();
});

/** What the command says, and how it ended; its JSON is checked. */
const doctor = async (settings: Record<string, string>, ...args: string[]) => {
  const { code, out, err } = await run(["doctor", "--json", ...args], { ...FREE_PORT, ...settings });
  const answer: unknown = JSON.parse(out);
  expect(Value.Check(Answer, answer)).toBe(true);
  const { ok, checks } = Value.Decode(Answer, answer);
  for (const { outcome, remedy } of checks)
    if (outcome === "warning" || outcome === "fault") expect(remedy).toBeString();
  expect([ok, err]).toEqual([code === 0, ""]);
  return { code, checks, out, outcomeOf: (name: string) => checks.find((check) => check.name === name)?.outcome };
};

describe("recado doctor", () => {
  test("before the first start finds nothing at fault, and makes nothing", async () => {
    const dir = dataDir();
    const { code, checks } = await doctor({ RECADO_DATA_DIR: dir });
    expect([code, checks.filter(({ outcome }) => outcome === "fault")]).toEqual([0, []]);
    expect(existsSync(dir)).toBe(false);
  });

  test("of a sound installation finds all in order, with the server and without", async () => {
    const dir = dataDir();
    await run(["account", "create", "--name", "A"], { RECADO_DATA_DIR: dir });
    const without = await doctor({ RECADO_DATA_DIR: dir });
    expect([without.code, without.outcomeOf("server"), without.outcomeOf("integrity")]).toEqual([0, "skipped", "ok"]);
    const server = await serve({ RECADO_DATA_DIR: dir });
    const beside = await doctor({ RECADO_DATA_DIR: dir });
    expect(
      beside.checks.filter(({ outcome }) => outcome === "fault" || outcome === "warning").map(({ name }) => name),
    ).toEqual(["backups", "console"]);
    expect([beside.code, beside.outcomeOf("server"), beside.outcomeOf("public-url")]).toEqual([0, "ok", "ok"]);
    expect(beside.checks.find(({ name }) => name === "server")?.found).toContain(`process ${server.pid}`);
    server.signal("SIGKILL");
    await server.ended;
    expect((await doctor({ RECADO_DATA_DIR: dir })).outcomeOf("server")).toBe("skipped");
  }, 120_000);

  test("ends with 1 when something is at fault, and says so in lines too", async () => {
    const dir = dataDir();
    await run(["migrate"], { RECADO_DATA_DIR: dir });
    chmodSync(join(dir, "recado.db"), 0o644);
    // a connection that stays open keeps the other two files, which have the mode of the first
    using held = new Database(join(dir, "recado.db"));
    held.run("CREATE TABLE held (id INTEGER)");
    const { code, outcomeOf } = await doctor({ RECADO_DATA_DIR: dir });
    expect([code, outcomeOf("file-modes")]).toEqual([1, "fault"]);
    const { code: again, out } = await run(["doctor"], { ...FREE_PORT, RECADO_DATA_DIR: dir });
    const lines = out.trimEnd().split("\n");
    const at = lines.findIndex((line) => line.startsWith("fault "));
    const files = ["recado.db", "recado.db-wal", "recado.db-shm"].map((name) => `chmod 600 ${join(dir, name)}`);
    expect([again, lines[at + 1]?.trim()]).toEqual([1, `→ ${files.join("; ")}`]);
    expect(lines.at(-1)).toMatch(/^1 fault, \d+ warning, \d+ ok, \d+ skipped$/);
    const columns = lines
      .filter((line) => /^(ok|warning|fault|skipped) /.test(line))
      .map((line) => /^\S+ +\S+ +/.exec(line)?.[0].length);
    expect(new Set(columns).size).toBe(1);
  });

  test.each([
    [
      "pt",
      /^OK {2,}Configurações {2,}\d+ settings, none is wrong$/,
      /^Falha: 0, Alerta: \d+, OK: \d+, Não se aplica: \d+$/,
    ],
    [
      "es",
      /^OK {2,}Configuración {2,}\d+ settings, none is wrong$/,
      /^Fallo: 0, Advertencia: \d+, OK: \d+, No aplica: \d+$/,
    ],
  ])(
    "prints the names of checks and their outcomes in %s on request, and JSON as ever",
    async (language, first, last) => {
      const settings = { RECADO_DATA_DIR: dataDir() };
      const { code, out } = await run(["doctor", "--language", language], { ...FREE_PORT, ...settings });
      const lines = out.trimEnd().split("\n");
      expect([code, lines[0], lines.at(-1)]).toEqual([0, expect.stringMatching(first), expect.stringMatching(last)]);
      const names = async (...args: string[]) => (await doctor(settings, ...args)).checks.map(({ name }) => name);
      expect(await names("--language", language)).toEqual(await names());
    },
  );

  test("prints in the language of the server, unless another is asked for", async () => {
    const env = { ...FREE_PORT, RECADO_DATA_DIR: dataDir(), RECADO_LANGUAGE: "es" };
    const firstLine = async (...args: string[]) => (await run(["doctor", ...args], env)).out.split("\n")[0];
    expect(await firstLine()).toMatch(/^OK {2,}Configuración /);
    expect(await firstLine("--language", "pt")).toMatch(/^OK {2,}Configurações /);
    expect(await firstLine("--language", "en")).toMatch(/^ok {2,}settings /);
  });

  test("refuses a language that it does not have, and checks nothing", async () => {
    const { code, out, err } = await run(["doctor", "--language", "fr"], { ...FREE_PORT, RECADO_DATA_DIR: dataDir() });
    expect([code, out, err.trim()]).toEqual([2, "", "recado doctor: there is no language fr; there are pt, en, es"]);
  });

  test("has a name in each language for every check that English names", () => {
    const namesIn = (language: Language) => Object.keys(CHECK_NAMES[language]).toSorted();
    for (const language of LANGUAGES) expect([language, namesIn(language)]).toEqual([language, namesIn("en")]);
  });

  test("leaves nothing of root's among the files of the user that serves", async () => {
    const dir = dataDir();
    await run(["migrate"], { RECADO_DATA_DIR: dir });
    const owner = process.geteuid?.() === 0 ? NOBODY : (process.geteuid?.() ?? 0);
    for (const made of ["recado.db-wal", "recado.db-shm"]) rmSync(join(dir, made), { force: true });
    for (const path of ["", ...readdirSync(dir)]) chownSync(join(dir, path), owner, owner);
    const { outcomeOf } = await doctor({ RECADO_DATA_DIR: dir });
    expect([outcomeOf("database"), outcomeOf("file-modes")]).toEqual(["ok", "ok"]);
    for (const path of readdirSync(dir)) expect([path, statSync(join(dir, path)).uid]).toEqual([path, owner]);
  });

  test("ends with 78 and every fault at once when the settings are wrong, and repeats no value", async () => {
    const { code, out, err } = await run(["doctor", "--json"], {
      RECADO_LISTEN: "canary",
      RECADO_NONE_SUCH: "canary",
      RECADO_DATA_DIR: dataDir(),
    });
    const { ok, checks } = Value.Decode(Answer, JSON.parse(out));
    expect([code, ok, checks.length, err]).toEqual([78, false, 1, ""]);
    expect(checks[0]).toMatchObject({
      name: "settings",
      outcome: "fault",
      found: expect.stringMatching(/RECADO_NONE_SUCH.*RECADO_LISTEN/),
    });
    expect(out).not.toContain("canary");
  });

  test("--only runs one check, and names them all for one that there is not", async () => {
    const { code, checks } = await doctor({ RECADO_DATA_DIR: dataDir() }, "--only", "time-zone");
    expect([code, checks.map(({ name }) => name)]).toEqual([0, ["time-zone"]]);
    const wrong = await run(["doctor", "--only", "toString"], { RECADO_DATA_DIR: dataDir() });
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    expect(wrong.err).toContain("integrity");
  });

  test.each([
    [undefined, "warning" as const],
    ["4096", "ok" as const],
  ])(
    "of a server that was started with BUN_CONFIG_MAX_HTTP_REQUESTS=%p and keeps media in a bucket: %s",
    async (most, outcome) => {
      const dir = dataDir();
      await serve({ RECADO_DATA_DIR: dir, ...(most === undefined ? {} : { BUN_CONFIG_MAX_HTTP_REQUESTS: most }) });
      const bucket = {
        RECADO_MEDIA: "s3://bucket",
        RECADO_S3_ACCESS_KEY_ID: "id",
        RECADO_S3_SECRET_ACCESS_KEY: "secret",
      };
      expect(
        (await doctor({ RECADO_DATA_DIR: dir, ...bucket }, "--only", "http-requests")).outcomeOf("http-requests"),
      ).toBe(outcome);
      expect((await doctor({ RECADO_DATA_DIR: dir }, "--only", "http-requests")).outcomeOf("http-requests")).toBe(
        "skipped",
      );
    },
  );

  test("prints no secret, whatever is at fault", async () => {
    const dir = folder();
    chmodSync(dir, 0o755);
    writeFileSync(join(dir, "recado.db"), "no database");
    const silent = await hanging();
    endpoints.push(silent);
    const { origin } = new URL(silent.url);
    const { code, out } = await doctor({
      RECADO_DATA_DIR: dir,
      RECADO_ADMIN_TOKEN: `admin-canary-${ADMIN_TOKEN}`,
      RECADO_MASTER_KEY: Buffer.from("canary".padEnd(32, "-")).toString("base64"),
      RECADO_META_APP_ID: "1",
      RECADO_META_APP_SECRET: "meta-canary,second-canary",
      RECADO_META_GRAPH_URL: origin,
      RECADO_PROCESSOR_API_KEY: "processor-canary",
      RECADO_PROCESSOR_URL: "http://127.0.0.1:1",
      RECADO_SMTP_URL: "smtp://user-canary:password-canary@127.0.0.1:1",
      RECADO_MAIL_FROM: "a@example.com",
      RECADO_MEDIA: "s3://bucket?endpoint=http://127.0.0.1:1",
      RECADO_S3_ACCESS_KEY_ID: "id-canary",
      RECADO_S3_SECRET_ACCESS_KEY: "s3-canary",
    });
    expect(code).toBe(1);
    expect(out).not.toContain("canary");
    expect(out).not.toContain(Buffer.from("canary").toString("base64").slice(0, 8));
  }, 120_000);

  test("a session token of somebody else's keys is never sent to S3, from whatever environment", async () => {
    const tokens: (string | null)[] = [];
    const bucket = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ headers, url }) => {
        tokens.push(headers.get("x-amz-security-token") ?? new URL(url).searchParams.get("X-Amz-Security-Token"));
        return new Response(null, { headers: { etag: '"1"' } });
      },
    });
    try {
      const settings = {
        RECADO_MEDIA: `s3://bucket?endpoint=http://127.0.0.1:${bucket.port}`,
        RECADO_S3_ACCESS_KEY_ID: "id",
        RECADO_S3_SECRET_ACCESS_KEY: "secret",
        AWS_SESSION_TOKEN: "somebody-else",
      };
      await doctor({ RECADO_DATA_DIR: dataDir(), ...settings }, "--only", "media-storage");
      const server = await serve({ RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN, ...settings });
      await fetch(`${server.url}/gateway/health/ready`);
      server.signal("SIGTERM");
      await server.ended;
      expect(tokens.length).toBeGreaterThan(0);
      expect(tokens.filter((token) => token !== null)).toEqual([]);
      // a file such as .env gives it to the restarted process again, which does not restart for ever
      const again = { RECADO_DATA_DIR: dataDir(), ...settings, AWS_SESSION_TOKEN_DROPPED: "1" };
      const { code, err } = await run(["serve"], { ...FREE_PORT, ...again });
      expect([code === 0, err]).toEqual([false, expect.stringContaining("unset AWS_SESSION_TOKEN")]);
    } finally {
      await bucket.stop(true);
    }
  }, 120_000);

  test("does not disturb a server that writes meanwhile, and loses nothing of what it acknowledged", async () => {
    const dir = dataDir();
    const server = await serve({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: ADMIN_TOKEN });
    const client = clientOf(server, ADMIN_TOKEN);
    let made = 0;
    let isOver = false;
    const writing = (async () => {
      for (; !isOver; made++) await client.admin("/accounts", { name: `Account ${made}` });
    })();
    const looks = await Promise.all([doctor({ RECADO_DATA_DIR: dir }), doctor({ RECADO_DATA_DIR: dir })]);
    isOver = true;
    await writing;
    for (const { checks } of looks) expect(checks.filter(({ outcome }) => outcome === "fault")).toEqual([]);
    expect(made).toBeGreaterThan(0);
    server.signal("SIGTERM");
    const { code } = await server.ended;
    expect(code).toBe(0);
    expect(readdirSync(dir).filter((name) => name.includes("doctor"))).toEqual([]);
    const after = await doctor({ RECADO_DATA_DIR: dir }, "--only", "set-up");
    expect(after.checks[0]?.found).toStartWith(`${made} accounts`);
  }, 120_000);
});
