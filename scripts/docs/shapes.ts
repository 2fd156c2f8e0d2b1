// Schemas of the description as Markdown tables.

export type Schema = { readonly [keyword: string]: unknown };
/** The schemas of a page by their names. */
export type Shapes = Map<string, Schema>;

/** The name of the schema that a reference leads to. */
export const nameIn = (ref: unknown): string => String(ref).split("/").at(-1) ?? "";
const link = (name: string): string => `[${name}](#${name.toLowerCase()})`;
/** A reference as a link. */
export const linkTo = ({ $ref }: Schema): string => link(nameIn($ref));
const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);

/** Adds schemas to those of the page. Throws if two shapes have one name, unless it is a name of the envelope. */
export const shapesUsed = (schemas: Readonly<Record<string, Schema>>, shapes: Shapes): void => {
  for (const [name, schema] of Object.entries(schemas)) {
    const known = shapes.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema) && !/Event(Envelope)?$/.test(name))
      throw new Error(`two shapes are named ${name}`);
    shapes.set(name, schema);
  }
};

/** The type of a field in words, with links to other shapes. */
const typeOf = (schema: Schema): string => {
  const { $ref, anyOf, oneOf, items, type, format } = schema;
  if ($ref !== undefined) return link(nameIn($ref));
  if ("const" in schema) return `\`${String(schema["const"])}\``;
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => `\`${String(one)}\``).join(", ");
  const choices = [...listOf(anyOf), ...listOf(oneOf)];
  if (choices.length > 0) return choices.map(typeOf).join(" or ");
  if (type === "array") return `list of ${typeOf((items ?? {}) as Schema)}`;
  if (type === undefined) return "any value";
  const words = (Array.isArray(type) ? type : [type]).map(String);
  return words.map((one) => (one === "string" && typeof format === "string" ? format : one)).join(" or ");
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The fields of an object. A field that may be missing is marked. */
const fieldTable = (schema: Schema): string => {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, field]) => {
    const about = typeof field["description"] === "string" ? field["description"] : "";
    return `| \`${name}\`${required.includes(name) ? "" : " ?"} | ${cell(typeOf(field))} | ${cell(about)} |`;
  });
  return rows.length === 0 ? "No fields." : ["| Field | Type | Meaning |", "|---|---|---|", ...rows].join("\n");
};

/** The fields of a shape, or its variants. */
export const shapeBody = (schema: Schema): string => {
  const choices = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
  if (choices.length > 0) {
    const { discriminator } = schema as { discriminator?: { propertyName: string; mapping?: Record<string, string> } };
    if (!discriminator?.mapping) return `One of ${choices.map(typeOf).join(", ")}.`;
    const rows = Object.entries(discriminator.mapping).map(([value, ref]) => `| \`${value}\` | ${link(nameIn(ref))} |`);
    return [`| \`${discriminator.propertyName}\` | Shape |`, "|---|---|", ...rows].join("\n");
  }
  const parts = listOf(schema["allOf"]);
  if (parts.length === 0) return fieldTable(schema);
  return parts
    .map((part) => (part["$ref"] === undefined ? fieldTable(part) : `All fields of ${typeOf(part)}, and:`))
    .join("\n\n");
};

/** A shape under its name. */
export const shapeSection = (name: string, schema: Schema): string => {
  const about = typeof schema["description"] === "string" ? `${schema["description"]}.\n\n` : "";
  return `#### ${name}\n\n${about}${shapeBody(schema)}`;
};
