import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { foldersWith, readPathKind } from "../files.ts";
import { SourceFault } from "../found.ts";
import { POSTGRES } from "../postgres.ts";
import { isSqlite } from "../sqlite-copy.ts";
import type { FoundHistory } from "./found.ts";
import { historiesOfPostgres } from "./postgres.ts";
import { historyOfStore, STORE_FILE } from "./sqlite.ts";

/**
 * The histories of a source: a PostgreSQL of Evolution or WAHA, a NOWEB store of WAHA, or folders with such stores.
 * @throws SourceFault if it has none
 */
export const findHistories = async (source: string): Promise<FoundHistory[]> => {
  const found = POSTGRES.test(source)
    ? (await historiesOfPostgres(source)).map(({ history }) => history)
    : await inFiles(source);
  if (found.length === 0) throw new SourceFault("the source has no messages that can be read");
  return found;
};

const inFiles = async (source: string): Promise<FoundHistory[]> => {
  const path = await realpath(source).catch((cause: unknown) => {
    throw new SourceFault(`${source} does not exist, or cannot be read`, { cause });
  });
  if ((await readPathKind(path)) === "file") return (await isSqlite(path)) ? [await historyOfStore(path)] : [];
  const folders = await foldersWith(path, STORE_FILE);
  return Promise.all(folders.map((folder) => historyOfStore(join(folder, STORE_FILE))));
};

/** The history of a session in this folder of WAHA, if it has a store. A damaged store does not hold up its session. */
export const historyBeside = async (folder: string): Promise<{ history?: FoundHistory; notes: string[] }> => {
  const path = join(folder, STORE_FILE);
  if ((await readPathKind(path)) !== "file") return { notes: [] };
  try {
    return { history: await historyOfStore(path), notes: [] };
  } catch (thrown) {
    if (!(thrown instanceof SourceFault)) throw thrown;
    return { notes: [`its ${STORE_FILE} cannot be read: its messages stay there`] };
  }
};
