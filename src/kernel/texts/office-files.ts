/** The formats of office programs that can be read. */
export const OFFICE_KINDS = ["docx", "xlsx", "pptx", "odt", "ods", "odp"] as const;
export type OfficeKind = (typeof OFFICE_KINDS)[number];

/**
 * What a file of an office program is: a format, `encrypted` by a password, or of an `old` format, such as .doc, .xls,
 * .ppt, .xlsb and .rtf.
 */
export type OfficeFile = OfficeKind | "encrypted" | "old";

/** TABLE: the format by the part that a ZIP archive has. https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
const KIND_BY_PART: ReadonlyMap<string, OfficeFile> = new Map([
  ["word/document.xml", "docx"],
  ["word/document2.xml", "docx"], // what Word for the web writes
  ["xl/workbook.xml", "xlsx"],
  ["xl/workbook.bin", "old"],
  ["ppt/presentation.xml", "pptx"],
]);
const ODF = "mimetypeapplication/vnd.oasis.opendocument.";
/** TABLE: the format by the end of its media type, which the first entry of the archive has. */
const KIND_BY_MIMETYPE: readonly (readonly [string, OfficeKind])[] = [
  ["text", "odt"],
  ["spreadsheet", "ods"],
  ["presentation", "odp"],
];

const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const RTF = [0x7b, 0x5c, 0x72, 0x74, 0x66]; // {\rtf
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const beginsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);

const latin1 = new TextDecoder("latin1");
/** The name that the directory of an OLE file has for what a password protects, in UTF-16. */
const ENCRYPTED = "EncryptedPackage".split("").join("\0");

/**
 * The format of an office program's file, by its content; undefined for any other file.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export const officeFileOf = (bytes: Uint8Array): OfficeFile | undefined => {
  if (beginsWith(bytes, OLE)) return latin1.decode(bytes).includes(ENCRYPTED) ? "encrypted" : "old";
  if (beginsWith(bytes, RTF)) return "old";
  if (!beginsWith(bytes, ZIP)) return undefined;
  const head = latin1.decode(bytes.subarray(30, 120));
  if (head.startsWith(ODF)) return KIND_BY_MIMETYPE.find(([ending]) => head.startsWith(ending, ODF.length))?.[1];
  const names = new Set<string>();
  for (const { name } of entriesOf(bytes)) {
    const kind = KIND_BY_PART.get(name);
    if (kind) return kind;
    names.add(name);
  }
  // its media type is packed, or not first: all three kinds are read alike
  return names.has("content.xml") && names.has("META-INF/manifest.xml") ? "odt" : undefined;
};

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
/** Documents have some dozens of entries; one for each picture. */
const MOST_ENTRIES = 10_000;

/** An entry of a ZIP archive. `bytes`: unpacked; Infinity if the directory does not say how many. */
type Entry = { name: string; bytes: number };
const DESCRIPTOR = 0b1000;
/** What deflate writes for nothing. */
const NOTHING_BYTES = 2;
const IN_EXTRA = 0xffff_ffff;
const ZIP64 = 0x0001;

/** The entries of a ZIP archive, as its directory lists them. None of a broken archive. */
function* entriesOf(bytes: Uint8Array): Generator<Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - END_BYTES;
  const first = Math.max(0, end - LONGEST_COMMENT);
  while (end >= first && view.getUint32(end, true) !== END) end--;
  if (end < first) return;
  let at = view.getUint32(end + 16, true);
  for (let n = 0; n < MOST_ENTRIES; n++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) return;
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ];
    const behind = at + ENTRY_BYTES + name;
    yield {
      // some programs of Windows write paths as there
      name: latin1.decode(bytes.subarray(at + ENTRY_BYTES, behind)).replaceAll("\\", "/"),
      bytes: sizeOf(view, at, { from: behind, to: Math.min(behind + extra, bytes.length) }),
    };
    at = behind + extra + comment;
  }
}

/** The unpacked size of the entry whose record begins here. A size of zero beside data hides the true one. */
const sizeOf = (view: DataView, at: number, extra: { from: number; to: number }): number => {
  const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  if (unpacked === IN_EXTRA) return sizeInExtra(view, extra) ?? Number.POSITIVE_INFINITY;
  if (unpacked > 0) return unpacked;
  const isDescribedLater = packed === 0 && (view.getUint16(at + 8, true) & DESCRIPTOR) !== 0;
  return isDescribedLater || packed > NOTHING_BYTES ? Number.POSITIVE_INFINITY : 0;
};

const sizeInExtra = (view: DataView, { from, to }: { from: number; to: number }): number | undefined => {
  for (let at = from; at + 12 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === ZIP64) return Number(view.getBigUint64(at + 4, true));
  return undefined;
};

/** How many bytes all entries of a ZIP archive unpack to; Infinity if the directory hides it or has too many entries. */
export const unpackedBytes = (bytes: Uint8Array): number => {
  let sum = 0;
  let entries = 0;
  for (const entry of entriesOf(bytes)) {
    // a folder has no data, whatever its record says
    if (!entry.name.endsWith("/")) sum += entry.bytes;
    entries += 1;
  }
  return entries === MOST_ENTRIES ? Number.POSITIVE_INFINITY : sum;
};
