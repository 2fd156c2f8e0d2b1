import { PERMISSIONS } from "../../src/core/tenancy/keys/keys.ts";
import { type Child, newDir, startChild } from "./process.ts";
import type { Confined } from "./small.ts";

export const APP_SECRET = "the-meta-app-secret-of-the-benchmark";
export const WEBHOOK_SECRET = "the-secret-of-a-webhook";
const ADMIN_TOKEN = "of-the-benchmark_4Jq9ZkX2mVt7RwBn5LcHyD8sPg";
const UNLIMITED = "1000000";

/**
 * A Recado in a process of its own, over its own HTTP. `call` speaks to the gateway, as the administrator without a
 * key; `ask` speaks to the platform. Both throw for any answer but 2xx.
 */
export type Recado = { child: Child; port: number; call: Caller; ask: Caller };
type Caller = <Answer = Record<string, unknown>>(path: string, call?: Call) => Promise<Answer>;
type Call = { key?: string; body?: object };

/** The paths and addresses of the parts of one run. */
export type Site = { settings: Record<string, string>; graph: Graph };

/** The Graph simulator in a process of its own. */
export type Graph = { child: Child; notify(operation: string, args: object): Promise<unknown> };

export const startGraph = async (): Promise<Graph & { url: string }> => {
  const child = await startChild("test/support/graph/main.ts");
  const { url } = child.ready as { url: string };
  return {
    child,
    url,
    notify: (operation, args) => answerOf(`${url}/_sim/${operation}`, { method: "POST", body: JSON.stringify(args) }),
  };
};

/** The settings of a server on a data directory of its own, on the disk that is measured. */
export const newSettings = (): Record<string, string> => ({
  RECADO_DATA_DIR: newDir(),
  RECADO_LISTEN: "127.0.0.1:0",
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  RECADO_GATEWAY_RATE: UNLIMITED,
  RECADO_GATEWAY_SEND_RATE: UNLIMITED,
});

/** A server's settings, with the simulator as its network. */
export const newSite = (graph: Graph & { url: string }): Site => ({
  settings: { ...newSettings(), RECADO_META_APP_SECRET: APP_SECRET, RECADO_META_GRAPH_URL: graph.url },
  graph,
});

/** The JSON answer of a URL; throws for any status but 2xx. */
export const answerOf = async <Answer = Record<string, unknown>>(url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer;
};

const callerAt =
  (base: string, identity: (key?: string) => Record<string, string>): Caller =>
  (path, { key, body } = {}) =>
    answerOf(`${base}${path}`, {
      headers: { ...identity(key), "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });

export const FROM_SOURCE = "src/main.ts";

let confined: Confined | undefined;
/** Makes all further servers run on a part of the machine. */
export const confine = (to: Confined): void => {
  confined = to;
};

/** `recado serve` on the site, from source or of another program. */
export const serve = async ({ settings }: Pick<Site, "settings">, program = FROM_SOURCE): Promise<Recado> => {
  const child = await startChild(program, { args: ["serve"], env: settings, ...(confined ? { confined } : {}) });
  const { url } = child.ready as { url: string };
  const call = callerAt(`${url}/gateway`, (key) =>
    key === undefined ? { "x-admin-token": ADMIN_TOKEN } : { "x-api-key": key },
  );
  const ask = callerAt(
    `${url}/platform`,
    (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  );
  return { child, port: Number(new URL(url).port), call, ask };
};

export type Account = { id: string; key: string };

export const newAccount = async ({ call }: Recado): Promise<Account> => {
  const { id } = await call("/v1/admin/accounts", { body: { name: "Benchmark" } });
  const { key } = await call(`/v1/admin/accounts/${String(id)}/api-keys`, { body: { name: "benchmark" } });
  return { id: String(id), key: String(key) };
};

/**
 * An institution of the platform: `key` is a key of the gateway for the same tenant, `platformKey` one of the platform
 * with every permission.
 */
export type Institution = Account & { platformKey: string };
let institutions = 0;

/** The server's settings must name ENTERPRISE as its plan. */
export const newInstitution = async ({ ask, call }: Recado): Promise<Institution> => {
  const user = {
    name: "Benchmark",
    email: `user${++institutions}@example.com`,
    password: "password-of-the-benchmark",
    institutionName: "Benchmark",
  };
  const { institution, token } = await ask<{ institution: { id: string }; token: string }>("/v1/auth/register", {
    body: user,
  });
  const { key } = await call(`/v1/admin/accounts/${institution.id}/api-keys`, { body: { name: "benchmark" } });
  const { key: platformKey } = await ask("/v1/api-keys", {
    key: token,
    body: { name: "benchmark", permissions: PERMISSIONS, rateLimit: 10_000 },
  });
  return { id: institution.id, key: String(key), platformKey: String(platformKey) };
};

export type Phone = { id: string; phoneNumberId: string; businessAccountId: string; number: string };
let phones = 0;

/** A connected WABA phone, known to the simulator, with a webhook if its address is given. */
export const newPhone = async (
  { graph }: Site,
  { call }: Recado,
  { key }: Account,
  webhookUrl?: string,
): Promise<Phone> => {
  const n = ++phones;
  const phone = { phoneNumberId: `10654000${n}`, businessAccountId: `10229000${n}`, number: `1555000${1000 + n}` };
  const { number, ...ids } = phone;
  await graph.notify("numbers", { ...ids, displayPhoneNumber: `+${number}`, tokens: [`EAAbench${n}`] });
  const webhook = webhookUrl === undefined ? {} : { webhook: { url: webhookUrl, secret: WEBHOOK_SECRET } };
  const { id } = await call("/v1/phones", {
    key,
    body: { type: "WABA", label: "Benchmark", credentials: { ...ids, accessToken: `EAAbench${n}` }, ...webhook },
  });
  for (let tries = 0; tries < 1000; tries++) {
    if ((await call(`/v1/phones/${String(id)}`, { key }))["status"] === "CONNECTED")
      return { ...phone, id: String(id) };
    await Bun.sleep(5);
  }
  throw new Error("the phone did not connect");
};
