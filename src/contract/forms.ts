import { type TSchema, Type } from "@sinclair/typebox";

/** A text for people, in each language of the console. */
export type Words = { en: string; pt: string; es: string };

/**
 * What a form says of a field. They are annotations of the field's schema (`credentials`, `channelSettings`), beside
 * its `description`, which is the text of a refusal. The order of a form is that of the properties.
 */
export type FieldWords = {
  /** What people call the field, in a few words. */
  label: Words;
  /** Where a person finds the value, and what it decides. */
  help?: Words;
  /** The page of the network that explains it. */
  helpUrl?: string;
  /** True if the typed value must not be readable on the screen. */
  isSecret?: true;
};

/** The keywords of these annotations. They are no JSON Schema, so no API description shows them. */
export const FIELD_WORDS = ["label", "help", "helpUrl", "isSecret"] as const satisfies readonly (keyof FieldWords)[];

/** The schema of a field with what a form says of it. */
export const inForm = <Schema extends TSchema>(schema: Schema, words: FieldWords): Schema => ({ ...schema, ...words });

/** One of the values of a choice, with its name in a form. */
export type Choice = { const: string; label?: Words };

/** One of these texts, each with its name in a form. */
export const ChoiceOf = <Value extends string>(words: Readonly<Record<Value, Words>>, description?: string) =>
  Type.Unsafe<Value>({
    ...Type.Union(Object.entries<Words>(words).map(([value, label]) => Type.Literal(value, { label }))),
    ...(description === undefined ? {} : { description }),
  });
