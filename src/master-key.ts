import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, writeSync } from "node:fs";
import { isSameSecret, MASTER_KEY_BYTES, type Secrets, sealerId, secretsOf, wrapping } from "./kernel/crypto.ts";
import type { Random } from "./kernel/random.ts";
import type { Config } from "./kernel/settings/config.ts";
import { ConfigFault, existingMasterKey, keyIn, masterKeyFile, masterKeyOf } from "./setup.ts";
import { syncPath } from "./store/backup/checksum.ts";
import type { Db, Reader, Tx } from "./store/engine/db.ts";
import { giveToOwnerOf } from "./store/engine/owner.ts";
import { readMeta, writeMeta } from "./store/tables/meta.ts";
import { listWrappedKeys, replaceWrappedKeys } from "./store/tables/wrapped-keys.ts";

const FINGERPRINT = "master-key";

const fingerprintOf = ({ derive }: Pick<Secrets, "derive">): string =>
  Buffer.from(derive("fingerprint")).toString("base64url");

const otherKey = (): ConfigFault =>
  new ConfigFault(
    [
      "the database was written under another master key, without which its secrets cannot be read:",
      "set RECADO_MASTER_KEY, or <data>/master.key, to the key that belongs to it",
      "(all nodes have the same key; a restored database needs the key of its backup;",
      "after an interrupted rotation run recado key rotate again)",
    ].join(" "),
  );

/** Whether the database was written under this master key; undefined if it has none yet. */
export const belongsTo = async (reader: Reader, secrets: Pick<Secrets, "derive">): Promise<boolean | undefined> => {
  const known = await readMeta(reader, FINGERPRINT);
  return known === undefined ? undefined : isSameSecret(known, fingerprintOf(secrets));
};

/** Records the master key of the database. */
export const noteMasterKey = (tx: Tx, secrets: Pick<Secrets, "derive">): Promise<void> =>
  writeMeta(tx, FINGERPRINT, fingerprintOf(secrets));

/**
 * Refuses to make a master key for a database that has one: the new key would open nothing.
 *
 * @throws ConfigFault
 */
const refuseNewKey = async (db: Pick<Db, "read">, config: Pick<Config, "masterKey" | "dataDir">): Promise<void> => {
  if (
    existingMasterKey(config) === undefined &&
    (await db.read((reader) => readMeta(reader, FINGERPRINT))) !== undefined
  )
    throw otherKey();
};

/** @throws ConfigFault if the database belongs to another master key. */
export const refuseOtherKey = async (reader: Reader, secrets: Pick<Secrets, "derive">): Promise<void> => {
  if ((await belongsTo(reader, secrets)) === false) throw otherKey();
};

/**
 * Opens the secrets of the database. The first start records its master key and makes its data key; later starts check
 * the master key. Completes an interrupted rotation of the key in the data directory.
 *
 * @throws ConfigFault for another master key.
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

/** Completes an interrupted rotation: replaces the key file if the database is already written under the next key. */
const finishRotation = async (db: Db, config: Config, random: Random): Promise<void> => {
  const next = config.masterKey ? undefined : nextMasterKey(config);
  const old = existingMasterKey(config);
  if (next && old && (await db.read((reader) => belongsTo(reader, secretsOf(next, random)))))
    promoteNextMasterKey(config, secretsOf(old, random).keyId);
};

/**
 * Checks that the keys were not rotated while this server started.
 *
 * @throws ConfigFault or Error if they were.
 */
export const refuseStale = async (db: Db, secrets: Secrets): Promise<void> => {
  const rows = await db.read(listWrappedKeys);
  await db.read((reader) => refuseOtherKey(reader, secrets));
  if (!rows.some(({ purpose, id, retiredAt }) => purpose === "data" && retiredAt === null && id === secrets.dataKeyId))
    throw new Error("the master key was rotated while this server started");
};

const nextKeyFile = (config: Pick<Config, "dataDir">): string => `${masterKeyFile(config)}.next`;

/** The key that a rotation has made to replace the one in the data directory; undefined without a rotation. */
export const nextMasterKey = (config: Pick<Config, "dataDir">): Uint8Array | undefined => keyIn(nextKeyFile(config));

/** Makes the next key and syncs it to the disk. */
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
 * Replaces the key file by the next key, after the database is written under it. The old key stays beside it, with
 * `oldKeyId` in its name; returns its path. Idempotent.
 */
export const promoteNextMasterKey = (config: Pick<Config, "dataDir">, oldKeyId: string): string => {
  const [path, next] = [masterKeyFile(config), nextKeyFile(config)];
  const oldPath = `${path}.${oldKeyId}`;
  if (!existsSync(oldPath)) linkSync(path, oldPath);
  if (existsSync(next)) renameSync(next, path);
  giveToOwnerOf(config.dataDir, path);
  syncPath(config.dataDir);
  return oldPath;
};
