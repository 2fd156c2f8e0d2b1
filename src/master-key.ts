import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from "node:fs";
import type { Config } from "./kernel/config.ts";
import { isSameSecret, MASTER_KEY_BYTES, type Secrets, sealerId, secretsOf, wrapping } from "./kernel/crypto.ts";
import type { Random } from "./kernel/random.ts";
import { ConfigFault, existingMasterKey, keyIn, masterKeyFile, masterKeyOf } from "./setup.ts";
import { syncPath } from "./store/checksum.ts";
import type { Db, Reader, Tx } from "./store/db.ts";
import { readMeta, writeMeta } from "./store/meta.ts";
import { giveToOwnerOf } from "./store/owner.ts";
import { listWrappedKeys, replaceWrappedKeys } from "./store/wrapped-keys.ts";

const FINGERPRINT = "master-key";

const fingerprintOf = ({ derive }: Pick<Secrets, "derive">): string =>
  Buffer.from(derive("fingerprint")).toString("base64url");

const otherKey = (): ConfigFault =>
  new ConfigFault(
    "the database was written under another master key, without which its secrets cannot be read: set RECADO_MASTER_KEY, or <data>/master.key, to the key that belongs to it (every node has the same; a restored database needs the key of its time; after a rotation that was broken off run recado key rotate again)",
  );

/** Whether the database was written under this master key; undefined where it belongs to none yet. */
export const belongsTo = async (reader: Reader, secrets: Pick<Secrets, "derive">): Promise<boolean | undefined> => {
  const known = await readMeta(reader, FINGERPRINT);
  return known === undefined ? undefined : isSameSecret(known, fingerprintOf(secrets));
};

/** Says that the database belongs to this master key from now on. */
export const noteMasterKey = (tx: Tx, secrets: Pick<Secrets, "derive">): Promise<void> =>
  writeMeta(tx, FINGERPRINT, fingerprintOf(secrets));

/**
 * Throws ConfigFault where the database belongs to a key and none is at hand: a new one would open nothing, and lie in
 * the way of the right one.
 */
const refuseNewKey = async (db: Pick<Db, "read">, config: Pick<Config, "masterKey" | "dataDir">): Promise<void> => {
  if (
    existingMasterKey(config) === undefined &&
    (await db.read((reader) => readMeta(reader, FINGERPRINT))) !== undefined
  )
    throw otherKey();
};

/** Throws ConfigFault where the database belongs to another master key. Changes nothing. */
export const refuseOtherKey = async (reader: Reader, secrets: Pick<Secrets, "derive">): Promise<void> => {
  if ((await belongsTo(reader, secrets)) === false) throw otherKey();
};

/**
 * What opens the secrets of this database. The first start notes which master key belongs to it, and makes its data
 * key; each later one checks the master key. Throws ConfigFault for another one: what it sealed nobody else could read,
 * and nothing that is sealed could it read. A rotation of the key in the data directory that was broken off is
 * finished.
 */
export const openSecrets = async (db: Db, config: Config, random: Random): Promise<Secrets> => {
  await refuseNewKey(db, config);
  await finishRotation(db, config, random);
  const masterKey = masterKeyOf(config, random);
  const master = secretsOf(masterKey, random);
  await db.write(async (tx) => {
    await refuseOtherKey(tx, master);
    await noteMasterKey(tx, master);
    const wrapped = await listWrappedKeys(tx);
    if (!wrapped.some(({ purpose, retiredAt }) => purpose === "data" && retiredAt === null))
      await replaceWrappedKeys(tx, [...wrapped, newDataKey(masterKey, random)]);
  });
  return secretsOf(masterKey, random, await db.read(listWrappedKeys));
};

/** A data key, wrapped under a master key. */
export const newDataKey = (masterKey: Uint8Array, random: Random) => {
  const key = random.bytes(32);
  return wrapping(masterKey, random).wrap(key, { purpose: "data", id: sealerId(key), retiredAt: null });
};

/** Puts the next master key in its place where the database is written under it already. */
const finishRotation = async (db: Db, config: Config, random: Random): Promise<void> => {
  const next = config.masterKey ? undefined : nextMasterKey(config);
  const old = existingMasterKey(config);
  if (next && old && (await db.read((reader) => belongsTo(reader, secretsOf(next, random)))))
    promoteNextMasterKey(config, secretsOf(old, random).keyId);
};

/**
 * Throws where keys were changed since these were read: who enters among the nodes may have been about to while the
 * master key was rotated.
 */
export const refuseStale = async (db: Db, secrets: Secrets): Promise<void> => {
  const rows = await db.read(listWrappedKeys);
  await db.read((reader) => refuseOtherKey(reader, secrets));
  if (!rows.some(({ purpose, id, retiredAt }) => purpose === "data" && retiredAt === null && id === secrets.dataKeyId))
    throw new Error("the master key was rotated while this server started");
};

const nextKeyFile = (config: Pick<Config, "dataDir">): string => `${masterKeyFile(config)}.next`;

/**
 * The key that a rotation, perhaps one that was broken off, is to put in the place of the one in the data directory.
 */
export const nextMasterKey = (config: Pick<Config, "dataDir">): Uint8Array | undefined => keyIn(nextKeyFile(config));

/** Makes that key, and has it on the disk. */
export const makeNextMasterKey = (config: Pick<Config, "dataDir">, random: Random): Uint8Array => {
  const key = random.bytes(MASTER_KEY_BYTES);
  const fd = openSync(nextKeyFile(config), "wx", 0o600);
  writeSync(fd, `${Buffer.from(key).toString("base64")}\n`);
  fsyncSync(fd);
  closeSync(fd);
  syncPath(config.dataDir);
  return key;
};

/**
 * Puts that key in its place, once the database is written under it; the old one stays beside it, named by `oldKeyId`.
 * Gives where. Doing it twice does no harm.
 */
export const promoteNextMasterKey = (config: Pick<Config, "dataDir">, oldKeyId: string): string => {
  const [path, next] = [masterKeyFile(config), nextKeyFile(config)];
  const kept = `${path}.${oldKeyId}`;
  if (!existsSync(kept)) linkSync(path, kept);
  if (existsSync(next)) renameSync(next, path);
  giveToOwnerOf(config.dataDir, path);
  syncPath(config.dataDir);
  return kept;
};
