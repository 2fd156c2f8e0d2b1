import type { ReadDocument } from "../../contract/ports/documents.ts";
import { decodeText } from "../../kernel/texts/charsets.ts";
import { metaCharsetOf } from "./document-charsets.ts";
import { readHtml } from "./document-html.ts";
import type { DocumentKind } from "./document-kinds.ts";
import { readPdf } from "./document-pdf.ts";
import { TooLong, tidy } from "./document-text.ts";

export type Unread = { bytes: Uint8Array; kind: DocumentKind; charset: string | undefined };
type Raw = { title: string | null; text: string };

const untitled = (text: string): Raw => ({ title: null, text });

const rawText = async ({ bytes, kind, charset }: Unread): Promise<Raw> => {
  switch (kind) {
    case "text":
      return untitled(decodeText(bytes, charset).text);
    case "html":
      return readHtml(decodeText(bytes, charset ?? metaCharsetOf(bytes)).text);
    case "csv":
      return untitled((await import("./document-tables.ts")).tableText(decodeText(bytes, charset).text));
    case "json":
      return untitled((await import("./document-tables.ts")).readJson(decodeText(bytes, charset).text));
    case "pdf":
      return readPdf(bytes);
  }
};

/** Reads a document in this process, without limits of time and memory. Never throws. */
export const readHere = async (unread: Unread): Promise<ReadDocument> => {
  try {
    const { title, text } = await rawText(unread);
    if (unread.kind === "text" && text.includes("\0")) return { ok: false, reason: "UNREADABLE" };
    const tidied = tidy(text);
    return tidied === ""
      ? { ok: false, reason: "EMPTY" }
      : { ok: true, title: title && tidy(title).replaceAll("\n", " "), text: tidied };
  } catch (error) {
    return { ok: false, reason: error instanceof TooLong ? "TOO_LONG" : "UNREADABLE" };
  }
};
