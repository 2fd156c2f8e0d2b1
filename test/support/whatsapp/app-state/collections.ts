import { proto } from "@whiskeysockets/baileys";
import type { Answer } from "../answers/iqs.ts";
import { encryptedFile } from "../messages/files.ts";
import type { Account, Network } from "../model.ts";
import { isLinked, type Linked } from "../people/linked.ts";
import { child, children, type Stanza, stanza } from "../wire/stanza.ts";

export const COLLECTIONS = [
  "critical_block",
  "critical_unblock_low",
  "regular_high",
  "regular_low",
  "regular",
] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

/** The patches of an answer to a client that is behind; the rest is announced as `has_more_patches`. */
const PATCHES_AT_ONCE = 3;

/** A collection as the server keeps it. It has no keys, and checks only the order of versions. */
export type Collection = {
  version: number;
  patches: { version: number; bytes: Uint8Array }[];
  /** The last value of each index MAC. */
  records: Map<string, proto.ISyncdRecord>;
  /** The snapshot MAC and the key of the last patch, with which a snapshot is verified. */
  mac: Uint8Array;
  keyId: proto.IKeyId;
};

/** The collections of an account, and the patches that it took, in their order. */
export type AppStateStore = Map<CollectionName, Collection>;

const stores = new WeakMap<Account, AppStateStore>();

export const collectionOf = (account: Account, name: CollectionName): Collection => {
  const store = stores.get(account) ?? new Map<CollectionName, Collection>();
  stores.set(account, store);
  const known = store.get(name);
  if (known) return known;
  const empty: Collection = { version: 0, patches: [], records: new Map(), mac: Buffer.alloc(0), keyId: {} };
  store.set(name, empty);
  return empty;
};

const isName = (name: string | undefined): name is CollectionName => COLLECTIONS.some((one) => one === name);

const { SyncdOperation } = proto.SyncdMutation;

/** Adds a patch, and notifies the other devices of the account. The phone is told by its listener. */
export const addPatch = (
  network: Network,
  account: Account,
  { name, bytes, by }: { name: CollectionName; bytes: Uint8Array; by: Linked | undefined },
): void => {
  const collection = collectionOf(account, name);
  const patch = proto.SyncdPatch.decode(bytes);
  collection.version += 1;
  collection.patches.push({ version: collection.version, bytes });
  collection.mac = patch.snapshotMac ?? Buffer.alloc(0);
  collection.keyId = patch.keyId ?? {};
  for (const { operation, record } of patch.mutations) {
    const index = Buffer.from(record?.index?.blob ?? []).toString("base64");
    if (operation === SyncdOperation.REMOVE) collection.records.delete(index);
    else if (record) collection.records.set(index, record);
  }
  announce(network, account, { name, but: by });
  network.changed();
};

/** Tells the linked devices that a collection has a newer version. */
export const announce = (
  network: Network,
  account: Account,
  { name, but }: { name: CollectionName; but?: Linked | undefined },
): void => {
  const { version } = collectionOf(account, name);
  const update = stanza("collection", { name, version: String(version) });
  for (const device of [...account.devices.values()].filter(isLinked).filter((one) => one !== but))
    device.deliver(
      stanza(
        "notification",
        { from: "s.whatsapp.net", type: "server_sync", id: network.newId(), t: String(network.now()) },
        [update],
      ),
    );
};

const refused = (name: string, code: number, text: string): Stanza =>
  stanza("collection", { name, type: "error" }, [stanza("error", { code: String(code), text })]);

const snapshotOf = ({ media }: Network, { version, records, mac, keyId }: Collection): Stanza => {
  const bytes = proto.SyncdSnapshot.encode({
    version: { version },
    records: [...records.values()],
    mac,
    keyId,
  }).finish();
  const file = encryptedFile(media, "md-app-state", bytes);
  const { directPath, mediaKey, fileSha256, fileEncSha256, fileLength } = file;
  return stanza(
    "snapshot",
    {},
    proto.ExternalBlobReference.encode({
      directPath,
      mediaKey,
      fileSha256,
      fileEncSha256,
      fileSizeBytes: fileLength,
    }).finish(),
  );
};

/** The bytes of a patch with other fields. */
export const changedPatch = (bytes: Uint8Array, fields: Partial<proto.ISyncdPatch>): Uint8Array =>
  proto.SyncdPatch.encode(Object.assign(proto.SyncdPatch.decode(bytes), fields)).finish();

/** What is newer than the version of the client: the snapshot if it asks for it, or the next patches. */
const newer = (network: Network, account: Account, asked: Stanza, name: CollectionName): Stanza => {
  const collection = collectionOf(account, name);
  const { version = "0", return_snapshot: wantsSnapshot } = asked.attrs;
  const attrs = { name, version: String(collection.version), type: "result" };
  if (wantsSnapshot === "true" && collection.version > 0)
    return stanza("collection", attrs, [snapshotOf(network, collection)]);
  const behind = collection.patches.filter((patch) => patch.version > Number(version));
  const given = behind.slice(0, PATCHES_AT_ONCE);
  const patches = given.map((patch) =>
    stanza("patch", {}, changedPatch(patch.bytes, { version: { version: patch.version } })),
  );
  return stanza(
    "collection",
    {
      ...attrs,
      version: String(given[0] ? given[0].version - 1 : collection.version),
      has_more_patches: behind.length > given.length ? "true" : undefined,
    },
    patches.length > 0 ? [stanza("patches", {}, patches)] : [],
  );
};

const taken = (network: Network, device: Linked, asked: Stanza, name: CollectionName): Stanza => {
  const content = child(asked, "patch")?.content;
  const { account } = device;
  if (!(content instanceof Uint8Array) || !isPatch(content)) return refused(name, 400, "bad-request");
  if (Number(asked.attrs["version"]) !== collectionOf(account, name).version) return refused(name, 409, "conflict");
  addPatch(network, account, { name, bytes: content, by: device });
  listeners.get(account)?.(name);
  return stanza("collection", { name, version: String(collectionOf(account, name).version), type: "result" });
};

const isPatch = (bytes: Uint8Array): boolean => {
  try {
    const { mutations, patchMac, snapshotMac, keyId } = proto.SyncdPatch.decode(bytes);
    return mutations.length > 0 && patchMac?.length === 32 && snapshotMac?.length === 32 && Boolean(keyId?.id?.length);
  } catch {
    return false;
  }
};

const listeners = new WeakMap<Account, (name: CollectionName) => void>();

/** The phone of the account, which reads what its companions write. */
export const onCompanionPatch = (account: Account, listen: (name: CollectionName) => void): void =>
  void listeners.set(account, listen);

/** Answers questions about the app state, and takes patches of the next version alone. */
export const answerAppState = (network: Network, device: Linked, iq: Stanza): Answer => {
  const asked = children(child(iq, "sync"), "collection");
  const collections = asked.map((one) => {
    const { name = "" } = one.attrs;
    if (!isName(name)) return refused(name, 400, "bad-request");
    return child(one, "patch") ? taken(network, device, one, name) : newer(network, device.account, one, name);
  });
  network.changed();
  return [stanza("sync", {}, collections)];
};
