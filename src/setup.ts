import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "./kernel/config.ts";
import { MASTER_KEY_BYTES, type Secrets, secretsOf } from "./kernel/crypto.ts";
import { type Random, systemRandom } from "./kernel/random.ts";

// What lies in the data directory beside the database, and who may read it.

/** A configuration that cannot be served as it is; the process ends with the exit code for that. */
export class ConfigFault extends Error {}

/** The file of a local database, its folder and the data directory made when missing. Throws ConfigFault for a remote one, which needs a node of a later version. */
export const databasePath = ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string => {
  if (!databaseUrl.startsWith("file:")) throw new ConfigFault("RECADO_DATABASE_URL: this version serves a local file only");
  const path = databaseUrl.slice("file:".length);
  for (const folder of [dataDir, dirname(path)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path;
};

/** The key that everything secret hangs on: the configured one, or the one of the data directory, made at the first start. */
const masterKeyOf = ({ masterKey, dataDir }: Config, random: Random): Uint8Array => {
  if (masterKey) return masterKey;
  const path = join(dataDir, "master.key");
  if (!existsSync(path)) writeFileSync(path, `${Buffer.from(random.bytes(MASTER_KEY_BYTES)).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(path, 0o600);
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "base64");
  if (key.length !== MASTER_KEY_BYTES) throw new ConfigFault(`${path} does not hold a key of ${MASTER_KEY_BYTES} bytes in base64`);
  return key;
};

/** What seals and opens the secrets of this installation. Throws ConfigFault when its master key is none. */
export const secretsFor = (config: Config, random: Random): Secrets => secretsOf(masterKeyOf(config, random), random);

/** The admin token of this machine's commands: whoever holds the master key has it. */
export const localTokenFrom = (secrets: Secrets): string => Buffer.from(secrets.derive("local-admin")).toString("base64url");

/** The same token, for a command that asks a server. */
export const localTokenOf = (config: Config): string => localTokenFrom(secretsFor(config, systemRandom()));

/** Where a server's gateway answers on this machine, and the host to name there. */
export type Serving = { gatewayUrl: string; host: string };

const servingFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "serving.json");

/** Tells the commands of this machine where the server of this data directory is. */
export const noteServing = (config: Pick<Config, "dataDir">, serving: Serving): void => writeFileSync(servingFile(config), JSON.stringify(serving), { mode: 0o600 });

/** To be called when the server ends. One that was killed leaves its note behind. */
export const forgetServing = (config: Pick<Config, "dataDir">): void => rmSync(servingFile(config), { force: true });

/** Where the server that runs on this data directory is; undefined when none has said so. */
export const servingOf = (config: Pick<Config, "dataDir">): Serving | undefined => {
  const path = servingFile(config);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Serving) : undefined;
};
