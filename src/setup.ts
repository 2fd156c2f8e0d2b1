import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MASTER_KEY_BYTES, type Secrets, secretsOf } from "./kernel/crypto.ts";
import { isThere, ownerRemedy } from "./kernel/file-faults.ts";
import { type Random, systemRandom } from "./kernel/random.ts";
import type { Config } from "./kernel/settings/config.ts";
import { writersFault } from "./kernel/writers.ts";
import type { DatabaseLocation } from "./store/engine/open.ts";
import type { ServerAddress } from "./store/engine/remote/hrana.ts";

// Files in the data directory besides the database, and their permissions.

/** The configuration cannot be served; the process ends with exit code 78. */
export class ConfigFault extends Error {}

/** The path of a local database, which may not exist yet; undefined for a database on a server. */
export const databaseFile = ({ databaseUrl }: Pick<Config, "databaseUrl">): string | undefined =>
  databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : undefined;

/**
 * Makes a missing data directory.
 *
 * @throws ConfigFault for a directory that others can write, because they could put a master key or a plugin there.
 */
export const makeDataDirectory = ({ dataDir }: Pick<Config, "dataDir">): void => {
  makePrivateFolder(dataDir);
  const fault = writersFault(dataDir, ownerRemedy); // another user may have started the server
  if (fault !== undefined) throw new ConfigFault(fault);
};

const makePrivateFolder = (path: string): void => void mkdirSync(path, { recursive: true, mode: 0o700 });

type DatabaseConfig = Pick<Config, "databaseUrl" | "databaseToken" | "databaseReplica" | "dataDir">;

/** The location of the database. Makes the data directory and the folder of a local file when they are missing. */
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

/** The source of a backup: the database's file, or the server that has it. */
export const backupSource = (config: Pick<DatabaseConfig, "databaseUrl" | "databaseToken">): string | ServerAddress =>
  databaseFile(config) ?? { url: config.databaseUrl, token: config.databaseToken };

/**
 * The path of a local database; makes its folder as `databaseLocation` does.
 *
 * @throws ConfigFault for a database on a server.
 */
export const databasePath = (config: DatabaseConfig): string => {
  const location = databaseLocation(config);
  if ("file" in location) return location.file;
  throw new ConfigFault("RECADO_DATABASE_URL names a server; this command is for a database file on this machine");
};

export const masterKeyFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "master.key");

/**
 * The master key, from the configuration or the data directory; undefined if none has been made yet.
 *
 * @throws ConfigFault for a file that does not hold a key.
 */
export const existingMasterKey = (config: Pick<Config, "masterKey" | "dataDir">): Uint8Array | undefined =>
  config.masterKey ?? keyIn(masterKeyFile(config));

/**
 * The key in a file; undefined if the file is missing.
 *
 * @throws ConfigFault for a file that does not hold a key.
 */
export const keyIn = (path: string): Uint8Array | undefined => {
  if (!isThere(path)) return undefined;
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "base64");
  if (key.length !== MASTER_KEY_BYTES)
    throw new ConfigFault(`${path} does not hold a key of ${MASTER_KEY_BYTES} bytes in base64`);
  return key;
};

/** The master key; makes a missing one. Makes its file readable by the owner only. */
export const masterKeyOf = (config: Config, random: Random): Uint8Array => {
  const path = masterKeyFile(config);
  if (!config.masterKey && existsSync(path)) chmodSync(path, 0o600);
  const existing = existingMasterKey(config);
  if (existing) return existing;
  const key = random.bytes(MASTER_KEY_BYTES);
  writeFileSync(path, `${Buffer.from(key).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  return key;
};

/** The admin token of the commands on this machine, derived from the master key. */
export const localTokenFrom = (secrets: Pick<Secrets, "derive">): string =>
  Buffer.from(secrets.derive("local-admin")).toString("base64url");

/**
 * The same token, for a command that sends requests to a server.
 *
 * @throws ConfigFault if this command has no master key.
 */
export const localTokenOf = (config: Config): string => {
  const key = existingMasterKey(config);
  if (!key) throw new ConfigFault("RECADO_MASTER_KEY: give this command the key that the server has");
  return localTokenFrom(secretsOf(key, systemRandom()));
};

/** The address of a server's gateway on this machine, the Host header to send there, and its process. */
export type Serving = { gatewayUrl: string; host: string; pid?: number };

const servingFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "serving.json");

/** Writes the address of this server to the data directory, for the commands of this machine. */
export const noteServing = (config: Pick<Config, "dataDir">, serving: Serving): void =>
  writeFileSync(servingFile(config), JSON.stringify({ ...serving, pid: process.pid } satisfies Serving), {
    mode: 0o600,
  });

/** Removes this address when the server ends. A killed server leaves it. */
export const forgetServing = (config: Pick<Config, "dataDir">): void => rmSync(servingFile(config), { force: true });

/** The address that the server of this data directory has written; undefined if no server has. */
export const servingOf = (config: Pick<Config, "dataDir">): Serving | undefined => {
  const path = servingFile(config);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Serving) : undefined;
};
