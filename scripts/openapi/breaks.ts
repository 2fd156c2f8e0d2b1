/**
 * Finds the parts of an older description that a newer one takes away from its clients. Names of components do not
 * matter.
 */

type Json = { readonly [key: string]: unknown };
type Schemas = Readonly<Record<string, Json>>;

/** The values that a schema and all its choices take. `types` and `words` are undefined if any value is allowed. */
type Shape = {
  types: ReadonlySet<string> | undefined;
  words: ReadonlySet<unknown> | undefined;
  properties: Readonly<Record<string, readonly Json[]>>;
  required: readonly string[];
  items: readonly Json[];
};

/** `input`: the client writes the value; `answer`: the client reads it. */
type Direction = "input" | "answer";
type Compared = { direction: Direction; at: string; depth: number };

type Parameter = { name: string; in: string; required?: boolean; schema?: Json };
type Body = { required?: boolean; content?: Readonly<Record<string, { schema?: Json }>> };
type Operation = { parameters?: Parameter[]; requestBody?: Body; responses?: Readonly<Record<string, Body>> };

/** The maximum depth, deeper than any schema of Recado: it ends a schema that contains itself. */
const MAX_DEPTH = 12;

/** The object that a reference of the document names, of the kind of the reference's place; other values unchanged. */
const resolvedIn = <Part extends object>(document: Json, value: Part): Part => {
  const { $ref: reference } = value as { $ref?: unknown };
  if (typeof reference !== "string") return value;
  const found = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((part, name) => (part as Json)[name], document);
  return resolvedIn(document, found as Part);
};

/** The alternatives of a schema, each with the keywords that stand beside the choice. */
const choicesOf = (document: Json, given: Json): Json[] => {
  const { anyOf, oneOf, ...schema } = resolvedIn(document, given);
  const choices = (anyOf ?? oneOf) as Json[] | undefined;
  if (!choices) return [schema];
  return choices.flatMap((choice) =>
    choicesOf(document, choice).map((one) => ({
      ...schema,
      ...one,
      properties: { ...(schema["properties"] as object), ...(one["properties"] as object | undefined) },
      required: [...((schema["required"] as string[] | undefined) ?? []), ...((one["required"] as string[]) ?? [])],
    })),
  );
};

const typesOf = ({ type, const: word, enum: words, properties }: Json): string[] | undefined => {
  if (type !== undefined) return [type].flat() as string[];
  if (word !== undefined || words !== undefined) return ["string"];
  return properties && Object.keys(properties).length > 0 ? ["object"] : undefined;
};

const wordsOf = ({ const: word, enum: words }: Json): unknown[] | undefined =>
  word === undefined ? (words as unknown[] | undefined) : [word];

/** The union of all choices' values; undefined if a choice allows any value. */
const united = <Value>(parts: readonly (readonly Value[] | undefined)[]): ReadonlySet<Value> | undefined =>
  parts.some((part) => part === undefined) ? undefined : new Set(parts.flatMap((part) => part ?? []));

const shapeOf = (document: Json, schemas: readonly Json[]): Shape => {
  const choices = schemas.flatMap((schema) => choicesOf(document, schema));
  const values = choices.filter((one) => one["type"] !== "null");
  const objects = values.filter((one) => typesOf(one)?.includes("object"));
  const properties: Record<string, Json[]> = {};
  for (const { properties: own = {} } of objects)
    for (const [name, field] of Object.entries(own as Schemas)) (properties[name] ??= []).push(field);
  const [first, ...others] = objects.map((one) => (one["required"] as string[] | undefined) ?? []);
  return {
    types: united(choices.map(typesOf)),
    words: united(values.map(wordsOf)),
    properties,
    required: (first ?? []).filter((name) => others.every((required) => required.includes(name))),
    items: values.flatMap((one) => (one["items"] ? [one["items"] as Json] : [])),
  };
};

const isTaken = (type: string, by: ReadonlySet<string>): boolean =>
  by.has(type) || (type === "integer" && by.has("number"));

/** The types of one side that the other side does not take. */
const missingTypes = (of: Shape["types"], by: Shape["types"]): string[] => {
  if (by === undefined) return [];
  return of === undefined ? ["any"] : [...of].filter((type) => !isTaken(type, by));
};

