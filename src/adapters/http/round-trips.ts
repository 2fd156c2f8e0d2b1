import { connect, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { HttpAnswer, HttpFailure, HttpNoAnswer, HttpRequest } from "../../contract/ports/http.ts";
import { createAnswerReader } from "./answer-reader.ts";
import {
  connectOptionsOf,
  type Destination,
  IDLE_MS,
  MAX_IDLE,
  MAX_IDLE_PER_POOL,
  MAX_IDLE_POOLS,
  poolKeyOf,
} from "./destination.ts";
import { CALLED_OFF, messageOf, TOO_LATE } from "./transfer.ts";

// A request with a whole body for a whole answer, which most of this server's requests are. node:http costs five times
// the processor of the exchange itself, and Bun's fetch has room for 256 requests of a process. See
// docs/decisions/0020-deliveries-from-memory.md.

/** The limits of one request, in ms and bytes. */
export type Limits = { connectMs: number; totalMs: number; responseBytes: number };

export type Exchanged = Omit<HttpAnswer, "durationMs"> | Omit<HttpNoAnswer, "durationMs">;

/** A request whose body is whole. */
export type WholeRequest = HttpRequest & { body?: string | Uint8Array };

export type RoundTrips = {
  /** Sends a request; resolves with the whole answer, as far as the request asks for it. Never rejects. */
  exchange(to: Destination, request: WholeRequest, limits: Limits): Promise<Exchanged>;
  /** Closes every connection, also those in use. */
  close(): void;
};

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The headers that this client sends itself. */
const OWN: ReadonlySet<string> = new Set(["host", "content-length", "connection", "transfer-encoding"]);

/** The bytes of a request. @throws TypeError for a part that cannot be sent */
const bytesOf = ({ url }: Destination, { method, headers = {}, body }: WholeRequest): Buffer => {
  if (!TOKEN.test(method)) throw new TypeError("the method is malformed");
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: keep-alive\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || !VALUE.test(value)) throw new TypeError(`the header ${JSON.stringify(name)} is malformed`);
    if (!OWN.has(name.toLowerCase())) head += `${name}: ${value}\r\n`;
  }
  const content = typeof body === "string" ? Buffer.from(body) : (body ?? new Uint8Array());
  if (body !== undefined || method.startsWith("P")) head += `Content-Length: ${content.length}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), content]);
};

/** The events of a connection, for the request that uses it. */
type User = { data(chunk: Buffer): void; ended(): void; closed(error: Error | undefined): void };

/** A connection that waits for its next request has no user. */
type Connection = { socket: Socket; user: User | undefined; idleUntilMs: number };

/** The connections that wait, by their destinations, newest last. They are closed when they were idle for too long. */
const createPool = () => {
  const idle = new Map<string, Connection[]>();
  let count = 0;
  let sweeping: ReturnType<typeof setTimeout> | undefined;
  const sweep = () => {
    sweeping = undefined;
    const nowMs = performance.now();
    for (const [key, waiting] of idle) {
      const kept = waiting.filter(({ idleUntilMs }) => idleUntilMs > nowMs);
      for (const one of waiting) if (!kept.includes(one)) one.socket.destroy();
      count -= waiting.length - kept.length;
      if (kept.length > 0) idle.set(key, kept);
      else idle.delete(key);
    }
    if (idle.size > 0) sweepLater();
  };
  const sweepLater = () => {
    sweeping ??= setTimeout(sweep, IDLE_MS);
    sweeping.unref();
  };
  return {
    take(key: string): Connection | undefined {
      const waiting = idle.get(key);
      for (let one = waiting?.pop(); one; one = waiting?.pop()) {
        count--;
        if (waiting?.length === 0) idle.delete(key);
        if (one.idleUntilMs > performance.now() && !one.socket.destroyed) return one;
        one.socket.destroy();
      }
      return undefined;
    },
    put(key: string, one: Connection, keepMs: number): void {
      const waiting = idle.get(key) ?? [];
      const isFull = count >= MAX_IDLE || (!idle.has(key) && idle.size >= MAX_IDLE_POOLS);
      if (keepMs === 0 || isFull || waiting.length >= MAX_IDLE_PER_POOL) return void one.socket.destroy();
      count++;
      one.idleUntilMs = performance.now() + keepMs;
      idle.set(key, waiting);
      waiting.push(one);
      sweepLater();
    },
    close(): void {
      clearTimeout(sweeping);
      idle.clear();
      count = 0;
    },
  };
};

/** The connections of one trust: see `createConnections`. */
export const createRoundTrips = (secureContext: () => SecureContext): RoundTrips => {
  const pool = createPool();
  const all = new Set<Connection>();

  const dial = (to: Destination): Connection => {
    const options = connectOptionsOf(to);
    const socket =
      to.url.protocol === "https:"
        ? process.getBuiltinModule("node:tls").connect({
            ...options,
            servername: serverNameOf(to),
            secureContext: secureContext(),
            rejectUnauthorized: true,
            ALPNProtocols: ["http/1.1"],
          })
        : connect(options);
    const connection: Connection = { socket, user: undefined, idleUntilMs: 0 };
    all.add(connection);
    let failed: Error | undefined;
    socket.setNoDelay(true);
    // a server that speaks unasked, or ends, leaves nothing to be kept
    socket.on("data", (chunk: Buffer) => (connection.user ? connection.user.data(chunk) : socket.destroy()));
    socket.on("end", () => (connection.user ? connection.user.ended() : socket.destroy()));
    socket.on("error", (error: Error) => (failed = error));
    socket.on("close", () => {
      all.delete(connection);
      connection.user?.closed(failed);
    });
    return connection;
  };
  const exchange = async (to: Destination, request: WholeRequest, limits: Limits): Promise<Exchanged> => {
    const { signal, statusDecides = false, isRepeatable = false } = request;
    const unsent = (message: string): Exchanged => ({ ok: false, failure: "aborted", message, mayHaveArrived: false });
    if (signal?.aborted) return unsent(CALLED_OFF);
    const key = poolKeyOf(to);
    const isTls = to.url.protocol === "https:";
    const startedAtMs = performance.now();
    try {
      const bytes = bytesOf(to, request);
      const ask = (kept: Connection | undefined, within: Limits): Promise<Conversed> => {
        const connection = kept ?? dial(to);
        return converse({ connection, isNew: !kept, isTls, bytes, signal, statusDecides }, within, (keepMs) =>
          pool.put(key, connection, keepMs),
        );
      };
      const { exchanged, isStale } = await ask(pool.take(key), limits);
      if (!isStale || !isRepeatable) return exchanged;
      const leftMs = Math.max(1, limits.totalMs - (performance.now() - startedAtMs));
      return (await ask(undefined, { ...limits, totalMs: leftMs })).exchanged;
    } catch (error) {
      return unsent(messageOf(error));
    }
  };
  return {
    exchange,
    close() {
      pool.close();
      for (const { socket } of all) socket.destroy();
    },
  };
};

/** An address has no name that TLS could ask for. Its certificate is still checked. */
const serverNameOf = ({ hostname }: Destination): string => (/^[\d.]+$|:/.test(hostname) ? "" : hostname);

type Conversation = {
  connection: Connection;
  isNew: boolean;
  isTls: boolean;
  bytes: Buffer;
  signal: AbortSignal | undefined;
  statusDecides: boolean;
};

/**
 * `isStale`: a kept connection ended before the first byte of an answer. Servers close such connections at any time,
 * which proves nothing; it is unknown what this server has read.
 */
type Conversed = { exchanged: Exchanged; isStale: boolean };

/** One request and its answer on a connection, which `free` gets back after a whole answer. */
const converse = (
  { connection, isNew, isTls, bytes, signal, statusDecides }: Conversation,
  { connectMs, totalMs, responseBytes }: Limits,
  free: (keepMs: number) => void,
): Promise<Conversed> =>
  new Promise((resolve) => {
    const { socket } = connection;
    const reader = createAnswerReader(responseBytes, IDLE_MS);
    let stage: "connect" | "tls" | "sent" = "connect";
    let hasBegun = false;

    const finish = (exchanged: Exchanged, { keepMs = 0, isStale = false } = {}) => {
      clearTimeout(total);
      clearTimeout(connecting);
      signal?.removeEventListener("abort", callOff);
      connection.user = undefined;
      free(socket.writableLength === 0 ? keepMs : 0); // after an early answer the rest of the request is unsent
      resolve({ exchanged, isStale });
    };
    const fail = (failure: HttpFailure, message: string, isStale = false) =>
      statusDecides && reader.hasHead()
        ? finish({ ok: true, ...reader.answer() })
        : finish({ ok: false, failure, message, mayHaveArrived: stage === "sent" }, { isStale });
    const broken = (error: unknown) => fail(stage === "sent" ? "aborted" : stage, messageOf(error));
    const ended = (error: Error | undefined) =>
      !isNew && !hasBegun ? fail("aborted", messageOf(error ?? ENDED), true) : broken(error ?? ENDED);
    const callOff = () => fail("aborted", CALLED_OFF);
    const send = () => {
      if (connection.user === undefined) return; // cancelled meanwhile, as not sent
      stage = "sent";
      clearTimeout(connecting);
      socket.write(bytes);
    };
    const answered = () => finish({ ok: true, ...reader.answer() }, { keepMs: reader.keepMs() });

    const total = setTimeout(() => fail("timeout", TOO_LATE), totalMs);
    const connecting = isNew ? setTimeout(() => broken("no connection in time"), connectMs) : undefined;
    connection.user = {
      data(chunk) {
        if (stage !== "sent") return broken("the other side spoke before it was asked");
        hasBegun = true;
        try {
          if (reader.take(chunk)) answered();
        } catch (error) {
          broken(error);
        }
      },
      ended: () => (reader.end() ? answered() : ended(undefined)),
      closed: ended,
    };
    signal?.addEventListener("abort", callOff);
    if (!isNew) return send();
    socket.once("connect", isTls ? () => void (stage = "tls") : send);
    if (isTls) socket.once("secureConnect", send);
  });

const ENDED = "the connection ended before the answer did";
