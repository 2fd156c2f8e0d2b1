/** The part of an OpenAPI document that the page reads. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
};
type Reference = { $ref?: string };
export type Parameter = Reference & {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Schema;
};
type Body = { content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>> };
type Described = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: Reference & Body;
  responses?: Readonly<Record<string, Reference & Body & { description?: string }>>;
};
export type Description = {
  servers?: readonly { url: string }[];
  tags?: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type ApiName = "gateway" | "platform";
export type Operation = Described & { method: string; path: string; tag: string };

/** The object of the document that a reference names. */
const resolved = <Value extends Reference>(document: Description, value: Value): Value => {
  const [, , kind = "", name = ""] = (value.$ref ?? "").split("/");
  return value.$ref === undefined ? value : ((document.components?.[kind]?.[name] ?? {}) as Value);
};

/** The public address of the API, for programs. */
export const baseUrlOf = ({ servers = [] }: Description): string => servers[0]?.url ?? "";

export const operationsOf = (document: Description): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
      tag: described.tags?.[0] ?? "",
    })),
  );

const DEEPEST = 6;

/** A value that fits a schema: its own example, else one made of its parts. */
const exampleOf = (document: Description, given: Schema, depth = 0): unknown => {
  const schema = resolved(document, given);
  const { example = schema.examples?.[0], const: only, default: usual, enum: words = [] } = schema;
  return example ?? only ?? usual ?? words[0] ?? (depth < DEEPEST ? madeOf(document, schema, depth) : null);
};

/** A value made of the parts of a schema that has no example of its own. */
const madeOf = (document: Description, schema: Schema, depth: number): unknown => {
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(document, first, depth + 1);
  if (schema.allOf) return exampleOfAll(document, schema.allOf, depth);
  if (schema.properties) return exampleOfObject(document, schema, depth);
  if (schema.items) return [exampleOf(document, schema.items, depth + 1)];
  return PLAIN[String(schema.type)] ?? null;
};

const PLAIN: Readonly<Record<string, unknown>> = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  object: {},
  array: [],
};

/** The parts of a composed object together; of a single part its own example. */
const exampleOfAll = (document: Description, parts: readonly Schema[], depth: number): unknown => {
  const values = parts.map((part) => exampleOf(document, part, depth + 1));
  return values.length === 1 ? values[0] : Object.assign({}, ...values);
};

/** The required fields; all fields of a body without required ones. */
const exampleOfObject = (document: Description, { properties = {}, required = [] }: Schema, depth: number): object => {
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(
    names.flatMap((name) => {
      const property = properties[name];
      return property ? [[name, exampleOf(document, property, depth + 1)] as const] : [];
    }),
  );
};

/** The type of a schema in a word or two. */
const typeText = (given: Schema): string => {
  if (given.$ref !== undefined) return given.$ref.split("/").at(-1) ?? "";
  const choices = given.anyOf ?? given.oneOf ?? given.allOf;
  if (choices) return [...new Set(choices.map((one) => typeText(one)))].join(" | ");
  if (given.const !== undefined) return JSON.stringify(given.const);
  if (given.items) return `${typeText(given.items)}[]`;
  return given.format ?? (Array.isArray(given.type) ? given.type.join(" | ") : String(given.type ?? "any"));
};

export type FieldRow = { name: string; type: string; isRequired: boolean; description: string };

/** The fields of an object, as a table. */
export const fieldsOf = (document: Description, given: Schema): FieldRow[] => {
  const schema = resolved(document, given);
  const merged = (schema.allOf ?? schema.oneOf?.slice(0, 1) ?? []).flatMap((one) => fieldsOf(document, one));
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeText(property),
    isRequired: schema.required?.includes(name) ?? false,
    description: property.description ?? resolved(document, property).description ?? "",
  }));
  return [...merged, ...own];
};

/** The schema of a JSON body; undefined without a body, or for another kind of body. */
export const jsonSchemaOf = (document: Description, body: (Reference & Body) | undefined): Schema | undefined =>
  body && resolved(document, body).content?.["application/json"]?.schema;

/** The body that the form begins with. */
export const bodyExample = (document: Description, operation: Operation): string => {
  const body = operation.requestBody && resolved(document, operation.requestBody);
  const json = body?.content?.["application/json"];
  if (!json) return "";
  const example = json.example ?? (json.schema ? exampleOf(document, json.schema) : {});
  return JSON.stringify(example, undefined, 2);
};

/** Whether the answer is a stream that does not end: a form cannot show it. */
export const isStream = (document: Description, { responses = {} }: Operation): boolean =>
  Object.values(responses).some((one) => "text/event-stream" in (resolved(document, one).content ?? {}));

/** The parameters of an operation. The person is the requester, so credentials are no parameter here. */
export const parametersOf = (document: Description, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => resolved(document, parameter));
