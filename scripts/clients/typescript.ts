// The generated part of the TypeScript client: the types of an API, its functions, and the table that they run by.
import { type Document, type Operation, operationsOf, type Parameter, type Schema } from "./document.ts";
import { BY_HAND, functionOf, NOT_FOR_CLIENTS, typeName } from "./names.ts";
import { commentOf, typeOf } from "./typescript-types.ts";

/** A set of routes that one credential opens. */
type Part = { name: string; isOf(operation: Operation): boolean };
type Named = { operation: Operation; namespace: string; name: string };

const isAdmin = ({ tag }: Operation): boolean => tag === "admin";

/** TABLE: the classes and tables of each API. */
export const PARTS: Readonly<Record<"gateway" | "platform", readonly Part[]>> = {
  gateway: [
    { name: "Gateway", isOf: (operation) => !isAdmin(operation) },
    { name: "Admin", isOf: isAdmin },
  ],
  platform: [{ name: "Platform", isOf: () => true }],
};

/** The routes of a part with the names of their functions. @throws if two have the same name. */
export const namedRoutes = (document: Document, part: Part): Named[] => {
  const named = operationsOf(document)
    .filter(({ id, tag }) => !NOT_FOR_CLIENTS.includes(tag) && !BY_HAND.includes(id))
    .filter(part.isOf)
    .map((operation) => ({ operation, ...functionOf(operation) }));
  const seen = new Map<string, string>();
  for (const { operation, namespace, name } of named) {
    const full = `${namespace}.${name}`;
    const other = seen.get(full);
    if (other) throw new Error(`${operation.id} and ${other} would both be ${full}: names.ts needs an exception`);
    seen.set(full, operation.id);
  }
  return named;
};

const byNamespace = (routes: Named[]): [namespace: string, routes: Named[]][] => {
  const sorted = routes.toSorted((a, b) => (a.operation.path < b.operation.path ? -1 : 1));
  return [...Map.groupBy(sorted, ({ namespace }) => namespace)].sort(([a], [b]) => (a < b ? -1 : 1));
};

const METHOD_LETTERS: Readonly<Record<string, string>> = { GET: "G", POST: "P", PUT: "U", PATCH: "H", DELETE: "D" };

/**
 * Whether a function takes its query as an argument: the query of a list, and a required one. Any other query is an
 * option, so that a new parameter of a route moves no argument.
 */
const takesQuery = ({ body, query, list }: Operation): boolean =>
  !body && (list !== undefined || query.some(({ required }) => required));

const flagsOf = (operation: Operation): string => {
  const { body, isFile, list } = operation;
  const input = body ? (body.schema ? "b" : "r") : takesQuery(operation) && !list ? "q" : "";
  return `${input}${isFile ? "f" : ""}${list ? (list.cursor === "after" ? "a" : "l") : ""}`;
};

/** The table that `readRoutes` of the client reads. */
const tableOf = (routes: Named[]): string => {
  let before: string[] = [];
  const rowOf = ({ operation, name }: Named): string => {
    const segments = operation.path
      .replaceAll(/\{\w+\}/g, "*")
      .split("/")
      .slice(1);
    const differs = segments.findIndex((segment, index) => segment !== before[index]);
    const shared = differs < 0 ? segments.length : differs;
    before = segments;
    const path = [String(shared), ...segments.slice(shared)].join("/");
    return `${name} ${METHOD_LETTERS[operation.method]}${flagsOf(operation)} ${path}`;
  };
  return byNamespace(routes)
    .map(([namespace, own]) => [namespace, ...own.map(rowOf)].join(";"))
    .join("|");
};

const queryFields = (query: Parameter[]): string =>
  query
    .map(
      ({ name, required, description, schema = {} }) =>
        `${commentOf(description ?? schema.description, "  ")}  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema, "  ")}${required ? "" : " | undefined"};\n`,
    )
    .join("");

const queryName = ({ id }: Operation): string => `${typeName(id)}Query`;

/** The options of a function, and whether callers may leave them out. */
const optionsOf = (operation: Operation): { type: string; isNeeded: boolean } => {
  const { query, headers } = operation;
  const options = takesQuery(operation) ? [] : query;
  const fields = headers
    .map(({ name, required }) => `${JSON.stringify(name)}${required ? "" : "?"}: string`)
    .join("; ");
  const [needsQuery, needsHeaders] = [options, headers].map((all) => all.some(({ required }) => required));
  const parts = [
    "RequestOptions",
    ...(options.length > 0 ? [`{ query${needsQuery ? "" : "?"}: ${queryName(operation)} }`] : []),
    ...(headers.length > 0 ? [`{ headers${needsHeaders ? "" : "?"}: { ${fields} } }`] : []),
  ];
  return { type: parts.join(" & "), isNeeded: Boolean(needsQuery || needsHeaders) };
};

const inputOf = (operation: Operation, isFollowed: boolean): string[] => {
  const { body, query } = operation;
  if (body) {
    const type = body.schema ? typeOf(body.schema, "  ") : "Upload";
    if (body.isRequired) return [`body: ${type}`];
    return [isFollowed ? `body: ${type} | undefined` : `body?: ${type}`];
  }
  if (!takesQuery(operation)) return [];
  if (query.length === 0) return ["query?: Record<string, never>"];
  return [`query${query.some(({ required }) => required) ? "" : "?"}: ${queryName(operation)}`];
};

