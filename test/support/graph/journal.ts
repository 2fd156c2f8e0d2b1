import type { Clock } from "../../../src/kernel/clock.ts";

/** A request as it came, and what it was answered: `status` null where no answer went out (yet), `broken` says how it was left without. */
export type JournalEntry = {
  method: string;
  path: string;
  query: Record<string, string>;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The parsed JSON or form; the text where it is neither; undefined without a body. */
  body: unknown;
  at: number;
  status: number | null;
  broken?: "hang" | "reset" | "half" | "page";
};

/** The body of a request by its content type. Throws SyntaxError for JSON that is none. */
const parsedBody = (contentType: string, text: string): unknown => {
  if (text === "") return undefined;
  if (contentType.startsWith("application/json")) return JSON.parse(text);
  if (contentType.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  return text;
};

/** The entry of a request whose body was read. */
export const entryOf = (clock: Clock, request: Request, url: URL, text: string): JournalEntry => ({
  method: request.method,
  path: url.pathname,
  query: Object.fromEntries(url.searchParams),
  headers: Object.fromEntries(request.headers),
  body: bodyOrText(request.headers.get("content-type") ?? "", text),
  at: clock.now(),
  status: null,
});

const bodyOrText = (contentType: string, text: string): unknown => {
  try {
    return parsedBody(contentType, text);
  } catch {
    return text;
  }
};
