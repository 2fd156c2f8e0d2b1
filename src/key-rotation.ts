import type { Env } from "./core/env.ts";
import { type Requester, recordAct } from "./core/tenancy/audit/audit.ts";
import {
  directKeyOf,
  RETIRED_TTL_MS,
  type Secrets,
  type SigningPurpose,
  secretsOf,
  type WrappedKey,
  wrapping,
} from "./kernel/crypto.ts";
import { belongsTo, newDataKey, noteMasterKey, refuseOtherKey } from "./master-key.ts";
import { ConfigFault } from "./setup.ts";
import { DatabaseInUse, type Db, type Tx } from "./store/engine/db.ts";
import { hasSealed, listSealedByOthers, replaceSealed, SEALED, type SealedColumn } from "./store/laws/sealed.ts";
import { countNodes } from "./store/tables/nodes.ts";
import { listWrappedKeys, replaceWrappedKeys } from "./store/tables/wrapped-keys.ts";

type RotationEnv = Pick<Env, "db" | "clock" | "random" | "log">;

/** `isRevoking`: signatures of earlier keys become invalid at once. `isResealing`: a new data key seals all secrets. */
export type Rotation = { from: Uint8Array; to: Uint8Array; isRevoking: boolean; isResealing: boolean };

/** TABLE: purposes of signatures with keys that are derived from the master key. */
const SIGNING: readonly SigningPurpose[] = ["user-tokens", "file-links"];

/**
 * Puts the database under another master key in one write: wraps its keys under the new one, and keeps signatures of
 * the old one valid for a while. Returns false if that was done before; then only revokes and renews if requested.
 *
 * @throws DatabaseInUse while a node serves the database.
 * @throws ConfigFault if the database belongs to neither key.
 */
export const rotateMasterKey = async (env: RotationEnv, by: Requester, rotation: Rotation): Promise<boolean> => {
  const [from, to] = [rotation.from, rotation.to].map((key) => secretsOf(key, env.random)) as [Secrets, Secrets];
  if (await env.db.read((reader) => belongsTo(reader, to))) {
    await completeRotation(env, by, rotation, to.keyId);
    return false;
  }
  const isSealedDirectly = await env.db.read((reader) => hasSealed(reader, from.keyId, { isOther: false }));
  await env.db.write(async (tx) => {
    if (env.db.isShared) await refuseServing(tx);
    if ((await belongsTo(tx, from)) === undefined)
      throw new ConfigFault("the database belongs to no master key yet: start the server once");
    await refuseOtherKey(tx, from);
    const known = await listWrappedKeys(tx);
    await replaceWrappedKeys(tx, rewrapped(env, rotation, { known, from, isSealedDirectly }));
    await noteMasterKey(tx, to);
    await recordAct(env, tx, by, {
      action: "master-key.rotate",
      target: to.keyId,
      details: { from: from.keyId, isResealing: rotation.isResealing, isRevoking: rotation.isRevoking },
    });
  });
  return true;
};

const refuseServing = async (tx: Tx): Promise<void> => {
  if ((await countNodes(tx, "")).live > 0)
    throw new DatabaseInUse("a server is running on the database: stop every node before you rotate the master key");
};

/** Revokes and renews the data key if requested, after the master key was rotated before. */
const completeRotation = async (
  env: RotationEnv,
  by: Requester,
  { to, isResealing, isRevoking }: Rotation,
  keyId: string,
): Promise<void> => {
  if (!isResealing && !isRevoking) return;
  await env.db.write(async (tx) => {
    if (env.db.isShared) await refuseServing(tx);
    if (isResealing) await renewDataKey(env, tx, to);
    const known = await listWrappedKeys(tx);
    if (isRevoking) {
      await replaceWrappedKeys(
        tx,
        known.filter(({ purpose }) => purpose === "data"),
      );
    }
    await recordAct(env, tx, by, { action: "master-key.rotate", target: keyId, details: { isResealing, isRevoking } });
  });
};

