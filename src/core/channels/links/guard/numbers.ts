import { DAY_MS } from "../../../../kernel/clock.ts";
import { isRecord } from "../../../../kernel/texts/json.ts";

/** The last instant that a Date can have, in ms: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const LAST_INSTANT_MS = 8_640_000_000_000_000;

/** Whether a value is an instant that can be shown: ms since the epoch. */
export const isInstant = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= LAST_INSTANT_MS;

export type Bounds = { least: number; most: number };

/** A number within its bounds; undefined for any other value. An infinite number becomes the largest allowed one. */
export const bounded = (value: unknown, { least, most }: Bounds): number | undefined =>
  typeof value === "number" && !Number.isNaN(value) ? Math.min(Math.max(value, least), most) : undefined;

/** TABLE: numbers that only advise: the rest of an answer is certain without them. Each is made sound, or left out. */
const ADVICE: ReadonlyMap<string, Bounds> = new Map([
  ["retryAfterMs", { least: 0, most: 31 * DAY_MS }],
  ["upstreamCode", { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }],
]);

/**
 * An adapter's answer with sound advice. `unsound`: the names of the changed numbers. Never changes the adapter's own
 * object.
 */
export const withSoundAdvice = (answer: unknown): { answer: unknown; unsound: readonly string[] } => {
  if (!isRecord(answer) || answer["ok"] !== false) return { answer, unsound: [] };
  const sound = { ...answer };
  const unsound: string[] = [];
  for (const [name, bounds] of ADVICE) {
    const value = bounded(answer[name], bounds);
    if (value === answer[name]) continue;
    unsound.push(name);
    if (value === undefined) delete sound[name];
    else sound[name] = value;
  }
  return { answer: unsound.length === 0 ? answer : sound, unsound };
};

/** An answer with more values is not checked: the API that shows it bounds it. */
const MAX_VALUES = 10_000;

/** Whether a number in an answer is not finite. Looks into plain objects, lists and maps. */
export const hasEndlessNumber = (answer: unknown): boolean => {
  const waiting: unknown[] = [answer];
  for (let seen = 0; waiting.length > 0 && seen < MAX_VALUES; seen++) {
    const value = waiting.pop();
    if (typeof value === "number" && !Number.isFinite(value)) return true;
    for (const inner of valuesIn(value).slice(0, MAX_VALUES)) waiting.push(inner);
  }
  return false;
};

const valuesIn = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.values()];
  return isRecord(value) && isPlain(value) ? Object.values(value) : [];
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
