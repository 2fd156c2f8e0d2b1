import { expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientOf } from "../../support/client.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { type Receiver, startReceiver } from "../../support/servers/receiver.ts";
import { patiently } from "../../support/session/gateway-process.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../../support/world.ts";

const { dataDir, folder, run, serve, spawn } = processes();

const PAGER = resolve(import.meta.dir, "../../support/adapters/pager");
const TOKEN = "pager-token-of-the-test";

type Network = {
  url: string;
  pages: Map<string, { to: string; text: string }>;
  say(page: { id: string; from: string; name: string; text: string; at: number }): void;
  stop(): Promise<void>;
};

const startNetwork = async (): Promise<Network> => {
  const path = join(PAGER, "network.js");
  const module = (await import(path)) as { startNetwork(token: string): Promise<Network> };
  return module.startNetwork(TOKEN);
};

/** A plugin folder with copies of these adapters, which only their owner can write to. */
const pluginDir = (...adapters: string[]): string => {
  const dir = folder();
  for (const from of adapters) {
    const to = join(dir, from.split("/").at(-1) ?? "");
    cpSync(from, to, { recursive: true });
    chmodSync(to, 0o755);
    for (const file of ["plugin.js", "conformance.js"]) chmodSync(join(to, file), 0o644);
  }
  return dir;
};

/** Writes a new adapter into a folder, as its author does. */
const write = async (name: string, dir: string): Promise<void> => {
  const { code, err } = await run(["plugin", "new", name, "--dir", dir]);
  expect([code, err]).toEqual([0, ""]);
};

/** Resolves to the first event of this type for which `isMeant` holds, once it has arrived. */
const arrival = async (hook: Receiver, type: string, isMeant: (event: any) => boolean = () => true): Promise<any> => {
  for (let seen = 0; ; ) {
    const arrived = await hook.received(seen + 1);
    const found = arrived.slice(seen).find(({ body }) => [body.event, body.type].includes(type) && isMeant(body));
    if (found) return found.body;
    seen = arrived.length;
  }
};

test("an adapter that is written from the guide alone keeps the laws, and so does each new one, whatever its name", async () => {
  const dir = pluginDir(PAGER);
  await write("templates", dir); // a word of the contract
  const checked = await run(["plugin", "check", join(dir, "templates")]);
  expect([checked.code, checked.err, checked.out]).toEqual([
    0,
    "",
    "templates serves TEMPLATES (contract 2.0); it can be loaded\n",
  ]);
  expect(readFileSync(join(dir, "templates/README.md"), "utf8")).not.toContain("@");
  for (const name of ["pager", "templates"]) {
    const { code, out, err } = await run(["plugin", "test", join(dir, name)]);
    expect([code, err, out.split("\n").filter((line) => line.startsWith("broken"))]).toEqual([0, "", []]);
    expect(out).toMatch(/^\d+ kept, 0 broken, \d+ skipped$/m);
  }
}, 120_000);

test("plugin new changes nothing that is there, and says which words it takes", async () => {
  const dir = folder();
  await write("pager", dir);
  const before = readFileSync(join(dir, "pager/plugin.js"), "utf8");
  const again = await run(["plugin", "new", "pager", "--kind", "OTHER", "--dir", dir]);
  expect([again.code, again.err.trim()]).toEqual([1, `recado plugin new: ${join(dir, "pager")} is there already`]);
  expect(readFileSync(join(dir, "pager/plugin.js"), "utf8")).toBe(before);
  const wrong = await run(["plugin", "new", "../pager", "--kind", "pager", "--dir", dir]);
  expect([wrong.code, wrong.err.split("\n").length, readdirSync(dir)]).toEqual([2, 3, ["pager"]]);
});

test("a misspelt or unknown member is a warning with the name that was meant, and the adapter is loaded", async () => {
  const dir = pluginDir();
  await write("pager", dir);
  const file = join(dir, "pager/plugin.js");
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text
      .replace('contract: "2.0",', 'contract: "2.0", opperations: 1,')
      .replace("templates: false,", "templates: false, textMaxSegments: 4, fetchLinks: true,")
      .replace("webhook: {", "webhook: { anwser: () => undefined,")
      .replace("connect: begin,", "connect: begin, paceMS: () => 0, ownHelper() {},"),
  );
  const { code, out, err } = await run(["plugin", "check", join(dir, "pager")]);
  expect([code, out.includes("it can be loaded")]).toEqual([0, true]);
  expect((await run(["plugin", "test", join(dir, "pager")])).err).toBe(err);
  expect(err.trim().split("\n")).toEqual([
    "warning: opperations is no member of the contract, and is ignored",
    "warning: capabilities.textMaxSegments is no member of the contract, and is ignored",
    "warning: capabilities.fetchLinks is no member of the contract, and is ignored; did you mean fetchesLinks?",
    "warning: webhook.anwser is no member of the contract, and is ignored; did you mean answer?",
    "warning: the link's paceMS is no member of the contract, and is ignored; did you mean paceMs?",
  ]);
});