const answerOf = ({ answers, isFile, isSometimesEmpty, list }: Operation): string => {
  const types = answers.map((one) => typeOf(one, "  "));
  if (list) return `Pages<${typeOf(list.item, "  ")}, ${types.join(" | ")}>`;
  if (isFile) return "Promise<Response>";
  return `Promise<${[...types, ...(isSometimesEmpty ? [types.length > 0 ? "undefined" : "void"] : [])].join(" | ")}>`;
};

const isDryRun = ({ $ref = "" }: Schema): boolean => /\/DryRun\w*$/.test($ref);
const isNoDryRun = ({ name }: Parameter): boolean => name !== "dryRun";

/** A route with a dry run is two functions for the compiler, because the type of its answer follows from `dryRun`. */
const signaturesOf = (operation: Operation): { operation: Operation; isDry: boolean }[] => {
  const answers = operation.answers.flatMap((one) => one.anyOf ?? one.oneOf ?? [one]);
  if (operation.query.every(isNoDryRun) || !answers.some(isDryRun)) return [{ operation, isDry: false }];
  const done = {
    ...operation,
    query: operation.query.filter(isNoDryRun),
    answers: answers.filter((one) => !isDryRun(one)),
  };
  return [
    { operation: done, isDry: false },
    { operation: { ...done, answers: answers.filter(isDryRun) }, isDry: true },
  ];
};

const methodOf = ({ operation: route, name }: Named): string =>
  signaturesOf(route)
    .map(({ operation, isDry }) => {
      const { type, isNeeded } = optionsOf(operation);
      const isLast = isNeeded || isDry;
      const parameters = [
        ...operation.inPath.map((one) => `${one}: string`),
        ...inputOf(operation, isLast),
        `options${isLast ? "" : "?"}: ${type}${isDry ? " & { query: { dryRun: true } }" : ""}`,
      ];
      const about = `${operation.summary}${isDry ? " without doing it" : ""}. ${operation.method} ${operation.path}`;
      return `${commentOf(about, "  ")}  ${name}(${parameters.join(", ")}): ${answerOf(operation)};\n`;
    })
    .toReversed()
    .join("");

const classOf = ({ name }: Part, routes: Named[]): string => {
  const groups = byNamespace(routes);
  const interfaces = groups.map(
    ([namespace, own]) => `export interface ${resourceName(name, namespace)} {\n${own.map(methodOf).join("")}}\n`,
  );
  const fields = groups.map(([namespace]) => `  declare readonly ${namespace}: ${resourceName(name, namespace)};\n`);
  return [
    ...interfaces,
    `export abstract class ${name}Resources {\n${fields.join("")}}\n`,
    `export const ${name.toUpperCase()}_ROUTES =\n  ${JSON.stringify(tableOf(routes))};\n`,
  ].join("\n");
};

const resourceName = (part: string, namespace: string): string =>
  `${part === "Admin" ? part : ""}${typeName(namespace)}Resource`;

const queriesOf = (routes: Named[]): string =>
  routes
    .flatMap(({ operation }) => signaturesOf(operation).filter(({ isDry }) => !isDry))
    .filter(({ operation }) => operation.query.length > 0)
    .map(({ operation }) => `export type ${queryName(operation)} = {\n${queryFields(operation.query)}};\n`)
    .join("\n");

const componentsOf = (document: Document): Record<string, Schema> =>
  (document.components?.["schemas"] ?? {}) as Record<string, Schema>;

/** TABLE: the hand-written part's names that differ from those of an API's document. */
const aliasesOf = (api: string): Record<string, string> => ({ WebhookEvent: `${typeName(api)}Event` });
/** The types that the hand-written part of the client needs. */
const needed = (api: string): string[] => ["ErrorCode", ...Object.values(aliasesOf(api))];

/** The names that the generated file itself uses. */
const RESERVED = ["RequestOptions", "Upload", "Pages", "Response", "Promise", "Record", "Blob", "WebhookEvent"];

const typesOf = (api: string, document: Document): string => {
  const components = componentsOf(document);
  const clashes = RESERVED.filter((name) => name in components);
  if (clashes.length > 0) throw new Error(`${clashes.join(", ")}: a schema must not be called so`);
  const missing = needed(api).filter((name) => !(name in components));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: the client needs a schema that is called so`);
  const named = Object.entries(components).map(
    ([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const aliases = Object.entries(aliasesOf(api)).map(([name, type]) => `export type ${name} = ${type};\n`);
  return [...named, ...aliases].join("\n");
};

/** The generated file of an API. */
export const typescriptOf = (api: keyof typeof PARTS, document: Document): string => {
  const parts = PARTS[api].map((part) => ({ part, routes: namedRoutes(document, part) }));
  const body = [
    typesOf(api, document),
    queriesOf(parts.flatMap(({ routes }) => routes)),
    ...parts.map(({ part, routes }) => classOf(part, routes)),
  ].join("\n");
  const imported = ["RequestOptions", "Upload"].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return [
    `// Written by npm run clients from the description of the ${api} API. Do not edit.`,
    `import type { ${imported.join(", ")} } from "../http.ts";`,
    `import type { Pages } from "../pages.ts";`,
    "",
    body,
  ].join("\n");
};
