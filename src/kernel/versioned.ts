import type { Static, TSchema } from "@sinclair/typebox";
import { issuesOf } from "./schema.ts";

/**
 * Why a stored text could not be read. `is`: `newer` was written by a newer version of the program; `damaged` is no
 * text of the version that it names.
 */
export type Unreadable = { is: "newer" | "damaged"; reason: string };

/**
 * The forms that a stored JSON text has had, so that what an older version of the program wrote is still read. The
 * rule: a form that was released never changes. A new form is a new version, made with `next`, which asks for the way
 * from the form before it; so no version can be raised without a decoder for the older ones. While nodes of two
 * versions run side by side, the older leaves what the newer has written.
 */
export type Versioned<Value> = {
  /** What `encode` writes: 1 for the first form. */
  readonly version: number;
  encode(value: Value): string;
  /** The value in its newest form; fields that no schema names are kept. Never throws. */
  decode(text: string, version: number): { ok: true; value: Value } | { ok: false; why: Unreadable };
  /** A newer form, and how a value of this one becomes one of it. */
  next<Schema extends TSchema>(schema: Schema, upgrade: (older: Value) => Static<Schema>): Versioned<Static<Schema>>;
};

/** The value that a versioned text holds. */
export type ValueOf<Format> = Format extends Versioned<infer Value> ? Value : never;

/** The first form of a text. */
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
    const read = parsed(text);
    if (!read) return damaged("it is no JSON");
    const [issue] = issuesOf(schema, read.json);
    return issue ? damaged(`${issue.path || "it"} ${issue.message}`) : { ok: true, value: read.json as Static<Schema> };
  };
  return {
    version,
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

const parsed = (text: string): { json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
};