test("an adapter that breaks a law is shown which, and the command fails", async () => {
  const dir = folder();
  await write("template", dir);
  const file = join(dir, "template/plugin.js");
  const text = await Bun.file(file).text();
  writeFileSync(file, text.replace("let generation = 0;", "let generation = Date.now();"));
  const { code, out } = await run(["plugin", "test", join(dir, "template"), "--json"]);
  const { ok, laws } = JSON.parse(out) as { ok: boolean; laws: { law: string; outcome: string; reason?: string }[] };
  expect([code, ok]).toEqual([1, false]);
  expect(laws.filter(({ outcome }) => outcome === "broken").map(({ law }) => law)).toEqual([
    "law 10: time and randomness come from the host alone",
  ]);
}, 120_000);

test("plugin list and plugin check say what there is, and what is wrong", async () => {
  const dir = pluginDir(PAGER);
  const env = { RECADO_PLUGIN_DIR: dir, RECADO_DATA_DIR: dataDir() };
  expect(JSON.parse((await run(["plugin", "list", "--json"], env)).out)).toEqual([
    {
      name: "pager",
      version: "1.0.0",
      author: null,
      kind: "PAGER",
      label: "pager",
      contract: "2.0",
      hosts: [],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      file: join(dir, "pager/plugin.js"),
      settings: ["RECADO_PLUGIN_PAGER_API_URL"],
      warnings: [],
      state: "usable",
    },
  ]);
  writeFileSync(join(dir, "pager/plugin.js"), "export default { contract: '3.0', name: 'pager', create: () => ({}) };");
  const checked = await run(["plugin", "check", join(dir, "pager")], env);
  expect(checked.code).toBe(1);
  expect(checked.err).toContain("it was written for contract 3.0");
  const tested = await run(["plugin", "test", join(dir, "pager")], env);
  expect([tested.code, tested.out, tested.err]).toEqual([1, "", checked.err]); // once, and not for each law
  const listed = await run(["plugin", "list"], env);
  expect([listed.code, listed.err.includes("install a newer Recado")]).toEqual([1, true]);
  expect((await run(["plugin", "check"], env)).code).toBe(2);
}, 60_000);

test("an adapter that awaits for ever keeps no server from its start, which SIGTERM ends at once; plugin check names it", async () => {
  const dir = pluginDir(PAGER);
  const file = join(dir, "pager/plugin.js");
  const imported = join(folder(), "imported");
  writeFileSync(
    file,
    `import { writeFileSync } from "node:fs";\nwriteFileSync("${imported}", "");\nawait new Promise(() => {});`,
  );
  const env = { RECADO_PLUGIN_DIR: dir, RECADO_DATA_DIR: dataDir(), RECADO_LISTEN: "127.0.0.1:0" };

  const starting = spawn(["serve"], env);
  await patiently("the adapter is not imported", async () => existsSync(imported) || undefined);
  starting.child.kill("SIGTERM");
  const stopped = await starting.ended;
  expect([stopped.code, stopped.out.includes('"ready"')]).toEqual([0, false]);

  const [server, checked] = await Promise.all([serve(env), run(["plugin", "check", join(dir, "pager")], env)]);
  const ready = (await (await fetch(`${server.url}/gateway/health/ready`)).json()) as object;
  expect(ready).toMatchObject({ status: "ready", degraded: ["pager"] });
  expect([checked.code, checked.err.trim()]).toEqual([
    1,
    `${file}: it was not loaded within 10 s: what does it await, or repeat for ever?`,
  ]);
}, 60_000);

/** As an endless loop does, and it takes no processor. */
const STANDS_STILL = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

