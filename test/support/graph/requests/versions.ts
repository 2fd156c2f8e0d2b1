import { numberOf } from "../../../../plugins/meta/json.ts";
import { GraphError } from "../errors.ts";

/** The newest major version in November 2026. Requests to versions that have ended are served by the oldest live one. */
const NEWEST_MAJOR = 27;

/** TABLE: parameters that new apps may not use since v27, whatever the version of the request, and their uses. */
const WITHDRAWN: readonly (readonly [string, string])[] = [
  ["ids", "Requests for several IDs"],
  ["date_format", "Formats of dates"],
  ["method", "Overrides of the HTTP method"],
  ["callback", "JSONP"],
  ["batch", "Batches"],
];

/**
 * Throws 2500 for a version that does not exist, and 100 for a request in a form that Meta took from new apps on 4
 * November 2026. That the number is 100 is a guess.
 */
export const requireKept = (version: string, query: URLSearchParams, { headers, body }: Asked): void => {
  const major = numberOf(/^v(\d+)\.0$/.exec(version)?.[1]);
  if (major === undefined || major > NEWEST_MAJOR)
    throw new GraphError(2500, { message: `Unknown path components: /${version}`, httpStatus: 400 });
  const used = WITHDRAWN.find(([name]) => query.has(name))?.[1] ?? otherFormIn(query, { headers, body });
  if (used !== undefined) throw new GraphError(100, { message: `(#100) ${used} are no longer supported.` });
};

type Asked = { headers: Headers; body: unknown };

const otherFormIn = (query: URLSearchParams, { headers, body }: Asked): string | undefined => {
  if (headers.has("x-http-method-override")) return "Overrides of the HTTP method";
  if (query.get("fields")?.includes(".as(")) return "Aliases of fields";
  return typeof body === "object" && body !== null && "batch" in body ? "Batches" : undefined;
};
