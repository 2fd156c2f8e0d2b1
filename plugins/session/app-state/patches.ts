import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { aesDecrypt, aesEncrypt, LT_HASH_ANTI_TAMPERING, proto } from "@whiskeysockets/baileys";
import { othersServed } from "../../../src/kernel/clock.ts";
import { parsedJson } from "../../../src/kernel/texts/json.ts";

const { SyncdOperation } = proto.SyncdMutation;

/** The collections of the app state (W26 §8). */
export const COLLECTIONS = [
  "critical_block",
  "critical_unblock_low",
  "regular_high",
  "regular_low",
  "regular",
] as const;
export type Collection = (typeof COLLECTIONS)[number];
export const isCollection = (name: string | undefined): name is Collection => COLLECTIONS.some((one) => one === name);

/** A version of a collection. `hash` is the sum of the MACs of all its values. */
export type Version = { version: number; hash: Uint8Array };
export const NOTHING: Version = { version: 0, hash: Buffer.alloc(128) };

/** A value of a collection: `index` says of what, `isRemoved` that it has no value any more. */
export type Mutation = { index: string[]; value: proto.ISyncActionValue; isRemoved: boolean };

/** The MAC of a value by the MAC of its index, both in base64; null for a removed value. */
export type MacChanges = Map<string, string | null>;

/** Gives the MACs of the values of these indexes, as they are stored. */
export type ReadMacs = (indexes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The key with this id, in base64; undefined if the phone has not shared it. */
export type FindKey = (id: string) => Promise<Uint8Array | undefined>;

/** A MAC is wrong: the copy here or the patch is damaged. Only a snapshot can help. */
export class Damaged extends Error {
  override name = "Damaged";
}

/** The phone has not shared the key with this id. */
export class KeyMissing extends Error {
  override name = "KeyMissing";
  readonly keyId: string;
  constructor(keyId: string) {
    super("a key of the app state is missing");
    this.keyId = keyId;
  }
}

type Keys = { index: Buffer; encryption: Buffer; value: Buffer; snapshot: Buffer; patch: Buffer };

const KEY_BYTES = 32;
const MAC_BYTES = 32;

const expanded = (keyData: Uint8Array): Keys => {
  const all = Buffer.from(hkdfSync("sha256", keyData, "", "WhatsApp Mutation Keys", 5 * KEY_BYTES));
  const part = (place: number) => all.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES);
  return { index: part(0), encryption: part(1), value: part(2), snapshot: part(3), patch: part(4) };
};

/** Expands each key once. */
const createKeyring = (find: FindKey) => {
  const known = new Map<string, Keys>();
  return async (keyId: proto.IKeyId | null | undefined): Promise<Keys> => {
    const id = base64(keyId?.id);
    const keys = known.get(id);
    if (keys) return keys;
    const data = await find(id);
    if (!data?.length) throw new KeyMissing(id);
    const fresh = expanded(data);
    known.set(id, fresh);
    return fresh;
  };
};
type Keyring = ReturnType<typeof createKeyring>;

