import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientOf } from "../../support/client.ts";
import { minisignKey } from "../../support/files/minisign.ts";
import { type TarEntry, tarGz } from "../../support/files/tar.ts";
import { processes } from "../../support/processes/process.ts";
import { patiently } from "../../support/session/gateway-process.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const { dataDir, folder, run, serve } = processes();

const FILES = ["plugin.js", "conformance.js", "README.md"];

/** A package of the adapter that `plugin new` writes; `change` edits its plugin.js. */
const packed = async (name: string, change = (text: string) => text): Promise<TarEntry[]> => {
  const dir = folder();
  expect((await run(["plugin", "new", name, "--dir", dir])).code).toBe(0);
  return FILES.map((file) => {
    const text = readFileSync(join(dir, name, file), "utf8");
    return { path: `package/${file}`, text: file === "plugin.js" ? change(text) : text };
  });
};

const put = (name: string, bytes: Uint8Array): string => {
  const file = join(folder(), name);
  writeFileSync(file, bytes, { mode: 0o600 });
  return file;
};

const listed = async (env: Record<string, string>): Promise<Record<string, unknown>[]> =>
  (JSON.parse((await run(["plugin", "list", "--json"], env)).out) as Record<string, unknown>[]).map(
    ({ name, version, contract, kind, hosts, state, sha256 }) => ({
      name,
      version,
      contract,
      kind,
      hosts,
      state,
      sha256,
    }),
  );

test("a signed package is installed, upgraded, rolled back and removed, and the log of a server says which one runs", async () => {
  const env = { RECADO_DATA_DIR: dataDir() };
  const place = join(env.RECADO_DATA_DIR, "plugins/pager");
  const key = minisignKey();
  const archive = tarGz(await packed("pager"));
  const file = put("pager-1.0.0.tgz", archive);
  writeFileSync(`${file}.minisig`, key.signatureOf(archive));
  const added = await run(["plugin", "add", file, "--key", key.line], env);
  expect([added.code, added.err]).toEqual([0, ""]);
  for (const line of ["the signature is of this key", "pager 1.0.0 serves PAGER", " kept, 0 broken, "])
    expect(added.out).toContain(line);
  expect([place, ...FILES.map((one) => join(place, one))].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o755, 0o644, 0o644, 0o644,
  ]);
  const first = (await listed(env))[0] ?? {};
  expect(first).toEqual({
    name: "pager",
    version: "1.0.0",
    contract: "2.0",
    kind: "PAGER",
    hosts: ["api.example.invalid"],
    state: "usable",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const next = put("pager-1.1.0.tgz", tarGz(await packed("pager", (text) => text.replace("1.0.0", "1.1.0"))));
  expect((await run(["plugin", "add", next, "--no-test"], env)).out).toContain("pager 1.1.0 serves PAGER");
  const [second] = await listed(env);
  expect([second?.["version"], second?.["sha256"] === first["sha256"]]).toEqual(["1.1.0", false]);
  expect((await run(["plugin", "rollback", "pager"], env)).code).toBe(0);
  expect((await listed(env))[0]).toEqual(first);
  const server = await serve({ ...env, RECADO_LOG_LEVEL: "info" });
  const line =
    server
      .out()
      .split("\n")
      .find((one) => one.includes("an adapter is loaded")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ plugin: "pager", version: "1.0.0", sha256: first["sha256"] });
  server.signal("SIGTERM");
  await server.ended;
  expect((await run(["plugin", "rollback", "pager"], env)).code).toBe(0);
  expect((await listed(env))[0]?.["version"]).toBe("1.1.0");
  expect((await run(["plugin", "remove", "pager"], env)).code).toBe(0);
  expect([await listed(env), (await run(["plugin", "rollback", "pager"], env)).code]).toEqual([[], 1]);
}, 120_000);

