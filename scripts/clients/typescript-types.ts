// JSON schemas as types of TypeScript.
import type { Schema } from "./document.ts";

const KEYWORDS: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** The comment over a declaration; empty without a text. */
export const commentOf = (text: string | undefined, indent = ""): string =>
  text
    ? `${indent}/** ${text
        .trim()
        .replaceAll("*/", "*\\/")
        .replaceAll(/\s*\n\s*/g, " ")} */\n`
    : "";

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const union = (types: string[]): string => {
  const unique = [...new Set(types)];
  return unique.includes("unknown") ? "unknown" : unique.join(" | ") || "never";
};

const inParentheses = (type: string): string => (/[|&]/.test(type) && !/^\{[\s\S]*\}$/.test(type) ? `(${type})` : type);

/** A schema whose variants include the keywords beside them. */
const variantsOf = ({ oneOf, anyOf, ...beside }: Schema): Schema[] => {
  const { properties = {}, required = [] } = beside;
  return (oneOf ?? anyOf ?? []).map((variant) =>
    Object.keys(properties).length === 0 || variant.$ref
      ? variant
      : {
          ...beside,
          ...variant,
          type: "object",
          properties: { ...properties, ...variant.properties },
          required: [...required, ...(variant.required ?? [])],
        },
  );
};

const fieldsOf = ({ properties = {}, required = [] }: Schema, indent: string): string[] =>
  Object.entries(properties).map(
    ([name, schema]) =>
      `${commentOf(schema.description, indent)}${indent}${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, indent)};\n`,
  );

/** The type of the keys that an object has beside its properties; undefined without such keys. */
const othersOf = ({ additionalProperties: others, patternProperties }: Schema, indent: string): string | undefined => {
  const patterns = Object.values(patternProperties ?? {});
  if (patterns.length > 0) return union(patterns.map((one) => typeOf(one, indent)));
  if (others === true) return "unknown";
  return typeof others === "object" ? typeOf(others, indent) : undefined;
};

const objectType = (schema: Schema, indent: string): string => {
  const inner = `${indent}  `;
  const fields = fieldsOf(schema, inner);
  const others = othersOf(schema, indent);
  if (fields.length === 0) return `Record<string, ${others ?? "unknown"}>`;
  // an index signature must allow the types of the fields
  const open = others === undefined ? "" : `${inner}[key: string]: unknown;\n`;
  return `{\n${fields.join("")}${open}${indent}}`;
};

/** An object of any fields is left out, because it does not narrow the types beside it. */
const saysSomething = ({ $ref, properties = {}, additionalProperties, allOf, oneOf, anyOf }: Schema): boolean =>
  Boolean($ref ?? allOf ?? oneOf ?? anyOf ?? additionalProperties) || Object.keys(properties).length > 0;

/** The type that a schema describes. `indent`: the indent of its first line. */
export const typeOf = (schema: Schema, indent = ""): string => {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "unknown";
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const known = schema["x-extensible-enum"];
  // editors offer the known texts, and the compiler takes every text
  if (known) return union([...known.map((value) => JSON.stringify(value)), "(string & {})"]);
  if (schema.oneOf ?? schema.anyOf) return union(variantsOf(schema).map((one) => inParentheses(typeOf(one, indent))));
  if (schema.allOf) {
    const own = schema.properties ? [objectType(schema, indent)] : [];
    return [...schema.allOf.filter(saysSomething).map((one) => inParentheses(typeOf(one, indent))), ...own].join(" & ");
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.properties ? "object" : "")];
  return union(types.map((type) => simpleType(type, schema, indent)));
};

const simpleType = (type: string, schema: Schema, indent: string): string => {
  if (type === "array") return `${inParentheses(typeOf(schema.items ?? {}, indent))}[]`;
  if (type === "object") return objectType(schema, indent);
  if (type === "string" && schema.format === "binary") return "Blob";
  return KEYWORDS[type] ?? "unknown";
};
