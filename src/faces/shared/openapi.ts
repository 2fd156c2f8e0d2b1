import { toOpenAPISchema } from "@elysiajs/openapi";
import { type AnyElysia, Elysia } from "elysia";

type SecurityScheme = { type: "apiKey"; in: "header"; name: string; description: string } | { type: "http"; scheme: "bearer"; description: string };
export type Described = { title: string; description: string; version: string; url: string; tags: Record<string, string>; security: Record<string, SecurityScheme> };

/**
 * Serves the description of a face at /openapi.json: OpenAPI 3.1, made from its routes at the first request. The face is mounted below the path
 * of its base URL, which the paths of the document therefore leave out. There is no viewer page.
 */
export const description = (face: () => AnyElysia, prefix: string, described: Described) => {
  let document: object | undefined;
  return new Elysia({ name: `description:${described.title}` }).get("/openapi.json", () => (document ??= documentOf(face(), prefix, described)), { detail: { hide: true } });
};

const documentOf = (face: AnyElysia, prefix: string, { title, description: text, version, url, tags, security }: Described): object => {
  const { paths, components } = toOpenAPISchema(face, undefined, undefined, undefined, "3.1.2");
  return {
    openapi: "3.1.2",
    info: { title, description: text, version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    security: Object.keys(security).map((name) => ({ [name]: [] })),
    paths: Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path.slice(prefix.length).replace(/(.)\/$/, "$1"), operations])),
    components: { ...components, securitySchemes: security },
  };
};
