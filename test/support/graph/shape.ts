import type { Static, TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { codePoints } from "../../../src/kernel/schema.ts";
import { badParameter, badValue, type GraphError, missing } from "./errors.ts";

/** A JSON object with unchecked fields. */
export type Fields = Record<string, unknown>;

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a value that should be an object; none when it is not. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A value as text: a text itself, an empty text for a missing value, else its JSON. */
export const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
};

/** The value of a JSON text; undefined if it is not JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The value, typed by its schema. Throws the Graph error of its first fault. `param`: its name in the error. */
export const checked = <Schema extends TSchema>(schema: Schema, value: unknown, param: string): Static<Schema> => {
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw first === undefined ? badParameter(`Param ${param} is not valid.`) : graphErrorOf(first, param);
};

/** `text/body` under `param` as Graph writes it: param['text']['body']. */
const nameOf = (param: string, pointer: string): string =>
  param +
  pointer
    .split("/")
    .slice(1)
    .map((step) => `['${step}']`)
    .join("");

const graphErrorOf = (error: ValueError, param: string): GraphError => {
  const name = nameOf(param, error.path);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const at = error.path.lastIndexOf("/");
    return badParameter(
      `Unexpected key "${error.path.slice(at + 1)}" on param "${nameOf(param, error.path.slice(0, at))}".`,
    );
  }
  if (error.value === undefined || error.value === null) return missing(name);
  if (error.type === ValueErrorType.Object) return badParameter(`Param ${name} must be a JSON object.`);
  if (error.type === ValueErrorType.Array) return badParameter(`Param ${name} must be an array.`);
  return typeof error.value === "string" ? textError(error, name, error.value) : otherError(error, name);
};

const textError = ({ schema }: ValueError, name: string, text: string): GraphError => {
  const [min, max] = [Number(schema["minLength"] ?? 0), Number(schema["maxLength"] ?? Number.POSITIVE_INFINITY)];
  if (text === "" && min > 0) return missing(name);
  if (codePoints(text) > max) return badParameter(`Param ${name} must be at most ${max} characters long.`);
  return badValue(`Param ${name} has a value that is not valid.`);
};

const otherError = ({ schema, type }: ValueError, name: string): GraphError => {
  if (type === ValueErrorType.ArrayMinItems)
    return badValue(`Param ${name} must have at least ${schema["minItems"]} items.`);
  if (type === ValueErrorType.ArrayMaxItems)
    return badValue(`Param ${name} must have at most ${schema["maxItems"]} items.`);
  return badValue(`Param ${name} has a value that is not valid.`);
};
