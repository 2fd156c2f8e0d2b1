import { existsSync, lstatSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { tempDirOf } from "../adapters/files.ts";
import { withTimeout } from "../kernel/async.ts";
import type { Config } from "../kernel/config.ts";
import { databaseFile, masterKeyFile } from "../setup.ts";
import { type Check, type Finding, fault, ok, skipped, warning, worstOf } from "./check.ts";
import type { Installation } from "./installation.ts";

const ROOT = 0;

/** What lies in the data directory or was put elsewhere by a setting. */
const foldersOf = (config: Config): string[] => {
  const database = databaseFile(config);
  const media = config.media.kind === "disk" ? [config.media.dir] : [];
  return [
    ...new Set([config.dataDir, ...(database === undefined ? [] : [dirname(database)]), ...media, tempDirOf(config)]),
  ];
};

const LOOK_MS = 3000;

/**
 * The first folder that does not even say whether it is there, as on a disk or a network that is gone: it would hold up
 * whoever asks about what lies in it.
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
        () => false, // it says that it is not there
      ),
    ).catch(() => true);
  const place = config.backup?.place;
  const folders = [...foldersOf(config), ...(place?.kind === "disk" ? [place.dir] : [])];
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

/** Nobody but the owner may read what lies here, and the owner is whoever serves. */
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

/** The data directory is there, and is this user's. */
export const dataDirectory: Check = {
  name: "data-directory",
  async run({ config: { dataDir } }) {
    if (!existsSync(dataDir))
      return warning(
        `${dataDir} does not exist`,
        "start recado serve, which makes it, or set RECADO_DATA_DIR to the one that is meant",
      );
    const found = await stat(dataDir);
    if (!found.isDirectory()) return fault(`${dataDir} is no directory`, "set RECADO_DATA_DIR to a directory");
    const [user = ROOT] = [process.geteuid?.()];
    if (user !== ROOT && found.uid !== user)
      return fault(
        `${dataDir} belongs to user ${found.uid}, this is user ${user}`,
        `run it as the user that owns it, or chown -R ${user} ${dataDir}`,
      );
    return ok(`${dataDir}, of user ${found.uid}`);
  },
};

/** What holds secrets and messages is its owner's alone. */
export const fileModes: Check = {
  name: "file-modes",
  async run(place) {
    const { dataDir } = place.config;
    if (!existsSync(dataDir)) return skipped("there are no files yet");
    const owner = (await stat(dataDir)).uid;
    const there = [...foldersOf(place.config), ...filesOf(place)].filter((path) => existsSync(path));
    const worst = worstOf(there.map((path) => privacyOf(path, owner)));
    return worst.outcome === "ok" ? ok(`${there.length} files and directories, for their owner alone`) : worst;
  },
};
