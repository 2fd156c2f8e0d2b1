import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { toView } from "../../src/apis/shared/view.ts";
import { described, Nullable } from "../../src/kernel/schema.ts";

const Instant = Type.String({ format: "date-time" });
const Key = Type.Object({
  id: Type.String(),
  readOnly: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  expiresAt: described(Nullable(Instant), "When it ends"),
  createdAt: Instant,
  joinedInto: Type.Optional(Type.String()),
  usedAt: Type.Optional(described(Nullable(Instant), "When it was used")),
});
const row = {
  secret: "never shown",
  createdAt: 0,
  scopes: ["a"] as readonly string[],
  expiresAt: null,
  joinedInto: null,
  usedAt: null,
  id: "1",
};

describe("a view of a row", () => {
  test("has the schema's fields in the schema's order, and no other field of the row", () => {
    expect(JSON.stringify(toView(Key, row, { readOnly: false }))).toBe(
      '{"id":"1","readOnly":false,"scopes":["a"],"expiresAt":null,"createdAt":"1970-01-01T00:00:00.000Z","usedAt":null}',
    );
  });

  test("shows times as ISO 8601, and leaves out what is null or undefined where the schema has no null", () => {
    const used = { ...row, expiresAt: 1000, usedAt: 2000, joinedInto: "2" };
    expect(toView(Key, used, { readOnly: true })).toMatchObject({
      expiresAt: "1970-01-01T00:00:01.000Z",
      usedAt: "1970-01-01T00:00:02.000Z",
      joinedInto: "2",
    });
    expect(toView(Key, used, { readOnly: true, joinedInto: undefined })).not.toHaveProperty("joinedInto");
  });

  test("takes a given field before the row's, times among them", () => {
    expect(toView(Key, row, { readOnly: true, id: "3", createdAt: 3000 })).toMatchObject({
      id: "3",
      createdAt: "1970-01-01T00:00:03.000Z",
    });
  });

  test("does not compile without a field of the schema, with a field of another type, or with one that the schema lacks", () => {
    // @ts-expect-error: the row has no `readOnly`
    expect(toView(Key, row)).not.toHaveProperty("readOnly");
    // @ts-expect-error: `readOnly` is a boolean
    expect(toView(Key, row, { readOnly: 1 })).toBeDefined();
    // @ts-expect-error: the schema has no `secret`
    expect(toView(Key, row, { readOnly: true, secret: "shown" })).not.toHaveProperty("secret");
    // @ts-expect-error: an answer needs `readOnly`
    expect(toView(Key, row, { readOnly: undefined })).not.toHaveProperty("readOnly");
  });
});
