import type { World } from "../world.ts";

/** A route as the document of its API names it; `path` with its `{parameters}`. */
export type Route = { api: "gateway" | "platform"; method: string; path: string; operation: any };

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const pointedAt = (document: Json, reference: string): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((part, name) => (part as Json)[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);

/** A part of a document with its references resolved. */
export const resolvedIn = <Part>(document: object, part: Part): Part => {
  const known = new Map<string, unknown>();
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (!isObject(value)) return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== "string")
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]));
    if (!known.has(reference)) known.set(reference, resolved(pointedAt(document as Json, reference)));
    return { ...(known.get(reference) as object), ...beside };
  };
  return resolved(part) as Part;
};

/** Every route of an API's /openapi.json, in its order, without references. */
export const documentedRoutes = async (world: World, api: Route["api"]): Promise<Route[]> => {
  const { body } = await world[api]("/openapi.json");
  return Object.entries(resolvedIn(body, body.paths as Record<string, Record<string, unknown>>)).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ api, method: method.toUpperCase(), path, operation })),
  );
};

/** `GET /v1/phones/{id}`: the key of a table of cases. */
export const nameOf = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path}`;
