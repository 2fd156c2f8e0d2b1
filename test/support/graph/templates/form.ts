import type { Static, TSchema } from "@sinclair/typebox";
import { GraphError } from "../errors.ts";
import { checked } from "../shape.ts";
import { refusedParameter } from "./refusals.ts";

/** `checked`, with the one code that template management has for a form that is not right: 100. */
export const checkedForm = <Schema extends TSchema>(schema: Schema, value: unknown, param: string): Static<Schema> => {
  try {
    return checked(schema, value, param);
  } catch (thrown) {
    throw thrown instanceof GraphError ? refusedParameter(thrown.parts.details ?? thrown.message) : thrown;
  }
};
