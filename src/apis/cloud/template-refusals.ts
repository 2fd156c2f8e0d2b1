import { AppError } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { type GraphError, Refused, textOf } from "./errors.ts";

/** TABLE: the network's errors for values that do not fit their template, by the core's fields. */
const ERRORS: readonly (readonly [field: RegExp, error: GraphError])[] = [
  [/^content\.(?:cards\.\d+\.)?(?:variables|namedVariables|headerText)$/, "templateParameters"],
  [/^content\.(?:cards\.\d+\.)?namedVariables\./, "invalid"],
  [/^content\.headerName$/, "invalid"],
  [/^content\.(?:cards\.\d+\.)?(?:headerMedia|headerMedia\.type|headerLocation|headerProduct)$/, "templateFormat"],
  [/^content\.(?:expiresAt|cards)$/, "templateFormat"],
  [/^content\.(?:cards\.\d+\.)?buttons\.\d+\.(?:index|subType|parameters)$/, "templateButton"],
];

const errorOf = ({ path: name }: Issue): GraphError | undefined => ERRORS.find(([field]) => field.test(name))?.[1];

/** A refusal of a template's values with the network's own code, if it has one; any other refusal unchanged. */
export const asTemplateRefusal = (refusal: unknown): unknown => {
  if (!(refusal instanceof AppError) || refusal.code !== "VALIDATION") return refusal;
  const [first] = refusal.issues;
  const error = first && errorOf(first);
  return error ? new Refused(error, textOf(refusal.issues)) : refusal;
};
