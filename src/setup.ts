import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "./kernel/config.ts";
import { MASTER_KEY_BYTES, type Secrets, secretsOf } from "./kernel/crypto.ts";
import { type Random, systemRandom } from "./kernel/random.ts";
import { writersFault } from "./kernel/writers.ts";
import type { ServerAddress } from "./store/hrana.ts";
import type { DatabaseLocation } from "./store/open.ts";

// What lies in the data directory beside the database, and who may read it.

/** A configuration that cannot be served as it is; the process ends with the exit code for that. */
export class ConfigFault extends Error {}

/** The file of a local database, which may not be there yet; undefined for a remote one. */
export const databaseFile = ({ databaseUrl }: Pick<Config, "databaseUrl">): string | undefined =>
  databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : undefined;

/**
 * Makes the data directory where it is missing. Throws ConfigFault for one that others can write: they could put a
 * master key, a database or a plugin there.
 */
export const makeDataDirectory = ({ dataDir }: Pick<Config, "dataDir">): void => {
  makePrivateFolder(dataDir);
  const fault = writersFault(dataDir);
  if (fault !== undefined) throw new ConfigFault(fault);
};

const makePrivateFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: 0o700 });

type DatabaseConfig = Pick<Config, "databaseUrl" | "databaseToken" | "databaseReplica" | "dataDir">;

/** Where the database lies; the data directory, and the folder of a local file, are made when missing. */
export const databaseLocation = ({
  databaseUrl: url,
  databaseToken: token,
  databaseReplica: replica,
  dataDir,
}: DatabaseConfig): DatabaseLocation => {
  makePrivateFolder(dataDir);
  const file = databaseFile({ databaseUrl: url });
  if (file === undefined) {
    if (replica !== undefined) makePrivateFolder(dirname(replica));
    return { server: { url, token }, replica };
  }
  makePrivateFolder(dirname(file));
  return { file };
};

/** What a backup is made of: the file of the database, or the server that has it. Makes nothing. */
export const backupSource = (config: Pick<DatabaseConfig, "databaseUrl" | "databaseToken">): string | ServerAddress =>
  databaseFile(config) ?? { url: config.databaseUrl, token: config.databaseToken };

/**
 * The file of a local database, as `databasePlace` makes it ready. Throws ConfigFault for one that lies on a server.
 */
export const databasePath = (config: DatabaseConfig): string => {
  const place = databaseLocation(config);
  if ("file" in place) return place.file;
  throw new ConfigFault("RECADO_DATABASE_URL names a server; this is for the file of a database on this machine");
};

export const masterKeyFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "master.key");

/**
 * The key that everything secret hangs on, as it is configured or lies in the data directory; undefined where none has
 * been made yet. Throws ConfigFault for a file that holds none.
 */
export const existingMasterKey = (config: Pick<Config, "masterKey" | "dataDir">): Uint8Array | undefined =>
  config.masterKey ?? keyIn(masterKeyFile(config));

/** The key in a file; undefined where there is none. Throws ConfigFault for a file that holds none. */
export const keyIn = (path: string): Uint8Array | undefined => {
  if (!existsSync(path)) return undefined;
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "base64");
  if (key.length !== MASTER_KEY_BYTES)
    throw new ConfigFault(`${path} does not hold a key of ${MASTER_KEY_BYTES} bytes in base64`);
  return key;
};

/** The same, made at the first start. */
export const masterKeyOf = (config: Config, random: Random): Uint8Array => {
  const path = masterKeyFile(config);
  if (!config.masterKey && existsSync(path)) chmodSync(path, 0o600);
  const existing = existingMasterKey(config);
  if (existing) return existing;
  const key = random.bytes(MASTER_KEY_BYTES);
  writeFileSync(path, `${Buffer.from(key).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  return key;
};

/** The admin token of this machine's commands: whoever holds the master key has it. */
export const localTokenFrom = (secrets: Pick<Secrets, "derive">): string =>
  Buffer.from(secrets.derive("local-admin")).toString("base64url");

/**
 * The same token, for a command that asks a server. Throws ConfigFault where the master key, which the server has, is
 * not at hand.
 */
export const localTokenOf = (config: Config): string => {
  const key = existingMasterKey(config);
  if (!key) throw new ConfigFault("RECADO_MASTER_KEY: give this command the key that the server has");
  return localTokenFrom(secretsOf(key, systemRandom()));
};

/** Where a server's gateway answers on this machine, and the host to name there. */
export type Serving = { gatewayUrl: string; host: string };

const servingFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "serving.json");

/** Tells the commands of this machine where the server of this data directory is. */
export const noteServing = (config: Pick<Config, "dataDir">, serving: Serving): void =>
  writeFileSync(servingFile(config), JSON.stringify(serving), { mode: 0o600 });

/** To be called when the server ends. One that was killed leaves its note behind. */
export const forgetServing = (config: Pick<Config, "dataDir">): void => rmSync(servingFile(config), { force: true });

/** Where the server that runs on this data directory is; undefined when none has said so. */
export const servingOf = (config: Pick<Config, "dataDir">): Serving | undefined => {
  const path = servingFile(config);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Serving) : undefined;
};
