import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { isDeeperThan, isRecord, type Json, parsedJson } from "../../kernel/texts/json.ts";

// The fields of bodies whose clients give objects also as JSON text, and texts also as numbers.

const MAX_DEPTH = 32;

/** The value of a field with an object or a list, which may be given as JSON text. */
const opened = (value: unknown): unknown =>
  typeof value === "string" && /^\s*[{[]/.test(value) && !isDeeperThan(value, MAX_DEPTH)
    ? (parsedJson(value) ?? value)
    : value;

/** A field that may be missing: null and missing are the same. */
export const optionalField = (of: Json, name: string): unknown => opened(of[name]) ?? undefined;

/** @throws AppError VALIDATION for a value that is not an object */
export const objectIn = (of: Json, name: string, path = name): Json | undefined => {
  const value = optionalField(of, name);
  if (value === undefined || isRecord(value)) return value;
  throw invalid(issue(path, "type", "must be an object"));
};

/** @throws AppError VALIDATION for a missing value too */
export const requiredObject = (of: Json, name: string, path = name): Json => {
  const value = objectIn(of, name, path);
  if (value === undefined) throw invalid(issue(path, "required", "is required"));
  return value;
};

/** @throws AppError VALIDATION for a value that is not a list, and for a missing value */
export const requiredList = (of: Json, name: string, path = name): readonly unknown[] => {
  const value = optionalField(of, name);
  if (value === undefined) throw invalid(issue(path, "required", "is required"));
  if (!Array.isArray(value)) throw invalid(issue(path, "type", "must be a list"));
  return value;
};

/** A text; a number counts as its digits. @throws AppError VALIDATION for any other value */
export const textIn = (of: Json, name: string, path = name): string | undefined => {
  const value = of[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw invalid(issue(path, "type", "must be a text"));
};

/** @throws AppError VALIDATION for a missing value too */
export const requiredText = (of: Json, name: string, path = name): string => {
  const value = textIn(of, name, path);
  if (value === undefined) throw invalid(issue(path, "required", "is required"));
  return value;
};

/** The fields that have a value. */
export const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** A switch, which forms give as text. */
export const isOn = (of: Json, name: string): boolean => of[name] === true || of[name] === "true";
