import { toOpenAPISchema } from "@elysiajs/openapi";
import { type AnyElysia, Elysia, StatusMap } from "elysia";
import { docs } from "./docs.ts";
import { isFact } from "./route-table.ts";

type SecurityScheme =
  | { type: "apiKey"; in: "header"; name: string; description: string }
  | { type: "http"; scheme: "bearer"; description: string };

/** `security` names the scheme that holds wherever a route does not say otherwise. */
export type Described = {
  title: string;
  description: string;
  version: string;
  url: string;
  tags: Record<string, string>;
  schemes: Record<string, SecurityScheme>;
  security: string;
  /** Headers of answers, described once. */
  headers?: Record<string, AnswerHeader>;
  /** What the schemas of the routes were made from: APIs of one process with the same share what was made of them. */
  madeFrom: string;
};

/** `isOf`: which statuses come with it. */
type AnswerHeader = { description: string; schema: object; isOf(status: string): boolean };

/** What a schema adds to its description alone: the value is checked elsewhere, in words of ours. */
export const describedAs = (schema: object): object => ({ [DESCRIBED]: schema });
const DESCRIBED = "x-described";

/**
 * Serves the description of a face at /openapi.json: OpenAPI 3.1, made from its routes. The face is mounted below the
 * path of its base URL, which the paths of the document therefore leave out. A page at /docs shows it. `make` makes it,
 * once all routes are there and before any is compiled: compiling writes into their schemas.
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

/**
 * Faces of one process share their schemas: what was made of a route before it was first compiled holds for it in all
 * faces with that route.
 */
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
    // a copy, for what it was made from does change
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

/** The operations of a path as they are described. */
const operationsOf = (operations: object, { headers = {} }: Described): Operations =>
  mapValues(withPlainAnswers(withDescribed(operations) as object), (operation) =>
    withHeaders(withBodyLimits(operation), headers),
  );

/** What `describedAs` adds takes its place, at any depth. What routes state for the server alone is left out. */
const withDescribed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withDescribed);
  if (typeof value !== "object" || value === null) return value;
  const { [DESCRIBED]: described, ...all } = value as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !isFact(name)));
  return { ...mapValues(rest, withDescribed), ...(described as object | undefined) };
};

/**
 * What may become of any body: it does not come, it is too large, or there is no room for it now. Said in the shape of
 * the route's 403 or 400.
 */
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
 * The generator calls every answer "Response for status N", gives one without a body a type that JSON Schema does not
 * know, and requires every body.
 */
const withPlainAnswers = (operations: object): Operations =>
  mapValues(operations as Operations, ({ requestBody, ...operation }) => ({
    ...operation,
    ...(requestBody ? { requestBody: plainBody(requestBody) } : {}),
    responses: mapValues(operation.responses ?? {}, plainAnswer),
  }));

/** What may be null may be missing. */
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
