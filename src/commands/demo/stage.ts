import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchFromOwn } from "../../adapters/own-server.ts";
import { type App, type AppOptions, startApp } from "../../app.ts";
import { createAccount } from "../../core/tenancy/accounts.ts";
import { issueGatewayKey } from "../../core/tenancy/keys.ts";
import type { Config } from "../../kernel/config.ts";
import { hmacSha256, isSameSecret } from "../../kernel/crypto.ts";
import type { Environment } from "../../kernel/reading.ts";
import type { CommandContext } from "../command.ts";
import { withConfig } from "../with-config.ts";

const SECRET = "demo-secret-of-the-webhook";

/** An event as a webhook receives it. */
export type WebhookEvent = { type: string; data: Record<string, unknown> };
type Answer = { status: number; body: Record<string, unknown> };

/** The parts of a demo: a Recado, an account with its key, and a webhook that listens. */
export type Stage = {
  app: App;
  key: string;
  /** The receiver of a phone's events. */
  webhook: { url: string; secret: string };
  /** Sends a request to the gateway as a client does. */
  ask(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Answer>;
  /** The same with POST; throws when the request is refused. */
  post(path: string, body: object): Promise<Answer["body"]>;
};

type Setting = {
  settings: Environment;
  options: AppOptions;
  onEvent(event: WebhookEvent): void;
  summary(event: WebhookEvent): object;
};

/**
 * Starts Recado in a temporary directory, which is removed at the end. Prints the summary of every event that the
 * webhook receives, and passes the event to `onEvent`. Resolves as `play` does, or to the exit code of a failure.
 */
export const onStage = async (
  context: CommandContext,
  { settings, options, onEvent, summary }: Setting,
  play: (stage: Stage) => Promise<number>,
): Promise<number> => {
  const dataDir = mkdtempSync(join(tmpdir(), "recado-demo-"));
  const receiver = startReceiver(context.out, summary, onEvent);
  const hook = `http://127.0.0.1:${receiver.port}/hook`;
  const env = { ...settings, RECADO_DATA_DIR: dataDir, RECADO_LISTEN: "127.0.0.1:0" };
  try {
    return await withConfig({ ...context, env }, async (config) => {
      const app = await startApp(reachingUs(config), options);
      try {
        const account = await createAccount(app.env, { name: "Demo" });
        const { key } = await issueGatewayKey(app.env, account.id, { name: "demo" });
        context.out(`Recado serves at ${app.gatewayUrl}; its webhooks go to ${hook}`);
        const ask = clientOf(app, key);
        return await play({ app, key, webhook: { url: hook, secret: SECRET }, ask, post: postBy(ask) });
      } finally {
        await app.stop();
      }
    });
  } finally {
    await receiver.stop(true);
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const reachingUs = (config: Config): Config => ({ ...config, outboundAllow: [...config.outboundAllow, "127.0.0.1"] });

/** A customer's webhook: verifies each delivery and prints it. */
const startReceiver = (
  out: (line: string) => void,
  summary: (event: WebhookEvent) => object,
  onEvent: (event: WebhookEvent) => void,
) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const signature = request.headers.get("x-gateway-signature") ?? "";
      const isGenuine = isSameSecret(signature, `sha256=${hmacSha256(SECRET, body, "hex")}`);
      const event = JSON.parse(body) as WebhookEvent;
      const verdict = isGenuine ? "✓ verified" : "✗ NOT OURS";
      out(`  ${verdict}  ${event.type.padEnd(18)} ${JSON.stringify(summary(event))}`);
      if (isGenuine) onEvent(event);
      return new Response("ok");
    },
  });

const clientOf =
  ({ gatewayUrl }: App, key: string): Stage["ask"] =>
  async (method, path, body) => {
    const response = await fetchFromOwn(`${gatewayUrl}${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return {
      status: response.status,
      body: response.status === 204 ? {} : ((await response.json()) as Answer["body"]),
    };
  };

const postBy =
  (ask: Stage["ask"]): Stage["post"] =>
  async (path, body) => {
    const answer = await ask("POST", path, body);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

/** The name of an event in the demo: the status of a `message:status`, else its type. */
const nameOf = ({ type, data }: WebhookEvent): string => (type === "message:status" ? String(data["status"]) : type);

/** `done` resolves when each of these events has been received, in any order. */
export const allOf = (...names: string[]) => {
  const missing = new Set(names);
  const { promise, resolve } = Promise.withResolvers<void>();
  const onEvent = (event: WebhookEvent) => {
    missing.delete(nameOf(event));
    if (missing.size === 0) resolve();
  };
  return { onEvent, done: promise, missing };
};

export const nextSteps = ({ app: { gatewayUrl }, key }: Stage, phoneId: string, to: string): string[] => [
  "",
  "Try next, in another terminal:",
  "",
  `  export KEY=${key}`,
  `  curl -s ${gatewayUrl}/v1/phones -H "X-API-Key: $KEY"`,
  `  curl -s ${gatewayUrl}/v1/messages -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
  `    -d '{"phoneId":"${phoneId}","to":"${to}","type":"text","content":{"text":"Hello again"}}'`,
  `  curl -s '${gatewayUrl}/v1/events?limit=5' -H "X-API-Key: $KEY"`,
  `  curl -sN ${gatewayUrl}/v1/events/stream -H "X-API-Key: $KEY"`,
  "",
];
