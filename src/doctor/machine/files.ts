import { lstatSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { tempDirOf } from "../../adapters/files/files.ts";
import { withTimeout } from "../../kernel/async.ts";
import { isThere, ownerRemedy } from "../../kernel/file-faults.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { databaseFile, masterKeyFile } from "../../setup.ts";
import { type Check, type Finding, fault, ok, skipped, warning, worstOf } from "../check.ts";
import type { Installation } from "../installation.ts";

const ROOT = 0;

/** The folders of an installation, in the data directory or at the place of a setting. */
const foldersOf = (config: Config): string[] => {
  const database = databaseFile(config);
  const media = config.media.kind === "disk" ? [config.media.dir] : [];
  return [
    ...new Set([config.dataDir, ...(database === undefined ? [] : [dirname(database)]), ...media, tempDirOf(config)]),
  ];
};

const LOOK_MS = 3000;

/**
 * The first folder for which stat does not return, as on a lost disk or network. Any other access to it would hang,
 * too.
 */
export const stuckFolder = async (
  config: Config,
  look: (path: string) => Promise<unknown> = stat,
  limitMs = LOOK_MS,
): Promise<string | undefined> => {
  const isStuck = (path: string): Promise<boolean> =>
    withTimeout(
      limitMs,
      look(path).then(
        () => false,
        () => false, // an error is an answer, too
      ),
    ).catch(() => true);
  const backups = config.backup?.place;
  const folders = [...foldersOf(config), ...(backups?.kind === "disk" ? [backups.dir] : [])];
  const stuck = await Promise.all(folders.map(isStuck));
  return folders.find((_, at) => stuck[at]);
};

const filesOf = ({ config }: Installation): string[] => {
  const database = databaseFile(config);
  const ofDatabase = database === undefined ? [] : ["", "-wal", "-shm", ".lock"].map((suffix) => database + suffix);
  return [masterKeyFile(config), ...ofDatabase];
};

const isOpenToOthers = ({ mode }: Stats): boolean => (mode & 0o077) !== 0;

const shownMode = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, "0");

/** Checks that only `owner`, the user that serves, may read a path. */
const privacyOf = (path: string, owner: number): Finding => {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return ok(`${path} leads elsewhere`);
  if (found.uid !== owner)
    return fault(`${path} belongs to user ${found.uid}, the data directory to ${owner}`, `chown ${owner} ${path}`);
  const right = found.isDirectory() ? "700" : "600";
  return isOpenToOthers(found)
    ? fault(`${path} can be read by others (${shownMode(found)})`, `chmod ${right} ${path}`)
    : ok(path);
};

/** The data directory exists and belongs to this user. */
export const dataDirectory: Check = {
  name: "data-directory",
  async run({ config: { dataDir } }) {
    if (!isThere(dataDir))
      return warning(
        `${dataDir} does not exist`,
        "start recado serve, which makes it, or set RECADO_DATA_DIR to the right one",
      );
    const found = await stat(dataDir);
    if (!found.isDirectory()) return fault(`${dataDir} is not a directory`, "set RECADO_DATA_DIR to a directory");
    const [user = ROOT] = [process.geteuid?.()];
    if (user !== ROOT && found.uid !== user)
      return fault(`${dataDir} belongs to user ${found.uid}, this is user ${user}`, ownerRemedy(dataDir));
    return ok(`${dataDir}, of user ${found.uid}`);
  },
};

/** Only the owner may read files with secrets and messages. */
export const fileModes: Check = {
  name: "file-modes",
  async run(installation) {
    const { dataDir } = installation.config;
    if (!isThere(dataDir)) return skipped("there are no files yet");
    const owner = (await stat(dataDir)).uid;
    const there = [...foldersOf(installation.config), ...filesOf(installation)].filter(isThere);
    const worst = worstOf(there.map((path) => privacyOf(path, owner)));
    return worst.outcome === "ok" ? ok(`${there.length} files and directories, readable by their owner only`) : worst;
  },
};
