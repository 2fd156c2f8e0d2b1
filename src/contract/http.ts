/**
 * A body that is sent while it comes. A stream that ends early, goes on for longer or throws breaks the request off:
 * half of it never looks whole.
 */
export type HttpStreamBody = { stream: AsyncIterable<Uint8Array>; sizeBytes: number };
export type HttpBody = string | Uint8Array | HttpStreamBody;

/** One outbound request. */
export type HttpRequest = {
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: HttpBody;
  /** From the first byte to the last of the answer; default 15 s. */
  timeoutMs?: number;
  /** The answer is cut after so many bytes and the connection dropped; default 64 KiB. */
  maxResponseBytes?: number;
  /**
   * Calls the request off: it ends as `aborted`, and its connection is dropped. For requests that wait for long on
   * purpose.
   */
  signal?: AbortSignal;
};

/** Why there was no answer. `blocked`: the address is one that outbound requests may not reach. */
export type HttpFailure = "dns" | "connect" | "tls" | "timeout" | "blocked" | "aborted";

export type HttpAnswer = {
  ok: true;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  isCut: boolean;
  durationMs: number;
};
/** `mayHaveArrived` is false only when it is certain that no byte of the request left this machine. */
export type HttpNoAnswer = {
  ok: false;
  failure: HttpFailure;
  message: string;
  mayHaveArrived: boolean;
  durationMs: number;
};
export type HttpResult = HttpAnswer | HttpNoAnswer;

/** Never throws and never follows a redirect: every outcome is a value. */
export type HttpSend = (request: HttpRequest) => Promise<HttpResult>;

/** A request whose answer is read while it comes. */
export type HttpOpenRequest = Omit<HttpRequest, "timeoutMs" | "maxResponseBytes"> & {
  /** From the first byte to the last of the answer; default 10 minutes. */
  timeoutMs?: number;
  /** How long the other side may let us wait for the next byte, or for taking one; default 30 s. */
  idleMs?: number;
};

/**
 * An answer of which the head is there. Reading the body throws when the transfer breaks, stalls, takes too long, or
 * ends before its announced length. The connection is dropped when the reading is left early; a body that nobody reads
 * holds it until `timeoutMs`.
 */
export type HttpOpenAnswer = {
  ok: true;
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
};
export type HttpOpened = HttpOpenAnswer | HttpNoAnswer;

/** Never throws and never follows a redirect. How much of the body is wanted is for the reader to say, by leaving. */
export type HttpOpen = (request: HttpOpenRequest) => Promise<HttpOpened>;

/**
 * `guarded` goes wherever a customer points it, except to forbidden addresses; `trusted` goes to an address that the
 * operator configured. The streams are the same, for what is too large for memory.
 */
export type Http = { guarded: HttpSend; trusted: HttpSend; guardedStream: HttpOpen; trustedStream: HttpOpen };
