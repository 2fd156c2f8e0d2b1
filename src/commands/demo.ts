import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../app.ts";
import { createAccount } from "../core/tenancy/accounts.ts";
import { issueGatewayKey } from "../core/tenancy/keys.ts";
import { type Config, readConfig } from "../kernel/config.ts";
import { hmacSha256, isSameSecret } from "../kernel/crypto.ts";
import { createLog } from "../kernel/log.ts";
import { type CommandContext, command, EXIT } from "./command.ts";
import { untilSignal } from "./serve.ts";

const SECRET = "demo-secret-of-the-webhook";
const RECIPIENT = "5511999990123";
const ROUND_TRIP_MS = 30_000;

type Told = { type: string; data: Record<string, unknown> };

/** A customer's webhook: verifies each delivery and shows it. `heard` is told of every one. */
const startReceiver = (out: (line: string) => void, heard: (event: Told) => void) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const signature = request.headers.get("x-gateway-signature") ?? "";
      const isGenuine = isSameSecret(signature, `sha256=${hmacSha256(SECRET, body, "hex")}`);
      const event = JSON.parse(body) as Told;
      out(`  ${isGenuine ? "✓ verified" : "✗ NOT OURS"}  ${event.type.padEnd(18)} ${JSON.stringify(summaryOf(event))}`);
      if (isGenuine) heard(event);
      return new Response("ok");
    },
  });

const summaryOf = ({ type, data }: Told): object => {
  if (type === "message:status") return { messageId: data["messageId"], status: data["status"] };
  if (type === "message:received") return { type: data["type"], content: data["content"] };
  return data;
};

/** Calls the gateway as any client would. */
const clientOf =
  ({ gatewayUrl }: App, key: string) =>
  async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${gatewayUrl}${path}`, { method: "POST", headers: { "x-api-key": key, "content-type": "application/json" }, body: JSON.stringify(body) });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };

const nextSteps = ({ gatewayUrl }: App, key: string, phoneId: string): string[] => [
  "",
  "Try next, in another terminal:",
  "",
  `  export KEY=${key}`,
  `  curl -s ${gatewayUrl}/v1/phones -H "X-API-Key: $KEY"`,
  `  curl -s ${gatewayUrl}/v1/messages -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
  `    -d '{"phoneId":"${phoneId}","to":"${RECIPIENT}","type":"text","content":{"text":"Hello again"}}'`,
  `  curl -s '${gatewayUrl}/v1/events?limit=5' -H "X-API-Key: $KEY"`,
  `  curl -sN ${gatewayUrl}/v1/events/stream -H "X-API-Key: $KEY"`,
  "",
  "Ctrl+C ends the demo; it leaves nothing behind.",
];

/** Everything that a round trip shows: connected, sent, delivered, read, and an answer. */
const roundTrip = () => {
  const missing = new Set(["channel:connected", "sent", "delivered", "read", "message:received"]);
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  const heard = ({ type, data }: Told) => {
    missing.delete(type === "message:status" ? String(data["status"]) : type);
    if (missing.size === 0) finish();
  };
  return { heard, done, missing };
};

type Show = { trip: ReturnType<typeof roundTrip>; hook: string; stopped: Promise<unknown>; isOnce: boolean };

/** A tenant, a key, a connected channel, a message, and what its webhooks tell. Resolves to the exit code. */
const show = async ({ out, err }: CommandContext, app: App, { trip, hook, stopped, isOnce }: Show): Promise<number> => {
  const account = await createAccount(app.env, { name: "Demo" });
  const { key } = await issueGatewayKey(app.env, account.id, { name: "demo" });
  const call = clientOf(app, key);
  out(`Recado serves at ${app.gatewayUrl}; its webhooks go to ${hook}`);
  const phone = await call("/v1/phones", { type: "SESSION", label: "Demo phone", webhook: { url: hook, secret: SECRET } });
  const phoneId = String(phone["id"]);
  await untilConnected(app, key, phoneId);
  const sent = await call("/v1/messages", { phoneId, to: RECIPIENT, type: "text", content: { text: "Hello from Recado" } });
  out(`  → accepted   message ${String(sent["messageId"])}: it is on disk; what follows are its webhooks`);
  const isDone = await Promise.race([trip.done.then(() => true), new Promise<false>((resolve) => app.env.clock.timer(ROUND_TRIP_MS, () => resolve(false)))]);
  if (!isDone) {
    err(`recado demo: within ${ROUND_TRIP_MS / 1000} s these did not arrive: ${[...trip.missing].join(", ")}`);
    return EXIT.fault;
  }
  if (isOnce) return EXIT.ok;
  nextSteps(app, key, phoneId).forEach(out);
  await stopped;
  return EXIT.ok;
};

const configIn = (dataDir: string): Config => {
  const read = readConfig({ RECADO_DATA_DIR: dataDir, RECADO_LISTEN: "127.0.0.1:0", RECADO_OUTBOUND_ALLOW: "127.0.0.1" });
  if (!read.ok) throw new Error(read.faults.join("; "));
  return read.config;
};

/** Starts Recado on the simulator in a directory of its own, with a tenant, a key, a connected channel and a webhook that listens; sends a message and shows what happens. */
export const demoCommand = command(
  { name: "demo", about: "show a message's whole way, without a phone or an account", flags: { once: { about: "end after the first round trip" } } },
  async (context, { flags }) => {
    const stopped = untilSignal();
    const dataDir = mkdtempSync(join(tmpdir(), "recado-demo-"));
    const trip = roundTrip();
    const receiver = startReceiver(context.out, trip.heard);
    try {
      const app = await startApp(configIn(dataDir), { log: createLog("silent"), simulated: true });
      const code = await show(context, app, { trip, hook: `http://127.0.0.1:${receiver.port}/hook`, stopped, isOnce: flags.once });
      await app.stop();
      return code;
    } finally {
      await receiver.stop(true);
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

const untilConnected = async ({ gatewayUrl }: App, key: string, phoneId: string): Promise<void> => {
  const stream = await fetch(`${gatewayUrl}/v1/events/stream?types=channel:connected&phoneId=${phoneId}`, { headers: { "x-api-key": key } });
  const phone = async () => (await (await fetch(`${gatewayUrl}/v1/phones/${phoneId}`, { headers: { "x-api-key": key } })).json()) as { status: string };
  const reader = stream.body?.getReader();
  while ((await phone()).status !== "CONNECTED") await reader?.read();
  await reader?.cancel();
};
