/** A JSON object, or any other value with fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not null and not an array. */
export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object, or an empty one. */
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** The value of a table by a foreign word, which may be one that every object has, such as `constructor`. */
export const ownValue = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The array, or an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** A canonical JSON text: equal values give equal texts, whatever the order of their keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted);

/** The most brackets open at once, values and escaped characters of a JSON text. */
export type JsonLimits = { depth: number; values: number; escapes: number };

/**
 * More than any real body or answer needs. Checking a deeper or wider text would block other requests for seconds.
 * Escapes: two for each character of the longest chat; parsing an escape takes ten times as long as a character.
 */
export const FOREIGN_JSON: JsonLimits = { depth: 64, values: 20_000, escapes: 2 * 200 * 8000 };
/** The limits of an envelope that a network signed: an envelope of 4 MiB may hold the history of many chats. */
export const SIGNED_JSON: JsonLimits = { ...FOREIGN_JSON, values: 200_000 };
const ANYTHING = Number.POSITIVE_INFINITY;
/** The limits of texts that this server wrote, or that an operator or a person brings for themselves. */
export const OWN_JSON: JsonLimits = { depth: ANYTHING, values: ANYTHING, escapes: ANYTHING };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** How each byte changes the depth. An array, because the loop below reads up to 20 million bytes. */
const STEPS = new Int8Array(256);
for (const opening of "[{") STEPS[opening.charCodeAt(0)] = 1;
for (const closing of "]}") STEPS[closing.charCodeAt(0)] = -1;

/** Which limit a JSON text in UTF-8 exceeds; undefined if it exceeds none. Takes linear time, and no memory. */
export const excessOf = (bytes: Uint8Array, limits: JsonLimits = FOREIGN_JSON): keyof JsonLimits | undefined => {
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
    if (depth > limits.depth) return "depth";
    if (values > limits.values) return "values";
  }
  return escapes > limits.escapes ? "escapes" : undefined;
};

/** The value of a JSON text; undefined for invalid JSON, and for a text beyond the limits. */
export const parsedJson = (text: string, limits: JsonLimits = FOREIGN_JSON): unknown => {
  if (limits !== OWN_JSON && excessOf(Buffer.from(text), limits) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Whether a JSON text has more than so many brackets open at once; those inside texts do not count. */
export const isDeeperThan = (text: string, most: number): boolean =>
  excessOf(Buffer.from(text), { ...OWN_JSON, depth: most }) !== undefined;

const BLANKS = /[ \t\r\n]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The end of a sticky pattern's match at `from`; undefined without a match. */
const endOf = (pattern: RegExp, text: string, from: number): number | undefined => {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
};

/** The end of the string that begins at `from`, or where it breaks off. */
const endOfString = (text: string, from: number): { end: number; isWhole: boolean } => {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') {
    const next = text[at] === "\\" ? endOf(ESCAPE, text, at) : text.charCodeAt(at) < 0x20 ? undefined : at + 1;
    if (next === undefined) return { end: at, isWhole: false };
    at = next;
  }
  return { end: at + 1, isWhole: at < text.length };
};

type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or end";

/**
 * What may follow a bracket, a comma or a colon; undefined if the sign is not allowed. `open` holds the closing
 * brackets of what is open.
 */
const afterSign = (sign: string, expected: Expected, open: string[]): Expected | undefined => {
  if (sign === open.at(-1) && (expected === "comma or end" || expected.endsWith(sign))) {
    open.pop();
    return "comma or end";
  }
  if (sign === "," && expected === "comma or end" && open.length > 0) return open.at(-1) === "}" ? "name" : "value";
  if (sign === ":" && expected === "colon") return "value";
  if ((sign !== "{" && sign !== "[") || !expected.startsWith("value")) return undefined;
  open.push(sign === "{" ? "}" : "]");
  return sign === "{" ? "name or }" : "value or ]";
};

/** The offset at which a text stops being valid JSON; its length where it ends too early. Takes linear time. */
const brokenAt = (text: string): number => {
  const open: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = endOf(BLANKS, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined) return text.length;
    const afterwards = afterSign(sign, expected, open);
    if (afterwards !== undefined) {
      expected = afterwards;
      at += 1;
      continue;
    }
    const isName: boolean = expected.startsWith("name");
    if (!isName && !expected.startsWith("value")) return at;
    if (sign === '"') {
      const { end, isWhole } = endOfString(text, at);
      if (!isWhole) return Math.min(end, text.length);
      at = end;
    } else {
      const end = isName ? undefined : endOf(SCALAR, text, at);
      if (end === undefined) return at;
      at = end;
    }
    expected = isName ? "colon" : "comma or end";
  }
};

/** Says where an invalid JSON text breaks, for its author. Line and column begin at 1. */
export const faultInJson = (text: string): string => {
  const offset = brokenAt(text);
  const before = text.slice(0, offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return offset === text.length ? `it ends too early, at ${place}` : `${place} has an unexpected character`;
};
