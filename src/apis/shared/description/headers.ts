import type { AnswerHeader, AnswerPlace } from "./document.ts";

const isRefusal = ({ status }: AnswerPlace): boolean => status >= "400";
const isOneOf =
  (...statuses: readonly string[]) =>
  ({ status }: AnswerPlace): boolean =>
    statuses.includes(status);

/**
 * Headers of both APIs. The headers of every answer are named only by the shared refusals, and once in the text of the
 * description: repeating them with every success would double its answers.
 */
export const COMMON_HEADERS: Readonly<Record<string, AnswerHeader>> = {
  "X-Request-Id": {
    short: "RequestId",
    description: "The id of the request, also in the server's log; the client's own id if it sent a valid one",
    schema: { type: "string" },
    isOf: isRefusal,
  },
  RateLimit: {
    short: "RateLimit",
    description: 'The rest of the window, and the seconds until it ends: `"minute";r=59;t=30`',
    schema: { type: "string" },
    isOf: isRefusal,
  },
  "RateLimit-Policy": {
    short: "RateLimitPolicy",
    description: 'The limit of a window in seconds: `"minute";q=60;w=60`',
    schema: { type: "string" },
    isOf: isRefusal,
  },
  "Retry-After": {
    short: "RetryAfter",
    description: "Seconds to wait before the next try",
    schema: { type: "integer", minimum: 0 },
    isOf: isOneOf("409", "425", "429", "500", "502", "503"),
  },
  "WWW-Authenticate": {
    short: "Challenge",
    description: "The scheme of the credentials that are needed",
    schema: { type: "string" },
    isOf: isOneOf("401"),
  },
};

/** The sentence about headers that every answer has. */
export const COMMON_HEADERS_TEXT =
  "Every answer has `X-Request-Id`, and those to a key or token have `RateLimit` and `RateLimit-Policy`. " +
  "A 201 or 202 that made something names it in `Location`, where it can be read.";
