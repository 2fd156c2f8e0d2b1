import type { ValueError } from "@sinclair/typebox/errors";
import { AppError, reasonOf } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { type Issue, issue, toIssues } from "../../../kernel/schema.ts";
import { Malformed } from "./bodies.ts";
import { TooLarge } from "./body-intake.ts";

/** The kinds of errors that an API has to render. */
export type Fault =
  | { kind: "refused"; error: AppError }
  | { kind: "invalid"; issues: readonly Issue[] }
  | { kind: "malformed"; message: string }
  | { kind: "too-large" }
  | { kind: "long-target" }
  | { kind: "no-route" }
  | { kind: "broken" };

type ElysiaValidation = { type: string; all: readonly unknown[] };

const isValidation = (error: unknown): error is ElysiaValidation =>
  typeof error === "object" && error !== null && "type" in error && "all" in error;

const isValueError = (error: unknown): error is ValueError =>
  typeof error === "object" && error !== null && "path" in error && "schema" in error;

/** The log for an internal error, and the request of the error. */
type Failed = { log: Log; requestId: unknown; method: string; route: string };

/** Classifies an error of our refusals, or of Elysia's parser, router or schemas. Any other is a bug, and is logged. */
export const faultOf = (code: string | number, error: unknown, { log, ...about }: Failed): Fault => {
  if (error instanceof AppError)
    return error.code === "VALIDATION" ? { kind: "invalid", issues: error.issues } : { kind: "refused", error };
  if (error instanceof TooLarge) return { kind: "too-large" };
  if (code === "NOT_FOUND") return { kind: "no-route" };
  if (code === "PARSE") return faultOfParsing(error);
  if (error instanceof Malformed) return { kind: "malformed", message: error.message };
  if (code === "VALIDATION" && isValidation(error) && error.type !== "response")
    return { kind: "invalid", issues: issuesOf(error) };
  log.error(
    {
      ...about,
      code,
      error: isValidation(error)
        ? `a response broke its schema: ${toIssues(error.all.filter(isValueError))
            .map((one) => `${one.path} ${one.message}`)
            .join("; ")}`
        : reasonOf(error),
    },
    "request failed",
  );
  return { kind: "broken" };
};

/** Elysia wraps the errors of its parsers. */
const faultOfParsing = (error: unknown): Fault => {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AppError) return { kind: "refused", error: cause };
  return cause instanceof TooLarge
    ? { kind: "too-large" }
    : { kind: "malformed", message: "The body could not be read." };
};

/** A body that is not an object has one issue without a path. It is replaced by an issue for each required field. */
const issuesOf = (error: ElysiaValidation): Issue[] => {
  const issues = toIssues(error.all.filter(isValueError));
  return issues.length > 0 ? issues : [issue("", "type", "is not valid")];
};
