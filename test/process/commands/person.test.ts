import { expect, test } from "bun:test";
import { join } from "node:path";
import { openWriter } from "../../../src/store/engine/connection.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const { dataDir, run, serve } = processes();
const NUMBER = "5511987654321";
const ROWS = 5000;
const TIME_LIMIT_MS = 60_000;

const ask = async (server: Server, path: string, body?: object) => {
  const method = body ? "POST" : "GET";
  const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
  const answer = await fetch(`${server.gatewayUrl}/v1/admin/people/${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as { id: string; status: string; rows: number };
};

const withRows = (dir: string): void => {
  const writer = openWriter(join(dir, "recado.db"));
  writer.exec(`INSERT INTO received_messages (id, tenant_id, channel_id, environment, type, sender, created_at, content)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    SELECT printf('%08x-0000-4000-8000-000000000000', i), 't', 'c', 'live', 'text', 'pn:${NUMBER}', 1, '{"text":"said"}' FROM n`);
  writer.close();
};

const left = (dir: string): number => {
  const writer = openWriter(join(dir, "recado.db"));
  const [row] = writer.prepare("SELECT count(*) FROM received_messages").rows([]);
  writer.close();
  return Number(row?.[0]);
};

test(
  "recado person exports without a server and beside one; an erasure that is killed with kill -9 goes on at the next start, and says when it is done",
  async () => {
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
    const command = (verb: string, key = NUMBER) => run(["person", verb, "--person", key], settings);
    expect((await run(["migrate"], settings)).code).toBe(0);
    withRows(settings.RECADO_DATA_DIR);
    const rowsIn = (out: string): number =>
      (JSON.parse(out) as { tables: Record<string, unknown[]> }).tables["received_messages"]?.length ?? 0;
    const offline = await command("export");
    expect([offline.code, offline.err, rowsIn(offline.out)]).toEqual([0, "", ROWS]);

    let server = await serve(settings);
    const beside = await command("export");
    expect([beside.code, rowsIn(beside.out)]).toEqual([0, ROWS]);
    expect((await command("erase", "12")).code).toBe(1);
    const { id } = await ask(server, "erase", { person: NUMBER });
    server.signal("SIGKILL");
    await server.ended;
    const kept = left(settings.RECADO_DATA_DIR);
    expect(kept).toBeGreaterThan(0); // it was killed under way, or before it began

    server = await serve(settings);
    let erasure = await ask(server, `erasures/${id}`);
    await untilTrue(async () => {
      if (erasure.status === "DONE") return true;
      erasure = await ask(server, `erasures/${id}`);
      return false;
    });
    expect(erasure.rows).toBe(ROWS);
    server.signal("SIGTERM");
    await server.ended;
    expect(left(settings.RECADO_DATA_DIR)).toBe(0);
  },
  TIME_LIMIT_MS,
);
