/** One outbound request. */
export type HttpRequest = {
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the first byte to the last of the answer; default 15 s. */
  timeoutMs?: number;
  /** The answer is cut after so many bytes and the connection dropped; default 64 KiB. */
  maxResponseBytes?: number;
};

/** Why there was no answer. `blocked`: the address is one that outbound requests may not reach. */
export type HttpFailure = "dns" | "connect" | "tls" | "timeout" | "blocked" | "aborted";

export type HttpAnswer = { ok: true; status: number; headers: Record<string, string>; body: Uint8Array; isCut: boolean; durationMs: number };
/** `mayHaveArrived` is false only when it is certain that no byte of the request left this machine. */
export type HttpNoAnswer = { ok: false; failure: HttpFailure; message: string; mayHaveArrived: boolean; durationMs: number };
export type HttpResult = HttpAnswer | HttpNoAnswer;

/** Never throws and never follows a redirect: every outcome is a value. */
export type HttpSend = (request: HttpRequest) => Promise<HttpResult>;

/** `guarded` goes wherever a customer points it, except to forbidden addresses; `trusted` goes to an address that the operator configured. */
export type Http = { guarded: HttpSend; trusted: HttpSend };
