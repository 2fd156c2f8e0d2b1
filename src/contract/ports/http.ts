/**
 * A body that is streamed. A stream that ends early, exceeds its size or throws aborts the request, so a partial body
 * never looks complete.
 */
export type HttpStreamBody = { stream: AsyncIterable<Uint8Array>; sizeBytes: number };
export type HttpBody = string | Uint8Array | HttpStreamBody;

/** One outbound request. */
export type HttpRequest = {
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: HttpBody;
  /** Time from the first byte sent to the last byte received, in milliseconds. Default 15 s. */
  timeoutMs?: number;
  /** The maximum size of the answer. A longer answer is cut and its connection closed. Default 64 KiB. */
  maxResponseBytes?: number;
  /** Aborts the request: it ends as `aborted` and its connection closes. For requests that wait long on purpose. */
  signal?: AbortSignal;
  /**
   * True if the status alone decides, once the head of the answer is read. If the body is malformed, breaks off or is
   * late, the answer has the part that arrived. A success counts even if its headers are malformed; it then has no
   * headers. If false, such an answer counts as no answer. Default false.
   */
  statusDecides?: boolean;
  /**
   * True if the receiver recognises a repeat. If a kept connection ends before the first byte of an answer, the request
   * is sent once more, on a new connection and within the same time. Default false.
   */
  isRepeatable?: boolean;
};

/** Redirects of a guarded `GET`, which the client follows itself. It checks each address like the first one. */
export type Following = {
  /**
   * How many redirects are followed, all within the time of the request. The next one is an answer like any other. To
   * another host only `accept` and `user-agent` go along. Default 0.
   */
  maxRedirects?: number;
  /** Why the address of a redirect is not asked, besides what the client refuses by itself; undefined if it is asked. */
  refusalOf?: (url: string) => string | undefined;
};

/** Why there was no answer. `blocked`: outbound requests to this address are forbidden. */
export type HttpFailure = "dns" | "connect" | "tls" | "timeout" | "blocked" | "aborted";

export type HttpAnswer = {
  ok: true;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  isCut: boolean;
  durationMs: number;
  /** The address that answered; absent if no redirect was followed. */
  finalUrl?: string;
};
/** `mayHaveArrived` is false only when certainly no byte of the request left this machine. */
export type HttpNoAnswer = {
  ok: false;
  failure: HttpFailure;
  message: string;
  mayHaveArrived: boolean;
  durationMs: number;
};
export type HttpResult = HttpAnswer | HttpNoAnswer;

/** Never throws: every outcome is a value, and a redirect is an answer like any other. */
export type HttpSend = (request: HttpRequest) => Promise<HttpResult>;

/** A request whose answer is streamed. */
export type HttpOpenRequest = Omit<HttpRequest, "timeoutMs" | "maxResponseBytes" | "statusDecides" | "isRepeatable"> & {
  /** Time from the first byte sent to the last byte received, in milliseconds. Default 10 minutes. */
  timeoutMs?: number;
  /**
   * The maximum time without progress, in milliseconds: waiting for a byte, or for the peer to accept one. Default 30
   * s.
   */
  idleMs?: number;
};

/**
 * An answer whose head has arrived. Reading the body throws when the transfer breaks, stalls, takes too long or ends
 * before its announced length. Leaving the body early closes the connection. An unread body holds the connection until
 * `timeoutMs`.
 */
export type HttpOpenAnswer = {
  ok: true;
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** The address that answered; absent if no redirect was followed. */
  finalUrl?: string;
};
export type HttpOpened = HttpOpenAnswer | HttpNoAnswer;

/** Never throws, and a redirect is an answer like any other. The reader ends the transfer by leaving the body. */
export type HttpOpen = (request: HttpOpenRequest) => Promise<HttpOpened>;

/**
 * `guarded` sends to addresses that customers chose, except forbidden ones; only these requests may follow redirects.
 * `trusted` sends to addresses that the operator configured. The streams do the same for bodies that are too large for
 * memory.
 */
export type Http = {
  guarded: (request: HttpRequest & Following) => Promise<HttpResult>;
  trusted: HttpSend;
  guardedStream: (request: HttpOpenRequest & Following) => Promise<HttpOpened>;
  trustedStream: HttpOpen;
};
