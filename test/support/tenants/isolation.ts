import { type StatedRoute, statedRoutes } from "../../../scripts/list/routes.ts";
import type { Kind, StatedIsolation } from "../../../src/apis/shared/isolation.ts";
import { type Schema, sampleOf } from "../apis/bad-bodies.ts";
import { resolvedIn } from "../apis/open-api.ts";
import { BODIES, COMMON, NAMED, OPENED_BY, PLAIN } from "./isolation-fixtures.ts";
import type { Ids } from "./tenant.ts";

// The requests of each route of both APIs for things of a tenant, from the route's stated isolation.

/** One request, without the credentials. */
export type Attempt = {
  params?: Params;
  query?: Params;
  body?: object;
  headers?: Params;
  /** The id of an unknown thing. */
  namesNothing?: true;
};
type Params = Record<string, string>;

type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema };
type Body = { content: Record<string, { schema: Schema & { $ref?: string } }> };
type Exemplified = { examples?: object[] };
/** A field of a body that must have an id, without a name in the isolation. */
const NO_ID = "00000000-0000-4000-8000-00000000ffff";
type Place = "params" | "query" | "headers" | "body";
const PLACES = { path: "params", query: "query", header: "headers" } as const;
/** A name of a route's isolation, and its place in a request. */
type Naming = {
  api: StatedRoute["api"];
  place: Place;
  name: string;
  kinds: readonly Kind[];
  isRequired: boolean;
  isList: boolean;
};

/** A route with the parts of its cases. */
export type IsolatedRoute = StatedRoute & {
  /** `GET /v1/phones/{id}`. */
  name: string;
  parameters: readonly Parameter[];
  namings: readonly Naming[];
  /** The schema of its JSON body, and the name of that schema. */
  bodySchema: Schema | undefined;
  bodyName: string | undefined;
};

const JSON_TYPE = "application/json";

const { routes, documents } = await statedRoutes({ advanceClock: () => Promise.resolve(0) });
const resolved = {
  gateway: resolvedIn(documents.gateway, documents.gateway.paths),
  platform: resolvedIn(documents.platform, documents.platform.paths),
};

/** The field of a dotted name, in any body, and whether a body must have it. */
const fieldOf = (schema: Schema, name: string): { field: Schema; isRequired: boolean } | undefined => {
  const [first = "", ...rest] = name.split(".");
  const whole = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].find((one) => one.properties?.[first]);
  const field = whole?.properties?.[first];
  if (!field) return undefined;
  const isRequired = whole.required?.includes(first) === true;
  if (rest.length === 0) return { field, isRequired };
  const inner = fieldOf(field, rest.join("."));
  return inner && { ...inner, isRequired: isRequired && inner.isRequired };
};

const namingOf = (
  { api, parameters, bodySchema }: Pick<IsolatedRoute, "api" | "parameters" | "bodySchema">,
  name: string,
  kinds: readonly Kind[],
): Naming | undefined => {
  const parameter = parameters.find((one) => one.name === name);
  if (parameter)
    return { api, place: PLACES[parameter.in], name, kinds, isRequired: parameter.required === true, isList: false };
  const found = bodySchema && fieldOf(bodySchema, name);
  return (
    found && { api, place: "body", name, kinds, isRequired: found.isRequired, isList: found.field.type === "array" }
  );
};

const isolated = (route: StatedRoute): IsolatedRoute => {
  const { api, method, path, isolation } = route;
  // the document, with its references replaced
  const paths = resolved[api] as Record<string, Record<string, { parameters?: Parameter[]; requestBody?: Body }>>;
  const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
  const reference = (route.operation as { requestBody?: Body }).requestBody?.content[JSON_TYPE]?.schema.$ref;
  const described = { api, parameters, bodySchema: requestBody?.content[JSON_TYPE]?.schema };
  const namings =
    typeof isolation === "string" ? [] : isolation.map(([name, kinds]) => namingOf(described, name, kinds));
  return {
    ...route,
    ...described,
    name: `${method} ${path}`,
    namings: namings.filter((naming) => naming !== undefined),
    bodyName: reference?.split("/").at(-1),
  };
};

