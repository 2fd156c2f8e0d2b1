import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openConnection } from "../../src/store/engine/connection.ts";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { clientOf } from "../support/client.ts";
import { processes, type Server, type Settings } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { realTime } from "../support/waiting.ts";
import { idleConnection } from "../support/wire.ts";

const { dataDir, program, serve } = processes();
/** A server that has not ended by then hangs. */
const LIMIT_MS = 60_000;

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("ends an idle server with exit code 0, although a client keeps its connection open", async () => {
    const server = await serve(settings(dataDir()));
    const connection = await idleConnection(server.url, { path: "/gateway/health", host: "localhost" });
    expect(await endedBy(server, signal)).toMatchObject({ code: 0 });
    connection.destroy();
  });
});

describe("SIGTERM", () => {
  test("ends an event stream, and then the process with 0", async () => {
    const server = await serve(settings(dataDir()));
    const { key } = await clientOf(server, ADMIN_TOKEN).account();
    const stream = await fetch(`${server.url}/gateway/v1/events/stream`, { headers: { "x-api-key": key } });
    const text = stream.text(); // ends without an error, or this rejects
    expect(await endedBy(server, "SIGTERM")).toMatchObject({ code: 0 });
    expect(await text).toMatch(/^: connected\nid: [0-9a-f-]{36}\n\n$/);
  });

  test("finishes the request that is being served, whose work is there afterwards", async () => {
    const dir = dataDir();
    const server = await serve(settings(dir));
    // holds every write back until it is released
    const other = openConnection(join(dir, "recado.db"), ["busy_timeout=5000"]);
    other.exec("BEGIN IMMEDIATE");
    const client = clientOf(server, ADMIN_TOKEN);
    const answer = client.admin<{ id: string }>("/accounts", { name: "In flight" });
    for (let turn = 0; turn < 3; turn++) await client.health(); // what came before these has been read
    server.signal("SIGTERM");
    await client.refused();
    other.exec("ROLLBACK");
    other.close();
    const account = await answer;
    expect((await server.ended).code).toBe(0);
    const again = await serve(settings(dir));
    expect(await clientOf(again, ADMIN_TOKEN).admin(`/accounts/${account.id}`)).toMatchObject({
      name: "In flight",
      status: "ACTIVE",
    });
  });

  test("G-585 finishes the delivery that is on its way, and does not send it again after the restart", async () => {
    const dir = dataDir();
    const receiver = startReceiver();
    const { promise: released, resolve: release } = Promise.withResolvers<Response>();
    receiver.reply(() => released);
    const server = await serve({ ...settings(dir), RECADO_OUTBOUND_ALLOW: "127.0.0.1" });
    const client = clientOf(server, ADMIN_TOKEN);
    const { key } = await client.account();
    const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
      type: "SESSION",
      label: "A phone",
      webhook: { url: receiver.url, secret: "the-secret-of-a-webhook" },
    });
    await client.remove(`/v1/phones/${id}`, key);
    await receiver.received(1);
    server.signal("SIGTERM");
    await client.refused();
    release(new Response("ok"));
    expect((await server.ended).code).toBe(0);
    const again = await serve({ ...settings(dir), RECADO_OUTBOUND_ALLOW: "127.0.0.1" });
    expect(await clientOf(again, ADMIN_TOKEN).gateway("/v1/events", key)).toMatchObject({
      items: [{ status: "DELIVERED", attempts: 1 }],
    });
    expect(receiver.arrived).toHaveLength(1);
    await receiver.stop();
  });
});

describe("SIGTERM ends a server with 0", () => {
  /** A server whose output goes to this program of the shell, which passes its first line on. */
  const servingInto = async (
    reader: string,
    more: Settings,
  ): Promise<{ child: Bun.Subprocess<"ignore", "pipe", "inherit">; url: string }> => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      RECADO_LISTEN: "127.0.0.1:0",
      RECADO_WHATSAPP_WEB_URL: "ws://127.0.0.1:1/ws/chat",
      ...settings(dataDir()),
      ...more,
    };
    const child = Bun.spawn(["bash", "-c", `exec "$@" > >(${reader})`, "bash", ...program, "serve"], {
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const { value } = await child.stdout.getReader().read();
    return { child, url: (JSON.parse(new TextDecoder().decode(value)) as { url: string }).url };
  };
  const codeOf = async (child: Bun.Subprocess): Promise<number | "hangs"> => {
    child.kill("SIGTERM");
    const code = await Promise.race([child.exited, realTime(LIMIT_MS).then(() => "hangs" as const)]);
    child.kill("SIGKILL");
    return code;
  };

  test("whose output nobody can read any more", async () => {
    const { child } = await servingInto("head -n 1", { RECADO_LOG_LEVEL: "info" });
    expect(await codeOf(child)).toBe(0);
  });

  test("whose output nobody reads any more, though there is more of it than a pipe holds", async () => {
    const { child, url } = await servingInto("head -n 1; exec sleep 60", { RECADO_LOG_LEVEL: "debug" });
    const headers = { "content-type": "application/json", "x-admin-token": ADMIN_TOKEN };
    const make = (n: number) =>
      fetch(`${url}/gateway/v1/admin/accounts`, {
        method: "POST",
        headers,
        body: JSON.stringify({ name: `Account ${n}` }),
      });
    for (let n = 0; n < 400; n++) expect((await make(n)).status).toBe(201);
    expect(await codeOf(child)).toBe(0);
  });
});

const settings = (dir: string): Settings => ({ RECADO_DATA_DIR: dir, RECADO_ADMIN_TOKEN: ADMIN_TOKEN });

const endedBy = (server: Server, signal: "SIGTERM" | "SIGINT"): Promise<{ code: number }> => {
  server.signal(signal);
  return server.ended;
};
