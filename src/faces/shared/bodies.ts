import { invalid } from "../../kernel/errors.ts";
import { faultInJson } from "../../kernel/json.ts";
import { issue } from "../../kernel/schema.ts";
import { isTooLarge, MAX_BODY_BYTES, MAX_LONG_BODY_BYTES, MAX_WEBHOOK_BYTES } from "./request.ts";

/** A body over the limit whose headers did not say so. */
export class TooLarge extends Error {}

/** A body that is not JSON as these APIs take it; the message says to its author why. */
export class Malformed extends Error {}

/** More than any body of the documents needs; whoever checked a deeper or wider one would hold up everybody else for seconds. */
const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;
/** Two for each character of the longest chat. Reading one takes ten times as long as reading a character. */
const MAX_ESCAPES = 2 * 200 * 8000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** What each byte does to the depth: an array, because the loop below looks at 20 million of them in a moment. */
const STEPS = new Int8Array(256);
for (const opening of "[{") STEPS[opening.charCodeAt(0)] = 1;
for (const closing of "]}") STEPS[closing.charCodeAt(0)] = -1;

/** Throws Malformed for what would take seconds to check. */
const refuseUnreasonable = (bytes: Uint8Array): void => {
  let depth = 0;
  let values = 0;
  let escapes = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number; // below the length
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (byte !== BACKSLASH) continue;
      at += 1;
      escapes += 1;
    } else if (byte === COMMA) values += 1;
    else depth += STEPS[byte] as number; // of 256
    if (depth > MAX_DEPTH) throw new Malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (values > MAX_VALUES) throw new Malformed(`The body has more than ${MAX_VALUES} values.`);
  }
  if (escapes > MAX_ESCAPES) throw new Malformed(`The body has more than ${MAX_ESCAPES} escaped characters.`);
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

/** What is said of a body of another type: most often it is the one that a client sends by default. */
export const NOT_JSON = "The body must be JSON, sent as Content-Type: application/json.";

const isJson = (contentType: string): boolean => contentType.trim().toLowerCase() === "application/json";

/** Copying such a name, as the cleaning of bodies does, would set what an object inherits instead. */
const withoutPrototype = (name: string, value: unknown): unknown => (name === "__proto__" ? undefined : value);

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Malformed("The body is not text in UTF-8.");
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, withoutPrototype);
  } catch {
    throw new Malformed(`The body is not JSON: ${faultInJson(text)}.`);
  }
};

/**
 * What a body says: an object, or null where there is none. Every other value is refused before anything walks through it: no route takes one. Throws Malformed,
 * and VALIDATION for a value that is no object.
 */
const objectIn = (bytes: Uint8Array, contentType: string): object | null => {
  if (bytes.length === 0) return null;
  if (!isJson(contentType)) throw new Malformed(NOT_JSON);
  refuseUnreasonable(bytes);
  const value = parsed(textOf(bytes));
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(issue("", "type", "must be an object"));
  return value;
};

const faults = new WeakMap<Request, Error>();

/** What was wrong with the body of a request that `readJson` has read: it is told once permissions have been checked, which Elysia does after it. */
export const faultOfBody = (request: Request): Error | undefined => faults.get(request);

const readJsonUpTo = async (request: Request, contentType: string, maxBytes: number): Promise<unknown> => {
  const bytes = await readBytes(request, maxBytes);
  try {
    return objectIn(bytes, contentType);
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    faults.set(request, fault);
    return null;
  }
};

/**
 * Elysia's parse hook for a face that takes JSON alone: an object, or null for an empty body of whatever type (undefined would have Elysia read it once more). What is
 * neither is null as well, and goes no further than `checkedBodies`. Throws TooLarge.
 */
export const readJson = ({ request }: { request: Request }, contentType: string): Promise<unknown> => readJsonUpTo(request, contentType, MAX_BODY_BYTES);

/** The same for the routes that take more. */
export const readLongJson = ({ request }: { request: Request }, contentType: string): Promise<unknown> => readJsonUpTo(request, contentType, MAX_LONG_BODY_BYTES);

/** A body as it comes, for routes that never hold it as a whole. */
export const streamOf = ({ body }: Request): AsyncIterable<Uint8Array> => body ?? nothing();
async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Elysia's parse hook for an upstream's webhook: the very bytes that were signed. Throws TooLarge. */
export const readRaw = ({ request }: { request: Request }): Promise<Uint8Array> => readBytes(request, MAX_WEBHOOK_BYTES);
