/** The text of a document, in Markdown where it has tables or headings, or why it cannot be read. */
export type ReadDocument =
  | { ok: true; title: string | null; text: string }
  | {
      ok: false;
      reason: "UNSUPPORTED_TYPE" | "OLD_FORMAT" | "ENCRYPTED" | "UNREADABLE" | "TOO_LONG" | "TOO_LARGE" | "EMPTY";
    };

/**
 * Reads text, Markdown, HTML, CSV, JSON, PDF, DOCX, XLSX, PPTX, ODT, ODS and ODP. The format follows from the content,
 * else the media type, else the file name's ending. The length of the text is limited. A document that needs too much time or memory is unreadable.
 * @throws only when this machine cannot read documents now.
 */
export type ReadText = (document: { bytes: Uint8Array; contentType: string; name: string }) => Promise<ReadDocument>;
