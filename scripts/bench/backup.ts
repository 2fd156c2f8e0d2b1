import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { requestsDuring, type Stream } from "./open-model.ts";
import { newDir } from "./process.ts";
import { type Account, newAccount, newSite, type Phone, type Site, serve, startGraph } from "./recado.ts";
import { type Figure, mb, ms, type Section, spread, tenths } from "./report.ts";
import { pausedPhone, sendsOf } from "./sends.ts";
import { postsOf, type Spread } from "./wire.ts";

const MB = 1024 * 1024;
const PER_SECOND = 200;
const WARM_UP_MS = 2000;
/** The limits of a backup's cost for requests meanwhile, and of the WAL's growth. */
const MAX_P99_MS = 100;
const MAX_SLOWEST_MS = 300;
const MAX_WAL_MB = 500;
const ROWS_AT_ONCE = 20_000;

/** `mb`: the size of the database. `quietMs`: how long requests are measured before the backup. */
export type BackupPace = { mb: number; quietMs: number };

const FILL = `INSERT INTO received_messages (id, tenant_id, channel_id, conversation_id, environment, type, sender, recipient, created_at, content)
  SELECT printf('01900000-%04x-4%03x-8000-%012x', value / 4096, value % 4096, value), ?3, ?4, NULL, 'live', 'text', printf('pn:55119%08d', value % 5000), NULL, value,
    json_object('text', hex(randomblob(300))) 
    FROM (WITH RECURSIVE n(value) AS (SELECT ?1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2) SELECT value FROM n)`;

/** Fills a database that nobody serves with received messages. */
const fill = async (path: string, { account, phone }: Owner, sizeMb: number): Promise<number> => {
  const onFatal = (error: unknown) => {
    throw error;
  };
  const db = openDatabase(path, { nowMs: systemClock().now(), onFatal });
  let rows = 0;
  while (statSync(path).size < sizeMb * MB) {
    await db.write(async (tx) => void (await tx.rows(FILL, [rows + 1, rows + ROWS_AT_ONCE, account.id, phone.id])));
    rows += ROWS_AT_ONCE;
  }
  await db.close();
  return rows;
};

type Owner = { account: Account; phone: Phone };

type Ran = { tookMs: number; walPeakMb: number };

/** Runs a command of the program on the site, and watches the size of the WAL. */
const run = async ({ settings }: Site, path: string, args: readonly string[]): Promise<Ran> => {
  const startedAt = performance.now();
  const env = { PATH: process.env["PATH"] ?? "", ...settings };
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, "../../src/main.ts"), ...args], {
    env,
    stdout: "ignore",
    stderr: "pipe",
  });
  let walPeakMb = 0;
  const look = setInterval(() => {
    if (existsSync(`${path}-wal`)) walPeakMb = Math.max(walPeakMb, statSync(`${path}-wal`).size / MB);
  }, 20);
  const [complaint, code] = await Promise.all([child.stderr.text(), child.exited]);
  clearInterval(look);
  if (code !== 0) throw new Error(`recado ${args.join(" ")} ended with ${code}: ${complaint}`);
  return { tookMs: performance.now() - startedAt, walPeakMb };
};

const seconds = (took: number): string => `${tenths(took / 1000)} s`;

/** A backup of a large database while requests are answered, its verification, and its restore. */
export const backupSection = async ({ mb: sizeMb, quietMs }: BackupPace): Promise<Section> => {
  const graph = await startGraph();
  const site = newSite(graph);
  const path = join(site.settings["RECADO_DATA_DIR"] ?? "", "recado.db");
  const file = join(newDir(), "backup.db");
  const first = await serve(site);
  const account = await newAccount(first);
  const phone = await pausedPhone({ site, recado: first, account });
  await first.child.stop();
  const rows = await fill(path, { account, phone }, sizeMb);
  const recado = await serve(site);
  const stream: Stream = {
    port: recado.port,
    requests: postsOf(sendsOf({ recado, account }, phone), 1),
    perSecond: PER_SECOND,
  };

  await requestsDuring(stream, () => Bun.sleep(WARM_UP_MS));
  const quiet = await requestsDuring(stream, () => Bun.sleep(quietMs));
  const rssBefore = recado.child.rssMb();
  const during = await requestsDuring(stream, () => run(site, path, ["backup", file]));
  const rssAfter = recado.child.rssMb();
  const after = await requestsDuring(stream, () => Bun.sleep(quietMs));
  const verified = await run(site, path, ["backup", "--verify", file]);
  await recado.child.stop();
  const planned = await run(site, path, ["restore", "--dry-run", file]);
  const restored = await run(site, path, ["restore", file]);
  const restarted = await serve(site);
  await Promise.all([restarted.child.stop(), graph.child.stop()]);

  const { took } = during;
  const aim: Figure["aim"] = {
    text: `p99 of requests at most ${MAX_P99_MS} ms, the slowest ${MAX_SLOWEST_MS} ms`,
    isMet: took.p99 <= MAX_P99_MS && took.max <= MAX_SLOWEST_MS,
  };
  const walAim: Figure["aim"] = { text: `below ${MAX_WAL_MB} MB`, isMet: during.result.walPeakMb < MAX_WAL_MB };
  const requests = (
    what: string,
    { took, count }: { took: Spread; count: number },
    more: Partial<Figure> = {},
  ): Figure => ({
    what: `${what}, ${count} requests`,
    value: `${spread(took)}, slowest ${ms(took.max)}`,
    ...more,
  });
  return {
    title: `Backup and restore, ${mb(statSync(file).size / MB)}, ${PER_SECOND} accepted sends per second meanwhile (open model)`,
    figures: [
      { what: "backup while serving: copied, sealed, checked, on disk", value: seconds(during.result.tookMs) },
      {
        what: "of it, checking (`recado backup --verify`)",
        value: seconds(verified.tookMs),
        ratio: verified.tookMs / during.result.tookMs,
        yardstick: "the backup",
      },
      requests("requests before", quiet),
      requests("requests during the backup", during, {
        yardstick: `before ${spread(quiet.took)}`,
        ratio: during.took.p99 / quiet.took.p99,
        aim,
      }),
      { what: "the WAL during the backup, at most", value: mb(during.result.walPeakMb), aim: walAim },
      requests("requests after", after),
      { what: "restore: `--dry-run`", value: seconds(planned.tookMs) },
      { what: "restore: checked, copied, mended, checked, put in place", value: seconds(restored.tookMs) },
    ],
    notes: [
      `${rows} received messages of about 750 bytes. The database is in the system's cache, as it was written just before.`,
      `The server's memory was ${mb(rssBefore)} before and ${mb(rssAfter)} after; start to the ready line on the restored database ${ms(restarted.child.readyAfterMs)}.`,
    ],
  };
};
