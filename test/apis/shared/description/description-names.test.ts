import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { newComponents } from "../../../../src/apis/shared/description/components.ts";
import { describedAs, plainSchema } from "../../../../src/apis/shared/description/json-schema.ts";
import { isGoodName, pascal, singular } from "../../../../src/apis/shared/description/names.ts";
import { described, issuesOf, Nullable, OneOf, PhoneNumber } from "../../../../src/kernel/schema.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const lift = (schema: object, name = "MakeThingRequest") => {
  const components = newComponents();
  return { schema: components.lifted(plainSchema(schema), name), schemas: components.schemas };
};

test("an object with fields is a component by its title, and its nested ones are named after it", () => {
  const { schema, schemas } = lift(
    Type.Object(
      { inner: Type.Object({ a: Type.Boolean() }), lines: Type.Array(Type.Object({ b: Type.Boolean() })) },
      { title: "Thing" },
    ),
  );
  expect(schema).toEqual(ref("Thing"));
  expect(Object.keys(schemas).toSorted()).toEqual(["Thing", "ThingInner", "ThingLine"]);
  expect(schemas["Thing"]).toMatchObject({
    properties: { inner: ref("ThingInner"), lines: { items: ref("ThingLine") } },
  });
});

test("fields with one schema have their own texts, beside the component that both refer to", () => {
  const person = Type.Object({ name: Type.String() }, { title: "Person", description: "Somebody" });
  const { schemas } = lift(
    Type.Object({ from: described(person, "Who wrote"), to: Type.Optional(described(person, "Who reads")) }),
  );
  expect(Object.keys(schemas).toSorted()).toEqual(["MakeThingRequest", "Person"]);
  expect(schemas["Person"]).toMatchObject({ description: "Somebody" });
  expect(schemas["MakeThingRequest"]).toMatchObject({
    properties: {
      from: { ...ref("Person"), description: "Who wrote" },
      to: { ...ref("Person"), description: "Who reads" },
    },
  });
});

test("the text of a field is no message of its validation", () => {
  const body = Type.Object({ to: described(PhoneNumber({ min: 8, max: 15 }), "Who gets it", "5511988887777") });
  expect(lift(body).schemas["MakeThingRequest"]).toMatchObject({
    properties: { to: { description: "Who gets it", examples: ["5511988887777"] } },
  });
  expect(issuesOf(body, { to: "x" })).toMatchObject([
    { path: "to", message: expect.stringContaining("must be 8 to 15 digits") },
  ]);
});

test("without a title it is named after its operation", () =>
  expect(lift(Type.Object({ a: Type.Boolean() })).schema).toEqual(ref("MakeThingRequest")));

test("one title of two shapes is refused, of two equal ones is one component", () => {
  const titled = (fields: Record<string, ReturnType<typeof Type.Boolean>>) => Type.Object(fields, { title: "Twice" });
  expect(() => lift(Type.Object({ x: titled({ a: Type.Boolean() }), y: titled({ b: Type.Boolean() }) }))).toThrow(
    "Twice",
  );
  const { schemas } = lift(Type.Object({ x: titled({ a: Type.Boolean() }), y: titled({ a: Type.Boolean() }) }));
  expect(Object.keys(schemas).toSorted()).toEqual(["MakeThingRequest", "Twice"]);
});

test("a name that a generator would change is refused", () => {
  for (const title of ["Item0", "thing", "Inline", "A-B"])
    expect(() => lift(Type.Object({ a: Type.Boolean() }, { title }))).toThrow(title);
});

test("bodies with a word each are a choice with a discriminator", () => {
  const kind = (type: string) => Type.Object({ type: OneOf([type]), [type]: Type.Boolean() }, { title: pascal(type) });
  const { schemas } = lift(Type.Object({ one: Type.Union([kind("first"), kind("second")]) }, { title: "Body" }));
  expect(schemas["BodyOne"]).toEqual({
    oneOf: [ref("First"), ref("Second")],
    discriminator: { propertyName: "type", mapping: { first: ref("First").$ref, second: ref("Second").$ref } },
  });
});

test("what is nullable has the short form that generators know", () => {
  expect(plainSchema(Nullable(Type.String()))).toEqual({ type: ["string", "null"] });
  expect(plainSchema(OneOf(["a", "b"]))).toEqual({ type: "string", enum: ["a", "b"] });
  expect(plainSchema(OneOf(["a"]))).toEqual({ type: "string", const: "a" });
  expect(plainSchema(Type.Record(Type.String(), Type.Integer()))).toEqual({
    type: "object",
    additionalProperties: { type: "integer" },
  });
  expect(plainSchema(Type.String(describedAs({ type: "integer", minimum: 1 })))).toEqual({
    type: "integer",
    minimum: 1,
  });
});

test("names are in PascalCase, and that of an item is singular", () => {
  expect(["cta_url", "listPhones", "X-Phone-Id", "ID"].map(pascal)).toEqual(["CtaUrl", "ListPhones", "XPhoneId", "Id"]);
  expect(["Phones", "Entries", "Addresses", "Data"].map(singular)).toEqual(["Phone", "Entry", "Address", "DataItem"]);
  expect(["Phone", "Phone2", "phone", "InlineThing"].map(isGoodName)).toEqual([true, false, false, false]);
});
