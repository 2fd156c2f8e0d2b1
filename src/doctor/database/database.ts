import { statSync } from "node:fs";
import { fileRemedy, isThere } from "../../kernel/file-faults.ts";
import { databaseFile } from "../../setup.ts";
import { type ComparedSchema, compareSchemaOf, harmOf, shownObjects } from "../../store/backup/foreign-schema.ts";
import type { Reader } from "../../store/engine/db.ts";
import { databaseNow, findDamages, missingMigrations } from "../../store/engine/inspection.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning } from "../check.ts";
import type { Installation } from "../installation.ts";
import { shownSize } from "../machine/disk.ts";

const MB = 1024 * 1024;
const RESTORE = "stop the server, keep the damaged file, and restore the newest backup with recado restore";

/** Runs a check on the database. Skipped if it cannot be read: only the check `database` reports that. */
export const onDatabase = async (
  installation: Installation,
  run: (reader: Reader) => Promise<Finding>,
): Promise<Finding> => {
  const opened = await installation.database().catch(() => undefined);
  if (!opened) return skipped("there is no database that can be read");
  try {
    return await run(opened.reader);
  } catch (error) {
    if (/no such (table|column)/.test(saidBy(error))) return skipped("the database waits for migrations");
    throw error;
  }
};

const onOwnFile = async (installation: Installation, run: (reader: Reader) => Promise<Finding>): Promise<Finding> =>
  databaseFile(installation.config) === undefined
    ? skipped("the database is on a server, which maintains it")
    : onDatabase(installation, run);

const openRemedy = (reason: string): string => {
  if (reason.includes("not a database") || reason.includes("malformed")) return RESTORE;
  return "check the owner and the permissions of the file, and that its directory exists";
};

const QUERIES = 5;

/** The median time of a few queries to the server, in ms. */
const latencyOf = async (reader: Reader): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run < QUERIES; run++) {
    const begun = performance.now();
    await databaseNow(reader);
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[QUERIES >> 1] ?? 0;
};

const checkFile = async (installation: Installation, path: string): Promise<Finding> => {
  try {
    if (!(await installation.database()))
      return warning(
        `there is no database at ${path} yet`,
        "start recado serve, which makes it, or set RECADO_DATABASE_URL to the right one",
      );
    return ok(`${path}, ${shownSize(statSync(path).size)}`);
  } catch (error) {
    return fault(`${path} cannot be read: ${saidBy(error)}`, fileRemedy(error, path) ?? openRemedy(saidBy(error)));
  }
};

/** Slow, in ms: every accepted message needs a few queries. */
const SLOW_MS = 25;

const checkServer = async (installation: Installation, slowMs: number): Promise<Finding> => {
  const { host } = new URL(installation.config.databaseUrl);
  try {
    const opened = await installation.database();
    const ms = opened ? await latencyOf(opened.reader) : 0;
    const found = `${host} answers after ${ms.toFixed(1)} ms`;
    return ms > slowMs
      ? warning(found, "move the nodes closer to the database's machine, or find its load")
      : ok(found);
  } catch (error) {
    return fault(
      `${host}: ${saidBy(error)}`,
      "check that the libSQL server runs and accepts this machine, RECADO_DATABASE_URL and RECADO_DATABASE_TOKEN",
    );
  }
};

/** The database exists and can be read. */
export const database = (slowMs = SLOW_MS): Check => ({
  name: "database",
  run(installation) {
    const path = databaseFile(installation.config);
    return path === undefined ? checkServer(installation, slowMs) : checkFile(installation, path);
  },
});

/** Names the objects of other programs beside our tables. A backup keeps them, but no other code looks after them. */
const schemaFinding = ({ missing, foreign }: ComparedSchema): Finding => {
  if (missing !== undefined)
    return fault(
      `the schema differs from this program's at ${missing}`,
      "undo the change that was made there by hand, or restore an earlier backup: no backup can be made until then",
    );
  if (foreign.length === 0) return ok("up to date");
  const found = `up to date, with objects of other programs beside it: ${shownObjects(foreign)}`;
  const harm = harmOf(foreign);
  return harm === undefined ? ok(found) : warning(found, harm);
};

/** The schema is that of this program, with or without tables and indexes of other programs beside it. */
export const schema: Check = {
  name: "schema",
  run: (installation) =>
    onDatabase(installation, async (reader) => {
      try {
        const missing = await missingMigrations(reader);
        if (missing.length === 0) return schemaFinding(await compareSchemaOf(reader));
        return warning(
          `migrations wait: ${missing.join(", ")}`,
          "they are applied at the next start; recado migrate applies them now, with the server stopped",
        );
      } catch (error) {
        return fault(saidBy(error), "install the version of Recado that last served this database, or a newer one");
      }
    }),
};

/** SQLite finds no damage. Reads the whole file. */
export const integrity: Check = {
  name: "integrity",
  isLong: true,
  limitMs: 10_000,
  run: (installation) =>
    onOwnFile(installation, async (reader) => {
      const damages = await findDamages(reader).catch((error: unknown) => [saidBy(error)]);
      return damages.length === 0
        ? ok("no damage, and no row that refers to nothing")
        : fault(damages.join("; "), RESTORE);
    }),
};

/** Four times the size at which the server resets the log. */
const WAL_WARNING_BYTES = 64 * MB;
const WAL_FAULT_BYTES = 1024 * MB;

/** The write-ahead log is small, because no reader keeps the server from moving it into the database file. */
export const wal = (
  { warningBytes, faultBytes } = { warningBytes: WAL_WARNING_BYTES, faultBytes: WAL_FAULT_BYTES },
): Check => ({
  name: "wal",
  async run({ config }) {
    const file = databaseFile(config);
    if (file === undefined) return skipped("the database is on a server, which maintains it");
    const path = `${file}-wal`;
    if (!isThere(path)) return skipped("there is no write-ahead log");
    const { size } = statSync(path);
    const remedy =
      "end other programs that have the database open (a shell, a backup that hangs), or restart the server";
    if (size > faultBytes) return fault(`${path} has ${shownSize(size)}`, remedy);
    return size > warningBytes ? warning(`${path} has ${shownSize(size)}`, remedy) : ok(shownSize(size));
  },
});