const missingWords = (of: Shape["words"], by: Shape["words"]): unknown[] =>
  of === undefined || by === undefined ? [] : [...of].filter((word) => word !== null && !by.has(word));

const newlyRequired = (was: Shape, is: Shape): string[] =>
  is.required.filter((name) => !was.required.includes(name)).map((name) => `.${name}: is required`);

const newlyOptional = (was: Shape, is: Shape): string[] =>
  was.required
    .filter((name) => name in is.properties && !is.required.includes(name))
    .map((name) => `.${name}: may be missing`);

const operationsIn = ({ paths }: Json): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );

/** @returns one line for each part that an old client misses, or that now refuses its requests. */
export const breaksBetween = (before: Json, after: Json): string[] => {
  const found: string[] = [];

  const compare = (old: readonly Json[], now: readonly Json[], { direction, at, depth }: Compared): void => {
    if (depth > MAX_DEPTH) return;
    const [was, is] = [shapeOf(before, old), shapeOf(after, now)];
    const types = direction === "input" ? missingTypes(was.types, is.types) : missingTypes(is.types, was.types);
    if (types.length > 0) found.push(`${at}: its type changed (${types.join(", ")})`);
    if (direction === "input")
      for (const word of missingWords(was.words, is.words)) found.push(`${at}: ${String(word)} is refused`);
    for (const [name, fields] of Object.entries(was.properties)) {
      const place = `${at}.${name}`;
      const field = is.properties[name];
      if (field === undefined) found.push(`${place}: is gone`);
      else compare(fields, field, { direction, at: place, depth: depth + 1 });
    }
    found.push(...(direction === "input" ? newlyRequired(was, is) : newlyOptional(was, is)).map((line) => at + line));
    if (was.items.length > 0 && is.items.length > 0)
      compare(was.items, is.items, { direction, at: `${at}[]`, depth: depth + 1 });
  };

  const compareBodies = (old: Body, now: Body, { direction, at, depth }: Compared): void => {
    for (const [type, { schema }] of Object.entries(old.content ?? {})) {
      const media = now.content?.[type];
      if (media === undefined) found.push(`${at}: ${type} is gone`);
      else if (schema && media.schema)
        // a body may be null if it is not required
        compare([schema], direction === "input" ? [media.schema, { type: "null" }] : [media.schema], {
          direction,
          at,
          depth,
        });
    }
  };

  const compareParameters = (name: string, old: Operation, now: Operation): void => {
    const parametersOf = (document: Json, { parameters = [] }: Operation): Parameter[] =>
      parameters.map((one) => resolvedIn(document, one));
    const [was, is] = [parametersOf(before, old), parametersOf(after, now)];
    for (const { in: place, name: parameter, schema = {} } of was) {
      const at = `${name} ${place} ${parameter}`;
      const one = is.find((other) => other.in === place && other.name === parameter);
      if (!one) found.push(`${at}: is gone`);
      // all parameters are texts on the wire
      else
        for (const word of missingWords(shapeOf(before, [schema]).words, shapeOf(after, [one.schema ?? {}]).words))
          found.push(`${at}: ${String(word)} is refused`);
    }
    for (const { in: place, name: parameter, required } of is)
      if (required && !was.some((one) => one.in === place && one.name === parameter && one.required))
        found.push(`${name} ${place} ${parameter}: is required`);
  };

  const compareOperations = (name: string, old: Operation, now: Operation): void => {
    compareParameters(name, old, now);
    const { requestBody: body } = old;
    const newBody = now.requestBody && resolvedIn(after, now.requestBody);
    if (body && newBody) compareBodies(body, newBody, { direction: "input", at: `${name} body`, depth: 0 });
    if (newBody?.required && !body?.required) found.push(`${name} body: is required`);
    for (const [status, answer] of Object.entries(old.responses ?? {})) {
      if (status >= "300") continue;
      const answerNow = now.responses?.[status];
      if (answerNow === undefined) found.push(`${name} ${status}: is gone`);
      else
        compareBodies(resolvedIn(before, answer), resolvedIn(after, answerNow), {
          direction: "answer",
          at: `${name} ${status}`,
          depth: 0,
        });
    }
  };

  const now = operationsIn(after);
  for (const [name, operation] of Object.entries(operationsIn(before))) {
    if (now[name]) compareOperations(name, operation, now[name]);
    else found.push(`${name}: is gone`);
  }
  return found;
};
