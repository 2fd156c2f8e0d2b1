import { type AnyElysia, Elysia } from "elysia";
import { type AnswerHeader, describedOperations } from "../description/document.ts";
import { type DescribedRoute, operationsOf } from "../description/operations.ts";
import { type FixedText, fixedText } from "../description/served.ts";
import type { DescribedWebhooks } from "../description/webhooks.ts";
import { docs } from "./docs.ts";

type SecurityScheme =
  | { type: "apiKey"; in: "header"; name: string; description: string }
  | { type: "http"; scheme: "bearer"; description: string };

/** `security` names the default scheme of the routes. */
export type Described = {
  title: string;
  description: string;
  version: string;
  /** The public URL of the API. */
  url(): string;
  tags: Record<string, string>;
  schemes: Record<string, SecurityScheme>;
  security: string;
  /** Headers of responses, described once. */
  headers: Record<string, AnswerHeader>;
  /** The error codes of each status. */
  codes: Readonly<Record<string, readonly string[]>>;
  /** The events that the API sends. */
  webhooks?: DescribedWebhooks;
  /** The values from which the schemas of the routes were made. APIs of one process with equal values share them. */
  madeFrom: string;
};

/**
 * Serves an API's OpenAPI 3.1 description at /openapi.json, and a viewer at /docs. The document's paths are relative to
 * the API's base URL. Call `make` when all routes are declared and before any is compiled: compiling changes their
 * schemas. The document is put together at its first use. Two schemas with one name are an error then.
 */
export const description = (prefix: string, described: Described) => {
  let document: (url: string) => FixedText = () => fixedText("{}");
  return {
    served: new Elysia({ name: `description:${described.title}` })
      .get("/openapi.json", ({ request }) => document(described.url()).answer(request), { detail: { hide: true } })
      .use(docs(prefix, described.title)),
    make(api: AnyElysia): void {
      const made = routesOf(api, prefix, described);
      document = keepingLast((url) => fixedText(documentOf(made(), described, url)));
    },
  };
};

/** The paths and components of each API, as JSON without the outer braces. The APIs of one process share them. */
const madeOf = new Map<string, () => string>();

const routesOf = (api: AnyElysia, prefix: string, described: Described): (() => string) => {
  const routes = api.routes as readonly DescribedRoute[];
  const name = [
    described.title,
    described.madeFrom,
    ...routes.map(({ method, path }) => `${method} ${path.slice(prefix.length)}`),
  ].join("\n");
  const known = madeOf.get(name);
  if (known !== undefined) return known;
  const operations = operationsOf(routes, prefix);
  const made = once(() => {
    const { paths, webhooks, components } = describedOperations(operations, described);
    return JSON.stringify({
      paths,
      ...(described.webhooks ? { webhooks } : {}),
      components: { ...components, securitySchemes: described.schemes },
    }).slice(1, -1);
  });
  madeOf.set(name, made);
  return made;
};

/** Calls a function at the first use of its result, and then releases the function. */
const once = <Value>(make: () => Value): (() => Value) => {
  let maker: (() => Value) | undefined = make;
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: (maker as () => Value)() };
    maker = undefined;
    return made.value;
  };
};

/** Keeps the value of the last key. */
const keepingLast = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  let last: { key: string; value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
};

const documentOf = (
  made: string,
  { title, description: text, version, tags, security }: Described,
  url: string,
): string => {
  const head = JSON.stringify({
    openapi: "3.1.1",
    info: {
      title,
      description: text,
      version,
      contact: { name: "Recado" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    security: [{ [security]: [] }],
  });
  return `${head.slice(0, -1)},${made}}`;
};
