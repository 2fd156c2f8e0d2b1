import { invalid } from "../../../kernel/errors.ts";
import { lowerIn } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { excessOf, FOREIGN_JSON, faultInJson, type JsonLimits } from "../../../kernel/texts/json.ts";
import type { BodyIntake } from "./body-intake.ts";
import { bodyTermsOf } from "./request.ts";
import { isStrict } from "./strict.ts";

/** A body that is not JSON as these APIs accept it. The message is for the client. */
export class Malformed extends Error {}

const { depth: MAX_DEPTH, values: MAX_VALUES, escapes: MAX_ESCAPES } = FOREIGN_JSON;

const EXCESSES: Readonly<Record<keyof JsonLimits, string>> = {
  depth: `The body is nested deeper than ${MAX_DEPTH} levels.`,
  values: `The body has more than ${MAX_VALUES} values.`,
  escapes: `The body has more than ${MAX_ESCAPES} escaped characters.`,
};

/** Throws Malformed for a body that would take seconds to check. */
const refuseUnreasonable = (bytes: Uint8Array): void => {
  const excess = excessOf(bytes);
  if (excess) throw new Malformed(EXCESSES[excess]);
};

/** The message for a body of another content type, most often the default of a client library. */
export const NOT_JSON = "The body must be JSON, sent as Content-Type: application/json.";

const isJson = (contentType: string): boolean => contentType.trim().toLowerCase() === "application/json";

/** The cleaner copies fields; to copy a field of this name would set the prototype instead. */
const withoutPrototype = (name: string, value: unknown): unknown => (name === "__proto__" ? undefined : value);

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Malformed("The body is not text in UTF-8.");
  }
};

/** Whether a field can have that name, which escapes may hide. Most texts have none, and are parsed faster. */
const mayNamePrototype = (text: string): boolean => text.includes("__proto__") || text.includes("\\u");

const parsed = (text: string): unknown => {
  try {
    return mayNamePrototype(text) ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch {
    throw new Malformed(`The body is not JSON: ${faultInJson(text)}.`);
  }
};

/**
 * Parses a body: an object, or null for an empty one. Any other value is refused before the checks of the route.
 *
 * @throws Malformed for invalid JSON, and AppError VALIDATION for a value that is not an object.
 */
const objectIn = (bytes: Uint8Array, contentType: string): object | null => {
  if (bytes.length > 0 && !isJson(contentType)) throw new Malformed(NOT_JSON);
  const value = jsonObjectIn(bytes);
  return value && withLowerIds(value);
};

/** The object of a JSON text; null for an empty one. Throws as above. */
export const jsonObjectIn = (bytes: Uint8Array): object | null => {
  if (bytes.length === 0) return null;
  refuseUnreasonable(bytes);
  const value = parsed(textOf(bytes));
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(issue("", "type", "must be an object"));
  return value;
};

/** The parts of a body that can contain our ids. Deeper parts are the client's own data. */
const WITH_IDS = ["payload", "content"];

/** A body with our ids in their stored spelling. */
const withLowerIds = (body: object): object => {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "string" && name.endsWith("Id")) Object.assign(body, { [name]: lowerIn(value) });
    else if (WITH_IDS.includes(name) && typeof value === "object" && value !== null) withLowerIds(value as object);
  }
  return body;
};

const faults = new WeakMap<Request, Error>();

/** The fault of a body that `readJson` has read. It is thrown after the permission checks, which Elysia runs later. */
export const faultOfBody = (request: Request): Error | undefined => faults.get(request);

/** The original bodies of requests with strict handling: the cleaner removes unknown fields before the check. */
const asGiven = new WeakMap<Request, unknown>();
export const givenBody = (request: Request): unknown => asGiven.get(request);

type Asked = { request: Request };

/** Elysia's parse hooks, which read bodies through the intake up to their route's limit. They throw as its `read`. */
export const bodyReaders = (env: { intake: BodyIntake }) => {
  const readRaw = ({ request }: Asked): Promise<Uint8Array> =>
    env.intake.read(request, bodyTermsOf(request).maxBodyBytes);
  const readBy = async (
    request: Request,
    parse: (bytes: Uint8Array) => object | null | Promise<object | null>,
  ): Promise<object | null> => {
    const bytes = await readRaw({ request });
    try {
      const body = await parse(bytes);
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
     * For JSON routes: an object, or null for an empty body of any type; undefined would make Elysia read it again. An
     * invalid body is null too, and `checkedBodies` refuses it.
     */
    readJson: ({ request }: Asked, contentType: string): Promise<unknown> =>
      readBy(request, (bytes) => objectIn(bytes, contentType)),
    /** The same for a body in another form, which `parse` reads. It throws as `objectIn` does. */
    readBy,
    /** For webhooks of upstreams: the exact bytes, over which the signature is computed. */
    readRaw,
  };
};