/** Every described route of both APIs. */
export const ISOLATED: readonly IsolatedRoute[] = routes.map(isolated);
export const isolatedRoutes = (api: StatedRoute["api"]): IsolatedRoute[] => ISOLATED.filter((one) => one.api === api);
export const isolatedRoute = ({ api, method, path }: Pick<StatedRoute, "api" | "method" | "path">): IsolatedRoute => {
  const found = ISOLATED.find((one) => one.api === api && one.method === method && one.path === path);
  if (!found) throw new Error(`no route ${method} ${path} of the ${api}`);
  return found;
};

/** The names of an isolation that no parameter and no field has. */
export const unknownNames = ({ isolation, namings }: IsolatedRoute): string[] =>
  typeof isolation === "string"
    ? []
    : isolation.map(([name]) => name).filter((name) => !namings.some((naming) => naming.name === name));

const isOfNoTenant = (isolation: StatedIsolation): boolean => typeof isolation === "string" && isolation !== "own";

/** The path parameters that the isolation does not name although they may name a thing of a tenant. */
export const unnamedParameters = ({ parameters, namings, isolation }: IsolatedRoute): string[] =>
  isOfNoTenant(isolation)
    ? []
    : parameters
        .filter((one) => one.in === "path" && !(one.name in PLAIN) && !namings.some(({ name }) => name === one.name))
        .map(({ name }) => name);

/** The names of the filters of a route's query and of the fields of its body. */
export const fieldsOf = ({ parameters, bodySchema, isolation }: IsolatedRoute): string[] =>
  isolation === "administrator"
    ? []
    : [
        ...parameters.filter((one) => one.in === "query").map(({ name }) => name),
        ...[bodySchema, ...(bodySchema?.oneOf ?? [])].flatMap((schema) => Object.keys(schema?.properties ?? {})),
      ];

const bodyTypes = ({ operation }: IsolatedRoute): string[] =>
  Object.keys((operation as { requestBody?: Body }).requestBody?.content ?? {});

/** A body with a change: the documented example of its first field, if its own example is empty. */
const firstField = ({ properties = {} }: Schema): object =>
  Object.fromEntries(
    Object.entries(properties)
      .slice(0, 1)
      .map(([name, field]) => [name, (field as Exemplified).examples?.[0] ?? sampleOf(field, NO_ID)]),
  );

/** The body of the table, else the documented example, else all required fields of its schema. */
const plainBody = (route: IsolatedRoute): object | undefined => {
  const { bodySchema, bodyName = "" } = route;
  if (bodyTypes(route).length === 0) return undefined;
  if (BODIES[bodyName]) return BODIES[bodyName];
  if (!bodySchema) return {};
  const body = (bodySchema as Exemplified).examples?.[0] ?? (sampleOf(bodySchema, NO_ID) as object);
  return Object.keys(body).length === 0 ? firstField(bodySchema) : body;
};

/** The type of a body without JSON. */
const contentType = (route: IsolatedRoute): Params => {
  const types = bodyTypes(route);
  return types.length === 0 || types.some((type) => type === JSON_TYPE || type === "*/*")
    ? {}
    : { "content-type": types[0] ?? "" };
};

const plainValue = ({ name, schema }: Parameter): string => {
  if (schema.format === "date-time") return String(sampleOf(schema, NO_ID));
  if (PLAIN[name] !== undefined) return PLAIN[name];
  if (schema.type === "boolean") return "true";
  return String(sampleOf(schema, NO_ID));
};

const inPlace = (parameters: readonly Parameter[], place: Parameter["in"]): Params =>
  Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, plainValue(one)]));

/** A request with only its required parts, which names no thing yet. */
const plainAttempt = (route: IsolatedRoute): Attempt => {
  const required = route.parameters.filter((one) => one.required || one.in === "path");
  const body = plainBody(route);
  return {
    params: inPlace(required, "path"),
    query: inPlace(required, "query"),
    headers: { ...contentType(route), ...OPENED_BY[route.access] },
    ...(body ? { body } : {}),
  };
};

const withField = (body: object, [first = "", ...rest]: string[], value: unknown): object => ({
  ...body,
  [first]: rest.length === 0 ? value : withField((body as Record<string, object>)[first] ?? {}, rest, value),
});

