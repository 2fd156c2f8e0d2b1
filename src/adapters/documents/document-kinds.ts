import { decodeText } from "../../kernel/texts/charsets.ts";
import { fileTypeOf, saysNothing } from "../../kernel/texts/file-types.ts";
import { documentEndingOf, EXCEL, essenceOf } from "../../kernel/texts/media-types.ts";
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
  ["tsv", "csv"],
  ["json", "json"],
  ["pdf", "pdf"],
  ...OFFICE_KINDS.map((kind) => [kind, kind] as const),
]);
const PDF_MARK = "%PDF-";
const MARK_WITHIN_BYTES = 1024;

type Unknown = { bytes: Uint8Array; contentType: string; name: string };

/** What a document is, by its bytes, its media type and its name; undefined if it is none. */
export const kindOf = async (document: Unknown): Promise<DocumentKind | "encrypted" | "old" | undefined> => {
  const office = officeFileOf(document.bytes);
  if (office) return office;
  if (Buffer.from(document.bytes.subarray(0, MARK_WITHIN_BYTES)).includes(PDF_MARK)) return "pdf";
  const ending = await endingOf(document);
  const isCalledXls = /\.xls$/i.test(document.name) || essenceOf(document.contentType) === EXCEL;
  if (isCalledXls && !document.bytes.subarray(0, MARK_WITHIN_BYTES).includes(0)) return kindOfXlsText(document.bytes);
  return KINDS_BY_ENDING.get(ending ?? "");
};

const PAGE = /^\s*<(?!\?xml)[a-z!]/i;
/** What programs for the web write and call .xls: a page with a table, the XML of Excel 2003, or a table of text. */
const kindOfXlsText = (bytes: Uint8Array): DocumentKind | "old" => {
  const { text } = decodeText(bytes.subarray(0, MARK_WITHIN_BYTES));
  if (PAGE.test(text) || /<(?:html|table)[\s>]/i.test(text)) return "html";
  return /^\s*<\?xml/i.test(text) ? "old" : "csv";
};

/** The name counts where the type says little: hosts of source code serve tables as plain text. */
const endingOf = async ({ bytes, contentType, name }: Unknown): Promise<string | undefined> => {
  const ending = name.split(".").at(-1)?.toLowerCase();
  const essence = essenceOf(contentType);
  if (essence === "" || saysNothing(essence)) return ending;
  if (essence === "text/plain" && (ending === "csv" || ending === "tsv")) return ending;
  return documentEndingOf(essence === EXCEL ? await fileTypeOf({ head: bytes, name, declared: essence }) : essence);
};
