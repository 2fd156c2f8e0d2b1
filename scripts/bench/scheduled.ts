import { join } from "node:path";
import { systemClock } from "../../src/kernel/clock.ts";
import { type Connection, openReader } from "../../src/store/engine/connection.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { busyDuring } from "./process.ts";
import {
  type Account,
  newAccount,
  newPhone,
  newSite,
  type Phone,
  type Recado,
  type Site,
  serve,
  startGraph,
} from "./recado.ts";
import { busyNote, perSecond, type Section, spread, tenths, whole } from "./report.ts";
import { openWire, type Spread, spreadOf } from "./wire.ts";

/** The maximum number of scheduled messages of an account. */
const PER_ACCOUNT = 10_000;
const DUE_AFTER_MS = 3000;
const PROBE_EVERY_MS = 5;
const LOOK_EVERY_MS = 50;
const LONGEST_DRAIN_MS = 600_000;

type Owner = { account: Account; phone: Phone };

const SEED = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
  INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload)
  SELECT printf('01900000-%04x-4%03x-8000-', i / 4096, i % 4096) || substr(?3, 25), ?2, ?3, ?4, 'PENDING', ?4, ?4,
    json_object('to', printf('55119900%05d', i % 1000), 'type', 'text', 'content', json_object('text', 'até logo ' || i)) FROM n`;
const SEED_JOBS = `INSERT INTO jobs (kind, queue, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at)
  SELECT 'scheduled.accept', 'scheduled:' || channel_id, 1, json_object('scheduledId', id, 'channelId', channel_id), 'scheduled:' || id, scheduled_at, 0, 0, 0, created_at
  FROM scheduled WHERE channel_id = ?1`;
const SEED_QUEUE =
  "INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until, channel_id) VALUES ('scheduled:' || ?1, 'scheduled', 8, 0, ?2, ?2, ?1)";

const RELEASE = "UPDATE queues SET next_at = ?1, paused_until = ?1 WHERE kind = 'scheduled'";

/** Schedules so many messages for one moment a little later, while no server runs. */
const seed = async (path: string, owners: readonly Owner[], count: number): Promise<void> => {
  const nowMs = systemClock().now();
  const onFatal = (error: unknown) => {
    throw error;
  };
  const db = openDatabase(path, { nowMs, onFatal });
  for (const [n, { account, phone }] of owners.entries()) {
    await db.write(async (tx) => {
      tx.run(SEED, [Math.min(PER_ACCOUNT, count - n * PER_ACCOUNT), account.id, phone.id, nowMs]);
      tx.run(SEED_JOBS, [phone.id]);
      tx.run(SEED_QUEUE, [phone.id, nowMs]);
    });
  }
  await db.write(async (tx) => tx.rows(RELEASE, [systemClock().now() + DUE_AFTER_MS]));
  await db.close();
};

const ownersOf = async (site: Site, recado: Recado, count: number): Promise<Owner[]> => {
  const owners: Owner[] = [];
  while (owners.length * PER_ACCOUNT < count) {
    const account = await newAccount(recado);
    owners.push({ account, phone: await newPhone(site, recado, account) });
  }
  return owners;
};

const HEALTH = Buffer.from("GET /gateway/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");

/** Asks GET /health over one connection, again and again, until `isOver`. Gives the time of each answer. */
export const probeHealth = async (port: number, isOver: () => boolean): Promise<Spread> => {
  const wire = await openWire(port);
  const samples: number[] = [];
  while (!isOver()) {
    const startedAt = performance.now();
    await wire.send(HEALTH);
    samples.push(performance.now() - startedAt);
    await Bun.sleep(PROBE_EVERY_MS);
  }
  wire.close();
  return spreadOf(samples);
};

const LEFT = "SELECT count(*) AS n FROM queues WHERE kind = 'scheduled' AND (running > 0 OR next_at IS NOT NULL)";
const countOf = (reader: Connection, sql: string): number => Number(reader.prepare(sql).objects([])[0]?.["n"]);

/** Resolves when all queues of schedules are empty. */
const drained = async (reader: Connection): Promise<void> => {
  const endAt = performance.now() + LONGEST_DRAIN_MS;
  while (countOf(reader, LEFT) > 0 && performance.now() < endAt) await Bun.sleep(LOOK_EVERY_MS);
};

/** So many messages are due at one moment: the speed of their acceptance, and the effect on other requests. */
export const scheduledSection = async (count: number): Promise<Section> => {
  const graph = await startGraph();
  const site = newSite(graph);
  const path = join(site.settings["RECADO_DATA_DIR"] ?? "", "recado.db");
  const first = await serve(site);
  const owners = await ownersOf(site, first, count);
  await first.child.stop();
  await seed(path, owners, count);
  const dueAt = performance.now() + DUE_AFTER_MS;
  const recado = await serve(site);
  const idle = await probeHealth(recado.port, () => performance.now() >= dueAt - 200);
  const reader = openReader(path);
  let isOver = false;
  const { result, busy } = await busyDuring({ recado: recado.child, graph: graph.child }, async () => {
    const startedAt = Math.max(performance.now(), dueAt);
    const [beside] = await Promise.all([
      probeHealth(recado.port, () => isOver),
      drained(reader).then(() => (isOver = true)),
    ]);
    return { beside, tookMs: performance.now() - startedAt };
  });
  const accepted = countOf(reader, "SELECT count(*) AS n FROM scheduled WHERE status = 'SENT'");
  const sent = countOf(reader, "SELECT count(*) AS n FROM messages WHERE status <> 'QUEUED'");
  reader.close();
  const rssMb = recado.child.rssMb();
  await recado.child.stop();
  return {
    title: "Scheduled messages due at one moment",
    figures: [
      { what: `${whole(count)} due at once, accepted as sends`, value: perSecond(accepted / (result.tookMs / 1000)) },
      {
        what: "GET /health meanwhile",
        value: spread(result.beside),
        yardstick: `idle ${spread(idle)}`,
        ratio: result.beside.p99 / idle.p99,
      },
    ],
    notes: [
      `${whole(accepted)} accepted in ${tenths(result.tookMs / 1000)} s, while ${whole(sent)} of them went out to the network; ${busyNote(busy)}; ${whole(rssMb)} MB at the end.`,
      `${whole(owners.length)} accounts with one phone each. The slowest answer of /health took ${tenths(result.beside.max)} ms; it is asked every ${PROBE_EVERY_MS} ms over one connection.`,
    ],
  };
};
