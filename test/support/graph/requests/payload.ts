import { type FormPart, partsOf } from "./multipart.ts";

/** The body of a request: its bytes, the parts of its multipart form if it has one, and its content (`shown`). */
export type Payload = { bytes: Uint8Array; form: ReadonlyMap<string, FormPart> | undefined; shown: unknown };

/**
 * Reads a body by its content type. Other types than JSON, forms and text are shown only by their length. Broken JSON
 * is shown as text.
 */
export const payloadOf = async (request: Request): Promise<Payload> => {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const contentType = request.headers.get("content-type") ?? "";
  const form = contentType.startsWith("multipart/form-data") ? partsOf(bytes, contentType) : undefined;
  return { bytes, form, shown: form ? shownForm(form) : shownBytes(bytes, contentType) };
};

const shownForm = (form: ReadonlyMap<string, FormPart>): Record<string, unknown> =>
  Object.fromEntries(
    [...form].map(([name, { filename, type, bytes }]) => [
      name,
      filename === undefined ? new TextDecoder().decode(bytes) : { name: filename, type, sizeBytes: bytes.length },
    ]),
  );

const shownBytes = (bytes: Uint8Array, contentType: string): unknown => {
  if (bytes.length === 0) return undefined;
  if (!/^(application\/json|application\/x-www-form-urlencoded|text\/)/.test(contentType))
    return `<${bytes.length} bytes>`;
  const text = new TextDecoder().decode(bytes);
  if (contentType.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  return contentType.startsWith("application/json") ? jsonOrText(text) : text;
};

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
