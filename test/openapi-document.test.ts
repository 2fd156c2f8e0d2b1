import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { CODES as GATEWAY_CODES } from "../src/apis/gateway/errors.ts";
import { CODES as PLATFORM_CODES } from "../src/apis/platform/errors.ts";
import { isGoodName } from "../src/apis/shared/description/names.ts";
import gateway from "./snapshots/openapi.gateway.json";
import platform from "./snapshots/openapi.platform.json";

type Json = { readonly [key: string]: unknown };
type Document = { openapi: string; paths: object; components: { schemas: object; responses: object } };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Values of these keywords are no schemas. */
const VALUES = ["example", "examples", "default", "enum", "const"];

/** Every schema-like part of a value with its place. */
function* partsOf(value: unknown, at: string): Generator<{ at: string; part: Json }> {
  if (Array.isArray(value)) for (const [n, one] of value.entries()) yield* partsOf(one, `${at}/${n}`);
  if (!isObject(value)) return;
  yield { at, part: value };
  for (const [name, inner] of Object.entries(value))
    if (!VALUES.includes(name) || at.endsWith("/properties")) yield* partsOf(inner, `${at}/${name}`);
}

/** Texts and examples, which every field has: the law of `apis/description-texts.test.ts`. */
const withoutTexts = (name: string, value: unknown): unknown => {
  const isText = TEXTS.includes(name) && typeof value === "string";
  return isText || EXAMPLES.includes(name) ? undefined : value;
};
const TEXTS = ["description", "summary"];
const EXAMPLES = ["example", "examples"];

const hasFields = ({ properties }: Json): boolean => isObject(properties) && Object.keys(properties).length > 0;

describe.each([
  ["gateway", gateway as unknown as Document, GATEWAY_CODES, 1800],
  ["platform", platform as unknown as Document, PLATFORM_CODES, 2350],
] as const)("the names and examples of the description of the %s API", (_, document, codes, bytesPerOperation) => {
  const { schemas, responses } = document.components;

  test("is OpenAPI 3.1.1, and beside its texts and examples no larger than it has to be", () => {
    expect(document.openapi).toBe("3.1.1");
    // most of it are the refusals of each operation; a growth by copies would show here. The values of every component of a
    // template (2026-11-29) are 4 KB of the platform API, whose operations are few; six events about chats and files, which
    // it shares with the gateway API (2026-11-29), are 8 KB; the contents of sessions that events show (2026-11-30) are 1 KB
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
    expect(JSON.stringify(document, withoutTexts).length / operations.length).toBeLessThan(bytesPerOperation);
  });

  test("every component has a name that a generator keeps", () => {
    expect(Object.keys(schemas).filter((name) => !isGoodName(name) || /Item\d|Inline/.test(name))).toEqual([]);
  });

  test("every object with fields is a component, wherever it is used", () => {
    const inline = [...partsOf(document.paths, ""), ...partsOf(responses, "responses")].filter(({ part }) =>
      hasFields(part),
    );
    const nested = Object.entries(schemas).flatMap(([name, schema]) =>
      [...partsOf(schema, name)].filter(
        // a part of allOf adds to the component that it stands in: no generator names it
        ({ at, part }) => at !== name && hasFields(part) && !/\/(properties|allOf\/\d+)$/.test(at),
      ),
    );
    expect([...inline, ...nested].map(({ at }) => at)).toEqual([]);
  });

  test("every enumeration that is used twice is a component", () => {
    const used = [...partsOf(document.paths, "paths"), ...partsOf(schemas, "schemas")].filter(
      ({ at, part }) => Array.isArray(part["enum"]) && part["type"] === "string" && !/^schemas\/\w+$/.test(at),
    );
    const texts = used.map(({ part }) => JSON.stringify(part["enum"]));
    expect(texts.filter((text, n) => texts.indexOf(text) !== n)).toEqual([]);
  });

  test("every reference names something, and every component is used", () => {
    const text = JSON.stringify(document);
    const named = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const kinds = Object.entries(document.components as Record<string, object>).filter(
      ([kind]) => kind !== "securitySchemes",
    );
    const existing = kinds.flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`));
    // the union of the platform's events is for handlers of all of them: no operation refers to it
    const unions = existing.filter((name) => name === "schemas/PlatformEvent");
    expect(existing.toSorted()).toEqual([...named, ...unions].toSorted());
  });

  test("operation ids are in camel case, each once", () => {
    const ids = [...partsOf(document.paths, "")].flatMap(({ part: { operationId } }) =>
      typeof operationId === "string" ? [operationId] : [],
    );
    expect(ids.filter((id) => !/^[a-z][A-Za-z]*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("every example is one of its schema", () => {
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    ajv.addFormat("file-name", true);
    ajv.addSchema(document, "document");
    const wrong = Object.entries(schemas as Record<string, Json>).flatMap(([name, { examples = [] }]) => {
      const validate = ajv.getSchema(`document#/components/schemas/${name}`);
      return (examples as unknown[]).filter((one) => !validate?.(one)).map((one) => [name, one, validate?.errors]);
    });
    expect(wrong).toEqual([]);
  });

  test("every body and every success with a body has an example, or consists of those that have one", () => {
    const isExample = (schema: Json | undefined, depth = 0): boolean => {
      if (!schema || depth > 4) return false;
      const { $ref: reference } = schema as { $ref?: string };
      const name = reference?.slice("#/components/schemas/".length);
      if (name !== undefined) return isExample((schemas as Record<string, Json>)[name], depth + 1);
      if ("examples" in schema) return true;
      const choices = (schema["oneOf"] ?? schema["anyOf"]) as Json[] | undefined;
      if (choices) return choices.every((one) => one["type"] === "null" || isExample(one, depth + 1));
      if (isObject(schema["items"])) return isExample(schema["items"], depth + 1);
      if (!hasFields(schema)) return true;
      return Object.values(schema["properties"] as Record<string, Json>).some((one) => isExample(one, depth + 1));
    };
    const media = [...partsOf(document.paths, "")].filter(({ at }) => /\/content\/[^/]+~?.*json$/.test(at));
    expect(media.length).toBeGreaterThan(50);
    expect(media.filter(({ part }) => !isExample(part["schema"] as Json)).map(({ at }) => at)).toEqual([]);
  });

  test("a refusal names the codes that its status can have", () => {
    // what a webhook's endpoint answers is no refusal of ours, and has no body
    const refusals = Object.values(responses as Record<string, Json>).filter((answer) => "content" in answer);
    expect(refusals.length).toBeGreaterThan(5);
    for (const answer of refusals) {
      const stated = answer["x-error-codes"] as string[];
      expect(stated.length).toBeGreaterThan(0);
      expect(Object.values(codes)).toContainEqual(stated);
    }
    const all = (schemas as Record<string, { enum?: string[] }>)["ErrorCode"]?.enum ?? [];
    expect(all).toEqual([...new Set(Object.values(codes).flat())].toSorted());
  });
});

test("a message is one of the content types, by its type", () => {
  const { SendMessage } = gateway.components.schemas;
  const { propertyName, mapping } = SendMessage.discriminator;
  expect(propertyName).toBe("type");
  expect(Object.values(mapping)).toEqual(SendMessage.oneOf.map((one: { $ref: string }) => one.$ref));
  expect(mapping).toMatchObject({
    text: "#/components/schemas/SendTextMessage",
    cta_url: "#/components/schemas/SendCtaUrlMessage",
  });
});
