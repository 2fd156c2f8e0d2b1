// The schemas of an API as types of Python: models for answers, dictionaries for requests.
import type { Document, Operation, Schema } from "./document.ts";
import { typeName } from "./names.ts";
import { camel, docstring, fieldName, laidOut, literal, snake } from "./python-names.ts";

/** Whether a type is of an answer, which is read leniently, or of a request. */
type Use = "answer" | "request";

const SIMPLE: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const nameOf = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";
const isNull = ({ type }: Schema): boolean => type === "null";
const variantsOf = ({ oneOf, anyOf }: Schema): Schema[] => oneOf ?? anyOf ?? [];

const union = (types: string[]): string => {
  const unique = [...new Set(types)].filter((type) => type !== "None");
  if (unique.includes("Any")) return "Any";
  const all = unique.length > 1 ? `Union[${unique.join(", ")}]` : (unique[0] ?? "None");
  return types.includes("None") && all !== "None" ? `Optional[${all}]` : all;
};

const literals = (values: unknown[]): string =>
  values.length > 0 ? `Literal[${values.map(literal).join(", ")}]` : "None";

/** The type of given values. `isOpen`: a newer server may answer with another text. */
const constantType = (values: unknown[], isOpen: boolean): string => {
  const others = isOpen && values.some((one) => typeof one === "string") ? ["str"] : [];
  const nulls = values.includes(null) ? ["None"] : [];
  return union([...nulls, literals(values.filter((one) => one !== null)), ...others]);
};

/** The name of the dictionary of a schema that answers have too. */
const inputName = (name: string): string => `${name}Input`;

/** The requests and answers of a route, in the types of its API. */
export type PythonTypes = {
  /** The text of the module. */
  text: string;
  typeOf(schema: Schema, use: Use, prefix: string): string;
  /** The fields of a body, and whether each is needed. */
  fieldsOf(schema: Schema): { wire: string; type: string; isNeeded: boolean }[];
  /** The variants of a body, if its `type` names the variant. */
  variantsOf(schema: Schema): Schema[];
  /** TABLE: the names on the wire of the names in a body, by the name of its type. */
  shapes: Record<string, Shape>;
  /** The table's name for a body; undefined if all names are the same on the wire. */
  shapeOf(schema: Schema): string | undefined;
};

/** For each name that differs or has fields inside: its name on the wire, and the shape of these fields. */
export type Shape = Record<string, [wire: string, shape: string | null]> | { by: string; of: Record<string, string> };

class Types {
  readonly #schemas: Record<string, Schema>;
  readonly #sent = new Set<string>();
  readonly #answered = new Set<string>();
  /** The variants of unions, whose constants must be exact. */
  readonly #exact = new Set<string>();
  readonly #written = new Map<string, string>();
  readonly #isUnderWay = new Set<string>();
  readonly shapes: Record<string, Shape> = {};

