import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, rootCertificates } from "node:tls";
import type { HttpAnswer, HttpFailure, HttpNoAnswer, HttpRequest, HttpResult } from "../contract/http.ts";

/** Where a request goes: nowhere but to these addresses, whatever the host's name resolves to. */
export type Destination = { url: URL; hostname: string; addresses: readonly string[] };

/** The limits of one exchange. */
export type Limits = { connectMs: number; totalMs: number; responseBytes: number };

export type Connections = {
  /** One request and its answer. Never rejects. */
  exchange(to: Destination, request: HttpRequest, limits: Limits): Promise<HttpResult>;
  /** Drops every connection, those in use too. */
  close(): void;
};

type PooledOptions = RequestOptions & { poolKey?: string };
type Settled = Omit<HttpAnswer, "durationMs"> | Omit<HttpNoAnswer, "durationMs">;

// shorter than the idle time of common servers (5 s and more), so that we seldom write into a connection that is just being closed
const IDLE_MS = 4000;
const MAX_IDLE_PER_POOL = 64;
const MAX_IDLE_POOLS = 256;
// a hostile name may have thousands of addresses
const MAX_ADDRESSES = 4;

/** A connection is only ever used again for the same host and the same checked addresses. */
const poolKeyOf = ({ url, addresses }: Destination): string => `${url.host}|${addresses.toSorted().join()}`;

const pooled = <Agent extends HttpAgent>(agent: Agent): Agent => {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.getName = (options?: PooledOptions) => options?.poolKey ?? "";
  agent.keepSocketAlive = (socket) => Object.keys(agent.freeSockets).length < MAX_IDLE_POOLS && keep(socket);
  return agent;
};

const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_POOL, timeout: IDLE_MS };

const httpsAgent = (extraCa: string | undefined): HttpsAgent => {
  // one context for all connections: reading the trust anchors takes milliseconds
  const secureContext = createSecureContext({ ca: extraCa === undefined ? [...rootCertificates] : [...rootCertificates, extraCa] });
  return pooled(new HttpsAgent({ ...AGENT_OPTIONS, secureContext }));
};

const lookupIn = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, done) => (options.all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family));
};

const optionsOf = (to: Destination, { method, headers, body }: HttpRequest): PooledOptions => {
  const addresses = to.addresses.slice(0, MAX_ADDRESSES);
  return {
    method,
    host: to.hostname,
    path: `${to.url.pathname}${to.url.search}`,
    lookup: lookupIn(addresses),
    poolKey: poolKeyOf({ ...to, addresses }),
    headers: { ...headers, host: to.url.host, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
    ...(to.url.port === "" ? {} : { port: to.url.port }),
  };
};

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]));

/** Reads an answer to its end, or to the limit; then `answered` is called once. */
const collect = (incoming: IncomingMessage, maxBytes: number, answered: (answer: Settled) => void): void => {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isCut: boolean) => answered({ ok: true, status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: Buffer.concat(chunks), isCut });
  incoming.on("data", (chunk: Buffer) => {
    const room = maxBytes - size;
    size += chunk.length;
    chunks.push(chunk.length > room ? chunk.subarray(0, Math.max(room, 0)) : chunk);
    if (size > maxBytes) finish(true);
  });
  incoming.on("end", () => finish(false));
};

const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
};

/** Follows a request from connecting to its end and calls `settled` once. Until `sent`, nothing of the request left this machine. */
const follow = (outgoing: ClientRequest, isTls: boolean, limits: Limits, settled: (result: Settled) => void): void => {
  let stage: "connect" | "tls" | "sent" = "connect";
  let isSettled = false;
  const settle = (result: Settled) => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(total);
    clearTimeout(connecting);
    settled(result);
    if (!result.ok || result.isCut) outgoing.destroy();
  };
  const fail = (failure: HttpFailure, message: string) => settle({ ok: false, failure, message, mayHaveArrived: stage === "sent" });
  const broken = (error: unknown) => fail(stage === "sent" ? "aborted" : stage, messageOf(error));
  const connected = () => {
    stage = "sent";
    clearTimeout(connecting);
  };

  const total = setTimeout(() => fail("timeout", "no complete answer in time"), limits.totalMs);
  const connecting = setTimeout(() => broken("no connection in time"), limits.connectMs);
  outgoing.on("socket", (socket) => {
    if (outgoing.reusedSocket) return connected();
    socket.once("connect", isTls ? () => void (stage = "tls") : connected);
    if (isTls) socket.once("secureConnect", connected);
  });
  outgoing.on("error", broken);
  outgoing.on("close", () => broken("the connection ended before the answer did"));
  outgoing.on("response", (incoming) => {
    incoming.on("error", broken);
    collect(incoming, limits.responseBytes, settle);
  });
};

/** Kept-alive connections over node:http(s), which are not under the cap of 256 requests that Bun's fetch has. */
export const createConnections = (extraCa: string | undefined): Connections => {
  const plain = pooled(new HttpAgent(AGENT_OPTIONS));
  const secure = httpsAgent(extraCa);

  const open = (to: Destination, request: HttpRequest): ClientRequest => {
    const options = optionsOf(to, request);
    return to.url.protocol === "https:" ? requestHttps({ ...options, agent: secure }) : requestHttp({ ...options, agent: plain });
  };
  return {
    exchange: (to, request, limits) => {
      const startedAtMs = performance.now();
      return new Promise((resolve) => {
        const settled = (result: Settled) => resolve({ ...result, durationMs: performance.now() - startedAtMs });
        try {
          const outgoing = open(to, request);
          follow(outgoing, to.url.protocol === "https:", limits, settled);
          outgoing.end(request.body);
        } catch (error) {
          // node refuses a malformed header before it connects
          settled({ ok: false, failure: "aborted", message: messageOf(error), mayHaveArrived: false });
        }
      });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
};