test("an adapter that stands still keeps no server from its start, and plugin check names it", async () => {
  const dir = pluginDir(PAGER);
  const file = join(dir, "pager/plugin.js");
  writeFileSync(
    file,
    `export default { contract: "2.0", name: "pager", version: "1.0.0", hosts: [], create() { ${STANDS_STILL} } };`,
  );
  const env = { RECADO_PLUGIN_DIR: dir, RECADO_DATA_DIR: dataDir() };
  const [server, checked] = await Promise.all([serve(env), run(["plugin", "check", join(dir, "pager")], env)]);
  const ready = (await (await fetch(`${server.url}/gateway/health/ready`)).json()) as object;
  expect(ready).toMatchObject({ status: "ready", degraded: ["pager"] });
  const sentence = `${file}: it was not loaded within 10 s: what does it await, or repeat for ever?`;
  expect([checked.code, checked.err.trim()]).toEqual([1, sentence]);
  server.signal("SIGTERM");
  expect((await server.ended).code).toBe(0);
  const strict = await run(["serve"], { ...env, RECADO_PLUGINS: "strict", RECADO_LISTEN: "127.0.0.1:0" });
  expect([strict.code, strict.err.trim()]).toEqual([78, sentence]);
}, 90_000);

const served = (dir: string, network: Network): Promise<Server> =>
  serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_PLUGIN_DIR: dir,
    RECADO_PLUGIN_PAGER_API_URL: network.url,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE",
  });

test("a channel of a loaded kind is made, connects, sends and receives through the gateway API", async () => {
  const network = await startNetwork();
  const hook = startReceiver();
  try {
    const server = await served(pluginDir(PAGER), network);
    const { gateway, account } = clientOf(server, ADMIN_TOKEN);
    const { key } = await account();
    const made = await gateway<{ id: string; type: string }>("/v1/phones", key, {
      type: "PAGER",
      label: "Front desk",
      credentials: { token: TOKEN },
      webhook: { url: hook.url, secret: WEBHOOK_SECRET },
    });
    expect(made.type).toBe("PAGER");
    const phone = await patiently("the pager does not connect", async () => {
      const one = await gateway<{ status: string; pagerCallsign: string }>(`/v1/phones/${made.id}`, key);
      return one.status === "CONNECTED" ? one : undefined;
    });
    expect(phone.pagerCallsign).toBe("PADARIA");
    const { messageId } = await gateway<{ messageId: string }>("/v1/messages", key, {
      phoneId: made.id,
      to: "bia",
      type: "text",
      content: { text: "pronto" },
    });
    await arrival(hook, "message:status", ({ data }) => data.messageId === messageId && data.status === "read");
    expect([...network.pages.values()]).toEqual([{ to: "bia", text: "pronto" }]);
    network.say({ id: "PGin-1", from: "ana", name: "Ana", text: "oi", at: Date.now() });
    const received = await arrival(hook, "message:received");
    expect(JSON.stringify(received)).toContain("oi");
    expect(JSON.stringify(received)).not.toContain("PGin-1");
    const document = await fetch(`${server.url}/gateway/openapi.json`).then((answer) => answer.text());
    expect([document.includes("pagerCallsign"), document.includes('"PAGER"')]).toEqual([true, true]);
  } finally {
    await Promise.all([network.stop(), hook.stop()]);
  }
}, 60_000);

test("the platform API takes the new kind by its word", async () => {
  const network = await startNetwork();
  const hook = startReceiver();
  try {
    const server = await served(pluginDir(PAGER), network);
    const ask = async (path: string, token: string, body?: object): Promise<any> => {
      const headers = {
        "content-type": "application/json",
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      };
      const answer = await fetch(`${server.url}/platform${path}`, {
        method: body ? "POST" : "GET",
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { token } = await ask("/v1/auth/register", "", {
      name: "Ana",
      email: "ana@example.com",
      password: "password-1",
      institutionName: "Padaria",
    });
    await ask("/v1/webhooks", token, {
      name: "hook",
      url: hook.url,
      secret: WEBHOOK_SECRET,
      events: ["message.received", "message.delivered", "message.read"],
    });
    const { id, type } = await ask("/v1/channels", token, {
      name: "Front desk",
      type: "CHAT_PAGER",
      credentials: { token: TOKEN },
    });
    expect(type).toBe("CHAT_PAGER");
    await ask(`/v1/channels/${id}/connect`, token, {});
    await patiently("the pager does not connect", async () =>
      (await ask(`/v1/channels/${id}`, token)).status === "CONNECTED" ? true : undefined,
    );
    await ask(`/v1/channels/${id}/messages/text`, token, { to: "duda", text: "pronto" });
    await arrival(hook, "message.read");
    expect([...network.pages.values()]).toEqual([{ to: "duda", text: "pronto" }]);
    network.say({ id: "PGin-1", from: "ana", name: "Ana", text: "oi", at: Date.now() });
    const received = await arrival(hook, "message.received");
    expect(JSON.stringify(received)).toContain("oi");
  } finally {
    await Promise.all([network.stop(), hook.stop()]);
  }
}, 60_000);