  constructor(document: Document, operations: Operation[]) {
    this.#schemas = (document.components?.["schemas"] ?? {}) as Record<string, Schema>;
    for (const { body, answers, list } of operations) {
      if (body?.schema) this.#reach(body.schema, this.#sent);
      for (const one of [...answers, ...(list ? [list.item] : [])]) this.#reach(one, this.#answered);
    }
    for (const [name, schema] of Object.entries(this.#schemas)) {
      if (!this.#sent.has(name)) this.#reach({ $ref: name }, this.#answered);
      this.#noteVariants(schema);
    }
    for (const { answers } of operations) for (const one of answers) this.#noteVariants(one);
  }

  write(): string {
    for (const name of Object.keys(this.#schemas)) {
      if (this.#answered.has(name)) this.#declare(name, "answer");
      if (this.#sent.has(name)) this.#declare(name, "request");
    }
    return [...this.#written.values()].join("\n\n");
  }

  typeOf(schema: Schema, use: Use, prefix = "", isExact = false): string {
    if (schema.$ref) return this.#reference(schema, use, prefix);
    const values = "const" in schema ? [schema.const] : schema.enum;
    if (values) return constantType(values, use === "answer" && !isExact);
    const known = schema["x-extensible-enum"];
    if (known) return constantType(known, true);
    if (variantsOf(schema).length > 0) return union(variantsOf(schema).map((one) => this.typeOf(one, use, prefix)));
    if (schema.allOf) return "Dict[str, Any]";
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
    return union(types.map((type) => this.#simple(type, schema, use, prefix)));
  }

  /** The schema itself, with its parts put together. */
  resolved(schema: Schema): Schema {
    const own = schema.$ref ? (this.#schemas[nameOf(schema)] ?? {}) : schema;
    if (!own.allOf) return own;
    const parts = own.allOf.map((part) => this.resolved(part));
    return {
      ...own,
      type: "object",
      properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties) as Record<
        string,
        Schema
      >,
      required: parts.flatMap(({ required = [] }) => required),
    };
  }

  #reach(schema: Schema, reached: Set<string>): void {
    if (schema.$ref) {
      const name = nameOf(schema);
      if (reached.has(name)) return;
      reached.add(name);
    }
    const own = this.resolved(schema);
    const inner = [...variantsOf(own), ...Object.values(own.properties ?? {}), ...(own.items ? [own.items] : [])];
    if (typeof own.additionalProperties === "object") inner.push(own.additionalProperties);
    for (const one of inner) this.#reach(one, reached);
  }

  #noteVariants(schema: Schema): void {
    for (const one of variantsOf(schema)) if (one.$ref) this.#exact.add(nameOf(one));
    for (const one of [...(schema.allOf ?? []), ...variantsOf(schema), ...Object.values(schema.properties ?? {})])
      if (!one.$ref) this.#noteVariants(one);
  }

  #nameFor(name: string, use: Use): string {
    const { properties, oneOf, anyOf } = this.resolved({ $ref: name });
    const isBoth = this.#sent.has(name) && this.#answered.has(name);
    return use === "request" && isBoth && (properties ?? oneOf ?? anyOf) ? inputName(name) : name;
  }

  #reference(schema: Schema, use: Use, prefix: string): string {
    const name = nameOf(schema);
    const own = this.resolved(schema);
    const full = `${prefix}${this.#nameFor(name, use)}`;
    if (prefix === "") this.#declare(name, use);
    // a dictionary with known names and others: no TypedDict takes others
    if (use === "request" && own.properties && typeof own.additionalProperties === "object")
      return union([full, `Dict[str, ${this.typeOf(own.additionalProperties, use, prefix)}]`]);
    return own.enum && use === "answer" ? union([...(own.enum.includes(null) ? ["None"] : []), full, "str"]) : full;
  }

  #simple(type: string, schema: Schema, use: Use, prefix: string): string {
    if (type === "array") return `List[${this.typeOf(schema.items ?? {}, use, prefix)}]`;
    if (type === "object") {
      const [pattern] = Object.values(schema.patternProperties ?? {});
      const others = pattern ?? (typeof schema.additionalProperties === "object" ? schema.additionalProperties : {});
      return `Dict[str, ${this.typeOf(others, use, prefix)}]`;
    }
    if (type === "string" && schema.format === "date-time")
      return use === "answer" ? "datetime" : "Union[datetime, str]";
    return SIMPLE[type] ?? "Any";
  }

  #declare(name: string, use: Use): void {
    const full = this.#nameFor(name, use);
    if (this.#written.has(full)) return;
    if (this.#isUnderWay.has(full)) throw new Error(`${name} contains itself: the generator does not know that yet`);
    this.#isUnderWay.add(full);
    const own = this.resolved({ $ref: name });
    const text = this.#declaration(full, name, own, use);
    this.#written.set(full, text);
  }

  #declaration(full: string, name: string, schema: Schema, use: Use): string {
    const note = docstring(schema.description, "");
    if (schema.enum)
      return laidOut(`${full} = Literal[`, schema.enum.filter((one) => one !== null).map(literal), "]", "");
    if (schema.properties && !schema.oneOf)
      return use === "answer" ? this.#model(full, name, schema) : this.#dictionary(full, schema);
    if (variantsOf(schema).length > 0 && use === "answer") return this.#choice(full, schema) + note;
    return `${full} = ${this.typeOf(schema, use)}\n${note}`;
  }

  /** A union that is read by its tag or by its fields, and that a type checker sees as a union. */
  #choice(full: string, schema: Schema): string {
    const objects = variantsOf(schema).flatMap((one) => this.leaves(one));
    const names = [...new Set(objects.map((one) => this.typeOf(one, "answer")))];
    const { discriminator } = schema as { discriminator?: { propertyName: string; mapping: Record<string, string> } };
    if (!discriminator) return choiceText(full, names, laidOut(`    ${full} = one_of(`, names, ")", "").trimEnd());
    const other = full.endsWith("Event") ? "OtherEvent" : "Other";
    const rows = Object.entries(discriminator.mapping).map(
      ([tag, $ref]) => `        ${literal(tag)}: ${nameOf({ $ref })},\n`,
    );
    const made = `    ${full} = tagged(\n        ${literal(discriminator.propertyName)},\n        {\n${rows.map((row) => `    ${row}`).join("")}        },\n        ${other},\n    )`;
    return choiceText(full, [...names, other], made);
  }

  /** The objects that a schema may be. */
  leaves(schema: Schema): Schema[] {
    const own = this.resolved(schema);
    return variantsOf(own).length > 0 ? variantsOf(own).flatMap((one) => this.leaves(one)) : [schema];
  }

  /** Whether only the fields say which of several objects it is. */
  isChoice(schema: Schema): boolean {
    const objects = variantsOf(schema).filter((one) => !isNull(one));
    return (
      !schema.$ref &&
      objects.length > 1 &&
      objects.every((one) => this.leaves(one).every((leaf) => this.resolved(leaf).properties))
    );
  }

  #fieldType(full: string, wire: string, schema: Schema, isExact: boolean): { type: string; before: string } {
    if (!this.isChoice(schema)) return { type: this.typeOf(schema, "answer", "", isExact), before: "" };
    const name = `${full}${typeName(wire)}`;
    const { additionalProperties, ...rest } = schema;
    const text = this.#choice(name, { ...rest, anyOf: variantsOf(schema).filter((one) => !isNull(one)) });
    const types = [
      name,
      ...(variantsOf(schema).some(isNull) ? ["None"] : []),
      ...(additionalProperties ? ["Dict[str, Any]"] : []),
    ];
    return { type: union(types), before: `${text}\n\n` };
  }

  #model(full: string, name: string, schema: Schema): string {
    const { properties = {}, required = [], additionalProperties } = schema;
    const before: string[] = [];
    const fields = Object.entries(properties).map(([wire, one]) => {
      const field = fieldName(wire);
      const made = this.#fieldType(full, wire, one, this.#exact.has(name));
      before.push(made.before);
      const isNeeded = required.includes(wire);
      const type = isNeeded || /^(?:Optional|Any$)/.test(made.type) ? made.type : `Optional[${made.type}]`;
      const alias = camel(field) === wire ? undefined : `alias=${literal(wire)}`;
      const value = alias ? ` = Field(${isNeeded ? "" : "None, "}${alias})` : isNeeded ? "" : " = None";
      return `    ${field}: ${type}${value}\n${docstring(one.description, "    ")}`;
    });
    const base = additionalProperties ? "OpenModel" : "Model";
    const head = docstring(schema.description, "    ");
    return `${before.join("")}class ${full}(${base}):\n${head}${head && fields.length > 0 ? "\n" : ""}${fields.join("") || (head ? "" : "    pass\n")}`;
  }

