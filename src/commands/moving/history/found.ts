import type { HistoryRow } from "../../../contract/abilities/moving.ts";
import type { SourceFile } from "./media.ts";

/**
 * What a source says of the file of a message, beside the message. `key`: the network's id of the message. `name`: of the
 * file, among those of the program. `inside`: the file lies in the source itself.
 */
export type RowFile = { key: string; name?: string; inside?: SourceFile };

/** Rows of a history with what is said of their files, by `key`, and the place in the source after the last of them. */
export type HistoryPage = { rows: HistoryRow[]; files: ReadonlyMap<string, RowFile>; to: string };

/** How many rows of each kind a history has. */
export type HistorySize = Record<HistoryRow["kind"], number>;

/**
 * The messages and contacts of a session in a source. `name`: the operator's name for it. `source`: a hash of what names
 * it. `phoneNumber`: its number, if the source says it. `pages` goes on after a place; empty for the beginning. It
 * begins anew if less was read before that place. `since`: the earliest time of messages, in seconds.
 */
export type FoundHistory = {
  name: string;
  format: string;
  source: string;
  phoneNumber: string | undefined;
  size(since: number): Promise<HistorySize>;
  pages(after: string, since: number): AsyncIterable<HistoryPage>;
};

/** A place in a source: the phase, and the last row of it. People come first, so that chats have their names. */
export type Place = { kind: HistoryRow["kind"]; at: number; id: string };

const BEGIN: Place = { kind: "person", at: 0, id: "" };

/** `since`: the earliest time of messages that were read on the way there. */
const placeText = ({ kind, at, id }: Place, since: number): string => `${kind} ${since} ${at} ${id}`;

/**
 * The place in a text that `placeText` wrote. It is the beginning for any other text, and if messages before it were
 * left out that are wanted now.
 */
const placeIn = (text: string, since: number): Place => {
  const [, kind, before, at, id = ""] = /^(person|message) (\d{1,15}) (\d{1,15}) (.*)$/s.exec(text) ?? [];
  const isKind = kind === "person" || kind === "message";
  return isKind && Number(before) <= since ? { kind, at: Number(at), id } : BEGIN;
};

/** Whether reading after this place begins anew. */
export const isBeginning = (after: string, since: number): boolean => placeIn(after, since) === BEGIN;

/** The most rows and characters of a page: bounded memory, and short writes. */
const ROWS_OF_PAGE = 200;
const CHARS_OF_PAGE = 2 * 1024 * 1024;
/** Longer rows are cut, and then refused as unreadable. */
export const ROW_CHARS = 1024 * 1024;

/** A row with its place. */
export type PlacedRow = { at: number; id: string; text: string; file?: RowFile };

/** Gathers rows of both phases into pages. `rowsOf`: the rows of a phase after a place, in their order. */
export async function* gatheredPages(
  { after, since }: { after: string; since: number },
  rowsOf: (place: Place) => AsyncIterable<PlacedRow>,
): AsyncGenerator<HistoryPage, void> {
  const begin = placeIn(after, since);
  const phases: Place[] = begin.kind === "person" ? [begin, { kind: "message", at: 0, id: "" }] : [begin];
  for (const phase of phases) {
    let [rows, chars, to]: [HistoryRow[], number, string] = [[], 0, ""];
    let files = new Map<string, RowFile>();
    for await (const { text, file, ...row } of rowsOf(phase)) {
      rows.push({ kind: phase.kind, text });
      if (file) files.set(file.key, file);
      chars += text.length;
      to = placeText({ kind: phase.kind, ...row }, since);
      if (rows.length < ROWS_OF_PAGE && chars < CHARS_OF_PAGE) continue;
      yield { rows, files, to };
      [rows, chars] = [[], 0];
      files = new Map<string, RowFile>();
    }
    if (rows.length > 0) yield { rows, files, to };
  }
}
