import { AppError } from "../../kernel/errors.ts";
import type { Issue } from "../../kernel/schema.ts";
import { type GraphError, Refused, textOf } from "./errors.ts";

const PART = String.raw`^content\.(?:cards\.\d+\.)?`;

/** TABLE: the network's errors for values that do not fit their template, by the core's fields. */
const ERRORS: readonly (readonly [field: RegExp, error: GraphError])[] = [
  [new RegExp(`${PART}(?:variables|namedVariables|headerText)$`), "templateParameters"],
  [new RegExp(`${PART}namedVariables\\.`), "invalid"],
  [/^content\.headerName$/, "invalid"],
  [new RegExp(`${PART}(?:headerMedia|headerMedia\\.type|headerLocation)$`), "templateFormat"],
  [/^content\.(?:expiresAt|cards)$/, "templateFormat"],
  [new RegExp(`${PART}buttons\\.\\d+\\.(?:index|subType|parameters)$`), "templateButton"],
];

const errorOf = ({ path: name }: Issue): GraphError | undefined => ERRORS.find(([field]) => field.test(name))?.[1];

/** A refusal of a template's values with the network's own code, if it has one; any other refusal unchanged. */
export const asTemplateRefusal = (refusal: unknown): unknown => {
  if (!(refusal instanceof AppError) || refusal.code !== "VALIDATION") return refusal;
  const [first] = refusal.issues;
  const error = first && errorOf(first);
  return error ? new Refused(error, textOf(refusal.issues)) : refusal;
};