  #dictionary(full: string, schema: Schema): string {
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([wire, one]) => {
      const type = this.typeOf(one, "request");
      return `    ${snake(wire)}: ${required.includes(wire) ? type : `NotRequired[${type}]`}\n${docstring(one.description, "    ")}`;
    });
    const head = docstring(schema.description, "    ");
    return `class ${full}(TypedDict):\n${head}${head && fields.length > 0 ? "\n" : ""}${fields.join("") || (head ? "" : "    pass\n")}`;
  }

  /** The shape of a schema, put into the table; undefined if its names and the names inside are those of the wire. */
  shapeOf(schema: Schema): string | undefined {
    const own = this.resolved(schema);
    if (own.type === "array" && own.items) return this.shapeOf(own.items);
    const name = nameOf(schema);
    const variants = variantsOf(own).filter((one) => !isNull(one));
    if (!name) return variants.length === 1 && variants[0] ? this.shapeOf(variants[0]) : undefined;
    if (this.shapes[name]) return name;
    const { discriminator } = own as { discriminator?: { propertyName: string; mapping: Record<string, string> } };
    const shape = discriminator
      ? { by: discriminator.propertyName, of: this.#shapesBy(discriminator.mapping) }
      : this.#namesOf(variants.length > 0 ? this.#merged(variants) : own);
    if (Object.keys("by" in shape && typeof shape.by === "string" ? shape.of : shape).length === 0) return undefined;
    this.shapes[name] = shape;
    return name;
  }

  #merged(variants: Schema[]): Schema {
    return {
      properties: Object.assign({}, ...variants.map((one) => this.resolved(one).properties)) as Record<string, Schema>,
    };
  }

  #shapesBy(mapping: Record<string, string>): Record<string, string> {
    const all = Object.entries(mapping).map(([tag, $ref]) => [tag, this.shapeOf({ $ref })] as const);
    return Object.fromEntries(all.filter((row): row is [string, string] => row[1] !== undefined));
  }

  #namesOf({ properties = {} }: Schema): Record<string, [string, string | null]> {
    const rows = Object.entries(properties).map(
      ([wire, one]) => [snake(wire), [wire, this.shapeOf(one) ?? null]] as const,
    );
    return Object.fromEntries(rows.filter(([name, [wire, inner]]) => name !== wire || inner !== null)) as Record<
      string,
      [string, string | null]
    >;
  }
}

