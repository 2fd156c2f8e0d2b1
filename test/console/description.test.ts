import { expect, test } from "bun:test";
import {
  bodyExample,
  type Description,
  fieldsOf,
  isStream,
  operationsOf,
  parametersOf,
} from "../../src/console/web/pages/api/description.ts";

const document: Description = {
  paths: {
    "/v1/things/{id}": {
      put: {
        operationId: "putThing",
        tags: ["things"],
        parameters: [{ $ref: "#/components/parameters/Id", name: "", in: "path" }],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
      },
      get: { operationId: "followThing", responses: { "200": { content: { "text/event-stream": {} } } } },
    },
  },
  components: {
    parameters: { Id: { name: "id", in: "path", required: true } },
    schemas: {
      Thing: {
        type: "object",
        required: ["kind", "parts", "size"],
        properties: {
          kind: { oneOf: [{ $ref: "#/components/schemas/Kind" }, { type: "null" }] },
          parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          size: { allOf: [{ type: "integer", examples: [3] }], description: "How large" },
          left: { type: "string" },
        },
      },
      Kind: { type: "string", enum: ["small", "large"] },
    },
  },
};
const [put, get] = operationsOf(document);
if (!put || !get) throw new Error("two operations");

test("a body is made that fits: examples, the first choice, required fields alone, and an end where a schema names itself", () => {
  const example = JSON.parse(bodyExample(document, put));
  expect(example).toMatchObject({ kind: "small", size: 3 });
  expect(Object.keys(example)).toEqual(["kind", "parts", "size"]);
  let depth = 0;
  for (let one = example; Array.isArray(one?.parts) && depth < 20; one = one.parts[0]) depth += 1;
  expect(depth).toBeLessThan(10);
  expect(bodyExample(document, get)).toBe("");
});

test("fields, parameters by reference, and streams are recognised", () => {
  const schema = { $ref: "#/components/schemas/Thing" };
  expect(fieldsOf(document, schema)).toContainEqual({
    name: "size",
    type: "integer",
    isRequired: true,
    description: "How large",
  });
  expect(parametersOf(document, put)).toEqual([{ name: "id", in: "path", required: true }]);
  expect([isStream(document, get), isStream(document, put)]).toEqual([true, false]);
});
