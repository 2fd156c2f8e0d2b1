import type { Static, TSchema } from "@sinclair/typebox";
import { issuesOf } from "./schema.ts";
import { OWN_JSON, parsedJson } from "./texts/json.ts";

/**
 * Why a stored text cannot be read. `newer`: a newer version of the program wrote it. `damaged`: the text does not
 * match its version.
 */
export type Unreadable = { is: "newer" | "damaged"; reason: string };

/**
 * The versions of a stored JSON text, so that texts of older programs stay readable. A released version never changes.
 * `next` adds a version and requires the conversion from the version before it. While nodes of two versions run, the
 * older one leaves texts of the newer one unchanged.
 */
export type Versioned<Value> = {
  /** The version that `encode` writes; the first is 1. */
  readonly version: number;
  /** The schema of that version. */
  readonly schema: TSchema;
  encode(value: Value): string;
  /** The value in its newest version. Fields that no schema names are kept. Never throws. */
  decode(text: string, version: number): { ok: true; value: Value } | { ok: false; why: Unreadable };
  /** Adds a newer version, with the conversion from this one. */
  next<Schema extends TSchema>(schema: Schema, upgrade: (older: Value) => Static<Schema>): Versioned<Static<Schema>>;
};

/** The type of a versioned text's value. */
export type ValueOf<Format> = Format extends Versioned<infer Value> ? Value : never;

/** The first version of a text. */
export const versioned = <Schema extends TSchema>(schema: Schema): Versioned<Static<Schema>> =>
  form(1, schema, () => undefined);

type Older<Value> = (
  text: string,
  version: number,
) => { ok: true; value: Value } | { ok: false; why: Unreadable } | undefined;

const form = <Schema extends TSchema>(
  version: number,
  schema: Schema,
  older: Older<Static<Schema>>,
): Versioned<Static<Schema>> => {
  const decode: Versioned<Static<Schema>>["decode"] = (text, of) => {
    if (of > version)
      return {
        ok: false,
        why: { is: "newer", reason: `version ${of} is newer than ${version}, the newest that is known here` },
      };
    const upgraded = of === version ? undefined : older(text, of);
    if (upgraded) return upgraded;
    if (of !== version) return damaged(`there is no version ${of}`);
    const json = parsedJson(text, OWN_JSON);
    if (json === undefined) return damaged("it is no JSON");
    const [issue] = issuesOf(schema, json);
    return issue ? damaged(`${issue.path || "it"} ${issue.message}`) : { ok: true, value: json as Static<Schema> };
  };
  return {
    version,
    schema,
    encode: (value) => JSON.stringify(value),
    decode,
    next: (newer, upgrade) =>
      form(version + 1, newer, (text, of) => {
        const read = decode(text, of);
        return read.ok ? { ok: true, value: upgrade(read.value) } : read;
      }),
  };
};

const damaged = (reason: string): { ok: false; why: Unreadable } => ({ ok: false, why: { is: "damaged", reason } });
