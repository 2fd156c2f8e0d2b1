import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { invalid } from "../../../kernel/errors.ts";
import { MAX_ISSUES, toIssues } from "../../../kernel/schema.ts";
import { faultOfBody, givenBody } from "./bodies.ts";
import { STRICT, unknownFields } from "./strict.ts";

type Route = { method: string; path: string; hooks: { body?: unknown; query?: unknown } };
type Checked = {
  request: Request;
  route: string;
  body: unknown;
  set: { headers: Record<string, string | number | string[] | undefined> };
};

const isSchema = (schema: unknown): schema is TSchema =>
  typeof schema === "object" && schema !== null && ("type" in schema || "anyOf" in schema);

/** The check of a schema is compiled once per process: all APIs of a process share the schemas of their modules. */
const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

const checkOf = (schema: TSchema): TypeCheck<TSchema> => {
  const known = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, known);
  return known;
};

/**
 * Checks bodies instead of Elysia, whose error text of a hostile body takes seconds. `check` is the hook before
 * handlers, after the permission checks. `over` takes over the checks of routes; call it before the routes are
 * compiled.
 */
export const checkedBodies = () => {
  const schemas = new Map<string, TSchema>();

  const checkBody = (request: Request, route: string, body: unknown, headers: Checked["set"]["headers"]): void => {
    const fault = faultOfBody(request);
    if (fault !== undefined) throw fault;
    const schema = schemas.get(`${request.method} ${route}`);
    if (schema === undefined) return;
    const compiled = checkOf(schema);
    const issues = compiled.Check(body) ? [] : toIssues(compiled.Errors(body));
    const given = givenBody(request);
    if (given !== undefined) {
      headers["preference-applied"] = STRICT;
      issues.push(...unknownFields(schema, given).take(MAX_ISSUES - issues.length));
    }
    if (issues.length > 0) throw invalid(...issues);
  };

  return {
    /**
     * Throws the fault of a body that could not be read, and VALIDATION for a body that its schema refuses. With strict
     * handling unknown fields are refused too. A short arrow function: Elysia parses the source of hooks, and prints a
     * warning about a longer one that is minified.
     */
    check: ({ request, route, body, set }: Checked): void => checkBody(request, route, body, set.headers),
    over(routes: readonly Route[]): void {
      const queries = new Set(routes.map(({ hooks }) => hooks.query));
      for (const { method, path, hooks } of routes) {
        if (!isSchema(hooks.body)) continue;
        if (queries.has(hooks.body))
          throw new Error(
            `${method} ${path} shares the schema of its body with a query, which would not be checked any more`,
          );
        schemas.set(`${method} ${path}`, hooks.body);
        hooks.body["noValidate"] = true;
      }
    },
  };
};
