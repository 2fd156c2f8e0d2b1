import { documentEndingOf, essenceOf } from "../../kernel/texts/media-types.ts";
import { OFFICE_KINDS, officeFileOf } from "../../kernel/texts/office-files.ts";

/** The formats of documents that can be read. */
export const DOCUMENT_KINDS = ["text", "html", "csv", "json", "pdf", ...OFFICE_KINDS] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** TABLE: the format of a document, by the ending of its name or the ending that belongs to its media type. */
const KINDS_BY_ENDING: ReadonlyMap<string, DocumentKind> = new Map([
  ["txt", "text"],
  ["md", "text"],
  ["markdown", "text"],
  ["html", "html"],
  ["htm", "html"],
  ["csv", "csv"],
  ["json", "json"],
  ["pdf", "pdf"],
  ...OFFICE_KINDS.map((kind) => [kind, kind] as const),
]);
const SAYS_NOTHING = new Set(["", "application/octet-stream", "binary/octet-stream"]);

const PDF_MARK = "%PDF-";
const MARK_WITHIN_BYTES = 1024;

/** What a document is, by its bytes, its media type and its name; undefined if it is none. */
export const kindOf = ({
  bytes,
  contentType,
  name,
}: {
  bytes: Uint8Array;
  contentType: string;
  name: string;
}): DocumentKind | "encrypted" | "old" | undefined => {
  const office = officeFileOf(bytes);
  if (office) return office;
  if (Buffer.from(bytes.subarray(0, MARK_WITHIN_BYTES)).includes(PDF_MARK)) return "pdf";
  const ending = SAYS_NOTHING.has(essenceOf(contentType))
    ? name.split(".").at(-1)?.toLowerCase()
    : documentEndingOf(contentType);
  return KINDS_BY_ENDING.get(ending ?? "");
};
