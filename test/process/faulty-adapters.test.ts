import { expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LATE, UNLOADABLE } from "../support/adapters/faulty-adapters.ts";
import { clientOf } from "../support/client.ts";
import { processes, type Server } from "../support/processes/process.ts";
import { patiently } from "../support/session/gateway-process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN } from "../support/world.ts";

const { dataDir, folder, serve } = processes();

const PAGER = resolve(import.meta.dir, "../support/adapters/pager");
const TOKEN = "pager-token-of-the-test";
const MESSAGES = 20;

type Network = { url: string; pages: Map<string, object>; stop(): Promise<void> };

/** A plugin folder with the pager and these adapters, which only their owner can write to. */
const pluginDir = (adapters: Readonly<Record<string, string>>): string => {
  const dir = folder();
  cpSync(PAGER, join(dir, "pager"), { recursive: true });
  chmodSync(join(dir, "pager"), 0o755);
  for (const file of ["plugin.js", "conformance.js", "network.js"]) chmodSync(join(dir, "pager", file), 0o644);
  for (const [name, text] of Object.entries(adapters)) {
    mkdirSync(join(dir, name), { mode: 0o755 });
    writeFileSync(join(dir, name, "plugin.js"), text, { mode: 0o644 });
  }
  return dir;
};

const TICK_MS = 10;

/** The processor time of a server and of the children that it waited for, and its memory. */
const figuresOf = ({ pid }: Server): { cpuMs: number; childrenMs: number; rssMb: number } => {
  const times = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 15).map(Number) ?? [];
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = times;
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return {
    cpuMs: (user + system) * TICK_MS,
    childrenMs: (childUser + childSystem) * TICK_MS,
    rssMb: Math.round(Number(kib) / 1024),
  };
};

/** A server whose pager sends while channels of these adapters work. Resolves to its figures at the start and after. */
const pagerAmong = async (
  network: Network,
  adapters: Readonly<Record<string, string>>,
  channels: readonly string[],
) => {
  const server = await serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_PLUGIN_DIR: pluginDir(adapters),
    RECADO_PLUGIN_PAGER_API_URL: network.url,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
  });
  const started = figuresOf(server);
  const { gateway, account } = clientOf(server, ADMIN_TOKEN);
  const { key } = await account();
  const made = (type: string, token: string) =>
    gateway<{ id: string }>("/v1/phones", key, { type, label: type, credentials: { token } });
  const send = (phoneId: string, to: string) =>
    gateway("/v1/messages", key, { phoneId, to, type: "text", content: { text: "pronto" } });
  for (const name of channels) {
    const { id } = await made(name.toUpperCase().replaceAll("-", "_"), TOKEN);
    await send(id, "ana").catch(() => {}); // refused where its channel is not connected
  }
  const { id } = await made("PAGER", TOKEN);
  await patiently("the pager does not connect", async () =>
    (await gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED" ? true : undefined,
  );
  const before = network.pages.size;
  for (let sent = 0; sent < MESSAGES; sent++) await send(id, "bia");
  await untilTrue(() => network.pages.size === before + MESSAGES);
  const ready = (await (await fetch(`${server.url}/gateway/health/ready`)).json()) as { degraded?: string[] };
  const worked = figuresOf(server);
  server.signal("SIGTERM");
  return { started, worked, degraded: ready.degraded ?? [], ended: await server.ended };
};

test("25 faulty adapters cost another network neither its start, nor a message, nor the server's end", async () => {
  const names = [...Object.keys(UNLOADABLE), ...Object.keys(LATE)];
  expect(names).toHaveLength(25);
  const { startNetwork } = (await import(join(PAGER, "network.js"))) as {
    startNetwork(token: string): Promise<Network>;
  };
  const network = await startNetwork(TOKEN);
  try {
    const alone = await pagerAmong(network, {}, []);
    const among = await pagerAmong(network, { ...UNLOADABLE, ...LATE }, Object.keys(LATE));
    expect(among.degraded.toSorted()).toEqual(Object.keys(UNLOADABLE).toSorted());
    expect([alone.ended.code, among.ended.code]).toEqual([0, 0]);
    for (const [name, { started, worked }] of Object.entries({ alone, among }))
      console.log(name, JSON.stringify({ started, worked })); // the figures of decision 0042
  } finally {
    await network.stop();
  }
}, 300_000);
