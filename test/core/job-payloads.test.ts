import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readReleased, sampleOf } from "../../scripts/payloads.ts";
import { JOBS, type JobPayloads } from "../../src/core/jobs.ts";
import { versioned } from "../../src/kernel/versioned.ts";

const [A, B] = ["0198a000-1111-4222-8333-444455556666", "0198a000-2222-4222-8333-444455556666"];

const released = await readReleased();

type Parts = TSchema & { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] };

/** The fields of a text that its schema does not know, and the fields of the schema that it lacks, by their paths. */
const differences = (schema: Parts, value: unknown, path = ""): string[] => {
  const form = schema.anyOf?.find((one) => Value.Check(one, value));
  if (form) return differences(form, value, path);
  if (Array.isArray(value))
    return value.flatMap((one, at) => differences(schema.items ?? Type.Unknown(), one, `${path}/${at}`));
  if (schema.properties === undefined || typeof value !== "object" || value === null) return [];
  const fields: Record<string, unknown> = { ...value };
  const names = new Set([...Object.keys(schema.properties), ...Object.keys(fields)]);
  return [...names].flatMap((name) => {
    const field = schema.properties?.[name];
    if (!field && schema["additionalProperties"] === true) return [];
    return field && name in fields ? differences(field, fields[name], `${path}/${name}`) : [`${path}/${name}`];
  });
};

describe("what jobs carry", () => {
  test.each(Object.keys(JOBS) as (keyof JobPayloads)[])(
    "%s: every released version is read, and the newest has a text in test/released (npm run payloads)",
    (name) => {
      const { payload } = JOBS[name];
      const texts = released[name] ?? [];
      expect(texts).toHaveLength(payload.version);
      for (const [at, text] of texts.entries()) expect(payload.decode(JSON.stringify(text), at + 1).ok).toBe(true);
    },
  );

  test.each(Object.keys(JOBS) as (keyof JobPayloads)[])(
    "%s: its newest version has every field of its text and no other, so that a renamed field is a new version",
    (name) => {
      const { schema } = JOBS[name].payload;
      expect(differences(schema, released[name]?.at(-1))).toEqual([]);
    },
  );

  test("a field that was renamed or added without a new version is found, wherever it stands", () => {
    const schema = Type.Object({
      id: Type.String(),
      sizeBytes: Type.Optional(Type.Number()),
      to: Type.Union([Type.Null(), Type.Object({ name: Type.Optional(Type.String()) })]),
      all: Type.Array(Type.Object({ at: Type.Optional(Type.Number()) })),
    });
    expect(differences(schema, { id: "a", sizeBytes: 1, to: null, all: [{ at: 1 }] })).toEqual([]);
    expect(differences(schema, { id: "a", size: 1, to: { title: "b" }, all: [{ at: 1, by: 2 }] })).toEqual([
      "/sizeBytes",
      "/to/name",
      "/to/title",
      "/all/0/by",
      "/size",
    ]);
  });

  test("no kind of job is gone whose payloads lie in databases", () => {
    expect(Object.keys(released).filter((name) => !(name in JOBS))).toEqual([]);
  });

  test("npm run payloads can make a text of every payload", () => {
    for (const [name, { payload }] of Object.entries(JOBS)) expect(sampleOf(name, payload)).toBeObject();
    const strict = versioned(Type.Object({ code: Type.String({ pattern: "^[0-9]+$" }) }));
    expect(() => sampleOf("strict.job", strict)).toThrow("no text of strict.job can be made");
  });

  test.each<string>(["react", "edit", "delete", "read", "typing"])(
    "an operation that is a %s keeps what it is",
    (name) => {
      const more: Record<string, object> = { react: { emoji: "👍" }, edit: { text: "new" } };
      const action = { name, ...more[name] };
      const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action });
      expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: true, value: { action } });
    },
  );

  test("an operation that nobody knows is refused", () => {
    const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action: { name: "explode" } });
    expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: false, why: { is: "damaged" } });
  });
});
