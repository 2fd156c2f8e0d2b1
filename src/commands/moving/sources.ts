import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, type Json, listOf } from "../../kernel/texts/json.ts";
import { readCsvFile } from "./csv.ts";
import {
  EVOLUTION_TABLES,
  type EvolutionTables,
  hashesIn,
  type KeysOf,
  keysInFolders,
  keysInHashes,
  noKeys,
  sessionsOfEvolution,
  sessionsOfHashes,
} from "./evolution.ts";
import { entriesIn, foldersWith, readJsonFile, readPathKind, sessionName } from "./files.ts";
import { type FoundSession, LIMITS, SourceFault } from "./found.ts";
import { historiesOfPostgres } from "./history/postgres.ts";
import { historyBeside } from "./history/sources.ts";
import { POSTGRES, readPostgres } from "./postgres.ts";
import { isSqlite } from "./sqlite-copy.ts";
import { sessionsOfWhatsmeow } from "./whatsmeow.ts";

const CREDS = "creds.json";

/**
 * The sessions of a source: a folder of Baileys or WAHA, Evolution's tables (PostgreSQL, a folder of exports, one file)
 * or its dump of Redis, or a database of whatsmeow. `keys`: the place of the keys of Evolution's instances, a folder or
 * a dump of Redis.
 * @throws SourceFault for any other source
 */
export const findSessions = async (source: string, keys: string | undefined): Promise<FoundSession[]> => {
  const keysOf = keys === undefined ? noKeys : await keysIn(await resolved(keys));
  if (POSTGRES.test(source)) return inPostgres(source, keysOf);
  const path = await resolved(source);
  const found = (await readPathKind(path)) === "folder" ? await inFolder(path, keysOf) : await inFile(path, keysOf);
  if (found.length === 0) throw new SourceFault(`${source} has no sessions`);
  if (found.length > LIMITS.sessions) throw new SourceFault(`${source} has more than ${LIMITS.sessions} sessions`);
  return found;
};

const inPostgres = async (url: string, keysOf: KeysOf): Promise<FoundSession[]> => {
  const histories = new Map((await historiesOfPostgres(url)).map(({ id, history }) => [id, history]));
  const tables = await readPostgres(url);
  if ((tables.Session ?? []).length === 0 && histories.size > 0)
    throw new SourceFault("the database has messages and no sessions: link the phones, then add --history");
  return sessionsOfEvolution(tables, keysOf, histories);
};

/** The operator may name a link; none is followed below it. */
const resolved = (path: string): Promise<string> =>
  realpath(path).catch((cause: unknown) => {
    throw new SourceFault(`${path} does not exist, or cannot be read`, { cause });
  });

const keysIn = async (path: string): Promise<KeysOf> =>
  (await readPathKind(path)) === "folder" ? keysInFolders(path) : keysInHashes(hashesIn(await readJsonFile(path)));

const inFolder = async (path: string, keysOf: KeysOf): Promise<FoundSession[]> => {
  const tables: EvolutionTables = {};
  for (const name of EVOLUTION_TABLES) {
    const rows = await exportedTable(path, name);
    if (rows) tables[name] = rows;
  }
  if (tables.Session) return sessionsOfEvolution(tables, keysOf);
  const folders = await foldersWith(path, CREDS);
  const found: FoundSession[] = [];
  for (const folder of folders)
    found.push({
      name: sessionName(folder),
      format: "baileys",
      entries: () => entriesIn(folder),
      ...(await historyBeside(folder)),
    });
  return found;
};

const exportedTable = async (folder: string, name: string): Promise<readonly Json[] | undefined> => {
  const [csv, json] = [join(folder, `${name}.csv`), join(folder, `${name}.json`)];
  if ((await readPathKind(csv)) === "file") return readCsvFile(csv);
  return (await readPathKind(json)) === "file" ? rowsIn(await readJsonFile(json)) : undefined;
};

const rowsIn = (value: unknown): readonly Json[] => listOf(value).filter(isRecord);

const inFile = async (path: string, keysOf: KeysOf): Promise<FoundSession[]> => {
  if ((await readPathKind(path)) !== "file") throw new SourceFault(`${path} is no folder and no regular file`);
  if (await isSqlite(path)) return sessionsOfWhatsmeow(path);
  if (path.endsWith(".csv")) return sessionsOfEvolution({ Session: await readCsvFile(path) }, keysOf);
  const value = await readJsonFile(path);
  const hashes = sessionsOfHashes(hashesIn(value));
  if (hashes.length > 0) return hashes;
  if (Array.isArray(value)) return sessionsOfEvolution({ Session: rowsIn(value) }, keysOf);
  const named = EVOLUTION_TABLES.flatMap((name) =>
    isRecord(value) && Array.isArray(value[name]) ? [[name, rowsIn(value[name])] as const] : [],
  );
  return sessionsOfEvolution(Object.fromEntries(named), keysOf);
};
