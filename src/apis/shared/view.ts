import { OptionalKind, type TProperties, type TSchema } from "@sinclair/typebox";
import { iso } from "../../kernel/clock.ts";

/** A field as rows have it: times are milliseconds, and a field that an answer may lack is null. */
type Stored<Shown> =
  | Shown
  | (Shown extends readonly (infer Item)[] ? readonly Item[] : never)
  | (string extends NonNullable<Shown> ? number : never)
  | (undefined extends Shown ? null : never);

/** What a row must have for the view of a schema. */
type RowOf<Shown> = { readonly [Name in keyof Shown]: Stored<Shown[Name]> };

/** Fields that are no copies of the row's; only one that an answer may lack can be undefined. */
type Given<Shown> = {
  readonly [Name in keyof Shown]?: undefined extends Shown[Name]
    ? Stored<Shown[Name]> | undefined
    : Stored<Shown[Name]>;
};
/** Refuses fields that the schema lacks. */
type Only<Named, Shown> = Named & Record<Exclude<keyof Named, keyof Shown>, never>;

type ObjectSchema<Shown = unknown> = TSchema & { properties: TProperties; static: Shown };

type Column = { name: string; isTime: boolean; isAbsentWithoutValue: boolean };
const columnsOf = new WeakMap<ObjectSchema, readonly Column[]>();

const some = (schema: TSchema, is: (one: TSchema) => boolean): boolean =>
  [schema, ...((schema["anyOf"] as TSchema[] | undefined) ?? [])].some(is);

const columns = (schema: ObjectSchema): readonly Column[] => {
  const known = columnsOf.get(schema);
  if (known) return known;
  const made = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    isTime: some(property, ({ format }) => format === "date-time"),
    isAbsentWithoutValue: OptionalKind in property && !some(property, ({ type }) => type === "null"),
  }));
  columnsOf.set(schema, made);
  return made;
};

/**
 * A row as an answer shows it: the fields of the answer's schema and no others, in the schema's order. Each is the one
 * of `given`, else the row's of that name. Times become ISO 8601 where the schema says so. What is null in the row is
 * absent where the schema has no null.
 */
export const toView = <Shown, Named extends Given<Shown> = Record<never, never>>(
  schema: ObjectSchema<Shown>,
  row: Omit<RowOf<Shown>, keyof Named>,
  given?: Only<Named, Shown>,
): Shown => {
  const named = given as Readonly<Record<string, unknown>> | undefined;
  const view: Record<string, unknown> = {};
  for (const { name, isTime, isAbsentWithoutValue } of columns(schema)) {
    const isGiven = named !== undefined && Object.hasOwn(named, name);
    const value = isGiven ? named[name] : (row as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || (value === null && isAbsentWithoutValue)) continue;
    view[name] = isTime && typeof value === "number" ? iso(value) : value;
  }
  return view as Shown;
};
