import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
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
  webhooks: Record<string, Record<string, Operation>>;
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

const operationsIn = ({ paths }: Document): Operation[] => Object.values(paths).flatMap((one) => Object.values(one));

/** What a reference names; any other schema itself. */
const named = (document: Document, schema: Schema): Schema => {
  const [, , kind = "", name = ""] = String(schema["$ref"] ?? "").split("/");
  return "$ref" in schema ? (document.components[kind]?.[name] ?? {}) : schema;
};

/** Every schema with its own fields, wherever it stands, with its place. */
const objectsIn = (value: unknown, at = ""): { at: string; properties: Schema }[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (VALUES.has(key)) return [];
    const place = at === "" || key === "schemas" ? key : `${at}.${key}`;
    return [...(key === "properties" ? [{ at, properties: inner as Schema }] : []), ...objectsIn(inner, place)];
  });
};
/** Keywords whose value is no schema. */
const VALUES = new Set(["example", "examples", "default", "enum", "const", "required", "mapping"]);

/** Every field and every parameter, wherever it stands. */
const describedIn = (document: Document): { at: string; name: string; schema: Schema; description: string }[] => [
  ...objectsIn(document.components).flatMap(({ at, properties }) =>
    Object.entries<Schema>(properties).map(([name, schema]) => ({
      at: `${at}.${name}`,
      name,
      schema,
      description: schema["description"] ?? "",
    })),
  ),
  ...operationsIn(document).flatMap(({ operationId, parameters = [] }) =>
    parameters
      .map((one) => named(document, one))
      .map(({ name, schema, description = "" }) => ({ at: `${operationId} ${name}`, name, schema, description })),
  ),
];

/** Whether a schema takes null; undefined where it takes anything. */
const takesNull = (document: Document, given: Schema): boolean | undefined => {
  const { type, anyOf, oneOf, enum: words } = named(document, given);
  const choices: Schema[] | undefined = anyOf ?? oneOf;
  if (choices) return choices.some((one) => takesNull(document, one));
  if (words) return words.includes(null);
  return type === undefined ? undefined : [type].flat().includes("null");
};

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && !EMPTY_WORDS.has(word));
const EMPTY_WORDS = new Set(["a", "an", "the", "of", "its", "it", "s", "this", "that", "is", "was", "at", "when"]);

/** Every object of an example, also those inside of others. */
const objectsOf = (value: unknown): Record<string, any>[] => {
  if (Array.isArray(value)) return value.flatMap(objectsOf);
  return typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objectsOf)] : [];
};

const isOrdered = (...values: unknown[]): boolean => {
  const known = values.filter((one) => typeof one === "string" || typeof one === "number");
  return known.every((one, at) => (known[at - 1] ?? one) <= one);
};

/** TABLE: what cannot be otherwise in an object that has all of these fields. */
const ALWAYS: [fields: string, holds: (one: Record<string, any>) => boolean][] = [
  ["limit used left", ({ limit, used, left }) => limit === used + left],
  ["limit left", ({ limit, left }) => left <= limit],
  ["total used", ({ total, used }) => used <= total],
  ["total valid invalid", ({ total, valid, invalid }) => total === sizeOf(valid) + sizeOf(invalid)],
  ["total sent failed pending cancelled", (one) => one["total"] === sumOf(one, "sent failed pending cancelled")],
  ["total suspended", ({ total, suspended }) => suspended <= total],
  ["total connected", ({ total, connected }) => connected <= total],
  ["accepted sent delivered read", ({ accepted, sent, delivered, read }) => isOrdered(read, delivered, sent, accepted)],
  [
    "totalCents breakdown",
    ({ totalCents, breakdown }) => totalCents === sumOf(breakdown, Object.keys(breakdown).join(" ")),
  ],
  ["phones connectedPhones", ({ phones, connectedPhones }) => connectedPhones <= phones],
  ["freeBytes totalBytes", ({ freeBytes, totalBytes }) => freeBytes <= totalBytes],
  ["copiedBytes totalBytes", ({ copiedBytes, totalBytes }) => isOrdered(copiedBytes, totalBytes)],
  [
    "rated unrated byCountry",
    ({ rated, byCountry }) => rated === byCountry.reduce((sum: number, { count }: Schema) => sum + count, 0),
  ],
  [
    "amountMicros byCountry",
    ({ amountMicros, byCountry }) =>
      amountMicros === byCountry.reduce((sum: number, one: Schema) => sum + one["amountMicros"], 0),
  ],
  ["since until", ({ since, until }) => isOrdered(since, until)],
  ["from to", ({ from, to }) => Number.isNaN(Date.parse(from)) || isOrdered(from, to)],
  ["startsAt endsAt", ({ startsAt, endsAt }) => isOrdered(startsAt, endsAt)],
  ["startedAt finishedAt", ({ startedAt, finishedAt }) => isOrdered(startedAt, finishedAt)],
  ["periodStart periodEnd", ({ periodStart, periodEnd }) => isOrdered(periodStart, periodEnd)],
  ["createdAt updatedAt", ({ createdAt, updatedAt }) => isOrdered(createdAt, updatedAt)],
  ["createdAt expiresAt", ({ createdAt, expiresAt }) => isOrdered(createdAt, expiresAt)],
  [
    "createdAt sentAt deliveredAt",
    ({ createdAt, sentAt, deliveredAt, readAt }) => isOrdered(createdAt, sentAt, deliveredAt, readAt),
  ],
  ["acceptedAt endedAt", ({ createdAt, acceptedAt, endedAt }) => isOrdered(createdAt, acceptedAt, endedAt)],
];
const sizeOf = (one: number | unknown[]): number => (Array.isArray(one) ? one.length : one);
const sumOf = (one: Record<string, number>, fields: string): number =>
  fields.split(" ").reduce((sum, field) => sum + (one[field] ?? 0), 0);

