import { StatusMap } from "elysia";
import { IN_PATH } from "../fields.ts";
import { isRouteOption } from "../route-table.ts";
import { plainSchema, type Schema, type Schemas, withFieldText } from "./json-schema.ts";

/** A route as Elysia lists it, with its schemas. */
export type DescribedRoute = {
  method: string;
  path: string;
  hooks: {
    body?: unknown;
    query?: unknown;
    params?: unknown;
    headers?: unknown;
    response?: unknown;
    parse?: unknown;
    detail?: object;
  };
};

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
export type Media = Record<string, { schema?: Schema; example?: unknown }>;
export type Answer = { description: string; content?: Media; headers?: Schemas };
export type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Media };
  responses: Record<string, Answer>;
};

/** The words of a status, such as `Not Found`. */
export const statusName = (status: string): string => NAMES[status] ?? `Status ${status}`;
const NAMES: Record<string, string> = Object.fromEntries(
  Object.entries(StatusMap).map(([name, status]) => [status, name]),
);

type FieldOf = [name: string, schema: Schema, isRequired: boolean];

const fieldsOf = (schema: unknown): FieldOf[] => {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, required = [] } = plainSchema(schema) as { properties?: Schemas; required?: string[] };
  return Object.entries(properties).map(([name, field]) => [name, field, required.includes(name)]);
};

/** `true` and `false` as texts of a query are a boolean on the wire. */
const isFlag = (schema: Schema): boolean => JSON.stringify(schema["enum"]) === '["true","false"]';

const parameter = (place: string, [name, field, isRequired]: FieldOf): Parameter => {
  const { description, ...schema } = withFieldText(field);
  return {
    name,
    in: place,
    ...(isRequired ? { required: true } : {}),
    ...(typeof description === "string" ? { description } : {}),
    schema: isFlag(schema) ? { type: "boolean" } : schema,
  };
};

/** The parameter that `inPath` declared. */
const pathField = (detail: object, name: string): Schema | undefined => {
  const stated = (detail as Readonly<Record<string, object>>)[IN_PATH + name];
  return stated && plainSchema(stated);
};

const parametersOf = (
  path: string,
  { hooks: { params, query, headers, detail = {} } }: DescribedRoute,
): Parameter[] => {
  const described = new Map(fieldsOf(params).map(([name, schema]) => [name, schema]));
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) =>
    parameter("path", [name, pathField(detail, name) ?? described.get(name) ?? { type: "string" }, true]),
  );
  return [
    ...inPath,
    ...fieldsOf(query).map((field) => parameter("query", field)),
    ...fieldsOf(headers).map((field) => parameter("header", field)),
  ];
};

/** A nullable body may be missing. */
const bodyOf = ({ hooks: { body } }: DescribedRoute): Operation["requestBody"] => {
  if (typeof body !== "object" || body === null) return undefined;
  const schema = withoutNull(plainSchema(body));
  return {
    ...(schema === plainSchema(body) ? { required: true } : {}),
    content: { "application/json": { schema } },
  };
};

/** The schema without null; the schema itself if it takes no null. */
const withoutNull = (schema: Schema): Schema => {
  const { type, anyOf } = schema as { type?: string | string[]; anyOf?: Schema[] };
  if (Array.isArray(type) && type.includes("null")) return { ...schema, type: type.find((one) => one !== "null") };
  const shapes = anyOf?.filter((one) => one["type"] !== "null") ?? [];
  const [shape] = shapes;
  return shape && shapes.length === 1 && anyOf?.length === 2 ? shape : schema;
};

const BODILESS: readonly string[] = ["204", "302"];

const answerOf = (status: string, schema: object): Answer => {
  const { description, ...plain } = plainSchema(schema);
  const hasBody = plain["type"] !== "void" && !BODILESS.includes(status);
  return {
    description: typeof description === "string" ? description : statusName(status),
    ...(hasBody ? { content: { "application/json": { schema: plain } } } : {}),
  };
};

const isOneSchema = (response: object): boolean => "type" in response || "anyOf" in response;

/** Answers of the route's `response`, else those that its `detail` describes. */
const answersOf = ({ hooks: { response, detail = {} } }: DescribedRoute): Record<string, Answer> => {
  if (typeof response !== "object" || response === null) {
    const { responses = {} } = detail as { responses?: Record<string, Answer> };
    return Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, statedAnswer(status, answer)]),
    );
  }
  const byStatus = isOneSchema(response) ? { 200: response } : (response as Record<string, object>);
  return Object.fromEntries(Object.entries(byStatus).map(([status, schema]) => [status, answerOf(status, schema)]));
};

const statedAnswer = (status: string, { description, content, ...rest }: Answer): Answer => ({
  ...rest,
  description: description.startsWith("Response for status") ? statusName(status) : description,
  ...(content === undefined || BODILESS.includes(status) ? {} : { content: plainMedia(content) }),
});

const plainMedia = (content: Media): Media =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...rest }]) => [
      type,
      { ...rest, ...(schema === undefined ? {} : { schema: plainSchema(schema) }) },
    ]),
  );

/** An operation with its place in the document. */
export type Placed = { path: string; method: string; operation: Operation };

/** The operations of the routes below `prefix` that are not hidden, with their schemas where they are used. */
export const operationsOf = (routes: readonly DescribedRoute[], prefix: string): Placed[] =>
  routes.flatMap((route) => {
    const path = route.path
      .slice(prefix.length)
      .replace(/(.)\/$/, "$1")
      .replaceAll(/:([^/]+)/g, "{$1}");
    const operation = operationOf(path, route);
    return operation ? [{ path, method: route.method.toLowerCase(), operation }] : [];
  });

const operationOf = (path: string, route: DescribedRoute): Operation | undefined => {
  const {
    hide,
    parse: _,
    responses: __,
    requestBody,
    ...stated
  } = (route.hooks.detail ?? {}) as {
    [name: string]: unknown;
    requestBody?: Operation["requestBody"];
  };
  if (hide) return undefined;
  const parameters = [...parametersOf(path, route), ...((stated["parameters"] as Parameter[] | undefined) ?? [])];
  const body = requestBody ? { ...requestBody, content: plainMedia(requestBody.content) } : bodyOf(route);
  return {
    ...(Object.fromEntries(
      Object.entries(stated).filter(([name]) => !isRouteOption(name) && !name.startsWith(IN_PATH)),
    ) as { operationId: string }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: answersOf(route),
  };
};
