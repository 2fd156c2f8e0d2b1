// Adds a text of each payload of a job that has none yet to test/released/job-payloads.json. A text that stands there
// lies in databases of others: it is never changed.
//   bun scripts/payloads.ts
import { join, resolve } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { JOBS } from "../src/core/jobs.ts";
import type { Versioned } from "../src/kernel/versioned.ts";

const PATH = "test/released/job-payloads.json";
const file = Bun.file(join(resolve(import.meta.dir, ".."), PATH));

/** A text of every released version of every kind of job, oldest first. */
export type Released = Record<string, object[]>;

export const readReleased = async (): Promise<Released> => (await file.json()) as Released;

/** The parts of a schema that a sample is made of. */
type Parts = {
  const?: unknown;
  anyOf?: Parts[];
  type?: string;
  properties?: Record<string, Parts>;
  items?: Parts;
  minLength?: number;
  minimum?: number;
};

/** A value with every field of a schema, and the first of several forms. */
const valueFor = (schema: Parts): unknown => {
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.anyOf ?? [];
  if (first) return valueFor(first);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, valueFor(one)]));
    case "array":
      return schema.items ? [valueFor(schema.items)] : [];
    case "string":
      return "a".repeat(schema.minLength ?? 1);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return null;
  }
};

/** @throws Error for a schema with rules that this knows nothing of: then the text is written by hand. */
export const sampleOf = (name: string, payload: Pick<Versioned<object>, "schema" | "version" | "decode">): object => {
  const value = valueFor(payload.schema as TSchema & Parts) as object;
  const read = payload.decode(JSON.stringify(value), payload.version);
  if (!read.ok) throw new Error(`no text of ${name} can be made, so write one into ${PATH}: ${read.why.reason}`);
  return value;
};

if (import.meta.main) {
  const released = await readReleased();
  for (const [name, { payload }] of Object.entries(JOBS)) {
    const texts = (released[name] ??= []);
    if (texts.length === payload.version - 1) texts.push(sampleOf(name, payload));
  }
  const lines = Object.entries(released).map(
    ([name, texts]) =>
      `  ${JSON.stringify(name)}: [${texts.map((text) => `\n    ${JSON.stringify(text)}`).join(",")}\n  ]`,
  );
  await Bun.write(file, `{\n${lines.join(",\n")}\n}\n`);
  console.error(`${PATH} written`);
}
