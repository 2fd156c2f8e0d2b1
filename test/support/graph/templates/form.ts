import type { Static, TSchema } from "@sinclair/typebox";
import { GraphError } from "../errors.ts";
import { checked } from "../shape.ts";
import { refusedParameter } from "./refusals.ts";

/** `checked`, with template management's only code for a wrong form: 100. */
export const checkedForm = <Schema extends TSchema>(schema: Schema, value: unknown, param: string): Static<Schema> => {
  try {
    return checked(schema, value, param);
  } catch (thrown) {
    throw thrown instanceof GraphError ? refusedParameter(thrown.parts.details ?? thrown.message) : thrown;
  }
};
