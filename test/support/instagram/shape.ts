import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { issuesOf } from "../../../src/kernel/schema.ts";
import { invalid } from "./errors.ts";

/**
 * The value, typed by its schema. Throws 100 for its first fault. `param`: its name in the error, empty for the body
 * itself.
 */
export const checked = <Schema extends TSchema>(schema: Schema, value: unknown, param: string): Static<Schema> => {
  if (Value.Check(schema, value)) return value;
  const [first] = issuesOf(schema, value);
  const [name = "", ...steps] = [param, ...(first?.path ?? "").split(".")].filter((step) => step !== "");
  throw invalid(`Param ${name}${steps.map((step) => `[${step}]`).join("")} ${first?.message ?? "is not valid"}.`);
};
