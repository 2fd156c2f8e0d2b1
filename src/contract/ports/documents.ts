/** The plain text of a document, or why it cannot be read. */
export type ReadDocument =
  | { ok: true; title: string | null; text: string }
  | { ok: false; reason: "UNSUPPORTED_TYPE" | "UNREADABLE" | "TOO_LONG" | "EMPTY" };

/**
 * Reads text, Markdown, HTML, CSV, JSON and PDF. The format follows from the first bytes, else the media type, else the
 * file name's ending. The length of the text is limited. A document that needs too much time or memory is unreadable.
 * @throws only when this machine cannot read documents now.
 */
export type ReadText = (document: { bytes: Uint8Array; contentType: string; name: string }) => Promise<ReadDocument>;
