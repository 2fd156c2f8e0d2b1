import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { packN8n } from "../../scripts/clients/pack-n8n.ts";
import { printed } from "../support/apis/sdk-package.ts";
import { quietPort } from "../support/processes/process.ts";

/** The newest n8n that runs on Node.js 20; later ones need 22 and 24. */
const VERSION = "2.8.4";
/** From n8n's own manifest, but by npm: the address that it names there is not npm's. */
const OVERRIDES = { xlsx: "0.18.5" };
/** What it prints when its workflows are active. */
const READY = "Editor is now accessible";

const NPM = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier"];
const HOME = { HOME: homedir(), npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm") };

/**
 * Where n8n is installed: 2 GB, which take minutes, so it stays for later runs. Never in TMPDIR, which may be memory.
 * Another folder: RECADO_TEST_N8N_DIR.
 */
const installed = async (): Promise<string> => {
  const cache = process.env["RECADO_TEST_N8N_DIR"] ?? join(homedir(), ".cache", "recado-test");
  const folder = join(cache, `n8n-${VERSION}`);
  if (existsSync(folder)) return folder;
  // it gets its name when it is whole: an interrupted installation is never taken for one
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const manifest = { private: true, dependencies: { n8n: VERSION }, overrides: OVERRIDES };
  writeFileSync(join(unfinished, "package.json"), JSON.stringify(manifest));
  await printed(["npm", "install", "--omit=optional", ...NPM], unfinished, HOME);
  // the only one of its native parts that a start needs; npm's script compiles it
  await printed(["npm", "rebuild", "sqlite3"], unfinished, HOME);
  renameSync(unfinished, folder);
  return folder;
};

/** Puts the packed nodes where n8n has those of the community. */
const addNodes = async (home: string): Promise<void> => {
  const archive = join(home, "nodes.tgz");
  await packN8n({ version: "1.2.3", time: 1_700_000_000 }, archive);
  const folder = join(home, ".n8n/nodes");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "installed-nodes", private: true }));
  await printed(["npm", "install", archive, "--legacy-peer-deps", ...NPM], folder, HOME);
};

const settingsOf = (home: string, port: number): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  N8N_USER_FOLDER: home,
  N8N_LISTEN_ADDRESS: "127.0.0.1",
  N8N_PORT: String(port),
  WEBHOOK_URL: `http://127.0.0.1:${port}/`,
  N8N_ENCRYPTION_KEY: "a key that opens nothing",
  N8N_SECURE_COOKIE: "false",
  // nothing that asks another host
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  N8N_TEMPLATES_ENABLED: "false",
  N8N_LICENSE_AUTO_RENEW_ENABLED: "false",
});

type Asked = { body?: object; method?: string };

/** A real n8n with our nodes, and the calls that its editor makes, as its owner. */
export type N8n = {
  url: string;
  /** Under `/rest`. @throws where it is not answered with 2xx. */
  rest<View = any>(path: string, asked?: Asked): Promise<View>;
  /** Any other address of it. */
  get(path: string): Promise<any>;
  /** Ends it by a signal, and starts it anew with all that it has stored. `meanwhile`: while it is away. */
  restart(signal: "SIGTERM" | "SIGKILL", meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
};

const OWNER = { email: "owner@example.com", firstName: "An", lastName: "Owner", password: "Password-123" };

export const startN8n = async (): Promise<N8n> => {
  const folder = await installed();
  const home = mkdtempSync(join(tmpdir(), "recado-n8n-home-"));
  await addNodes(home);
  const port = await quietPort();
  const broker = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...settingsOf(home, port), N8N_RUNNERS_BROKER_PORT: String(broker) };
  let cookie = "";

  const launch = async (): Promise<Bun.Subprocess> => {
    const command = ["node", join(folder, "node_modules/n8n/bin/n8n"), "start"];
    const started = Bun.spawn(command, { cwd: home, env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    await untilReady(started.stdout);
    return started;
  };

  const ask = async (path: string, { body, method = body === undefined ? "GET" : "POST" }: Asked = {}) => {
    const headers = { "content-type": "application/json", "browser-id": "a-browser", cookie };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...content });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
    const [session] = answer.headers.getSetCookie();
    if (session !== undefined) cookie = session.slice(0, session.indexOf(";"));
    return JSON.parse(text);
  };

  let child = await launch();
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    await child.exited;
  };
  try {
    await ask("/rest/owner/setup", { body: OWNER });
  } catch (error) {
    await end("SIGKILL");
    throw error;
  }
  return {
    url,
    get: (path) => ask(path),
    rest: async (path, asked) => (await ask(`/rest${path}`, asked)).data,
    async restart(signal, meanwhile) {
      await end(signal);
      await meanwhile();
      child = await launch();
    },
    async stop() {
      await end("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** Reads on afterwards, so that n8n never waits for its output to be read. @throws with what it said when it ends before. */
const untilReady = (stream: ReadableStream<Uint8Array>): Promise<void> =>
  new Promise((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of stream) {
        text = (text + decoder.decode(chunk, { stream: true })).slice(-10_000);
        if (text.includes(READY)) resolve();
      }
      reject(new Error(`n8n ended: ${text}`));
    };
    void read();
  });
