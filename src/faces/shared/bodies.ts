import { isTooLarge, MAX_BODY_BYTES, MAX_LONG_BODY_BYTES, MAX_WEBHOOK_BYTES } from "./request.ts";

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

/** The bytes of a body. Throws TooLarge when they are more than the limit. */
export const readBytes = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  if (isTooLarge(request, maxBytes)) throw new TooLarge();
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
export const readJson = ({ request }: { request: Request }, contentType: string): Promise<unknown> => readJsonUpTo(request, contentType, MAX_BODY_BYTES);

/** The same for the routes that take more. */
export const readLongJson = ({ request }: { request: Request }, contentType: string): Promise<unknown> => readJsonUpTo(request, contentType, MAX_LONG_BODY_BYTES);

const unreadable = new WeakSet<Request>();

/**
 * As `readJson`, for a face that checks permissions: Elysia reads a body before it does. What `readJson` throws for is null here, and noted; such a request gets no
 * further than `refuseUnreadable`. Throws TooLarge.
 */
export const readJsonOrNote = async ({ request }: { request: Request }, contentType: string): Promise<unknown> => {
  try {
    return await readJson({ request }, contentType);
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    unreadable.add(request);
    return null;
  }
};

/** Whether the body of a request could not be read. */
export const isUnreadable = (request: Request): boolean => unreadable.has(request);

/** Elysia's hook before handlers, after all that is checked: throws for a request whose body could not be read. */
export const refuseUnreadable = ({ request }: { request: Request }): void => {
  if (isUnreadable(request)) throw new Error("the body could not be read");
};

const readJsonUpTo = async (request: Request, contentType: string, maxBytes: number): Promise<unknown> => {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return null; // undefined would have Elysia read it once more
  if (!isJson(contentType) || !isReasonable(bytes)) throw new Error("the body is not what a JSON API takes");
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), withoutPrototype);
};

/** A body as it comes, for routes that never hold it as a whole. */
export const streamOf = ({ body }: Request): AsyncIterable<Uint8Array> => body ?? nothing();
async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Elysia's parse hook for an upstream's webhook: the very bytes that were signed. Throws TooLarge. */
export const readRaw = ({ request }: { request: Request }): Promise<Uint8Array> => readBytes(request, MAX_WEBHOOK_BYTES);
