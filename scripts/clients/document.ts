// The description of an API in the form that the generators of clients read.

/** A JSON schema, of the keywords that our descriptions use. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  /** The known values of a text that may have others. */
  "x-extensible-enum"?: string[];
  format?: string;
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema };
type Media = Record<string, { schema?: Schema }>;
type Described = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Body | { $ref: string };
  responses?: Record<string, { content?: Media } | { $ref: string }>;
};
type Body = { required?: boolean; content?: Media };
export type Document = {
  paths: Record<string, Record<string, Described>>;
  components?: Record<string, Record<string, unknown>>;
};

/** A route in the form of a client. */
export type Operation = {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  /** The parameters of the path, in its order. */
  inPath: string[];
  query: Parameter[];
  /** The headers of this route alone, without those that every request may have. */
  headers: Parameter[];
  /** `schema`: a JSON body. Without it the body is a file. */
  body?: { schema?: Schema; isRequired: boolean };
  /** The JSON answers; `isFile`: bytes, or a link to them. Without both: no body. */
  answers: Schema[];
  isFile: boolean;
  isSometimesEmpty: boolean;
  /** The items of a list; `cursor`: the name of the parameter for the next page. */
  list?: { item: Schema; cursor: "cursor" | "after" };
};

/** Headers that the client itself sets, or that concern every request. */
const COMMON_HEADERS = ["idempotency-key", "last-event-id", "x-request-id", "if-none-match", "authorization"];

/** The object that a reference names. @throws if the document has no such object. */
const resolved = <Value extends object>(document: Document, value: Value | { $ref: string }): Value => {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  const found = document.components?.[kind]?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  if (typeof found !== "object" || found === null) throw new Error(`${value.$ref} names nothing`);
  return resolved(document, found as Value);
};

/** The properties of a schema, with those of its parts. */
const propertiesOf = (document: Document, schema: Schema): Record<string, Schema> => {
  const { properties = {}, allOf = [] } = resolved<Schema>(document, schema);
  return Object.assign({}, ...allOf.map((part) => propertiesOf(document, part)), properties) as Record<string, Schema>;
};

/** The schema of a list's items: the list itself, or the one list in an object. */
const itemOf = (document: Document, answer: Schema): Schema | undefined => {
  const own = resolved<Schema>(document, answer);
  if (own.type === "array") return own.items ?? {};
  const lists = Object.values(propertiesOf(document, own))
    .map((one) => resolved<Schema>(document, one))
    .filter(({ type }) => type === "array");
  return lists.length === 1 ? lists[0]?.items : undefined;
};

const bodyOf = (document: Document, { requestBody }: Described): Operation["body"] => {
  if (!requestBody) return undefined;
  const { content = {}, required } = resolved<Body>(document, requestBody);
  const json = content["application/json"]?.schema;
  if (!json) return { isRequired: true };
  const { required: names = [], oneOf, anyOf } = resolved<Schema>(document, json);
  return { schema: json, isRequired: required === true || names.length > 0 || Boolean(oneOf ?? anyOf) };
};

const answersOf = (document: Document, { responses = {} }: Described) => {
  const good = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, one]) => ({ status, content: resolved<{ content?: Media }>(document, one).content ?? {} }));
  const answers = good.flatMap(({ content }) => content["application/json"]?.schema ?? []);
  const isSometimesEmpty = good.some(({ status }) => status === "204" || status === "205");
  return { answers, isSometimesEmpty, isFile: answers.length === 0 && !isSometimesEmpty };
};

const operationOf = (document: Document, method: string, path: string, described: Described): Operation => {
  const parameters = (described.parameters ?? []).map((one) => resolved<Parameter>(document, one));
  const query = parameters.filter((one) => one.in === "query");
  const { answers, ...rest } = answersOf(document, described);
  const [answer] = answers;
  const item = /^(list|search)/.test(described.operationId) && answer ? itemOf(document, answer) : undefined;
  const isAfter = query.some(({ name }) => name === "after") && !query.some(({ name }) => name === "cursor");
  const body = bodyOf(document, described);
  return {
    id: described.operationId,
    tag: described.tags?.[0] ?? "",
    method: method.toUpperCase(),
    path,
    summary: described.summary ?? described.operationId,
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    query,
    headers: parameters.filter((one) => one.in === "header" && !COMMON_HEADERS.includes(one.name.toLowerCase())),
    ...(body ? { body } : {}),
    answers: uniqueOf(answers),
    ...rest,
    ...(method === "get" && item ? { list: { item, cursor: isAfter ? "after" : "cursor" } } : {}),
  };
};

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every route of a document, in its order. */
export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, described]) => operationOf(document, method, path, described)),
  );

const uniqueOf = (schemas: Schema[]): Schema[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];