const LONGEST_SENTENCE = 25;
/** The sentences of a text with more words than a reader takes in at once. */
const longSentences = (text: string): string[] =>
  text.split(/(?<=[.!?;:])\s+/).filter((sentence) => sentence.split(/\s+/).length > LONGEST_SENTENCE);

/** Every text that describes something, with its place. */
const textsIn = (value: unknown, at = ""): [string, string][] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    if (VALUES.has(key)) return [];
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

/** Every schema with examples of its own, wherever it stands. */
const exampledIn = (value: unknown, at = ""): { at: string; schema: Schema; examples: unknown[] }[] => {
  if (typeof value !== "object" || value === null) return [];
  const schema = value as Schema;
  const own = Array.isArray(schema["examples"]) ? [{ at, schema, examples: schema["examples"] }] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => (VALUES.has(key) ? [] : exampledIn(inner, `${at}/${key}`))),
  ];
};

const isPublic = (address: unknown): boolean =>
  typeof address === "string" && /^(https|socks5):$/.test(new URL(address).protocol);

const validatorOf = (document: Document) => {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  for (const format of ["file-name", "binary"]) ajv.addFormat(format, true);
  ajv.addSchema({ ...document, $id: "document" });
  return (schema: Schema, value: unknown): boolean =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')), value);
};

describe.each(APIS)("the texts of the description of the %s API", (api) => {
  test("describe every field and every parameter", () => {
    const silent = describedIn(documents[api]).filter(({ description }) => description === "");
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  test("describe every operation and every event", () => {
    const { webhooks } = documents[api];
    const silent = [documents[api], { ...documents[api], paths: webhooks }]
      .flatMap(operationsIn)
      .filter(({ description = "" }) => description === "");
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("say null exactly where the schema takes null", () => {
    const document = documents[api];
    const wrong = describedIn(document).filter(({ schema, description }) => {
      const isTaken = takesNull(document, schema);
      return description !== "" && isTaken !== undefined && isTaken !== /\bnull\b/i.test(description);
    });
    expect(wrong.map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
  });

  test("say more than the name of what they describe", () => {
    const empty = describedIn(documents[api]).filter(({ name, description }) => {
      const known = new Set(wordsOf(name));
      return description !== "" && wordsOf(description).every((word) => known.has(word));
    });
    expect(empty.map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
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
    const long = textsIn(documents[api]).flatMap(([at, text]) =>
      longSentences(text).map((one) => `${at}: ${String(one)}`),
    );
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

  test("give examples that their schemas take", () => {
    const document = documents[api];
    const isValid = validatorOf(document);
    const faulty = exampledIn(document).flatMap(({ at, schema, examples }) =>
      examples.filter((one) => !isValid(schema, one)).map((one) => `${at}: ${JSON.stringify(one)}`),
    );
    expect(faulty).toEqual([]);
  });

  test("give addresses that are public and secret on their way", () => {
    const faulty = exampledIn(documents[api])
      .filter(({ schema }) => schema["format"] === "uri")
      .flatMap(({ at, examples }) => examples.filter((one) => !isPublic(one)).map((one) => `${at}: ${String(one)}`));
    expect(faulty).toEqual([]);
  });

  test("give no example of what cannot be", () => {
    const faulty = exampledIn(documents[api]).flatMap(({ at, examples }) =>
      objectsOf(examples).flatMap((one) =>
        ALWAYS.filter(([fields, holds]) => fields.split(" ").every((field) => field in one) && !holds(one)).map(
          ([fields]) => `${at}: ${fields} ${JSON.stringify(one)}`,
        ),
      ),
    );
    expect(faulty).toEqual([]);
  });
});
