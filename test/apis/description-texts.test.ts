import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Glob } from "bun";
import { FIELDS } from "../../src/apis/shared/description/fields/index.ts";
import { startWorld, type World } from "../support/world.ts";

type Schema = { readonly [keyword: string]: any };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Schema[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema; example?: unknown }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Schema>>;
};

const APIS = ["gateway", "platform"] as const;
type Api = (typeof APIS)[number];

let w: World;
const documents = {} as Record<Api, Document>;
beforeAll(async () => {
  w = await startWorld();
  for (const api of APIS) documents[api] = (await w[api]("/openapi.json")).body;
});
afterAll(() => w.stop());

/** The fields of an API's components. */
const fieldsIn = ({ components }: Document): { title: string; name: string; field: Schema }[] =>
  Object.entries(components["schemas"] ?? {}).flatMap(([title, { properties = {} }]) =>
    Object.entries<Schema>(properties).map(([name, field]) => ({ title, name, field })),
  );

const operationsIn = ({ paths }: Document): Operation[] => Object.values(paths).flatMap((one) => Object.values(one));

/** What a reference names; any other schema itself. */
const named = (document: Document, schema: Schema): Schema => {
  const [, , kind = "", name = ""] = String(schema["$ref"] ?? "").split("/");
  return "$ref" in schema ? (document.components[kind]?.[name] ?? {}) : schema;
};

/** Names that say it all, as do those of ids and times. Every other field has a description. */
const OBVIOUS = new Set(
  [
    "about address addressLine addressNumber caption contentType count country currency deleted",
    "description displayName email fileName id institutionName latitude longitude messagesReceived messagesSent model",
    "name newPassword numbers password periodStart phone postalCode profilePictureUrl quantity question",
    "received sent sizeBytes tags text title to total type url username wabaUsername websites",
  ].flatMap((line) => line.split(" ")),
);
const isObvious = (name: string): boolean => OBVIOUS.has(name) || /[a-z](Id|At)$/.test(name);

/** What its shape says: a component describes its own fields, and a word that is always the same says itself. */
const isShown = (field: Schema): boolean =>
  "$ref" in field || "const" in field || "$ref" in (field["items"] ?? {}) || (field["anyOf"] ?? []).some(isShown);

const LONGEST_SENTENCE = 25;
/** The sentences of a text with more words than a reader takes in at once. */
const longSentences = (text: string): string[] =>
  text.split(/(?<=[.!?;:])\s+/).filter((sentence) => sentence.split(/\s+/).length > LONGEST_SENTENCE);

/** Every text that describes something, with its place. */
const textsIn = (value: unknown, at = ""): [string, string][] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    if (key === "examples" || key === "example" || key === "default" || key === "enum") return [];
    return key === "description" && typeof inner === "string" ? [[at, inner]] : textsIn(inner, `${at}/${key}`);
  });
};

type Body = { name: string; schema: Schema; example?: unknown };

/** The JSON bodies of requests and successes. */
const bodiesIn = (document: Document): Body[] =>
  operationsIn(document).flatMap(({ operationId, requestBody, responses }) => {
    const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
    return [["request", requestBody] as const, ...answers].flatMap(([name, part]) => {
      const { schema, example } = part?.content?.["application/json"] ?? {};
      return schema ? [{ name: `${operationId} ${name}`, schema, example }] : [];
    });
  });

/** The shapes that a body may have. */
const shapesOf = (document: Document, schema: Schema): Schema[] => {
  const { oneOf, anyOf } = named(document, schema);
  return (oneOf ?? anyOf ?? [schema]) as Schema[];
};

/** The example of a schema: its own, or made of those of the components that it consists of. */
const exampleOf = (document: Document, given: Schema): unknown => {
  const { examples, items, properties = {}, required = [], type, anyOf = [], ...schema } = named(document, given);
  if (examples) return examples[0];
  if ("default" in schema) return schema["default"];
  if (items) return [exampleOf(document, items)];
  if (type?.includes("null") || anyOf.some((one: Schema) => one["type"] === "null")) return null;
  if (type !== "object") return undefined;
  return Object.fromEntries(required.map((name: string) => [name, exampleOf(document, properties[name])]));
};

const validatorOf = (document: Document) => {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  for (const format of ["file-name", "binary"]) ajv.addFormat(format, true);
  ajv.addSchema({ ...document, $id: "document" });
  return (schema: Schema, value: unknown): boolean =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')), value);
};

describe.each(APIS)("the texts of the description of the %s API", (api) => {
  test("describe every parameter", () => {
    const document = documents[api];
    const silent = operationsIn(document).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((one) => named(document, one))
        .filter(({ description = "" }) => description === "")
        .map(({ name }) => `${operationId} ${name}`),
    );
    expect(silent).toEqual([]);
  });

  test("describe every field whose name does not say it all", () => {
    const silent = fieldsIn(documents[api])
      .filter(({ name, field }) => !("description" in field || isShown(field) || isObvious(name)))
      .map(({ title, name }) => `${title}.${name}`);
    expect(silent).toEqual([]);
  });

  test("give each operation an imperative of at most 80 characters, and plain sentences", () => {
    const faulty = operationsIn(documents[api])
      .filter(({ summary }) => summary.length > 80 || !/^[A-Z][a-z]+ .*[^.]$/.test(summary))
      .map(({ operationId, summary }) => `${operationId}: ${summary}`);
    expect(faulty).toEqual([]);
    const unended = operationsIn(documents[api]).filter(({ description = "." }) => !/[.]$/.test(description));
    expect(unended.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("have sentences of at most 25 words", () => {
    const long = textsIn(documents[api]).flatMap(([at, text]) => longSentences(text).map((one) => `${at}: ${one}`));
    expect(long).toEqual([]);
  });

  test("give an example that is valid for every request and every success with a body", () => {
    const document = documents[api];
    const isValid = validatorOf(document);
    const faulty = bodiesIn(document).flatMap(({ name, schema, example }) =>
      shapesOf(document, schema).flatMap((shape) => {
        const given = example ?? exampleOf(document, shape);
        return given !== undefined && isValid(shape, given) ? [] : [`${name}: ${JSON.stringify(given)}`];
      }),
    );
    expect(faulty).toEqual([]);
  });
});

describe("the table of fields", () => {
  test("has no name that no document has", () => {
    const known = new Set(
      APIS.flatMap((api) => fieldsIn(documents[api])).flatMap(({ title, name }) => [name, `${title}.${name}`]),
    );
    expect(Object.keys(FIELDS).filter((name) => !known.has(name))).toEqual([]);
  });

  test("has no name in two of its files: the second would hide the first", async () => {
    const folder = join(import.meta.dir, "../../src/apis/shared/description/fields");
    const files = [...new Glob("*.ts").scanSync(folder)].filter((file) => file !== "index.ts");
    const tables = await Promise.all(files.map(async (file) => Object.entries(await import(join(folder, file)))));
    const names = tables
      .flat()
      .filter(([name]) => name.endsWith("_FIELDS"))
      .flatMap(([, table]) => Object.keys(table as object));
    expect(names.toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  });
});
