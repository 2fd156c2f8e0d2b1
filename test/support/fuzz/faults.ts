import fc from "fast-check";

/** A place in a JSON value. */
type Place = readonly (string | number)[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const placesIn = (value: unknown, at: Place = []): Place[] => {
  const inner = isRecord(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : [];
  return [at, ...inner.flatMap(([key, one]) => placesIn(one, [...at, key]))];
};

const changed = (value: unknown, [key, ...rest]: Place, change: (value: unknown) => unknown): unknown => {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one: unknown, n) => (n === key ? changed(one, rest, change) : one));
  return isRecord(value) ? { ...value, [key]: changed(value[key], rest, change) } : value;
};

const HALF = "\ud800";
/** The value that replaces another. */
const WRONG: readonly ((value: unknown) => unknown)[] = [
  () => null,
  () => 5,
  () => -1,
  () => 1.5,
  () => 1e21,
  () => true,
  () => "",
  () => "   ",
  () => "x",
  () => "NONE_OF_THEM",
  () => "x".repeat(5000),
  () => "😀".repeat(300),
  () => `a\u0000b`,
  () => `a${HALF}`,
  () => "../../etc/passwd",
  () => "2026-02-30T00:00:00Z",
  () => "9".repeat(40),
  () => [],
  () => ({}),
  () => [[[]]],
  () => undefined, // JSON leaves it out
  (value) => (Array.isArray(value) ? Array.from({ length: 300 }, () => value[0] ?? 1) : [value]),
  (value) => (isRecord(value) ? { ...value, unknown_field: "😀", "a.b": {} } : String(value)),
  (value) => (typeof value === "string" ? ` ${value} ` : { value }),
  (value) => (typeof value === "number" ? String(value) : { inner: value }),
];

/** The value with one thing wrong in one place; it may still be allowed. */
export const withFault = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.constantFrom(...placesIn(value)), fc.constantFrom(...WRONG))
    .map(([place, wrong]) => changed(value, place, wrong));

/** Texts that storage and networks cannot hold. No schema says so; the description of the API does. */
export const isUnstorable = (value: unknown): boolean => {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(isUnstorable);
  return isRecord(value) && Object.entries(value).some(([name, one]) => isUnstorable(name) || isUnstorable(one));
};
