import { errorOf, RecadoConnectionError, RecadoError } from "./errors.ts";

/** A function that does what `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a client reaches its server. */
export type Connection = {
  /** The address of the API, such as `https://recado.example.com/gateway`. */
  url: string;
  /** In place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** How long a try of a request may take; by default 60,000. */
  timeoutMs?: number | undefined;
  /** How often a request that can be repeated is tried again; by default 2. */
  maxRetries?: number | undefined;
};

/** What can be said about one request. */
export type RequestOptions = {
  /** Ends the request: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** In place of the client's. */
  timeoutMs?: number | undefined;
  /** In place of the client's. */
  maxRetries?: number | undefined;
  /** In place of the key that the client makes for each POST; the same key never does the same thing twice. */
  idempotencyKey?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
};

export type Query = Readonly<Record<string, unknown>>;

/** A file to be sent. A stream can be read only once, so its request is never tried again. */
export type Upload = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | FormData;

/** A request of a route. `isRaw`: the body is a file. `isFile`: the answer is one. */
export type Call = {
  method: string;
  path: string;
  query?: Query | undefined;
  body?: unknown;
  isRaw?: boolean;
  isFile?: boolean;
  options?: (RequestOptions & { query?: Query | undefined }) | undefined;
};

export type Transport = {
  /** The answer's JSON, `undefined` where it has no body, or for a file the answer itself. */
  request(call: Call): Promise<unknown>;
  /** The answer as soon as its head is there. It is tried once, and its body may take as long as it likes. */
  open(call: Call): Promise<Response>;
};

const RETRIED = new Set([408, 429, 502, 503, 504]);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
/** A server that asks for a longer wait is not waited for: the caller learns of it. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Waits; is rejected with the signal's reason when that aborts. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });

/** Between a half and the whole of a wait that doubles with each try. */
export const backoffMs = (tries: number, firstMs = FIRST_WAIT_MS, longestMs = LONGEST_WAIT_MS): number =>
  Math.min(longestMs, firstMs * 2 ** tries) * (0.5 + Math.random() / 2);

/** A signal that aborts with the caller's or after a time. `end` must be called when the work is done. */
export const deadline = (timeoutMs: number, outer: AbortSignal | undefined) => {
  const controller = new AbortController();
  const onAbort = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const renew = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isOver = true;
      controller.abort();
    }, timeoutMs);
  };
  renew();
  if (outer?.aborted) onAbort();
  outer?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    /** Begins the time anew. */
    renew,
    /** Stops the time; the caller's signal still counts. */
    pause: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    },
    /** What a failure means: the caller's own abort, the end of the time, or a lost connection. */
    failureOf(cause: unknown): unknown {
      if (outer?.aborted) return outer.reason;
      if (cause instanceof RecadoError) return cause;
      if (isOver) return new RecadoConnectionError(`No answer within ${timeoutMs} ms.`, { cause, isTimeout: true });
      return new RecadoConnectionError(`The server was not reached: ${String(cause)}`, { cause });
    },
  };
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const urlOf = (base: string, { path, query, options }: Call): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...options?.query }))
    if (value !== undefined && value !== null) search.set(name, textOf(value));
  return search.size > 0 ? `${base}${path}?${search}` : `${base}${path}`;
};

const bodyOf = ({ body, isRaw }: Call): RequestInit => {
  if (body === undefined) return {};
  if (!isRaw) return { body: JSON.stringify(body) };
  // Node.js takes a stream only with this; the types of browsers do not know it yet
  return Object.assign({ body: body as Upload }, body instanceof ReadableStream ? { duplex: "half" as const } : {});
};

const contentTypeOf = ({ body, isRaw }: Call): string | undefined => {
  if (body === undefined || body instanceof FormData) return undefined;
  if (!isRaw) return "application/json";
  return (body instanceof Blob && body.type) || "application/octet-stream";
};

const canRepeat = ({ method, body }: Call): boolean => method !== "PATCH" && !(body instanceof ReadableStream);

const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof RecadoConnectionError ||
  (error instanceof RecadoError &&
    (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS &&
    // 409 with a time: the first try of the same Idempotency-Key is still under way
    (RETRIED.has(error.status) || (error.status === 409 && error.retryAfterMs !== undefined)));

/** Sends requests to one API with one credential. */
export const createTransport = (
  { url, fetch: given, timeoutMs = 60_000, maxRetries = 2 }: Connection,
  credential: Readonly<Record<string, string>>,
): Transport => {
  const base = url.replace(/\/+$/, "");
  const send: Fetch = given ?? ((address, init) => globalThis.fetch(address, init));

  const headersOf = (call: Call): Headers => {
    const headers = new Headers(credential);
    const type = contentTypeOf(call);
    if (type) headers.set("content-type", type);
    for (const [name, value] of Object.entries(call.options?.headers ?? {})) headers.set(name, value);
    const key = call.options?.idempotencyKey ?? (call.method === "POST" ? crypto.randomUUID() : undefined);
    if (key !== undefined) headers.set("idempotency-key", key);
    return headers;
  };

  /** A link to a file may lead to another host, which must not get the credential: it is followed without headers. */
  const follow = async (address: string, answer: Response, signal: AbortSignal): Promise<Response> => {
    const target = answer.headers.get("location");
    if (answer.status < 300 || answer.status > 399 || target === null) return answer;
    return send(new URL(target, address).href, { signal });
  };

  const fetchOnce = async (call: Call, headers: Headers, signal: AbortSignal): Promise<Response> => {
    const address = urlOf(base, call);
    const init = { method: call.method, headers, signal, ...bodyOf(call) };
    if (!call.isFile) return send(address, init);
    const answer = await send(address, { ...init, redirect: "manual" });
    // a browser shows no redirect; it follows by itself and asks the other host whether it takes the headers
    if (answer.type === "opaqueredirect") return send(address, init);
    return follow(address, answer, signal);
  };

  const attempt = async (call: Call, headers: Headers): Promise<unknown> => {
    const { signal, pause, end, failureOf } = deadline(call.options?.timeoutMs ?? timeoutMs, call.options?.signal);
    let isOpen = false;
    try {
      const answer = await fetchOnce(call, headers, signal);
      if (!answer.ok) throw errorOf(answer, await answer.text());
      isOpen = call.isFile ?? false;
      if (isOpen) return answer;
      const text = await answer.text();
      return text === "" ? undefined : (JSON.parse(text) as unknown);
    } catch (cause) {
      throw failureOf(cause);
    } finally {
      // the caller may still read a file, and may end that
      if (isOpen) pause();
      else end();
    }
  };

  return {
    async request(call) {
      const headers = headersOf(call);
      const tries = canRepeat(call) ? (call.options?.maxRetries ?? maxRetries) : 0;
      for (let tried = 0; ; tried++) {
        try {
          return await attempt(call, headers);
        } catch (error) {
          if (tried >= tries || !isWorthAnotherTry(error)) throw error;
          const askedMs = error instanceof RecadoError ? error.retryAfterMs : undefined;
          await wait(askedMs ?? backoffMs(tried), call.options?.signal);
        }
      }
    },
    async open(call) {
      const answer = await send(urlOf(base, call), {
        method: call.method,
        headers: headersOf(call),
        ...(call.options?.signal ? { signal: call.options.signal } : {}),
      });
      if (!answer.ok) throw errorOf(answer, await answer.text());
      return answer;
    },
  };
};