const choiceText = (full: string, names: string[], made: string): string =>
  `if TYPE_CHECKING:\n${laidOut(`${full} = Union[`, names, "]", "    ")}else:\n${made}\n`;

/** The names that the module itself uses. */
const RESERVED =
  "Any Dict List Literal Optional Union TypedDict NotRequired Field Model OpenModel Other OtherEvent datetime".split(
    " ",
  );

/** The types of an API. @throws if a schema has a name that the module needs. */
export const pythonTypes = (api: string, document: Document, operations: Operation[]): PythonTypes => {
  const schemas = (document.components?.["schemas"] ?? {}) as Record<string, Schema>;
  const clashes = RESERVED.filter((name) => name in schemas);
  if (clashes.length > 0) throw new Error(`${clashes.join(", ")}: a schema must not be called so`);
  const types = new Types(document, operations);
  const body = types.write();
  const event = `${typeName(api)}Event`;
  const common = [
    ...("ErrorCode" in schemas ? [] : ["ErrorCode = str\n"]),
    `WebhookEvent = ${event in schemas ? event : "OtherEvent"}\n`,
  ];
  return {
    text: `${preamble(api)}\n\n\n${body}\n\n${common.join("\n")}`,
    typeOf: (schema, use, prefix) => types.typeOf(schema, use, prefix),
    fieldsOf: (schema) => {
      const { properties = {}, required = [] } = types.resolved(schema);
      return Object.entries(properties).map(([wire, one]) => ({
        wire,
        type: types.typeOf(one, "request", "t."),
        isNeeded: required.includes(wire),
      }));
    },
    variantsOf: (schema) => types.resolved(schema).oneOf ?? [],
    shapes: types.shapes,
    shapeOf: (schema) => types.shapeOf(schema),
  };
};

const preamble = (
  api: string,
): string => `# Written by npm run clients from the description of the ${api} API. Do not edit.
"""What the ${api} API answers, as models, and what it takes, as dictionaries."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from ._models import Model, OpenModel, Other, OtherEvent, one_of, tagged`;