test("a package that is not what it should be changes nothing, and nothing of it runs before its signature is verified", async () => {
  const env = { RECADO_DATA_DIR: dataDir() };
  const dir = join(env.RECADO_DATA_DIR, "plugins");
  const ran = join(folder(), "ran");
  const entries = await packed(
    "pager",
    (text) => `import { writeFileSync } from "node:fs"; writeFileSync("${ran}", ""); ${text}`,
  );
  const [key, other, archive] = [minisignKey(), minisignKey(), tarGz(entries)];
  const file = put("pager.tgz", archive);
  const refused = async (args: string[], reason: string) => {
    const { code, err } = await run(["plugin", "add", ...args], env);
    expect([args.join(" "), code, err]).toEqual([args.join(" "), 1, expect.stringContaining(reason)]);
    expect(existsSync(dir) ? readdirSync(dir) : []).toEqual([]);
  };
  await refused([file, "--key", key.line], "there is no");
  writeFileSync(`${file}.minisig`, other.signatureOf(archive));
  await refused([file, "--key", key.line], "is no signature of");
  await refused([join(file, "..", "none.tgz")], "there is no");
  expect(existsSync(ran)).toBe(false);
  await refused([put("evil.tgz", tarGz([...entries, { path: "package/../../evil.js" }]))], "which is not installed");
  await refused([put("bare.tgz", tarGz([{ path: "package/README.md", text: "x" }]))], "the package has no plugin.js");
  const changed = (name: string, from: string, to: string) =>
    put(name, tarGz(entries.map(({ path, text = "" }) => ({ path, text: text.replace(from, to) }))));
  await refused([changed("up.tgz", 'name: "pager"', 'name: "../pager"')], "declares no name of an adapter");
  await refused([changed("old.tgz", 'contract: "2.0"', "contract: 1")], "it was written for contract 1");
  await refused([changed("ends.tgz", "export default {", "process.exit(0); export default {")], "it ended the process");
  await refused(
    [changed("law.tgz", "let generation = 0;", "let generation = Date.now();")],
    "it breaks laws of adapters, and is not installed",
  );
  chmodSync(file, 0o666);
  await refused([file], "can be written by others");
  const open = join(folder(), "pager");
  mkdirSync(open, { mode: 0o755 });
  for (const { path, text = "" } of entries) writeFileSync(join(open, path.slice("package/".length)), text);
  await refused([open, "--key", key.line], "a folder has no signature");
}, 120_000);

const PAGER = resolve(import.meta.dir, "../../support/adapters/pager");
const TOKEN = "pager-token-of-the-test";

type PagerNetwork = {
  url: string;
  pages: Map<string, { to: string; text: string }>;
  hold(): void;
  release(): void;
  stop(): Promise<void>;
};
/** Messages that are accepted before a change of the adapter, and their text. */
const WAITING = 30;
const EARLIER = "accepted before";

test("an upgrade of an adapter and its rollback keep its channel, which sends after each what was accepted before", async () => {
  const { startNetwork } = (await import(join(PAGER, "network.js"))) as {
    startNetwork(token: string): Promise<PagerNetwork>;
  };
  const network = await startNetwork(TOKEN);
  const env = {
    RECADO_DATA_DIR: dataDir(),
    RECADO_PLUGIN_PAGER_API_URL: network.url,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  };
  const version = (number: string): string => {
    const files = ["plugin.js", "conformance.js", "network.js"].map((path) => {
      const text = readFileSync(join(PAGER, path), "utf8");
      return { path, text: path === "plugin.js" ? text.replace('version: "1.0.0"', `version: "${number}"`) : text };
    });
    return put(`pager-${number}.tgz`, tarGz(files));
  };
  const added = async (number: string) => {
    const { code, out, err } = await run(["plugin", "add", version(number), "--no-test"], env);
    expect([code, err, out.includes(`pager ${number} serves PAGER`)]).toEqual([0, "", true]);
  };
  let key = "";
  let phoneId = "";
  let accepted = 0;
  const textsOf = () => [...network.pages.values()].map(({ text }) => text);
  const left = () => accepted - textsOf().filter((text) => text === EARLIER).length;
  /** Starts the server, sends one message, accepts others while the network holds them up, and stops it. */
  const sends = async (number: string, waiting: number): Promise<void> => {
    const server = await serve({ ...env, RECADO_LOG_LEVEL: "info" });
    expect(server.out()).toContain(`"plugin":"pager","version":"${number}"`);
    const client = clientOf(server, ADMIN_TOKEN);
    if (key === "") {
      ({ key } = await client.account());
      const body = { type: "PAGER", label: "Front desk", credentials: { token: TOKEN } };
      ({ id: phoneId } = await client.gateway<{ id: string }>("/v1/phones", key, body));
    }
    const own = () => textsOf().filter((text) => text === number).length;
    const before = own();
    const message = { phoneId, to: "bia", type: "text", content: { text: number } };
    // each start has another port, at which the phone's webhook is registered first: until then sends are refused
    await patiently("the pager does not connect", () =>
      client.gateway("/v1/messages", key, message).then(
        () => true,
        () => undefined,
      ),
    );
    await untilTrue(() => own() > before && left() === 0);
    accepted += waiting;
    if (waiting > 0) network.hold();
    for (let nth = 0; nth < waiting; nth++)
      await client.gateway("/v1/messages", key, { ...message, content: { text: EARLIER } });
    server.signal("SIGTERM");
    network.release();
    expect((await server.ended).code).toBe(0);
  };
  try {
    await added("1.0.0");
    await sends("1.0.0", WAITING);
    expect(left()).toBeGreaterThan(0);
    await added("2.0.0");
    await sends("2.0.0", WAITING);
    expect(left()).toBeGreaterThan(0);
    expect((await run(["plugin", "rollback", "pager"], env)).code).toBe(0);
    await sends("1.0.0", 0);
    expect(textsOf().filter((text) => text !== EARLIER)).toEqual(["1.0.0", "2.0.0", "1.0.0"]);
    expect(left()).toBe(0); // each once
  } finally {
    await network.stop();
  }
}, 180_000);
