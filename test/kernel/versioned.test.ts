import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { versioned } from "../../src/kernel/versioned.ts";

const first = versioned(Type.Object({ name: Type.String() }));
const third = first
  .next(Type.Object({ names: Type.Array(Type.String()) }), ({ name }) => ({ names: [name] }))
  .next(Type.Object({ names: Type.Array(Type.String()), count: Type.Integer() }), ({ names }) => ({
    names,
    count: names.length,
  }));

describe("a versioned text", () => {
  test("is read in the form that was written, with fields that no schema names", () => {
    expect(first.decode(first.encode({ name: "a" }), first.version)).toEqual({ ok: true, value: { name: "a" } });
    expect(first.decode('{"name":"a","more":1}', 1)).toMatchObject({ ok: true, value: { more: 1 } });
  });

  test("of any older version comes in the newest form", () => {
    expect(third.version).toBe(3);
    const texts = ['{"name":"a"}', '{"names":["a"]}', '{"names":["a"],"count":1}'];
    expect(texts.map((text, at) => third.decode(text, at + 1))).toEqual(
      texts.map(() => ({ ok: true, value: { names: ["a"], count: 1 } })),
    );
  });

  test("of a newer version is left to a newer program", () => {
    expect(first.decode('{"names":["a"]}', 2)).toEqual({
      ok: false,
      why: { is: "newer", reason: "version 2 is newer than 1, the newest that is known here" },
    });
  });

  test.each([
    ["{", 3, "it is no JSON"],
    ["null", 1, "it must be an object"],
    ['{"name":1}', 1, "name must be a string"],
    ['{"name":"a"}', 2, "names is required"],
    ['{"name":"a"}', 0, "there is no version 0"],
  ])("that is damaged, as %p of version %p, says where", (text, version, reason) => {
    expect(third.decode(text, version)).toEqual({ ok: false, why: { is: "damaged", reason } });
  });
});
