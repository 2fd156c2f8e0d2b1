import {
  BufferJSON,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStoreWithTransaction,
} from "@whiskeysockets/baileys";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";

type Kind = keyof SignalDataTypeMap;
type Read = KeyStore["read"];

/** A value as text that keeps its bytes. */
export const encode = (value: unknown): string => JSON.stringify(value, BufferJSON.replacer);
export const decode = (text: string): unknown => JSON.parse(text, BufferJSON.reviver);

/**
 * Kinds whose values have no bytes. Without the search for bytes, reading and writing a session takes a fifth of the
 * time.
 */
const PLAIN: ReadonlySet<string> = new Set(["session", "lid-mapping", "device-list"] satisfies Kind[]);

const textOf = (kind: string, value: unknown): string => (PLAIN.has(kind) ? JSON.stringify(value) : encode(value));
const valueOf = (kind: string, text: string): unknown => (PLAIN.has(kind) ? JSON.parse(text) : decode(text));

/** Baileys' keys as rows: their types are the kinds. */
export const rowsOf = (data: SignalDataSet): KeyRow[] =>
  Object.entries(data).flatMap(([kind, byId]) =>
    Object.entries(byId).map(([id, value]) => ({ kind, id, value: value === null ? null : textOf(kind, value) })),
  );

/** Rows as Baileys' keys. */
export const readKeys = async <T extends Kind>(
  read: Read,
  kind: T,
  ids: string[],
): Promise<{ [id: string]: SignalDataTypeMap[T] }> => {
  const rows = await read(kind, ids);
  return Object.fromEntries([...rows].map(([id, text]) => [id, keyOf(kind, text)]));
};

const keyOf = <T extends Kind>(kind: T, text: string): SignalDataTypeMap[T] => {
  const value = valueOf(kind, text);
  // for this kind Baileys requires the methods, too
  const key = kind === "app-state-sync-key" ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value;
  return key as SignalDataTypeMap[T];
};

/** The changes of one cipher operation, kept apart until they are written as a whole, or forgotten. */
export type KeyTransaction = { keys: SignalKeyStoreWithTransaction; rows(): KeyRow[] };

/**
 * A key transaction over the rows of `read`. It resolves no LIDs: callers have resolved the address before. libsignal
 * would ask the network, and it lets one operation per address run at a time in the whole process.
 */
export const transactionOver = (read: Read): KeyTransaction => {
  const changes = new Map<string, KeyRow>();
  const readChanged: Read = async (kind, ids) => {
    const untouched = ids.filter((id) => !changes.has(`${kind}/${id}`));
    const rows = untouched.length > 0 ? await read(kind, untouched) : new Map<string, string>();
    for (const id of ids) {
      const value = changes.get(`${kind}/${id}`)?.value;
      if (typeof value === "string") rows.set(id, value);
    }
    return rows;
  };
  return {
    keys: {
      get: async (kind, ids) => (kind === "lid-mapping" ? {} : readKeys(readChanged, kind, ids)),
      set: async (data) => {
        for (const row of rowsOf(data)) changes.set(`${row.kind}/${row.id}`, row);
      },
      isInTransaction: () => false,
      transaction: (work) => work(),
    },
    rows: () => [...changes.values()],
  };
};
