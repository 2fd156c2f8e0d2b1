import { collector } from "./document-text.ts";

/**
 * The text of a PDF's pages, in order.
 *
 * @throws TooLong, and for a file that is not a PDF or is protected by a password.
 */
export const readPdf = async (bytes: Uint8Array): Promise<{ title: string | null; text: string }> => {
  const { getDocumentProxy, getMeta } = await import("unpdf");
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  const { add, text } = collector();
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    for (const item of items) if ("str" in item) add(item.hasEOL ? `${item.str}\n` : item.str);
    add("\n\n");
  }
  const { info } = await getMeta(pdf);
  const title: unknown = info["Title"];
  return { title: typeof title === "string" && title.trim() !== "" ? title.trim() : null, text: text() };
};
