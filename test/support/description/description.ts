import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type JsonSchema, strictSchema } from "./strict-schemas.ts";

type Ref = { $ref?: string };
type Header = Ref & { required?: boolean; schema?: JsonSchema };
type Content = Record<string, { schema?: JsonSchema }>;
type Response = Ref & { headers?: Record<string, Header>; content?: Content };
type Parameter = Ref & { name: string; in: string; required?: boolean; schema: JsonSchema };
/** An operation of the document, with unresolved references. */
export type Operation = {
  operationId: string;
  tags?: string[];
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: Ref & { required?: boolean; content: Content };
  responses: Record<string, Response>;
};
type Document = {
  info?: { description?: string };
  paths: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, JsonSchema>; headers?: Record<string, Header> };
};

/** A route of a description, with its path template. */
export type DescribedRoute = { method: string; path: string; operation: Operation };
/** The answer of a server. */
export type Sent = { status: number; headers: Headers; text: string };
/** A fault of an answer. `pointer`: its place in the body, or the header's name. */
export type Fault = { pointer: string; message: string };

const METHODS = new Set(["get", "put", "post", "delete", "patch", "options", "head"]);

const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
formats(ajv);
for (const known of ["file-name", "binary", "password"]) ajv.addFormat(known, true);

/** One for all descriptions of a process: most of their schemas are equal. */
const validators = new Map<string, ValidateFunction>();

const validatorOf = (schema: JsonSchema): ValidateFunction => {
  const text = JSON.stringify(schema);
  const known = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, known);
  return known;
};

/**
 * Headers that an answer has only where its description says so, once the description knows their name. Any answer may
 * have the headers that the text of the whole API names.
 */
const NAMED_HEADERS = /^(retry-after|x-request-id|x-ratelimit-.*|ratelimit.*|idempotent-replayed|location|allow)$/;

const segmentsOf = (path: string): string[] => path.replace(/(.)\/$/, "$1").split("/");

