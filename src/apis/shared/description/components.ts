import { FIELD_TEXT, OPEN_WORDS } from "../../../kernel/schema.ts";
import { isSchema, mapValues, type Schema, type Schemas, withFieldText, without } from "./json-schema.ts";
import { isGoodName, pascal, singular } from "./names.ts";

/** Collects the schemas of a document under their names. */
export type Components = {
  /** The schema with a reference in place of every object that has fields. `name` is that of a schema without a title. */
  lifted(schema: Schema, name: string): Schema;
  readonly schemas: Record<string, Schema>;
};

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const propertiesOf = (schema: Schema): Schemas => (schema["properties"] as Schemas | undefined) ?? {};
const hasFields = (schema: Schema): boolean => Object.keys(propertiesOf(schema)).length > 0;
const variantsOf = (schema: Schema): readonly Schema[] | undefined => schema["oneOf"] as readonly Schema[] | undefined;

/** The field whose word distinguishes the shapes of a union: `type`. */
const discriminatorOf = (shapes: readonly Schema[]): string | undefined =>
  Object.keys(propertiesOf(shapes[0] ?? {})).find((field) =>
    shapes.every((shape) => typeof propertiesOf(shape)[field]?.["const"] === "string"),
  );

const wordOf = (shape: Schema, field: string): string => String(propertiesOf(shape)[field]?.["const"]);

/** The whole body of each word of a switch: the common fields with those of the word. */
const wholeVariants = (schema: Schema, variants: readonly Schema[]): Schema[] => {
  const { title, ...common } = without(schema, "oneOf");
  const field = discriminatorOf(variants) ?? "type";
  const required = (common["required"] as string[] | undefined) ?? [];
  return variants.map((variant) => ({
    ...common,
    title: variant["title"] ?? `${String(title)}${pascal(wordOf(variant, field))}`,
    properties: mapValues({ ...propertiesOf(common), ...propertiesOf(variant) }, (own, name) =>
      Object.keys(own).length === 0 ? (propertiesOf(common)[name] ?? own) : own,
    ),
    required: [...new Set([...required, ...((variant["required"] as string[] | undefined) ?? [])])],
  }));
};

type Lift = Components["lifted"];

/** A field with its own text. A component may be the schema of several fields. */
const liftedField = ({ [FIELD_TEXT]: text, ...schema }: Schema, name: string, lifted: Lift): Schema =>
  withFieldText({ ...lifted(schema, name), [FIELD_TEXT]: text });

/** The fields of a shape without a title, which is part of another one. */
const inPlace = (schema: Schema, name: string, lifted: Lift): Schema => ({
  ...schema,
  properties: mapValues(propertiesOf(schema), (field, key) => liftedField(field, name + pascal(key), lifted)),
});

/** A schema that extends others, or a union that names its own field; undefined for any other. */
const composedOf = ({ title: _title, ...schema }: Schema, name: string, lifted: Lift): Schema | undefined => {
  const parts = schema["allOf"] as readonly Schema[] | undefined;
  if (parts) {
    const { type: _type, ...rest } = schema; // the parts say it
    return { ...rest, allOf: parts.map((one) => ("title" in one ? lifted(one, name) : inPlace(one, name, lifted))) };
  }
  if (!("discriminator" in schema)) return undefined;
  return { ...schema, oneOf: (variantsOf(schema) ?? []).map((one) => lifted(one, name)) };
};

/** @throws Error for a bad name, and for one name of two shapes. */
export const newComponents = (): Components => {
  const schemas: Record<string, Schema> = {};
  const texts = new Map<string, string>();
  const titled = new WeakMap<Schema, Schema>();

  const register = (name: string, schema: Schema): Schema => {
    if (!isGoodName(name)) throw new Error(`${name} is no name of a component: give the schema a title`);
    const text = JSON.stringify(schema);
    const before = texts.get(name);
    if (before !== undefined && before !== text)
      throw new Error(`two schemas are named ${name}: ${before} and ${text}`);
    texts.set(name, text);
    schemas[name] = schema;
    return refTo(name);
  };

  const union = (name: string, schema: Schema, shapes: readonly Schema[]): Schema => {
    const rest = without(schema, "title", "anyOf", "oneOf");
    const field = shapes.every(hasFields) ? discriminatorOf(shapes) : undefined;
    const members = shapes.map((shape) => {
      const own = field === undefined ? typeNameOf(shape) : wordOf(shape, field);
      return lifted(shape, `${name}${pascal(own)}`);
    });
    if (field === undefined) return { ...rest, anyOf: members };
    const mapping = Object.fromEntries(shapes.map((shape, at) => [wordOf(shape, field), members[at]?.["$ref"]]));
    return register(name, { ...rest, oneOf: members, discriminator: { propertyName: field, mapping } });
  };

  const lifted = (schema: Schema, name: string): Schema => {
    const before = titled.get(schema);
    if (before) return before;
    const made = liftedAs(schema, typeof schema["title"] === "string" ? schema["title"] : name);
    if (typeof schema["title"] === "string") titled.set(schema, made);
    return made;
  };

  const liftedAs = (schema: Schema, name: string): Schema => {
    const made = composedOf(schema, name, lifted);
    if (made) return register(name, made);
    const variants = variantsOf(schema);
    if (variants && hasFields(schema))
      return union(name, { title: name }, wholeVariants({ ...schema, title: name }, variants));
    const choices = variants ?? (schema["anyOf"] as readonly Schema[] | undefined);
    if (choices) return choiceOf(schema, name, choices);
    if (hasFields(schema)) {
      const rest = without(schema, "title");
      const properties = mapValues(propertiesOf(schema), (field, key) =>
        liftedField(field, name + pascal(key), lifted),
      );
      return register(name, { ...rest, properties });
    }
    return innerOf(schema, name);
  };

  const choiceOf = (schema: Schema, name: string, choices: readonly Schema[]): Schema => {
    const shapes = choices.filter((one) => one["type"] !== "null");
    if (shapes.filter(hasFields).length > 1) {
      const made = union(name, schema, shapes);
      return shapes.length === choices.length ? made : { anyOf: [made, { type: "null" }] };
    }
    const rest = without(schema, "title", "anyOf", "oneOf");
    const isMixed = shapes.length > 1 && shapes.some(hasFields);
    const made = { ...rest, anyOf: choices.map((one) => lifted(one, isMixed ? name + pascal(typeNameOf(one)) : name)) };
    return isMixed ? register(name, made) : made;
  };

  /** Lists and records: their values are named, they themselves are not. */
  const innerOf = (schema: Schema, name: string): Schema => {
    const { items, additionalProperties } = schema;
    const rest = "enum" in schema || OPEN_WORDS in schema ? schema : without(schema, "title");
    if (isSchema(items)) return { ...rest, items: lifted(items, singular(name)) };
    if (isSchema(additionalProperties))
      return { ...rest, additionalProperties: lifted(additionalProperties, `${singular(name)}Value`) };
    return rest;
  };

  return { lifted, schemas };
};

const typeNameOf = (shape: Schema): string =>
  [shape["title"], shape["type"], "value"].find((one) => typeof one === "string") ?? "";
