import { type TSchema, Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf } from "../../../kernel/schema.ts";
import { isRecord, type Json, listOf, recordOf } from "../../../kernel/texts/json.ts";

// The JSON schemas that a tool may have: the part that every provider of models takes. Everything else is refused by
// name, so that no model is told less than the account has written.

const MAX_BYTES = 8 * 1024;
const MAX_DEPTH = 5;
const MAX_FIELDS = 50;
const MAX_CHOICES = 100;
/** The longest arguments of a call, as JSON. */
const MAX_ARGUMENTS = 8 * 1024;

/** A name that no language reads as something else. */
const FIELD_NAME = /^(?!__)[A-Za-z_][\w-]{0,63}$/;

/** TABLE: the keywords of each type, besides those of every type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
  string: ["enum", "minLength", "maxLength"],
  integer: ["enum", "minimum", "maximum"],
  number: ["enum", "minimum", "maximum"],
  boolean: [],
};
const OF_ALL = ["type", "title", "description", "default"];
const NUMBERS = ["minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"];

const fault = (path: string, message: string): Issue[] => [issue(path, "format", message)];

const choiceFaults = ({ type, enum: choices }: Json, path: string): Issue[] => {
  if (choices === undefined) return [];
  const wanted = type === "string" ? "string" : "number";
  const isRight =
    Array.isArray(choices) &&
    choices.length > 0 &&
    choices.length <= MAX_CHOICES &&
    choices.every((choice) => typeof choice === wanted && (type !== "integer" || Number.isInteger(choice)));
  return isRight ? [] : fault(`${path}.enum`, `must be 1 to ${MAX_CHOICES} values of the type`);
};

const fieldFaults = (schema: Json, path: string, depth: number): Issue[] => {
  const fields = schema["properties"] ?? {};
  if (!isRecord(fields)) return fault(`${path}.properties`, "must be an object");
  const wrong = Object.keys(fields).find((name) => !FIELD_NAME.test(name));
  if (wrong !== undefined)
    return fault(`${path}.properties`, "must have names of letters, digits, `_` and `-`, of at most 64 characters");
  if (depth > 1 && Object.keys(fields).length === 0) return fault(`${path}.properties`, "must have a field");
  const { required = [] } = schema;
  const isKnown = Array.isArray(required) && required.every((name) => Object.hasOwn(fields, String(name)));
  return [
    ...(isKnown ? [] : fault(`${path}.required`, "must be names among the properties")),
    ...Object.entries(fields).flatMap(([name, field]) => faultsOf(field, `${path}.properties.${name}`, depth + 1)),
  ];
};

const faultsOf = (schema: unknown, path: string, depth: number): Issue[] => {
  if (!isRecord(schema)) return fault(path, "must be a JSON schema");
  if (depth > MAX_DEPTH) return fault(path, `must not be deeper than ${MAX_DEPTH} levels`);
  const { type } = schema;
  const own = typeof type === "string" && Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type] : undefined;
  if (!own) return fault(`${path}.type`, `must be one of ${Object.keys(KEYWORDS).join(", ")}`);
  const known = [...OF_ALL, ...own, ...(depth === 1 ? ["$schema"] : [])];
  const stranger = Object.keys(schema).find((name) => !known.includes(name));
  if (stranger !== undefined) return fault(path, `must not have \`${stranger.slice(0, 40)}\``);
  const bad = NUMBERS.find((name) => schema[name] !== undefined && !Number.isFinite(schema[name]));
  if (bad !== undefined) return fault(`${path}.${bad}`, "must be a number");
  return [
    ...choiceFaults(schema, path),
    ...(type === "object" ? fieldFaults(schema, path, depth) : []),
    ...(type === "array" ? faultsOf(schema["items"], `${path}.items`, depth + 1) : []),
  ];
};

const countFields = (schema: Json): number => {
  const inner = [...Object.values(recordOf(schema["properties"])), ...(schema["items"] ? [schema["items"]] : [])];
  return inner.reduce<number>((sum, one) => sum + 1 + countFields(recordOf(one)), 0);
};

/** The faults of a tool's schema: an object of at most 50 fields, five levels and 8 KiB. */
export const parameterIssues = (schema: Json): Issue[] => {
  const path = "parameters";
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_BYTES)
    return [issue(path, "maxLength", `must have at most ${MAX_BYTES} bytes as JSON`)];
  if (schema["type"] !== "object") return fault(`${path}.type`, "must be object");
  const faults = faultsOf(schema, path, 1);
  if (faults.length > 0) return faults;
  return countFields(schema) > MAX_FIELDS ? fault(path, `must have at most ${MAX_FIELDS} fields`) : [];
};

/** Fields that some providers refuse, and that no model needs. */
const UNSHOWN = ["$schema", "additionalProperties"];

const shown = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (UNSHOWN.includes(name)) return [];
      if (name === "items") return [[name, shown(recordOf(value))]];
      if (name !== "properties") return [[name, value]];
      const fields = Object.entries(recordOf(value)).map(([field, inner]) => [field, shown(recordOf(inner))] as const);
      return [[name, Object.fromEntries(fields)]];
    }),
  );

/** A tool's schema as a model gets it. */
export const shownParameters = (schema: Json): Json => ({ properties: {}, ...shown(schema) });

const limitsIn = (schema: Json): object =>
  Object.fromEntries(NUMBERS.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])));

/** The checker of a schema that `parameterIssues` accepted. */
const checkerOf = (schema: Json): TSchema => {
  const { type, enum: choices } = schema;
  if (Array.isArray(choices)) return Type.Union(choices.map((choice: string | number) => Type.Literal(choice)));
  if (type === "string") return Type.String(limitsIn(schema));
  if (type === "boolean") return Type.Boolean();
  if (type === "array") return Type.Array(checkerOf(recordOf(schema["items"])), limitsIn(schema));
  if (type !== "object") return type === "integer" ? Type.Integer(limitsIn(schema)) : Type.Number(limitsIn(schema));
  const required = listOf(schema["required"]);
  const fields = Object.entries(recordOf(schema["properties"])).map(([name, field]) => {
    const checker = checkerOf(recordOf(field));
    return [name, required.includes(name) ? checker : Type.Optional(checker)] as const;
  });
  return Type.Object(Object.fromEntries(fields), { additionalProperties: false });
};

/** Why a model's arguments are not of the schema, for the model; undefined if they are. No argument is without a name. */
export const argumentFault = (schema: Json, given: Json | null): string | undefined => {
  if (given === null) return "The arguments are no JSON object.";
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_ARGUMENTS) return "The arguments are too long.";
  const [first] = issuesOf(checkerOf(schema), given);
  return first && `The argument ${first.path || "(all)"} ${first.message}.`;
};
