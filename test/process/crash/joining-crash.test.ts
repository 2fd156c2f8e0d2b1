import { expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { openReader, openWriter } from "../../../src/store/engine/connection.ts";
import { clientOf } from "../../support/client.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { realTime, untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const MESSAGES = 6000;
const HOURS = 2000;
const LONGEST_MS = 400;

const { dataDir, serve, run } = processes();

const NUMBERS = (last: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;

/** A history that takes many writes to move. The server must be stopped. */
const fill = (path: string, accountId: string): void => {
  const writer = openWriter(path);
  writer
    .prepare(
      `${NUMBERS(MESSAGES)} INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status,
        send_state, uncertain_attempts, created_at) SELECT ?1 || '/' || i, ?1, 'none', 'live', 'text', 'pn:1', '{}', 'SENT',
        'NONE', 0, i FROM n`,
    )
    .run([accountId]);
  const hours = `${NUMBERS(HOURS)} INSERT INTO activity_hours (tenant_id, channel_id, hour, kind, accepted) SELECT ?1, ?1,
    i, 'WABA', 1 FROM n`;
  writer.prepare(hours).run([accountId]);
  writer.prepare("INSERT INTO daily_sends (tenant_id, day, sends) VALUES (?1, 1, 5)").run([accountId]);
  writer.close();
};

type Sums = { messages: number; accepted: number; sends: number; keys: number };

const sumsOf = (path: string, tenantId: string): Sums => {
  const reader = openReader(path);
  const [sums] = reader
    .prepare(
      `SELECT (SELECT count(*) FROM messages WHERE tenant_id = ?1) AS messages,
        (SELECT coalesce(sum(accepted), 0) FROM activity_hours WHERE tenant_id = ?1) AS accepted,
        (SELECT coalesce(sum(sends), 0) FROM daily_sends WHERE tenant_id = ?1) AS sends,
        (SELECT count(*) FROM api_keys WHERE tenant_id = ?1) AS keys`,
    )
    .objects([tenantId]);
  reader.close();
  return sums as Sums;
};

const FULL: Sums = { messages: MESSAGES, accepted: HOURS, sends: 5, keys: 1 };
const NOTHING: Sums = { messages: 0, accepted: 0, sends: 0, keys: 0 };

test(
  `kill -9 at any moment of a join: nothing of it has happened, or everything does, once (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_REGISTRATION: "open" };
    const path = join(settings.RECADO_DATA_DIR, "recado.db");
    for (let round = 0; round < ROUNDS; round++) {
      const { id: accountId } = JSON.parse((await run(["account", "create", "--name", "A"], settings)).out);
      const made = await run(
        ["user", "create", "--email", `u${round}@example.com`, "--name", "U", "--institution", "I"],
        settings,
      );
      const { institutionId } = JSON.parse(made.out);
      fill(path, accountId);
      let server = await serve(settings);
      const asking = clientOf(server, ADMIN_TOKEN)
        .admin(`/accounts/${accountId}/join`, { institutionId })
        .catch(() => undefined);
      await realTime(random.float() * LONGEST_MS);
      server.signal("SIGKILL");
      await Promise.all([server.ended, asking]);
      const keys = sumsOf(path, accountId).keys;
      if (keys === 1) expect([sumsOf(path, accountId), sumsOf(path, institutionId)]).toEqual([FULL, NOTHING]);
      server = await serve(settings);
      if (keys === 1) await clientOf(server, ADMIN_TOKEN).admin(`/accounts/${accountId}/join`, { institutionId });
      await untilTrue(() => sumsOf(path, accountId).messages + sumsOf(path, accountId).accepted === 0);
      expect([sumsOf(path, accountId), sumsOf(path, institutionId)]).toEqual([NOTHING, FULL]);
      server.signal("SIGTERM");
      await server.ended;
    }
  },
  ROUNDS * 20_000 + 60_000,
);

test("an account of any size is joined while the server is stopped; a dry run says the same and does nothing", async () => {
  const settings = { RECADO_DATA_DIR: dataDir(), RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
  const path = join(settings.RECADO_DATA_DIR, "recado.db");
  const { id } = JSON.parse((await run(["account", "create", "--name", "A"], settings)).out);
  const user = ["user", "create", "--email", "u@example.com", "--name", "U", "--institution", "I"];
  const { institutionId } = JSON.parse((await run(user, settings)).out);
  const writer = openWriter(path);
  const contacts = `${NUMBERS(21_000)} INSERT INTO contacts (id, tenant_id, environment, phone_number, number_key, tags,
    metadata, created_at, updated_at) SELECT ?1 || i, ?1, 'live', '55' || i, '55' || i, '[]', '{}', 1, 1 FROM n`;
  writer.prepare(contacts).run([id]);
  writer.close();
  const server = await serve(settings);
  const refused = await run(["account", "join", id, "--into", institutionId], settings);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("stop the server")]);
  server.signal("SIGTERM");
  await server.ended;
  const tried = await run(["account", "join", id, "--into", institutionId, "--dry-run"], settings);
  expect(JSON.parse(tried.out)).toMatchObject({ dryRun: true, accountId: id, institutionId, mergedContacts: 0 });
  const done = await run(["account", "join", id, "--into", institutionId], settings);
  expect(JSON.parse(done.out)).toEqual({ ...JSON.parse(tried.out), dryRun: false });
  expect((await run(["account", "join", id, "--into", institutionId], settings)).code).toBe(1);
}, 120_000);