const base64 = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString("base64");
const hmac = (hash: "sha256" | "sha512", key: Uint8Array, parts: readonly Uint8Array[]): Buffer => {
  const mac = createHmac(hash, key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};
const isSame = (one: Uint8Array, other: Uint8Array | null | undefined): boolean =>
  other?.length === one.length && timingSafeEqual(one, other);

const bigEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

const valueMacOf = (keys: Keys, isRemoved: boolean, keyId: Uint8Array, encrypted: Uint8Array): Buffer => {
  const operation = Buffer.from([isRemoved ? 2 : 1]);
  return hmac("sha512", keys.value, [operation, keyId, encrypted, bigEndian(keyId.length + 1)]).subarray(0, MAC_BYTES);
};

const snapshotMacOf = (keys: Keys, name: Collection, { version, hash }: Version): Buffer =>
  hmac("sha256", keys.snapshot, [hash, bigEndian(version), Buffer.from(name)]);

const patchMacOf = (
  keys: Keys,
  name: Collection,
  { snapshotMac, valueMacs, version }: { snapshotMac: Uint8Array; valueMacs: readonly Uint8Array[]; version: number },
): Buffer => hmac("sha256", keys.patch, [snapshotMac, ...valueMacs, bigEndian(version), Buffer.from(name)]);

type Opened = { indexMac: string; valueMac: Uint8Array; mutation: Mutation | undefined; isRemoved: boolean };

/** @throws Damaged for a value whose MACs are wrong, KeyMissing */
const opened = async (
  keyring: Keyring,
  record: proto.ISyncdRecord | null | undefined,
  isRemoved: boolean,
): Promise<Opened> => {
  const keys = await keyring(record?.keyId);
  const blob = record?.value?.blob ?? Buffer.alloc(0);
  const [encrypted, valueMac] = [blob.subarray(0, -MAC_BYTES), blob.subarray(-MAC_BYTES)];
  if (!isSame(valueMacOf(keys, isRemoved, record?.keyId?.id ?? Buffer.alloc(0), encrypted), valueMac))
    throw new Damaged("the MAC of a value is wrong");
  const { index, value } = proto.SyncActionData.decode(aesDecrypt(encrypted, keys.encryption));
  if (!isSame(hmac("sha256", keys.index, [index ?? Buffer.alloc(0)]), record?.index?.blob))
    throw new Damaged("the MAC of an index is wrong");
  return { indexMac: base64(record?.index?.blob), valueMac, isRemoved, mutation: mutationOf(index, value, isRemoved) };
};

/** Undefined for an index of a form that no known client writes; it counts for the hash all the same. */
const mutationOf = (
  index: Uint8Array | null | undefined,
  value: proto.ISyncActionValue | null | undefined,
  isRemoved: boolean,
): Mutation | undefined => {
  try {
    const parsed = parsedJson(Buffer.from(index ?? []).toString());
    if (!Array.isArray(parsed) || !parsed.every((part) => typeof part === "string")) return undefined;
    return { index: parsed, value: value ?? {}, isRemoved };
  } catch {
    return undefined;
  }
};

/** A version after some mutations, and the MACs that change with it. */
type Mixed = { after: Version; macs: MacChanges };

const mixed = async (
  { version, hash }: Version,
  opened: readonly Pick<Opened, "indexMac" | "valueMac" | "isRemoved">[],
  readMacs: ReadMacs,
): Promise<Mixed> => {
  const stored = await readMacs([...new Set(opened.map(({ indexMac }) => indexMac))]);
  const macs: MacChanges = new Map();
  const [added, taken]: [Uint8Array[], Uint8Array[]] = [[], []];
  for (const { indexMac, valueMac, isRemoved } of opened) {
    const before = macs.has(indexMac) ? macs.get(indexMac) : stored.get(indexMac);
    if (typeof before === "string") taken.push(Buffer.from(before, "base64"));
    if (!isRemoved) added.push(valueMac);
    macs.set(indexMac, isRemoved ? null : base64(valueMac));
  }
  return { after: { version, hash: LT_HASH_ANTI_TAMPERING.subtractThenAdd(hash, taken, added) }, macs };
};

export type Read = Mixed & { mutations: Mutation[] };

/** The number of values that are opened before other work gets its turn. */
const AT_ONCE = 200;

const openAll = async (keyring: Keyring, mutations: readonly proto.ISyncdMutation[]): Promise<Opened[]> => {
  const all: Opened[] = [];
  for (const [place, { operation, record }] of mutations.entries()) {
    if (place % AT_ONCE === AT_ONCE - 1) await othersServed();
    all.push(await opened(keyring, record, operation === SyncdOperation.REMOVE));
  }
  return all;
};

const mutationsIn = (all: readonly Opened[]): Mutation[] => all.flatMap(({ mutation }) => mutation ?? []);

/** Reads a snapshot, which replaces all that was known. @throws Damaged, KeyMissing */
export const readSnapshot = async (name: Collection, snapshot: proto.ISyncdSnapshot, find: FindKey): Promise<Read> => {
  const keyring = createKeyring(find);
  const keys = await keyring(snapshot.keyId);
  const all = await openAll(
    keyring,
    (snapshot.records ?? []).map((record) => ({ operation: SyncdOperation.SET, record })),
  );
  const version = Number(snapshot.version?.version ?? 0);
  const { after, macs } = await mixed({ ...NOTHING, version }, all, async () => new Map());
  if (!isSame(snapshotMacOf(keys, name, after), snapshot.mac)) throw new Damaged("the MAC of a snapshot is wrong");
  return { after, macs, mutations: mutationsIn(all) };
};

/** Reads the patch that follows a version. @throws Damaged, KeyMissing */
export const readPatch = async (
  name: Collection,
  patch: proto.ISyncdPatch,
  { before, readMacs, find }: { before: Version; readMacs: ReadMacs; find: FindKey },
): Promise<Read> => {
  const keyring = createKeyring(find);
  const keys = await keyring(patch.keyId);
  const version = before.version + 1;
  if (Number(patch.version?.version ?? version) !== version) throw new Damaged("a patch is missing");
  const mutations = patch.mutations ?? [];
  const snapshotMac = patch.snapshotMac ?? Buffer.alloc(0);
  const valueMacs = mutations.map(({ record }) => (record?.value?.blob ?? Buffer.alloc(0)).subarray(-MAC_BYTES));
  if (!isSame(patchMacOf(keys, name, { snapshotMac, valueMacs, version }), patch.patchMac))
    throw new Damaged("the MAC of a patch is wrong");
  const all = await openAll(keyring, mutations);
  const { after, macs } = await mixed({ ...before, version }, all, readMacs);
  if (!isSame(snapshotMacOf(keys, name, after), snapshotMac)) throw new Damaged("the hash of a collection is wrong");
  return { after, macs, mutations: mutationsIn(all) };
};

/** A value that is written. `version`: that of its kind, which the network's clients agree on. */
export type Written = { index: readonly string[]; version: number; value: proto.ISyncActionValue };

/** The patch that sets these values after a version. @throws KeyMissing */
export const writePatch = async (
  name: Collection,
  written: readonly Written[],
  { before, keyId, readMacs, find }: { before: Version; keyId: string; readMacs: ReadMacs; find: FindKey },
): Promise<Mixed & { patch: Uint8Array }> => {
  const id = Buffer.from(keyId, "base64");
  const keys = await createKeyring(find)({ id });
  const records = written.map(({ index, version, value }) => {
    const indexBytes = Buffer.from(JSON.stringify(index));
    const data = proto.SyncActionData.encode({ index: indexBytes, value, padding: Buffer.alloc(0), version }).finish();
    const encrypted = aesEncrypt(data, keys.encryption);
    const valueMac = valueMacOf(keys, false, id, encrypted);
    return { indexMac: hmac("sha256", keys.index, [indexBytes]), valueMac, encrypted };
  });
  const version = before.version + 1;
  const { after, macs } = await mixed(
    { ...before, version },
    records.map(({ indexMac, valueMac }) => ({ indexMac: base64(indexMac), valueMac, isRemoved: false })),
    readMacs,
  );
  const snapshotMac = snapshotMacOf(keys, name, after);
  const valueMacs = records.map(({ valueMac }) => valueMac);
  const patch = proto.SyncdPatch.encode({
    snapshotMac,
    patchMac: patchMacOf(keys, name, { snapshotMac, valueMacs, version }),
    keyId: { id },
    mutations: records.map(({ indexMac, valueMac, encrypted }) => ({
      operation: SyncdOperation.SET,
      record: { index: { blob: indexMac }, value: { blob: Buffer.concat([encrypted, valueMac]) }, keyId: { id } },
    })),
  }).finish();
  return { patch, after, macs };
};
