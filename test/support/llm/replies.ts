/** The answer of the simulated provider to one request. A bare string is the text of a completion. */
export type Reply =
  | string
  | {
      is: "text";
      text: string | null;
      finishReason?: "stop" | "length" | "content_filter";
      refusal?: string;
      model?: string;
    }
  /** Calls of tools, with the text beside them. */
  | { is: "calls"; calls: readonly { name: string; arguments: unknown }[]; text?: string }
  | {
      is: "error";
      status: number;
      error: { message: string; type: string; param?: string | null; code?: string | null };
      headers?: Record<string, string>;
    }
  /** This status with this body, whatever it is. */
  | { is: "status"; status: number; body: string }
  /** 200 with this body, whatever it is. */
  | { is: "raw"; body: string; contentType?: string }
  /** 200 with these bytes, as a file of this type. */
  | { is: "file"; bytes: Uint8Array<ArrayBuffer>; contentType: string }
  /** No answer: the connection breaks once the request has been read. */
  | { is: "dropped" }
  /** The answer comes when the promise resolves. */
  | { is: "held"; until: Promise<unknown>; reply?: Reply };

/** An error in the real provider's form. By default 429 and 5xx carry `Retry-After: 0`, so that nobody waits. */
export const REPLIES = {
  json: (value: unknown): Reply => JSON.stringify(value),
  calls: (...calls: readonly (readonly [name: string, given: unknown])[]): Reply => ({
    is: "calls",
    calls: calls.map(([name, given]) => ({ name, arguments: given })),
  }),
  busy: ({ retryAfter = "0" }: { retryAfter?: string | null } = {}): Reply =>
    failed(
      429,
      { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" },
      retryAfter,
    ),
  noCredit: (): Reply =>
    failed(
      429,
      {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
      "0",
    ),
  broken: ({ status = 500, retryAfter = "0" }: { status?: number; retryAfter?: string | null } = {}): Reply =>
    failed(
      status,
      { message: "The server had an error while processing your request.", type: "server_error", code: null },
      retryAfter,
    ),
  refused: (status: number, message: string, code: string | null = null): Reply =>
    failed(status, { message, type: "invalid_request_error", code }, null),
  noChoices: (): Reply => ({
    is: "raw",
    body: JSON.stringify({
      id: "chatcmpl-0",
      object: "chat.completion",
      created: 0,
      model: "gpt-4o-mini",
      choices: [],
    }),
  }),
  garbage: (): Reply => ({ is: "raw", body: "{ this is not JSON" }),
  cut: (text: string): Reply => ({ is: "text", text, finishReason: "length" }),
  withheld: (): Reply => ({ is: "text", text: null, finishReason: "content_filter" }),
  declined: (refusal: string): Reply => ({ is: "text", text: null, refusal }),
  dropped: (): Reply => ({ is: "dropped" }),
  held: (until: Promise<unknown>, reply?: Reply): Reply => ({
    is: "held",
    until,
    ...(reply === undefined ? {} : { reply }),
  }),
};

type ErrorReply = Extract<Reply, { is: "error" }>;

const failed = (status: number, error: ErrorReply["error"], retryAfter: string | null): Reply => ({
  is: "error",
  status,
  error,
  ...(retryAfter === null ? {} : { headers: { "retry-after": retryAfter } }),
});

/** A refusal in the provider's shape. */
export const refusal = (
  status: number,
  message: string,
  { param = null, code = null }: { param?: string | null; code?: string | null } = {},
): ErrorReply => ({
  is: "error",
  status,
  error: { message, type: "invalid_request_error", param, code },
});