/** An OpenAPI 3.1 document, with checks of answers. */
export class Description {
  readonly routes: readonly DescribedRoute[];
  readonly #byMethod: Map<string, { segments: string[]; route: DescribedRoute }[]>;
  readonly #document: Document;
  /** The headers, in lower case, that answers have only if they are described. */
  readonly #headers: ReadonlySet<string>;
  /** A cache, because making a schema strict takes longer than the check itself. */
  readonly #checks = {
    strict: new WeakMap<JsonSchema, ValidateFunction>(),
    open: new WeakMap<JsonSchema, ValidateFunction>(),
  };

  constructor(document: Document) {
    this.#document = document;
    this.routes = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
    );
    const bySegments = this.routes.map((route) => ({ segments: segmentsOf(route.path), route }));
    this.#byMethod = Map.groupBy(bySegments, ({ route }) => route.method);
    const answers = this.routes.flatMap(({ operation }) => Object.values(operation.responses));
    const names = answers.flatMap((answer) => Object.keys(this.resolved(answer).headers ?? {}));
    const text = (document.info?.description ?? "").toLowerCase();
    this.#headers = new Set(names.map((name) => name.toLowerCase()).filter((name) => !text.includes(`\`${name}\``)));
  }

  /** The route of a request, by its path without a query; a word goes before a parameter. HEAD is answered as GET. */
  routeOf(method: string, path: string): DescribedRoute | undefined {
    const given = segmentsOf(path);
    const fitting = (this.#byMethod.get(method === "HEAD" ? "GET" : method) ?? []).filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, n) => (segment.startsWith("{") ? given[n] !== "" : segment === given[n])),
    );
    const wordsFirst = ({ segments }: { segments: string[] }) =>
      segments.map((segment) => (segment.startsWith("{") ? "1" : "0")).join("");
    return fitting.toSorted((a, b) => wordsFirst(a).localeCompare(wordsFirst(b)))[0]?.route;
  }

  /** The target of a reference, or the value itself. Throws for a reference that leads nowhere. */
  resolved<Value extends object>(value: Value & Ref): Value {
    if (value.$ref === undefined) return value;
    const target = value.$ref
      .replace(/^#\//, "")
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], this.#document);
    if (target === undefined) throw new Error(`${value.$ref} leads nowhere`);
    return this.resolved(target as Value & Ref);
  }

  /** The check of a schema of this document. `isStrict`: refuses properties that it does not name. */
  check(schema: JsonSchema, isStrict: boolean): ValidateFunction {
    const known = this.#checks[isStrict ? "strict" : "open"];
    const made = known.get(schema) ?? this.#newCheck(schema, isStrict);
    known.set(schema, made);
    return made;
  }

  #newCheck(schema: JsonSchema, isStrict: boolean): ValidateFunction {
    const strict = strictSchema(schema, this.#document.components?.schemas ?? {});
    return validatorOf(isStrict ? strict : withoutStrictness(strict));
  }

  /** The faults of an answer of a route; empty if it is as described. */
  faultsOf({ method, operation }: Pick<DescribedRoute, "method" | "operation">, sent: Sent): Fault[] {
    const { responses } = operation;
    const given = responses[sent.status] ?? responses[`${Math.floor(sent.status / 100)}XX`] ?? responses["default"];
    if (!given) return [{ pointer: "", message: `the status ${sent.status} is not documented` }];
    const response = this.resolved(given);
    return [...this.#headerFaults(response, sent), ...(method === "HEAD" ? [] : this.#bodyFaults(response, sent))];
  }

  #headerFaults({ headers = {} }: Response, sent: Sent): Fault[] {
    const described = new Map(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), this.resolved(header)]),
    );
    const unnamed = [...sent.headers.keys()].filter(
      (name) => NAMED_HEADERS.test(name) && this.#headers.has(name) && !described.has(name),
    );
    return [
      ...unnamed.map((name) => ({ pointer: name, message: "is a header that is not documented here" })),
      ...[...described].flatMap(([name, header]) => this.#headerFault(name, header, sent)),
    ];
  }

  #headerFault(name: string, { required = false, schema = {} }: Header, { status, headers }: Sent): Fault[] {
    const value = headers.get(name);
    const isPromised =
      required || (name === "retry-after" && status === 429) || /^x-(request-id|ratelimit-.*)$/.test(name);
    if (value === null) return isPromised ? [{ pointer: name, message: "is a documented header, and is missing" }] : [];
    const { type } = this.resolved(schema);
    const read =
      type === "integer" || type === "number" ? Number(value) : type === "boolean" ? value === "true" : value;
    const check = this.check(schema, false);
    return check(read) ? [] : [{ pointer: name, message: `is ${value}: ${ajv.errorsText(check.errors)}` }];
  }

  #bodyFaults({ content }: Response, { headers, text }: Sent): Fault[] {
    if (content === undefined || Object.keys(content).length === 0)
      return text === "" ? [] : [{ pointer: "", message: `has a body that is not documented: ${text.slice(0, 200)}` }];
    const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim() ?? "";
    const media = content[type] ?? content[`${type.split("/")[0]}/*`] ?? content["*/*"];
    if (!media) return [{ pointer: "", message: `the content type ${type || "(none)"} is not documented` }];
    if (!type.endsWith("json") || media.schema === undefined) return [];
    const check = this.check(media.schema, true);
    if (check(JSON.parse(text))) return [];
    return (check.errors ?? []).slice(0, 3).map(({ instancePath, message = "", params }) => ({
      pointer: instancePath || "/",
      message: `${message} ${JSON.stringify(params)}`,
    }));
  }
}

const withoutStrictness = (value: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    name === "unevaluatedProperties" ? undefined : inner,
  ) as JsonSchema;

const described = new Map<string, Description>();

/** The address of this world. The documents of worlds differ only in it, and it checks no answer. */
const SERVERS = /"servers":\[[^\]]*\]/;

/** The description in this text. Worlds of one process that serve equal documents, but for their address, share one. */
export const descriptionIn = (text: string): Description => {
  const key = String(Bun.hash(text.replace(SERVERS, "")));
  const known = described.get(key) ?? new Description(JSON.parse(text) as Document);
  described.set(key, known);
  return known;
};
