import fc from "fast-check";
import type { DescribedRoute, Description, Operation } from "../description/description.ts";
import type { JsonSchema } from "../description/strict-schemas.ts";
import { withFault } from "./faults.ts";
import { type Meaning, nameOfThing, valuesOf } from "./values.ts";

/** The caller. Every route with credentials refuses `none` and `wrong`. */
export type Caller = "right" | "test" | "token" | "none" | "wrong";

/** A call that names things of tenants by their kind, so that it can be made in any world. */
export type FuzzCall = {
  api: "gateway" | "platform";
  operationId: string;
  caller: Caller;
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
};

export type FuzzRoute = DescribedRoute & { api: FuzzCall["api"] };

type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema };

/** The parameters of an operation, without references. */
export const parametersOf = (description: Description, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) => description.resolved<Parameter>(one));

/** The schema of a JSON body; undefined for any other. */
export const bodySchemaOf = (description: Description, { requestBody }: Operation): JsonSchema | undefined =>
  requestBody && description.resolved(requestBody).content["application/json"]?.schema;

const HOSTILE = ["none", "00000000-0000-4000-8000-000000000000", "%00", "😀", "a/b", "' OR 1=1 --", "x".repeat(300)];
const WRONG_QUERY = ["", "x", "-1", "1.5", "99999999999999999999", "😀", "\u0000", "null", "a,b,,c", "true"];

const CALLERS: Record<FuzzCall["api"], fc.Arbitrary<Caller>> = {
  gateway: fc.oneof(
    { weight: 18, arbitrary: fc.constant<Caller>("right") },
    { weight: 1, arbitrary: fc.constantFrom<Caller>("none", "wrong") },
  ),
  platform: fc.oneof(
    { weight: 18, arbitrary: fc.constantFrom<Caller>("right", "token", "token", "test") },
    { weight: 1, arbitrary: fc.constantFrom<Caller>("none", "wrong") },
  ),
};

/** The value of a path's parameter: mostly a thing of the caller. */
const inPath = (meant: string | undefined): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(nameOfThing("own", meant ?? "any")) },
    { weight: 1, arbitrary: fc.constant(nameOfThing("other", meant ?? "any")) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  );

/** Calls of one route. Every second one has a fault. */
const callsOf = (
  { api, path: template, operation }: FuzzRoute,
  { description, meaning }: { description: Description; meaning: Meaning },
): fc.Arbitrary<FuzzCall> => {
  const valueOf = valuesOf(description, meaning);
  const parameters = parametersOf(description, operation);
  const text = ({ name, schema }: Parameter, wrong: readonly string[]): fc.Arbitrary<string> => {
    const valid = valueOf(schema, name).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
    return fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
  };
  const placed = (place: string, wrong: readonly string[]): fc.Arbitrary<Record<string, string>> =>
    fc
      .record(
        Object.fromEntries(
          parameters
            .filter((one) => one.in === place)
            .map((one) => [one.name, fc.option(text(one, wrong), { nil: undefined, freq: one.required ? 20 : 1 })]),
        ),
      )
      .map((all) =>
        Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)),
      );
  const path = fc.record(
    Object.fromEntries(
      parameters.filter((one) => one.in === "path").map(({ name }) => [name, inPath(meaning(placeOf(template, name)))]),
    ),
  );
  const schema = bodySchemaOf(description, operation);
  const good = schema && valueOf(schema, "");
  const body = good
    ? fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: good.chain(withFault) })
    : fc.constantFrom<unknown>(undefined, ...(operation.requestBody ? ["bytes"] : []));
  return fc.record({
    api: fc.constant(api),
    operationId: fc.constant(operation.operationId),
    caller: CALLERS[api],
    path,
    query: placed("query", WRONG_QUERY),
    headers: placed("header", ["", "x", "x".repeat(300)]),
    body,
  });
};

/** The name `id` says nothing, so the word before it in the path decides. */
const placeOf = (template: string, name: string): string => {
  const segments = template.split("/");
  return `${segments[segments.indexOf(`{${name}}`) - 1] ?? ""}/${name}`;
};

/** Calls of all these routes, each as often as any other. */
export const callsOn = (
  routes: readonly FuzzRoute[],
  terms: Record<FuzzCall["api"], { description: Description; meaning: Meaning }>,
): fc.Arbitrary<FuzzCall> => fc.oneof(...routes.map((route) => callsOf(route, terms[route.api])));