/** Makes a new data key, unless an earlier rotation that made one is not finished. */
const renewDataKey = async ({ clock, random }: RotationEnv, tx: Tx, masterKey: Uint8Array): Promise<void> => {
  const known = await listWrappedKeys(tx);
  if (known.some(({ purpose, retiredAt }) => purpose === "data" && retiredAt !== null)) return;
  const retired = known.map((row) => (row.purpose === "data" ? { ...row, retiredAt: clock.now() } : row));
  await replaceWrappedKeys(tx, [...retired, newDataKey(masterKey, random)]);
};

type Known = { known: readonly WrappedKey[]; from: Secrets; isSealedDirectly: boolean };

const rewrapped = (
  { clock, random }: RotationEnv,
  { from: oldKey, to, isRevoking, isResealing }: Rotation,
  { known, from, isSealedDirectly }: Known,
): WrappedKey[] => {
  const now = clock.now();
  const { unwrap } = wrapping(oldKey, random);
  const { wrap } = wrapping(to, random);
  const counts = ({ purpose, retiredAt }: WrappedKey) =>
    purpose === "data" || (!isRevoking && retiredAt !== null && now < retiredAt + RETIRED_TTL_MS);
  const retired = ({ purpose, retiredAt }: WrappedKey) =>
    purpose === "data" && isResealing ? (retiredAt ?? now) : retiredAt;
  const rewrappedKeys = known
    .filter(counts)
    .map((row) => wrap(unwrap(row), { purpose: row.purpose, id: row.id, retiredAt: retired(row) }));
  // secrets from before data keys are sealed with a key that is derived from the old master key
  const isMissing = isSealedDirectly && !known.some(({ purpose, id }) => purpose === "data" && id === from.keyId);
  const direct = isMissing ? [wrap(directKeyOf(oldKey), { purpose: "data", id: from.keyId, retiredAt: now })] : [];
  const signing = isRevoking
    ? []
    : SIGNING.map((purpose) => wrap(from.derive(purpose), { purpose, id: from.keyId, retiredAt: now }));
  const hasCurrent = rewrappedKeys.some(({ purpose, retiredAt }) => purpose === "data" && retiredAt === null);
  return [...rewrappedKeys, ...direct, ...signing, ...(hasCurrent ? [] : [newDataKey(to, random)])];
};

/** Texts per write. */
const BATCH = 200;

/**
 * Seals all secrets under the current data key, then deletes the other data keys. Returns the number of newly sealed
 * secrets. After an interruption call it again.
 */
export const resealAll = async (
  { db, random }: Pick<RotationEnv, "db" | "random">,
  masterKey: Uint8Array,
): Promise<number> => {
  const secrets = secretsOf(masterKey, random, await db.read(listWrappedKeys));
  let resealed = 0;
  for (const column of SEALED) resealed += await resealColumn(db, secrets, column);
  await db.write(async (tx) => {
    if (await hasSealed(tx, secrets.dataKeyId, { isOther: true }))
      throw new Error("a secret was sealed under an earlier key meanwhile: run it again");
    const rows = await listWrappedKeys(tx);
    await replaceWrappedKeys(
      tx,
      rows.filter(({ purpose, retiredAt }) => purpose !== "data" || retiredAt === null),
    );
  });
  return resealed;
};

const resealColumn = async (db: Db, secrets: Secrets, column: SealedColumn): Promise<number> => {
  let count = 0;
  for (let after = 0; ; ) {
    const start = after;
    const texts = await db.read((reader) =>
      listSealedByOthers(reader, column, { keyId: secrets.dataKeyId, after: start, limit: BATCH }),
    );
    const resealed = texts.map(({ at, row, sealed }) => ({
      at,
      sealed,
      by: secrets.seal(row, secrets.open(row, sealed)),
    }));
    if (resealed.length > 0) await db.write(async (tx) => resealed.forEach((one) => replaceSealed(tx, column, one)));
    count += resealed.length;
    after = texts.at(-1)?.at ?? 0;
    if (texts.length < BATCH) return count;
  }
};
