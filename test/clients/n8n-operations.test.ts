import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { INodeProperties } from "n8n-workflow";
import { MESSAGE_TYPES } from "../../clients/n8n/src/generated/options.ts";
import { contentOf, TYPES_WITH_FIELDS } from "../../clients/n8n/src/nodes/Recado/content.ts";
import { FIELDS } from "../../clients/n8n/src/nodes/Recado/fields.ts";
import { OPERATIONS } from "../../clients/n8n/src/nodes/Recado/operations.ts";

type Parameter = { $ref?: string; name?: string; in?: string };
type Route = { parameters?: Parameter[] };
type Description = {
  paths: Record<string, Record<string, Route>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, { required?: string[] }> };
};

const snapshot = join(import.meta.dir, "../snapshots/openapi.gateway.json");
const description = (await Bun.file(snapshot).json()) as Description;

const all = Object.entries(OPERATIONS).flatMap(([resource, operations]) =>
  Object.entries(operations).map(([name, operation]) => ({ resource, name, operation })),
);

/** Whether n8n shows a field for these values of others. */
const isShown = ({ displayOptions }: INodeProperties, values: Record<string, unknown>): boolean =>
  Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) => wanted.includes(values[name]));

const queryOf = (route: Route | undefined): (string | undefined)[] =>
  (route?.parameters ?? [])
    .map(({ $ref, ...own }) => ($ref ? description.components.parameters[$ref.replace(/.*\//, "")] : own))
    .filter((one) => one?.in === "query")
    .map((one) => one?.name);

describe.each(all)("$resource, $name", ({ resource, name, operation }) => {
  const shown = FIELDS.filter((field) => isShown(field, { resource, operation: name, type: "text", returnAll: false }));
  const value = (field: string): unknown =>
    ({ resource, operation: name, type: "text", text: "olá" })[field] ?? (/filters|Options/.test(field) ? {} : "an-id");

  test("is a route of the API, with the filters that the API has", () => {
    const { method, path, query = {} } = operation.call(value);
    const route = description.paths[path.replace("an-id", "{id}")]?.[method.toLowerCase()];
    expect(route).toBeDefined();
    const filters = shown.find((field) => field.name === "filters")?.options ?? [];
    const names = [...Object.keys(query), ...filters.map((filter) => filter.name)];
    expect(names.filter((one) => !queryOf(route).includes(one))).toEqual([]);
  });

  test("asks for no field that n8n does not show, and has no two of one name", () => {
    const asked: string[] = [];
    operation.call((field) => {
      asked.push(field);
      return value(field);
    });
    if (operation.isList) asked.push("limit", "returnAll");
    const names = shown.map((field) => field.name);
    expect(asked.filter((field) => !names.includes(field))).toEqual([]);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe("the content of a message", () => {
  const contentWith = (fields: Record<string, unknown>) => contentOf((name) => fields[name] ?? "");

  test("of every type comes from its own fields, or from JSON", () => {
    for (const { value: type } of MESSAGE_TYPES) {
      const shown = FIELDS.filter((one) => isShown(one, { resource: "message", operation: "send", type }));
      const hasJson = shown.some(({ name }) => name === "content");
      expect([type, hasJson]).toEqual([type, !TYPES_WITH_FIELDS.includes(String(type))]);
    }
  });

  test.each<[Record<string, unknown>, object]>([
    [{ type: "text", text: "olá" }, { text: "olá" }],
    [{ type: "image", mediaUrl: "https://example.com/a.png", caption: "" }, { mediaUrl: "https://example.com/a.png" }],
    [
      { type: "location", latitude: 0, longitude: -46.6 },
      { latitude: 0, longitude: -46.6 },
    ],
    [
      { type: "template", template: "hello:pt_BR", variables: [] },
      { name: "hello", language: "pt_BR" },
    ],
    [
      { type: "template", template: "hello", variables: ["a, b", ""] },
      { name: "hello", variables: ["a, b", ""] },
    ],
    [
      { type: "poll", question: "When?", choices: "now, later" },
      { question: "When?", options: ["now", "later"] },
    ],
    [
      { type: "button", text: "Choose", buttons: ["Yes"] },
      { text: "Choose", buttons: [{ id: "Yes", text: "Yes" }] },
    ],
    [{ type: "list", content: `{"text":"Choose"}` }, { text: "Choose" }],
    [{ type: "list", content: { text: "Choose" } }, { text: "Choose" }],
  ])("%j", (fields, content) => {
    expect(contentWith(fields)).toEqual({ type: String(fields["type"]), content });
  });

  test.each(["no JSON", "[]", "null", 5])("that is no JSON object is refused: %j", (content) => {
    expect(() => contentWith({ type: "list", content })).toThrow();
  });
});

test("an empty id is refused before anything is asked", () => {
  const get = OPERATIONS["phone"]?.["get"];
  expect(() => get?.call(() => "")).toThrow("phoneId");
});
