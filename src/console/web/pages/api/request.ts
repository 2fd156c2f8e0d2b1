import { href } from "../../frame/base.ts";
import { type ApiName, type Description, type Operation, type Parameter, parametersOf } from "./description.ts";

/** The values of the form, by `<in> <name>`, and the text of the body. */
export type Filled = { values: Readonly<Record<string, string>>; body: string };

export const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** The path with its parameters and the query, below the API's own address. */
const pathOf = (document: Description, operation: Operation, { values }: Filled): string => {
  const query = new URLSearchParams();
  let { path } = operation;
  for (const parameter of parametersOf(document, operation)) {
    const value = values[keyOf(parameter)] ?? "";
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === "query" && value !== "") query.set(parameter.name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
};

const headersOf = (document: Description, operation: Operation, { values }: Filled): [string, string][] =>
  parametersOf(document, operation)
    .filter((parameter) => parameter.in === "header" && (values[keyOf(parameter)] ?? "") !== "")
    .map((parameter) => [parameter.name, values[keyOf(parameter)] ?? ""]);

/** The request through the door of the console. */
export const requestOf = (
  document: Description,
  { api, operation }: { api: ApiName; operation: Operation },
  filled: Filled,
): { url: string; init: { method: string; headers: Headers; body?: string } } => {
  const headers = new Headers(headersOf(document, operation, filled));
  if (filled.body !== "") headers.set("content-type", "application/json");
  return {
    url: new URL(href(`/${api}${pathOf(document, operation, filled)}`), location.origin).href,
    init: { method: operation.method, headers, ...(filled.body === "" ? {} : { body: filled.body }) },
  };
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const credentialOf = (api: ApiName, { tag }: Operation): string => {
  if (api === "platform") return "Authorization: Bearer $RECADO_TOKEN";
  return tag === "admin" ? "X-Admin-Token: $RECADO_ADMIN_TOKEN" : "X-API-Key: $RECADO_API_KEY";
};

/** The same request for a shell, with a key of one's own. */
export const curlOf = (
  document: Description,
  { api, operation, baseUrl }: { api: ApiName; operation: Operation; baseUrl: string },
  filled: Filled,
): string =>
  [
    `curl -X ${operation.method} ${quoted(baseUrl + pathOf(document, operation, filled))}`,
    `-H "${credentialOf(api, operation)}"`,
    ...headersOf(document, operation, filled).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(filled.body === "" ? [] : ["-H 'content-type: application/json'", `-d ${quoted(filled.body)}`]),
  ].join(" \\\n  ");
