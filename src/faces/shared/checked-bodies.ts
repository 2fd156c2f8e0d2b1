import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { invalid } from "../../kernel/errors.ts";
import { toIssues } from "../../kernel/schema.ts";
import { faultOfBody } from "./bodies.ts";

type Route = { method: string; path: string; hooks: { body?: unknown } };
type Checked = { request: Request; route: string; body: unknown };

const isSchema = (schema: unknown): schema is TSchema => typeof schema === "object" && schema !== null && "type" in schema;

/**
 * Checks bodies instead of Elysia, which makes an error text of the whole body and of each of its faults: a hostile one takes seconds. `check` is the hook before
 * handlers, after all permissions; `over` takes the checks of these routes, before they are compiled.
 */
export const checkedBodies = () => {
  const schemas = new Map<string, TSchema>();
  const checks = new Map<TSchema, TypeCheck<TSchema>>();

  const checkOf = (schema: TSchema): TypeCheck<TSchema> => {
    const known = checks.get(schema) ?? TypeCompiler.Compile(schema);
    checks.set(schema, known);
    return known;
  };

  return {
    /** Throws what was wrong with the body when it was read, and VALIDATION for one that its schema does not take. */
    check({ request, route, body }: Checked): void {
      const fault = faultOfBody(request);
      if (fault !== undefined) throw fault;
      const schema = schemas.get(`${request.method} ${route}`);
      if (schema === undefined) return;
      const compiled = checkOf(schema);
      if (!compiled.Check(body)) throw invalid(...toIssues(compiled.Errors(body)));
    },
    over(routes: readonly Route[]): void {
      for (const { method, path, hooks } of routes) {
        if (!isSchema(hooks.body)) continue;
        schemas.set(`${method} ${path}`, hooks.body);
        hooks.body["noValidate"] = true;
      }
    },
  };
};
