import type { ReadDocument } from "../../contract/ports/documents.ts";
import { decodeText } from "../../kernel/texts/charsets.ts";
import { metaCharsetOf } from "./document-charsets.ts";
import { readHtml } from "./document-html.ts";
import type { DocumentKind } from "./document-kinds.ts";
import { Encrypted, TooLarge, withSlashes } from "./document-parts.ts";
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
    case "docx":
      return (await import("./document-office.ts")).readDocx(await withSlashes(bytes));
    case "pptx":
      return (await import("./document-office.ts")).readPptx(await withSlashes(bytes));
    case "odt":
    case "ods":
    case "odp":
      return (await import("./document-office.ts")).readOdf(await withSlashes(bytes));
    case "xlsx":
      return (await import("./document-sheets.ts")).readXlsx(await withSlashes(bytes));
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
    return { ok: false, reason: reasonOf(error) };
  }
};

const reasonOf = (error: unknown): Extract<ReadDocument, { ok: false }>["reason"] => {
  if (error instanceof TooLong) return "TOO_LONG";
  if (error instanceof TooLarge) return "TOO_LARGE";
  // the second is what pdf.js throws
  const isEncrypted = error instanceof Encrypted || (error instanceof Error && error.name === "PasswordException");
  return isEncrypted ? "ENCRYPTED" : "UNREADABLE";
};
