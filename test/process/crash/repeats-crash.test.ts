import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { clientOf } from "../../support/client.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { realTime } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const SCHEDULES = 40;
const ACCOUNTS = 15;
const LATER = new Date(Date.now() + 100 * DAY_MS).toISOString();

const { dataDir, serve } = processes(afterAll);

/** A request with its key; `text` is its first answer, where one came before the crash. */
type Asked = { key: string; path: string; headers: Record<string, string>; body: object; text: string | undefined };
type Got = { status: number; text: string; replayed: string | null };

const ask = async ({ url }: Server, { key, path, headers, body }: Asked): Promise<Got | undefined> => {
  try {
    const answer = await fetch(`${url}/gateway${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key, ...headers },
      body: JSON.stringify(body),
      keepalive: false,
    });
    return { status: answer.status, text: await answer.text(), replayed: answer.headers.get("idempotent-replayed") };
  } catch {
    return undefined; // the server was killed
  }
};

test(
  `kill -9 while requests with keys are answered: a repeat gets the first answer, or does once what was not done, and never lies (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_GATEWAY_RATE: "100000" };
    let server = await serve(settings);
    const client = clientOf(server, ADMIN_TOKEN);
    const account = await client.account();
    const phone = await client.gateway<{ id: string }>("/v1/phones", account.key, {
      type: "SESSION",
      label: "A phone",
    });
    const all: Asked[] = [];
    let lost = 0;
    let interrupted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const asked = requestsOf(round, account.key, phone.id);
      all.push(...asked);
      await askUntilKilled(server, asked, Math.ceil(random.float() * asked.length));
      await server.ended;
      server = await serve(settings);
      for (const one of asked) {
        if (one.text === undefined) interrupted++;
        if (await isLost(server, one)) lost++;
      }
    }
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
    const column = columnsOf(join(settings.RECADO_DATA_DIR, "recado.db"));
    const scheduled = all.filter(({ path }) => path.endsWith("/scheduled"));
    expect(column("SELECT id FROM scheduled ORDER BY id")).toEqual(idsIn(scheduled).toSorted());
    const names = column("SELECT name FROM tenants");
    expect(new Set(names).size).toBe(names.length);
    console.log(JSON.stringify({ rounds: ROUNDS, seed: SEED, asked: all.length, interrupted, lost }));
    expect(interrupted).toBeGreaterThan(0);
  },
  ROUNDS * 15_000 + 60_000,
);

/** Asks everything at once; the server is killed after so many answers. */
const askUntilKilled = async (server: Server, asked: readonly Asked[], killAfter: number): Promise<void> => {
  let answers = 0;
  await Promise.all(
    asked.map(async (one, n) => {
      await realTime(n % 7); // they do not all come in one turn
      const got = await ask(server, one);
      if (got?.status === 201) one.text = got.text;
      if (++answers === killAfter) server.signal("SIGKILL");
    }),
  );
};

/** Repeats a request twice. True where the server says that it does not know what became of the first. */
const isLost = async (server: Server, one: Asked): Promise<boolean> => {
  const again = await ask(server, one);
  if (one.text === undefined && one.path.endsWith("/accounts") && again?.status === 409) {
    expect(JSON.parse(again.text)).toMatchObject({ error: { code: "IDEMPOTENCY_ANSWER_LOST" } });
    return true;
  }
  expect([again?.status, one.text === undefined || again?.replayed === "true"]).toEqual([201, true]);
  one.text ??= again?.text;
  expect(again?.text).toBe(one.text ?? "");
  expect(await ask(server, one)).toEqual({ status: 201, text: again?.text ?? "", replayed: "true" });
  return false;
};

/** Reads a column of the database of a server that has ended. */
const columnsOf =
  (path: string) =>
  (sql: string): unknown[] => {
    const reader = openReader(path);
    try {
      return reader.prepare(sql).rows([]).flat();
    } finally {
      reader.close();
    }
  };

const idsIn = (asked: readonly Asked[]): string[] =>
  asked.map(({ text }) => (JSON.parse(text ?? "{}") as { id: string }).id);

const requestsOf = (round: number, key: string, phoneId: string): Asked[] => [
  ...Array.from({ length: SCHEDULES }, (_, n) => ({
    key: `scheduled-${round}-${n}`,
    path: "/v1/messages/scheduled",
    headers: { "x-api-key": key },
    body: {
      scheduledAt: LATER,
      payload: { phoneId, to: "5511999990001", type: "text", content: { text: `${round} ${n}` } },
    },
    text: undefined,
  })),
  ...Array.from({ length: ACCOUNTS }, (_, n) => ({
    key: `account-${round}-${n}`,
    path: "/v1/admin/accounts",
    headers: { "x-admin-token": ADMIN_TOKEN },
    body: { name: `Account ${round} ${n}` },
    text: undefined,
  })),
];
