import { toOpenAPISchema } from "@elysiajs/openapi";
import { type AnyElysia, Elysia, StatusMap } from "elysia";
import { docs } from "./docs.ts";
import { isRouteOption } from "./route-table.ts";

type SecurityScheme =
  | { type: "apiKey"; in: "header"; name: string; description: string }
  | { type: "http"; scheme: "bearer"; description: string };

/** `security` names the default scheme of the routes. */
export type Described = {
  title: string;
  description: string;
  version: string;
  url: string;
  tags: Record<string, string>;
  schemes: Record<string, SecurityScheme>;
  security: string;
  /** Headers of responses, described once. */
  headers?: Record<string, AnswerHeader>;
  /** The values from which the schemas of the routes were made. APIs of one process with equal values share them. */
  madeFrom: string;
};

/** `isOf`: the statuses that have the header. */
type AnswerHeader = { description: string; schema: object; isOf(status: string): boolean };

/** Adds constraints to the description only. The value is checked elsewhere, with our own messages. */
export const describedAs = (schema: object): object => ({ [DESCRIBED]: schema });
const DESCRIBED = "x-described";

/**
 * Serves an API's OpenAPI 3.1 description at /openapi.json, and a viewer at /docs. The document's paths are relative to
 * the API's base URL. Call `make` when all routes are declared and before any is compiled: compiling changes their
 * schemas.
 */
export const description = (prefix: string, described: Described) => {
  let document: object = {};
  return {
    served: new Elysia({ name: `description:${described.title}` })
      .get("/openapi.json", () => document, { detail: { hide: true } })
      .use(docs(prefix, described.title)),
    make(api: AnyElysia): void {
      document = documentOf(routesOf(api, prefix, described), described);
    },
  };
};

type Routes = { paths: object; components: object };

/** The APIs of one process share their schemas, so a description made before the first compilation serves all. */
const madeOf = new Map<string, Routes>();
const operationsMade = new Map<string, Operation>();

const routesOf = (api: AnyElysia, prefix: string, described: Described): Routes => {
  const name = [
    described.title,
    described.madeFrom,
    ...api.routes.map(({ method, path }) => `${method} ${path.slice(prefix.length)}`),
  ].join("\n");
  const known = madeOf.get(name);
  if (known) return known;
  const { paths, components } = toOpenAPISchema(api, undefined, undefined, undefined, "3.1.2");
  const once = (route: string, operation: Operation): Operation => {
    // a copy, because the schemas change later
    const made = operationsMade.get(route) ?? structuredClone(operation);
    operationsMade.set(route, made);
    return made;
  };
  const pathsBelow = Object.entries(paths).map(([path, operations]) => {
    const below = path.slice(prefix.length).replace(/(.)\/$/, "$1");
    return [
      below,
      mapValues(operationsOf(operations ?? {}, described), (operation, method) =>
        once(`${described.title} ${described.madeFrom} ${method} ${below}`, operation),
      ),
    ];
  });
  const made = { paths: Object.fromEntries(pathsBelow) as object, components: structuredClone(components) };
  madeOf.set(name, made);
  return made;
};

const documentOf = (
  { paths, components }: Routes,
  { title, description: text, version, url, tags, schemes, security, headers = {} }: Described,
): object => ({
  openapi: "3.1.2",
  info: { title, description: text, version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
  servers: [{ url }],
  tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  security: [{ [security]: [] }],
  paths,
  components: { ...components, securitySchemes: schemes, ...headersIn(headers) },
});

const NAMES: Record<string, string> = Object.fromEntries(
  Object.entries(StatusMap).map(([name, status]) => [status, name]),
);

type Answer = { description?: string; content?: unknown; headers?: object };
type Body = { required?: boolean; content?: Record<string, { schema?: { type?: string | string[] } }> };
type Operation = { requestBody?: Body; responses?: Record<string, Answer> };
type Operations = Record<string, Operation>;

const headersIn = (headers: Record<string, AnswerHeader>): object =>
  Object.keys(headers).length === 0
    ? {}
    : { headers: mapValues(headers, ({ description: about, schema }) => ({ description: about, schema })) };

/** The operations of a path for the description. */
const operationsOf = (operations: object, { headers = {} }: Described): Operations =>
  mapValues(withPlainAnswers(withDescribed(operations) as object), (operation) =>
    withHeaders(withBodyLimits(operation), headers),
  );

/** Applies `describedAs` at any depth, and leaves out the options of routes. */
const withDescribed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withDescribed);
  if (typeof value !== "object" || value === null) return value;
  const { [DESCRIBED]: described, ...all } = value as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !isRouteOption(name)));
  return { ...mapValues(rest, withDescribed), ...(described as object | undefined) };
};

/** The refusals of any body: too slow, too large, or over the budget. They have the shape of the route's others. */
const OF_BODIES = ["408", "413", "503"];

const withBodyLimits = (operation: Operation): Operation => {
  const { requestBody, responses = {} } = operation;
  const refusal = responses["403"] ?? responses["400"];
  if (!requestBody || !refusal?.content) return operation;
  return {
    ...operation,
    responses: {
      ...Object.fromEntries(OF_BODIES.map((status) => [status, { ...refusal, description: NAMES[status] ?? status }])),
      ...responses,
    },
  };
};

const withHeaders = (operation: Operation, headers: Record<string, AnswerHeader>): Operation => ({
  ...operation,
  responses: mapValues(operation.responses ?? {}, (answer, status) => {
    const names = Object.keys(headers).filter((name) => headers[name]?.isOf(status));
    return names.length === 0
      ? answer
      : {
          ...answer,
          headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        };
  }),
});

/**
 * Corrects the generator, which describes every response as "Response for status N", gives an empty one an unknown
 * type, and requires every body.
 */
const withPlainAnswers = (operations: object): Operations =>
  mapValues(operations as Operations, ({ requestBody, ...operation }) => ({
    ...operation,
    ...(requestBody ? { requestBody: plainBody(requestBody) } : {}),
    responses: mapValues(operation.responses ?? {}, plainAnswer),
  }));

/** A nullable field may be missing. */
const plainBody = (body: Body): Body => {
  const isOptional = Object.values(body.content ?? {}).some(({ schema }) => schema?.type?.includes("null"));
  return isOptional ? { ...body, required: false } : body;
};

const mapValues = <From, To>(record: Record<string, From>, to: (value: From, key: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));

const BODILESS: readonly string[] = ["204", "302"];

const plainAnswer = ({ content, ...answer }: Answer, status: string): Answer => ({
  ...answer,
  ...(answer.description?.startsWith("Response for status") ? { description: NAMES[status] ?? status } : {}),
  ...(content === undefined || BODILESS.includes(status) ? {} : { content }),
});
