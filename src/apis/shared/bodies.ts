import { invalid } from "../../kernel/errors.ts";
import { lowerIn } from "../../kernel/ids.ts";
import { faultInJson } from "../../kernel/json.ts";
import { issue } from "../../kernel/schema.ts";
import type { BodyIntake } from "./body-intake.ts";
import { bodyTermsOf } from "./request.ts";
import { isStrict } from "./strict.ts";

/** A body that is not JSON as these APIs take it; the message says to its author why. */
export class Malformed extends Error {}

/**
 * More than any body of the documents needs; whoever checked a deeper or wider one would hold up everybody else for
 * seconds.
 */
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
 * What a body says: an object, or null where there is none. Every other value is refused before anything walks through
 * it: no route takes one. Throws Malformed, and VALIDATION for a value that is no object.
 */
const objectIn = (bytes: Uint8Array, contentType: string): object | null => {
  if (bytes.length === 0) return null;
  if (!isJson(contentType)) throw new Malformed(NOT_JSON);
  refuseUnreasonable(bytes);
  const value = parsed(textOf(bytes));
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(issue("", "type", "must be an object"));
  return value && withLowerIds(value);
};

/** The parts of a body that have ids of ours as it has them. What lies deeper is its author's own. */
const WITH_IDS = ["payload", "content"];

/** A body whose ids are written as they are kept. */
const withLowerIds = (body: object): object => {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "string" && name.endsWith("Id")) Object.assign(body, { [name]: lowerIn(value) });
    else if (WITH_IDS.includes(name) && typeof value === "object" && value !== null) withLowerIds(value as object);
  }
  return body;
};

const faults = new WeakMap<Request, Error>();

/**
 * What was wrong with the body of a request that `readJson` has read: it is told once permissions have been checked,
 * which Elysia does after it.
 */
export const faultOfBody = (request: Request): Error | undefined => faults.get(request);

/**
 * Bodies as they came, of requests that are to be taken strictly: what is unknown in a body is taken out of it before
 * it is checked.
 */
const asGiven = new WeakMap<Request, unknown>();
export const givenBody = (request: Request): unknown => asGiven.get(request);

type Asked = { request: Request };

/**
 * Elysia's parse hooks, which read bodies through the intake up to the limit of their route. All of them throw what its
 * `read` throws.
 */
export const bodyReaders = (intake: BodyIntake) => {
  const readRaw = ({ request }: Asked): Promise<Uint8Array> => intake.read(request, bodyTermsOf(request).maxBodyBytes);
  const readJson = async (request: Request, contentType: string): Promise<unknown> => {
    const bytes = await readRaw({ request });
    try {
      const body = objectIn(bytes, contentType);
      if (isStrict(request)) asGiven.set(request, structuredClone(body));
      return body;
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      faults.set(request, fault);
      return null;
    }
  };
  return {
    /**
     * For a face that takes JSON alone: an object, or null for an empty body of whatever type (undefined would have
     * Elysia read it once more). What is neither is null as well, and goes no further than `checkedBodies`.
     */
    readJson: ({ request }: Asked, contentType: string): Promise<unknown> => readJson(request, contentType),
    /** For an upstream's webhook: the very bytes that were signed. */
    readRaw,
  };
};
