import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "../../../../src/app.ts";
import type { ChannelPlugin } from "../../../../src/contract/plugin.ts";
import { changeInstitutionPlan } from "../../../../src/core/tenancy/accounts/accounts.ts";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { issueGatewayKey } from "../../../../src/core/tenancy/keys/keys.ts";
import type { PasswordCost } from "../../../../src/kernel/crypto.ts";
import { createLog } from "../../../../src/kernel/log.ts";
import { configOf } from "../../../support/config.ts";
import { type Graph, startGraph } from "../../../support/graph/index.ts";
import { type SimulatedLlm, startLlm } from "../../../support/llm/index.ts";
import { processes } from "../../../support/processes/process.ts";
import { APP_SECRET, VERIFY_TOKEN } from "../../../support/world.ts";

type Call = { method?: string; body?: unknown; headers?: Record<string, string> };

/** A Recado with the console, on a free port of 127.0.0.1, by the machine's clock. */
export type ConsoleServer = {
  /** Where it is reached, without a slash at the end. */
  url: string;
  consoleUrl: string;
  gatewayUrl: string;
  platformUrl: string;
  /** The link of the first set-up. */
  setupUrl: string;
  /** The provider of language models that accounts use unless they name another. */
  llm: SimulatedLlm;
  /** The network of official numbers; undefined where the simulator stands for all networks. */
  graph: Graph | undefined;
  /** What it has logged so far. */
  logs(): string;
  /** Makes a key of the gateway for an account or institution: what an administrator may issue. */
  issueKey(accountId: string): Promise<string>;
  /** Lifts the limits of an institution's plan. Throws where only a server in this process can do so. */
  enterprise(institutionId: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * `simulated`: the simulator serves every kind of phone and echoes texts; false: official numbers are on a simulated
 * network of their own, which has groups and calls too. `plugins`: adapters in place of the compiled-in ones, for a
 * server in this process. `env`: more settings.
 */
export type ConsoleOptions = { simulated?: boolean; plugins?: readonly ChannelPlugin[]; env?: Record<string, string> };

/** The lowest cost that argon2 takes: a hash takes 0.05 ms. */
const PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const settingsOf = (
  llm: SimulatedLlm,
  graph: Graph | undefined,
  env: Record<string, string>,
): Record<string, string> => ({
  RECADO_LISTEN: "127.0.0.1:0",
  RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost",
  RECADO_ADDRESS_RATE: "100000",
  RECADO_GATEWAY_RATE: "100000",
  RECADO_GATEWAY_SEND_RATE: "100000",
  RECADO_LLM_URL: llm.url,
  RECADO_META_APP_SECRET: APP_SECRET,
  RECADO_META_VERIFY_TOKEN: VERIFY_TOKEN,
  ...(graph ? { RECADO_META_GRAPH_URL: graph.url } : {}),
  ...env,
});

/**
 * Starts the server of the tests: the sources in this process, on simulated networks; with RECADO_TEST_PROGRAM the
 * program that it names, such as the compiled one, which has no simulator.
 */
export const startConsole = (options: ConsoleOptions = {}): Promise<ConsoleServer> =>
  process.env["RECADO_TEST_PROGRAM"] ? startProgram(options) : startSources(options);

const startSources = async ({ simulated = true, plugins = [], env = {} }: ConsoleOptions): Promise<ConsoleServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), "recado-console-"));
  const llm = startLlm();
  const graph = simulated ? undefined : startGraph();
  const logs: string[] = [];
  const log = createLog("warn", { write: (line) => void logs.push(line) });
  const environment = { RECADO_DATA_DIR: dataDir, ...settingsOf(llm, graph, env) };
  const app = await startApp(configOf(environment), {
    log,
    simulated,
    plugins,
    passwordCost: PASSWORD_COST,
    environment,
  });
  const { publicUrl, gatewayUrl, platformUrl } = app;
  graph?.webhooks.configure({ url: `${gatewayUrl}/v1/upstream-webhook`, appSecret: APP_SECRET });
  return {
    ...placesOf({ publicUrl, gatewayUrl, platformUrl, setupUrl: app.setupUrl }),
    llm,
    graph,
    logs: () => logs.join(""),
    issueKey: async (accountId) =>
      (await issueGatewayKey(app.env, callerIn(accountId, LOCAL), { name: "Of the tests" })).key,
    enterprise: async (institutionId) =>
      void (await changeInstitutionPlan(app.env, LOCAL, institutionId, "ENTERPRISE")),
    async stop() {
      await app.stop();
      await llm.stop();
      await graph?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

const startProgram = async ({ env = {} }: ConsoleOptions): Promise<ConsoleServer> => {
  const llm = startLlm();
  const graph = startGraph();
  let clean = (): Promise<void> => Promise.resolve();
  const programs = processes((cleaning) => void (clean = cleaning));
  const dataDir = programs.dataDir();
  const server = await programs.serve({ RECADO_DATA_DIR: dataDir, ...settingsOf(llm, graph, env) });
  graph.webhooks.configure({ url: `${server.gatewayUrl}/v1/upstream-webhook`, appSecret: APP_SECRET });
  const askAdmin = async (path: string, body: object): Promise<any> => {
    const { out, err } = await programs.run(["admin", "token"], { RECADO_DATA_DIR: dataDir });
    const [token] = /[\w-]{32,}/.exec(out) ?? [];
    if (token === undefined) throw new Error(`there is no admin token: ${out}${err}`);
    return ask(`${server.gatewayUrl}/v1/admin/${path}`, { body, headers: { "x-admin-token": token } });
  };
  return {
    ...placesOf(server),
    llm,
    graph,
    logs: () => server.out() + server.err(),
    issueKey: async (accountId) => (await askAdmin(`accounts/${accountId}/api-keys`, { name: "Of the tests" })).key,
    enterprise: () => Promise.reject(new Error("a program in a process of its own keeps the plan of an institution")),
    async stop() {
      server.signal("SIGTERM");
      await server.ended;
      await clean();
      await llm.stop();
      await graph.stop();
    },
  };
};

type Places = { publicUrl: string; gatewayUrl: string; platformUrl: string; setupUrl?: string | undefined };

const placesOf = ({ publicUrl, gatewayUrl, platformUrl, setupUrl }: Places) => ({
  url: publicUrl,
  consoleUrl: `${publicUrl}/console`,
  gatewayUrl,
  platformUrl,
  setupUrl: setupUrl ?? "",
});

/** A request in JSON; a body makes it a POST. Resolves with the answer's body. @throws for a status of 400 and more. */
export const ask = async (url: string, { method, body, headers = {} }: Call = {}): Promise<any> => {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method ?? ""} ${url} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};
