import { lowerIn } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { segmentsOf } from "../route-table.ts";
import type { Fault } from "./faults.ts";
import { pathOf } from "./request.ts";

/** Requests whose path the runtime changed when it made `url`. */
const altered = new WeakSet<Request>();

/** The longest path of a route, in segments, with room for the base URLs. */
export const MOST_PARTS = 16;

const isHarmless = (part: string): boolean =>
  !part.includes("\\") && (!part.includes(".") || !part.split("/").some((name) => name === "." || name === ".."));

/**
 * Marks a request whose sent path the runtime changed: `url` resolves `..`, also percent-encoded. `parts` are the
 * decoded segments as sent; undefined when there are too many, or empty ones among them. Ignores an invalid URL.
 */
export const notePath = (request: Request, parts: readonly string[] | undefined): void => {
  if (parts ? !parts.every(isHarmless) : hasFewFullParts(request.url)) altered.add(request);
};

/** Whether a URL's path has as few segments as a route's, and no empty one. */
const hasFewFullParts = (url: string): boolean => {
  const path = URL.parse(url)?.pathname;
  if (path === undefined) return false;
  const shown = segmentsOf(path);
  return shown.length <= MOST_PARTS && shown.every((part) => part !== "");
};

const isDecodable = (pathname: string): boolean => {
  if (!pathname.includes("%")) return true;
  try {
    return !decodeURIComponent(pathname).includes("\0");
  } catch {
    return false;
  }
};

/** Whether every parser reads a path in the same way: no dot segments, no NUL, and percent-encoded as UTF-8. */
export const isPlainPath = (request: Request): boolean => !altered.has(request) && isDecodable(pathOf(request));

/** More than any client of these APIs sends in its request line: path and query, as the runtime has encoded them. */
const MAX_TARGET_LENGTH = 8 * 1024;

/** Whether the target in a URL is too long. Only its length counts: such a target is not processed further. */
export const hasLongTarget = (url: string): boolean =>
  url.length > MAX_TARGET_LENGTH && url.length - url.indexOf("/", "https://".length) > MAX_TARGET_LENGTH;

const longTargets = new WeakSet<Request>();
/**
 * Marks a request that stands in for a request whose target is too long: its own target is only the prefix of its API.
 */
export const noteLongTarget = (request: Request): void => void longTargets.add(request);
export const isOfLongTarget = (request: Request): boolean => longTargets.has(request);

export const LONG_TARGET_MESSAGE = `The path and the query are longer than ${MAX_TARGET_LENGTH} characters.`;
export const LONG_TARGET: Fault = { kind: "long-target" };

/** The refusal of a path that is not plain. */
export const NOT_PLAIN: Fault = {
  kind: "invalid",
  issues: [issue("path", "pattern", "must have no dot segments and no NUL, and be percent-encoded as UTF-8")],
};

/** A URL with the ids in its path and query in their stored spelling. `isUrlSigned`: it stays unchanged. */
export const canonicalUrl = ({ href, origin, pathname, search }: URL, isUrlSigned: boolean): string =>
  isUrlSigned
    ? href
    : origin +
      (pathname.search(/[A-F]/) < 0 ? pathname : pathname.split("/").map(lowerIn).join("/")) +
      search.replace(/([?&]\w*[iI]d=)([^&]*)/g, (_, name: string, value: string) => name + lowerIn(value));
