import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedViews } from "../../../src/apis/gateway/events/event-views.ts";
import { gatewayAudience } from "../../../src/apis/gateway/events/render.ts";
import { platformAudience } from "../../../src/apis/platform/events/render.ts";
import { fencesOf, pageText } from "../../support/laws/pages.ts";
import { processes, quietPort } from "../../support/processes/process.ts";
import { untilTrue } from "../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

const { folder } = processes();
const FORMER_SECRET = "the secret before, of 16 characters and more";

/**
 * How each program of docs/webhooks.md is started, in its folder. Node.js is there wherever Recado is built; the others
 * are tried where they are installed.
 */
const PROGRAMS: Readonly<Record<string, (port: number) => string[]>> = {
  "verify.mjs": () => ["node", "verify.mjs"],
  "verify.py": () => ["python3", "verify.py"],
  "verify.php": (port) => ["php", "-S", `127.0.0.1:${port}`, "verify.php"],
};

const audiences = {
  gateway: gatewayAudience(() => documentedViews("https://recado.example.com")),
  platform: platformAudience(() => "https://recado.example.com"),
};
const body = JSON.stringify({ id: "1", type: "message:received", data: { content: { text: "Olá 👋" } } });

/** The headers with which Recado sends the body. */
const headersOf = (api: keyof typeof audiences, secret: string, previousSecret?: string): Record<string, string> =>
  audiences[api].headers({
    eventId: "1",
    eventType: "message:received",
    body,
    attempt: 1,
    atMs: 1_700_000_000_000,
    secret,
    previousSecret,
  });

/** Starts a pasted program, and gives what it answers to a delivery; the process ends with the scope. */
const startProgram = async (name: string) => {
  const text = fencesOf(pageText("docs/webhooks.md")).find(({ info }) => info === name)?.text ?? "";
  const [cwd, port] = [folder(), await quietPort()];
  writeFileSync(join(cwd, name), text);
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? cwd, WEBHOOK_SECRET, PORT: String(port) };
  const child = Bun.spawn(PROGRAMS[name]?.(port) ?? [], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const post = (headers: Record<string, string>, text = body) =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: text, keepalive: false }).then(
      ({ status }) => status,
    );
  const listens = async (): Promise<void> => {
    await untilTrue(() => child.exitCode !== null || post({}).then(Boolean, () => false));
    if (child.exitCode !== null)
      throw new Error(`${name} ended with ${child.exitCode}: ${await new Response(child.stderr).text()}`);
  };
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { post, listens, [Symbol.asyncDispose]: end };
};

const isInstalled = (name: string): boolean =>
  name === "verify.mjs" || Bun.which(PROGRAMS[name]?.(0)[0] ?? "") !== null;

test.each(Object.keys(PROGRAMS).filter(isInstalled))(
  "%s, as docs/webhooks.md has it, takes what Recado signs, by any secret that still counts, and nothing else",
  async (name) => {
    await using program = await startProgram(name);
    await program.listens();
    const { post } = program;
    expect(await post(headersOf("gateway", WEBHOOK_SECRET))).toBe(204);
    expect(await post(headersOf("platform", WEBHOOK_SECRET))).toBe(204);
    expect(await post(headersOf("gateway", "a newer secret than the program has", WEBHOOK_SECRET))).toBe(204);
    expect(await post(headersOf("gateway", WEBHOOK_SECRET, FORMER_SECRET))).toBe(204);
    expect(await post(headersOf("gateway", FORMER_SECRET))).toBe(401);
    expect(await post(headersOf("gateway", WEBHOOK_SECRET), body.replace("Olá", "Ola"))).toBe(401);
    expect(await post({})).toBe(401);
    expect(await post({ "X-Gateway-Signature": "sha256=" })).toBe(401);
    expect(await post({ "X-Gateway-Signature": "sha256=é" })).toBe(401);
  },
);

test("what was not tried is said", () => {
  const leftOut = Object.keys(PROGRAMS).filter((name) => !isInstalled(name));
  if (leftOut.length > 0)
    console.log(
      `not tried, because their interpreters (Debian packages python3, php-cli) are not here: ${leftOut.join(", ")}`,
    );
  expect(leftOut).not.toContain("verify.mjs");
});
