import { lowerIn } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { Fault } from "./faults.ts";

/** Requests whose path was another one before the runtime made it what `url` says. */
const altered = new WeakSet<Request>();

/** The longest path of a route, in parts, with room for the base URLs. */
export const MOST_PARTS = 16;

const isHarmless = (part: string): boolean =>
  !part.includes("\\") && !part.split("/").some((name) => name === "." || name === "..");

/**
 * Notes what a path was on the wire: `parts` are its decoded parts, undefined where there are too many, or empty ones
 * among them. A URL no longer tells: it resolves `..`, also where that is percent-encoded, so that the end of a path
 * would name its beginning. A URL that no parser takes is left to who routes it.
 */
export const notePath = (request: Request, parts: readonly string[] | undefined): void => {
  const url = URL.parse(request.url);
  if (url === null) return;
  const shown = url.pathname.replace(/\/$/, "").split("/").slice(1);
  const isAltered = parts ? !parts.every(isHarmless) : shown.length <= MOST_PARTS && shown.every((part) => part !== "");
  if (isAltered) altered.add(request);
};

const isDecodable = (pathname: string): boolean => {
  try {
    return !decodeURIComponent(pathname).includes("\0");
  } catch {
    return false;
  }
};

/** Whether a path says what it says to everybody: without dot segments, without NUL, and percent-encoded as UTF-8. */
export const isPlainPath = (request: Request): boolean =>
  !altered.has(request) && isDecodable(new URL(request.url).pathname);

/** What an API says of a path that is not plain. */
export const NOT_PLAIN: Fault = {
  kind: "invalid",
  issues: [issue("path", "pattern", "must have no dot segments and no NUL, and be percent-encoded as UTF-8")],
};

/**
 * A URL whose ids, in its path and in parameters that are named as ids, are written as they are kept. `isPathSigned`:
 * the path stays as it was signed.
 */
export const canonicalUrl = ({ origin, pathname, search }: URL, isPathSigned: boolean): string =>
  origin +
  (isPathSigned ? pathname : pathname.split("/").map(lowerIn).join("/")) +
  search.replace(/([?&]\w*[iI]d=)([^&]*)/g, (_, name: string, value: string) => name + lowerIn(value));