const withName = (attempt: Attempt, { place, name, isList }: Naming, value: string): Attempt =>
  place === "body"
    ? { ...attempt, body: withField(attempt.body ?? {}, name.split("."), isList ? [value] : value) }
    : { ...attempt, [place]: { ...attempt[place], [name]: value } };

const valuesOf = ({ api, kinds }: Naming, ids: Ids): string[] => kinds.flatMap((kind) => NAMED[kind](ids, api));
const isCommon = ({ kinds }: Naming): boolean => kinds.every((kind) => COMMON.includes(kind));

/** The request with each of these names, which stand for another tenant's things, once for each kind. */
const foreignTo = (attempt: Attempt, namings: readonly Naming[], foreign: Ids): Attempt[] => {
  const values = namings.map((naming) => valuesOf(naming, foreign).slice(0, naming.name === "cursor" ? 1 : undefined));
  const most = Math.max(1, ...values.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) =>
    namings.reduce((so, naming, at) => {
      const ofKind = values[at] ?? [];
      return withName(so, naming, ofKind[n % ofKind.length] ?? "");
    }, attempt),
  );
};

const mineIn = (attempt: Attempt, namings: readonly Naming[], mine: Ids): Attempt =>
  namings.reduce((so, naming) => withName(so, naming, valuesOf(naming, mine)[0] ?? ""), attempt);

/** The request with every filter that names no thing. */
const withFilters = (attempt: Attempt, { parameters, namings }: IsolatedRoute): Attempt => {
  const others = ["cursor", "types", ...namings.map(({ name }) => name)]; // `types` stands in the place of `type`
  const filters = parameters.filter((one) => one.in === "query" && !one.required && !others.includes(one.name));
  return { ...attempt, query: { ...attempt.query, ...inPlace(filters, "query") } };
};

/** The names that an account might try in a request without names. */
const meddling = ({ tenantId, sharedId }: Ids): Params => ({
  accountId: tenantId,
  tenantId,
  institutionId: tenantId,
  sharedWebhookId: sharedId,
});

/**
 * The requests in which a tenant with `mine` names a thing of `foreign`.
 *
 * - All that the route requires is foreign; then each of these names alone, beside the tenant's own.
 * - Beside the tenant's own: each name that may be missing. Then all of them at once, with every filter.
 */
export const attemptsOf = (route: IsolatedRoute, foreign: Ids, mine: Ids): Attempt[] => {
  const plain = plainAttempt(route);
  if (isOfNoTenant(route.isolation)) return [{ ...plain, params: { ...plain.params, ...foreign } }];
  if (typeof route.isolation === "string") {
    const names = meddling(foreign);
    return route.method === "GET"
      ? [plain, { ...plain, query: { ...plain.query, ...names } }]
      : [{ ...plain, body: { ...names, ...plain.body } }];
  }
  const required = route.namings.filter(({ isRequired }) => isRequired);
  const optional = route.namings.filter(({ isRequired }) => !isRequired);
  const together = optional.filter(({ name }) => name !== "cursor");
  const own = mineIn(plain, required, mine);
  const alone = required.length > 1 ? required.filter((naming) => !isCommon(naming)) : [];
  return unique([
    ...(required.length > 0 ? foreignTo(plain, required, foreign) : []),
    ...alone.flatMap((naming) => foreignTo(own, [naming], foreign)),
    ...optional.flatMap((naming) => foreignTo(own, [naming], foreign)),
    ...foreignTo(withFilters(plain, route), [...required, ...together], foreign).slice(0, 1),
    ...(required.length === 0 ? [{ ...plain, namesNothing: true as const }] : []),
  ]);
};

const unique = (attempts: readonly Attempt[]): Attempt[] => [
  ...new Map(attempts.map((attempt) => [JSON.stringify(attempt), attempt])).values(),
];

/** The requests of a tenant's client for the tenant's own things, without the administrator's. */
export const ownAttempts = (route: IsolatedRoute, mine: Ids): Attempt[] => {
  if (route.isolation === "administrator" || isStream(route)) return [];
  return typeof route.isolation === "string" ? [plainAttempt(route)] : attemptsOf(route, mine, mine);
};

/** The stream of events does not end. */
export const isStream = ({ operation }: Pick<IsolatedRoute, "operation">): boolean =>
  JSON.stringify(operation).includes("text/event-stream");
