import { describe, expect, test } from "bun:test";
import { breaksBetween } from "../scripts/openapi/breaks.ts";

const OLD_BODY = {
  type: "object",
  required: ["to"],
  properties: {
    to: { type: "string" },
    kind: { type: "string", enum: ["a", "b"] },
    note: { type: ["string", "null"] },
    items: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
  },
};
const OLD_ANSWER = {
  type: "object",
  required: ["id", "state"],
  properties: { id: { type: "string" }, state: { type: "string", enum: ["on", "off"] }, count: { type: "integer" } },
};

type Parts = {
  body?: object;
  answer?: object;
  required?: boolean;
  parameters?: object[];
  status?: string;
  media?: string;
};
const documentOf = (
  { body = OLD_BODY, answer = OLD_ANSWER, required = false, parameters = [], status = "200", media }: Parts = {},
  components: object = {},
) => ({
  paths: {
    "/x": {
      post: {
        parameters: [{ in: "query", name: "order", schema: { type: "string", enum: ["up", "down"] } }, ...parameters],
        requestBody: { required, content: { [media ?? "application/json"]: { schema: body } } },
        responses: { [status]: { content: { "application/json": { schema: answer } } } },
      },
    },
  },
  components,
});
const withBody = (properties: object, required = ["to"]) =>
  documentOf({ body: { ...OLD_BODY, required, properties: { ...OLD_BODY.properties, ...properties } } });
const withAnswer = (properties: object, required = ["id", "state"]) =>
  documentOf({ answer: { ...OLD_ANSWER, required, properties: { ...OLD_ANSWER.properties, ...properties } } });
const without = <Fields extends object>(fields: Fields, name: keyof Fields): object => ({
  ...fields,
  [name]: undefined,
});
const clean = (document: object) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>;

describe("what a newer description takes away", () => {
  test.each<[string, object, string[]]>([
    ["an operation", { paths: {} }, ["POST /x: is gone"]],
    [
      "a field of a body",
      documentOf({ body: { ...OLD_BODY, properties: without(OLD_BODY.properties, "note") } }),
      ["POST /x body.note: is gone"],
    ],
    [
      "a field of an answer",
      documentOf({ answer: { ...OLD_ANSWER, properties: without(OLD_ANSWER.properties, "count") } }),
      ["POST /x 200.count: is gone"],
    ],
    ["an optional field that is required now", withBody({}, ["to", "kind"]), ["POST /x body.kind: is required"]],
    [
      "a new field that is required",
      withBody({ more: { type: "string" } }, ["to", "more"]),
      ["POST /x body.more: is required"],
    ],
    [
      "a word that a body may hold",
      withBody({ kind: { type: "string", enum: ["a"] } }),
      ["POST /x body.kind: b is refused"],
    ],
    [
      "a type that a body may hold",
      withBody({ note: { type: "string" } }),
      ["POST /x body.note: its type changed (null)"],
    ],
    [
      "the type of a list's field",
      withBody({ items: { type: "array", items: { type: "object", properties: { n: { type: "string" } } } } }),
      ["POST /x body.items[].n: its type changed (number)"],
    ],
    [
      "the type of an answer's field",
      withAnswer({ id: { type: ["string", "null"] } }),
      ["POST /x 200.id: its type changed (null)"],
    ],
    ["a field that an answer always had", withAnswer({}, ["id"]), ["POST /x 200.state: may be missing"]],
    ["an optional body", documentOf({ required: true }), ["POST /x body: is required"]],
    ["a success", documentOf({ status: "202" }), ["POST /x 200: is gone"]],
    ["a media type", documentOf({ media: "text/plain" }), ["POST /x body: application/json is gone"]],
    [
      "a parameter that is required",
      documentOf({ parameters: [{ in: "header", name: "X-A", required: true }] }),
      ["POST /x header X-A: is required"],
    ],
  ])("%s", (_, newer, expected) => expect(breaksBetween(documentOf(), clean(newer))).toEqual(expected));

  test("a parameter, and a word of one", () => {
    const older = documentOf({ parameters: [{ in: "query", name: "gone", schema: { type: "string" } }] });
    const newer = clean(documentOf());
    expect(breaksBetween(older, newer)).toEqual(["POST /x query gone: is gone"]);
    const narrow = JSON.parse(JSON.stringify(newer).replace('["up","down"]', '["up"]')) as Record<string, unknown>;
    expect(breaksBetween(documentOf(), narrow)).toEqual(["POST /x query order: down is refused"]);
  });
});

describe("what takes nothing away", () => {
  test("a name of its own for a schema, a new field, a wider type, a further word of an input", () => {
    const named = documentOf(
      { body: { $ref: "#/components/schemas/Body" }, answer: { $ref: "#/components/schemas/A" } },
      {
        schemas: {
          Body: {
            ...OLD_BODY,
            properties: {
              ...OLD_BODY.properties,
              kind: { $ref: "#/components/schemas/Kind" },
              more: { type: "string" },
            },
          },
          Kind: { type: "string", enum: ["a", "b", "c"] },
          A: { ...OLD_ANSWER, properties: { ...OLD_ANSWER.properties, more: { type: "string" } } },
        },
      },
    );
    expect(breaksBetween(documentOf(), clean(named))).toEqual([]);
  });

  test("a switch by type that becomes a choice of whole bodies", () => {
    const switched = {
      type: "object",
      required: ["type", "content"],
      properties: { type: { type: "string", enum: ["text", "image"] }, content: { type: "object" } },
      oneOf: [
        {
          properties: {
            type: { const: "text" },
            content: { type: "object", properties: { text: { type: "string" } } },
          },
        },
        {
          properties: {
            type: { const: "image" },
            content: { type: "object", properties: { url: { type: "string" } } },
          },
        },
      ],
    };
    const whole = (type: string, field: string) => ({
      type: "object",
      required: ["type", "content"],
      properties: { type: { const: type }, content: { type: "object", properties: { [field]: { type: "string" } } } },
    });
    const older = documentOf({ body: switched });
    expect(
      breaksBetween(older, documentOf({ body: { oneOf: [whole("text", "text"), whole("image", "url")] } })),
    ).toEqual([]);
    expect(breaksBetween(older, documentOf({ body: { oneOf: [whole("text", "text")] } }))).toEqual([
      "POST /x body.type: image is refused",
      "POST /x body.content.url: is gone",
    ]);
  });
});
