import { MAX_BODY_BYTES, MAX_WEBHOOK_BYTES } from "./request.ts";

/** A body over the limit whose headers did not say so. */
export class TooLarge extends Error {}

/** More than any body of the documents needs; whoever checked a deeper or wider one would hold up everybody else for seconds. */
const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** What each bracket does to the depth. */
const STEPS: Readonly<Record<number, number>> = { 0x5b: 1, 0x7b: 1, 0x5d: -1, 0x7d: -1 };

const isReasonable = (bytes: Uint8Array): boolean => {
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values += 1;
    else depth += STEPS[byte] ?? 0;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false;
  }
  return true;
};

/** The bytes of a body as far as the limit lets them. A length that was declared has been checked against it already. */
const bytesOf = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  if (request.headers.has("content-length")) return request.bytes();
  const body: AsyncIterable<Uint8Array> | Uint8Array[] = request.body ?? [];
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isJson = (contentType: string): boolean => contentType.trim().toLowerCase() === "application/json";

/** Copying such a name, as the cleaning of bodies does, would set what an object inherits instead. */
const withoutPrototype = (name: string, value: unknown): unknown => (name === "__proto__" ? undefined : value);

/**
 * Elysia's parse hook for a face that takes JSON alone; null for an empty body, of whatever type. Throws for another content type, for what is
 * not JSON in UTF-8 or nested beyond reason, and TooLarge.
 */
export const readJson = async ({ request }: { request: Request }, contentType: string): Promise<unknown> => {
  const bytes = await bytesOf(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return null; // undefined would have Elysia read it once more
  if (!isJson(contentType) || !isReasonable(bytes)) throw new Error("the body is not what a JSON API takes");
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), withoutPrototype);
};

/** Elysia's parse hook for an upstream's webhook: the very text that was signed. Throws TooLarge. */
export const readText = async ({ request }: { request: Request }): Promise<string> => new TextDecoder().decode(await bytesOf(request, MAX_WEBHOOK_BYTES));
