import { proto } from "@whiskeysockets/baileys";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { decode, encode } from "../keys/rows.ts";
import {
  COLLECTIONS,
  type Collection,
  type FindKey,
  type MacChanges,
  NOTHING,
  type ReadMacs,
  type Version,
} from "./patches.ts";

type Reader = Pick<KeyStore, "read">;

/** The kinds of the rows: a collection's version, the MACs of its values, what has to be read, and what was known. */
const VERSION = "app-state";
const MACS = "app-state-macs";
const DUE = "app-state-due";
const FORGOTTEN = "app-state-forgotten";
/** The kind that Baileys has for the keys, and for the collections as it kept them. */
const KEY = "app-state-sync-key";
const OLD = "app-state-sync-version";
/** The row of the newest key. */
const NEWEST_KEY = "newest-key";

/**
 * The MACs of a collection lie in one row for each first character of their indexes. A patch changes a row or two, and
 * an address book of thousands of people is never one row.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const placeOf = (name: Collection, indexMac: string): string => `${name}/${indexMac.slice(0, 1)}`;

type Stored = { version: number; hash: string };

/** The version of a collection that is known here; undefined if nothing is. */
export const versionOf = async ({ read }: Reader, name: Collection): Promise<Version | undefined> => {
  const text = (await read(VERSION, [name])).get(name);
  if (text === undefined) return undefined;
  const { version, hash } = JSON.parse(text) as Stored; // written here
  return { version, hash: Buffer.from(hash, "base64") };
};

const pagesOf = async ({ read }: Reader, name: Collection, indexes: Iterable<string>) => {
  const places = [...new Set([...indexes].map((index) => placeOf(name, index)))];
  const rows = await read(MACS, places);
  return new Map(
    places.map((place) => [
      place,
      new Map(Object.entries(JSON.parse(rows.get(place) ?? "{}") as Record<string, string>)),
    ]),
  );
};

export const macReader =
  (reader: Reader, name: Collection): ReadMacs =>
  async (indexes) => {
    const pages = await pagesOf(reader, name, indexes);
    return new Map(
      indexes.flatMap((index) => {
        const mac = pages.get(placeOf(name, index))?.get(index);
        return mac === undefined ? [] : [[index, mac] as const];
      }),
    );
  };

/** The rows of a collection after a patch. */
export const patchedRows = async (
  reader: Reader,
  name: Collection,
  { after, macs }: { after: Version; macs: MacChanges },
): Promise<KeyRow[]> => {
  const pages = await pagesOf(reader, name, macs.keys());
  for (const [index, mac] of macs) {
    const page = pages.get(placeOf(name, index));
    if (mac === null) page?.delete(index);
    else page?.set(index, mac);
  }
  return [versionRow(name, after), ...[...pages].map(([place, page]) => pageRow(place, page))];
};

/** The rows of a collection after a snapshot, which replaces all of them. */
export const replacedRows = (name: Collection, { after, macs }: { after: Version; macs: MacChanges }): KeyRow[] => {
  const pages = new Map(ALPHABET.split("").map((letter) => [`${name}/${letter}`, new Map<string, string>()]));
  for (const [index, mac] of macs) if (mac !== null) pages.get(placeOf(name, index))?.set(index, mac);
  return [
    versionRow(name, after),
    ...[...pages].map(([place, page]) => pageRow(place, page)),
    oldRow(name),
    forgotten(name, false),
  ];
};

/** The rows by which a collection is forgotten. */
export const forgottenRows = (name: Collection): KeyRow[] => [
  { kind: VERSION, id: name, value: null },
  ...replacedRows(name, { after: NOTHING, macs: new Map() }).slice(1, -1),
  forgotten(name, true),
];

/** Whether a collection was known, and is forgotten since: its values are still in the chats here. */
export const isForgotten = async ({ read }: Reader, name: Collection): Promise<boolean> =>
  (await read(FORGOTTEN, [name])).has(name);

const forgotten = (id: Collection, is: boolean): KeyRow => ({ kind: FORGOTTEN, id, value: is ? "1" : null });

const versionRow = (name: Collection, { version, hash }: Version): KeyRow => ({
  kind: VERSION,
  id: name,
  value: JSON.stringify({ version, hash: Buffer.from(hash).toString("base64") } satisfies Stored),
});
const pageRow = (id: string, page: ReadonlyMap<string, string>): KeyRow => ({
  kind: MACS,
  id,
  value: page.size === 0 ? null : JSON.stringify(Object.fromEntries(page)),
});
const oldRow = (name: Collection): KeyRow => ({ kind: OLD, id: name, value: null });

/** The row that says that a collection has to be read, or no longer. */
export const dueRow = (name: Collection, isDue: boolean): KeyRow => ({
  kind: DUE,
  id: name,
  value: isDue ? "1" : null,
});

/** The collections that have to be read: those that the network has named, and those that never were. */
export const dueOf = async (reader: Reader): Promise<Collection[]> => {
  const [due, known] = [await reader.read(DUE, COLLECTIONS), await reader.read(VERSION, COLLECTIONS)];
  return COLLECTIONS.filter((name) => due.has(name) || !known.has(name));
};

export const keyFinder =
  ({ read }: Reader): FindKey =>
  async (id) => {
    const text = (await read(KEY, [id])).get(id);
    if (text === undefined) return undefined;
    return proto.Message.AppStateSyncKeyData.fromObject(decode(text) as object).keyData ?? undefined;
  };

/** The id of the newest key that the phone has shared; undefined without one. */
export const newestKey = async ({ read }: Reader): Promise<string | undefined> =>
  (await read(VERSION, [NEWEST_KEY])).get(NEWEST_KEY);

/** The rows of the keys in a message of the phone; none for another message. */
export const sharedKeyRows = (message: proto.IMessage): KeyRow[] => {
  const keys = (message.protocolMessage?.appStateSyncKeyShare?.keys ?? []).flatMap(({ keyId, keyData }) =>
    keyId?.keyId?.length && keyData?.keyData?.length
      ? [{ kind: KEY, id: Buffer.from(keyId.keyId).toString("base64"), value: encode(keyData) }]
      : [],
  );
  const last = keys.at(-1);
  return last ? [...keys, { kind: VERSION, id: NEWEST_KEY, value: last.id }] : [];
};
