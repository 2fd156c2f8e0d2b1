import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { issuesOf } from "../../../src/kernel/schema.ts";
import { invalid } from "./errors.ts";

/**
 * The value, typed by its schema. Throws 100 for the first thing wrong with it; `param` is the name it goes by there,
 * empty for the body itself.
 */
export const checked = <Schema extends TSchema>(schema: Schema, value: unknown, param: string): Static<Schema> => {
  if (Value.Check(schema, value)) return value;
  const [first] = issuesOf(schema, value);
  const [name = "", ...steps] = [param, ...(first?.path ?? "").split(".")].filter((step) => step !== "");
  throw invalid(`Param ${name}${steps.map((step) => `[${step}]`).join("")} ${first?.message ?? "is not valid"}.`);
};
