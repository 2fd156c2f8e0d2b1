import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Recado, WebhookVerificationError, webhooks } from "../../../clients/typescript/src/index.ts";
import { fetchFromOwn } from "../../adapters/http/own-server.ts";
import { type App, type AppOptions, startApp } from "../../app.ts";
import { accountsPage } from "../../core/tenancy/accounts/accounts.ts";
import { callerIn, LOCAL } from "../../core/tenancy/audit/audit.ts";
import { issueGatewayKey } from "../../core/tenancy/keys/keys.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Environment } from "../../kernel/reading.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { CommandContext } from "../command.ts";
import { withConfig } from "../with-config.ts";
import { OPERATOR, oneClick, setUpDemo } from "./console.ts";

const SECRET = "demo-secret-of-the-webhook";

/** An event as a webhook receives it. */
export type WebhookEvent = { type: string; data: Record<string, unknown> };

/** The parts of a demo: a Recado, an account with its key, and a webhook that listens. */
export type Stage = {
  app: App;
  /** The demo's account, and a key of it. */
  accountId: TenantId;
  key: string;
  /** The console: a link that signs in once, and the data for a later login. */
  console: { link: string; email: string; password: string };
  /** The receiver of a phone's events. */
  webhook: { url: string; secret: string };
  /** The gateway, as a customer's program uses it. */
  recado: Recado;
  /** Runs work that prints, and prints the webhooks that come meanwhile after it: they may overtake the answer to it. */
  before: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

type Setting = {
  settings: Environment;
  options: AppOptions;
  onEvent(event: WebhookEvent): void;
  summary(event: WebhookEvent): object;
};

/**
 * Starts Recado in a temporary directory, which is removed at the end. Prints the summary of every event that the
 * webhook receives, and passes the event to `onEvent`. Resolves to the result of `play`, or to the exit code of a
 * failure.
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
      const { handOver, setCookie } = oneClick();
      const app = await startApp(reachingUs(config), { ...options, environment: env, handOver });
      try {
        const { password, cookie } = await setUpDemo(app);
        setCookie(cookie);
        const console = { link: `${app.consoleUrl}/demo?token=${handOver.token}`, email: OPERATOR.email, password };
        const { items } = await accountsPage(app.env, { status: undefined, cursor: undefined, limit: 1 });
        const [account] = items;
        if (!account) throw new Error("the demo has no account");
        const { key } = await issueGatewayKey(app.env, callerIn(account.id, LOCAL), { name: "demo" });
        context.out(`Recado serves at ${app.gatewayUrl}; its webhooks go to ${hook}`);
        const recado = new Recado({ url: app.gatewayUrl, apiKey: key, fetch: fetchFromOwn });
        const webhook = { url: hook, secret: SECRET };
        return await play({ app, accountId: account.id, key, console, webhook, recado, before: receiver.before });
      } finally {
        await app.stop();
      }
    });
  } finally {
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const reachingUs = (config: Config): Config => ({ ...config, outboundAllow: [...config.outboundAllow, "127.0.0.1"] });

/** A customer's webhook: verifies each delivery and prints it. */
const startReceiver = (
  out: (line: string) => void,
  summary: (event: WebhookEvent) => object,
  onEvent: (event: WebhookEvent) => void,
) => {
  let earlier: Promise<unknown> = Promise.resolve();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const event = await verified(await request.text(), request.headers);
      await earlier;
      const verdict = event ? "✓ verified" : "✗ NOT OURS";
      out(`  ${verdict}  ${event ? `${event.type.padEnd(18)} ${JSON.stringify(summary(event))}` : ""}`);
      if (event) onEvent(event);
      return new Response("ok");
    },
  });
  const before: Stage["before"] = (work) => {
    const result = work();
    earlier = result.catch(() => {});
    return result;
  };
  return { port: server.port, before, stop: () => server.stop(true) };
};

const verified = async (body: string, headers: Headers): Promise<WebhookEvent | undefined> => {
  try {
    return await webhooks.verify(body, headers, SECRET);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
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
