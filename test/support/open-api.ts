import type { World } from "./world.ts";

/** A route as the document of its API names it; `path` with its `{parameters}`. */
export type Route = { api: "gateway" | "platform"; method: string; path: string; operation: any };

/** Every route of an API's /openapi.json, in its order. */
export const documentedRoutes = async (world: World, api: Route["api"]): Promise<Route[]> => {
  const { body } = await world[api]("/openapi.json");
  return Object.entries(body.paths as Record<string, Record<string, unknown>>).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ api, method: method.toUpperCase(), path, operation })),
  );
};

/** `GET /v1/phones/{id}`: what a table of cases is keyed by. */
export const nameOf = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path}`;
