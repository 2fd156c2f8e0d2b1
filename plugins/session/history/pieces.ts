import { proto } from "@whiskeysockets/baileys";
import type { HistoryMode } from "../../../src/contract/abilities/history.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";

/** The kind of the rows of pieces that wait for import: each by its id, and their list. */
const KIND = "history";
const LIST = "pending";
/** A phone sends some dozens; above this number the newest are dropped. */
const MOST_PENDING = 500;

/** A piece that the phone has announced, and the number of its imported messages. */
export type Piece = { announced: proto.Message.IHistorySyncNotification; done: number };
type Stored = { announced: string; done: number };

const { HistorySyncType } = proto.Message;
const TAKEN: Readonly<Record<HistoryMode, readonly number[]>> = {
  none: [],
  recent: [HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT],
  full: [HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.FULL],
};

/** Whether a piece is imported. A requested history of a chat always is, even if it comes late. */
export const isTaken = ({ syncType }: proto.Message.IHistorySyncNotification, mode: HistoryMode): boolean =>
  syncType === HistorySyncType.ON_DEMAND || TAKEN[mode].includes(syncType ?? -1);

/** The ids of the pieces that wait for import. */
export const listPending = async (keyStore: Pick<KeyStore, "read">): Promise<string[]> => {
  const value = (await keyStore.read(KIND, [LIST])).get(LIST);
  return value === undefined ? [] : (JSON.parse(value) as string[]); // written by `listRow` alone
};

const listRow = (ids: readonly string[]): KeyRow => ({
  kind: KIND,
  id: LIST,
  value: ids.length === 0 ? null : JSON.stringify(ids.slice(0, MOST_PENDING)),
});

/** A piece that waits for import; undefined for any other id. */
export const readPiece = async (keyStore: Pick<KeyStore, "read">, id: string): Promise<Piece | undefined> => {
  const value = (await keyStore.read(KIND, [id])).get(id);
  if (value === undefined) return undefined;
  const { announced, done } = JSON.parse(value) as Stored; // written by `pieceRow` alone
  return { announced: proto.Message.HistorySyncNotification.decode(Buffer.from(announced, "base64")), done };
};

const pieceRow = (id: string, { announced, done }: Piece): KeyRow => {
  const bytes = proto.Message.HistorySyncNotification.encode(announced).finish();
  const stored: Stored = { announced: Buffer.from(bytes).toString("base64"), done };
  return { kind: KIND, id, value: JSON.stringify(stored) };
};

/** The rows of a new piece. */
export const addedRows = (
  pending: readonly string[],
  id: string,
  announced: proto.Message.IHistorySyncNotification,
): KeyRow[] => [pieceRow(id, { announced, done: 0 }), listRow([...new Set([...pending, id])])];

/** The row of a piece after more of its messages were imported. */
export const advancedRow = (id: string, piece: Piece): KeyRow => pieceRow(id, piece);

/** The rows of a finished piece. */
export const endedRows = (pending: readonly string[], id: string): KeyRow[] => [
  { kind: KIND, id, value: null },
  listRow(pending.filter((one) => one !== id)),
];
