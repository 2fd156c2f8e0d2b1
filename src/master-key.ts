import type { Config } from "./kernel/config.ts";
import { isSameSecret, type Secrets } from "./kernel/crypto.ts";
import { ConfigFault, existingMasterKey } from "./setup.ts";
import type { Db, Reader } from "./store/db.ts";
import { readMeta, writeMeta } from "./store/meta.ts";

const FINGERPRINT = "master-key";

const fingerprintOf = ({ derive }: Pick<Secrets, "derive">): string => Buffer.from(derive("fingerprint")).toString("base64url");

const otherKey = (): ConfigFault =>
  new ConfigFault(
    "the database was written under another master key, without which its secrets cannot be read: set RECADO_MASTER_KEY, or <data>/master.key, to the key that belongs to it (every node has the same; a restored database needs the key of its time)",
  );

/** To be called before a key is made. Throws ConfigFault where the database belongs to one and none is at hand: a new one would open nothing, and lie in the way of the right one. */
export const refuseNewKey = async (db: Pick<Db, "read">, config: Pick<Config, "masterKey" | "dataDir">): Promise<void> => {
  if (existingMasterKey(config) === undefined && (await db.read((reader) => readMeta(reader, FINGERPRINT))) !== undefined) throw otherKey();
};

/** Throws ConfigFault where the database belongs to another master key. Changes nothing. */
export const refuseOtherKey = async (reader: Reader, secrets: Pick<Secrets, "derive">): Promise<void> => {
  const known = await readMeta(reader, FINGERPRINT);
  if (known !== undefined && !isSameSecret(known, fingerprintOf(secrets))) throw otherKey();
};

/**
 * Notes at the first start which master key belongs to the database, and checks it at each later one. Throws ConfigFault for another key: what it
 * sealed nobody else could read, and nothing that is sealed could it read.
 */
export const checkMasterKey = (db: Db, secrets: Pick<Secrets, "derive">): Promise<void> =>
  db.write(async (tx) => {
    if ((await readMeta(tx, FINGERPRINT)) === undefined) await writeMeta(tx, FINGERPRINT, fingerprintOf(secrets));
    await refuseOtherKey(tx, secrets);
  });
