import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { HttpAnswer, HttpBody, HttpNoAnswer, HttpRequest } from "../contract/http.ts";
import { failureOf, isStreamBody, messageOf, type TimeLimits, type Transferred, transfer } from "./transfer.ts";
import { trustedContext } from "./trust.ts";

/** Where a request goes. It connects to these addresses only, whatever the host name resolves to. */
export type Destination = { url: URL; hostname: string; addresses: readonly string[] };

/** The limits of one request, in ms and bytes. */
export type Limits = { connectMs: number; totalMs: number; responseBytes: number };

type Exchanged = Omit<HttpAnswer, "durationMs"> | Omit<HttpNoAnswer, "durationMs">;

export type Connections = {
  /** Sends a request; resolves with the head of the answer and a stream of its body. Never rejects. */
  open(to: Destination, request: HttpRequest, limits: TimeLimits): Promise<Transferred>;
  /** Sends a request; resolves with the whole answer. Never rejects. */
  exchange(to: Destination, request: HttpRequest, limits: Limits): Promise<Exchanged>;
  /** Closes every connection, also those in use. */
  close(): void;
};

type PooledOptions = RequestOptions & { poolKey?: string };

// shorter than the idle time of common servers (5 s and more), which could close a connection while we write to it
const IDLE_MS = 4000;
const MAX_IDLE_PER_POOL = 64;
const MAX_IDLE_POOLS = 256;
// a hostile name may have thousands of addresses
const MAX_ADDRESSES = 4;

/** A connection is reused only for the same host and the same checked addresses. */
const poolKeyOf = ({ url, addresses }: Destination): string => `${url.host}|${addresses.toSorted().join()}`;

const pooled = <Agent extends HttpAgent>(agent: Agent): Agent => {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.getName = (options?: PooledOptions) => options?.poolKey ?? "";
  agent.keepSocketAlive = (socket) => Object.keys(agent.freeSockets).length < MAX_IDLE_POOLS && keep(socket);
  return agent;
};

const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_POOL, timeout: IDLE_MS };

const httpsAgent = (extraCa: string | undefined): HttpsAgent =>
  pooled(new HttpsAgent({ ...AGENT_OPTIONS, secureContext: trustedContext(extraCa) }));

const lookupIn = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, done) =>
    options.all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family);
};

const sizeOf = (body: HttpBody): number => (isStreamBody(body) ? body.sizeBytes : Buffer.byteLength(body));

const optionsOf = (to: Destination, { method, headers, body }: HttpRequest): PooledOptions => {
  const addresses = to.addresses.slice(0, MAX_ADDRESSES);
  return {
    method,
    host: to.hostname,
    path: `${to.url.pathname}${to.url.search}`,
    lookup: lookupIn(addresses),
    poolKey: poolKeyOf({ ...to, addresses }),
    headers: { ...headers, host: to.url.host, ...(body === undefined ? {} : { "content-length": sizeOf(body) }) },
    ...(to.url.port === "" ? {} : { port: to.url.port }),
  };
};

/** Reads an answer up to the limit. A longer one is cut, and its connection closed. */
const collect = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ body: Uint8Array; isCut: boolean }> => {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - sizeBytes));
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
};

/** Keep-alive connections over node:http(s), which do not count against the limit of 256 requests of Bun's fetch. */
export const createConnections = (extraCa: string | undefined): Connections => {
  const plain = pooled(new HttpAgent(AGENT_OPTIONS));
  let secure: HttpsAgent | undefined;

  const open = async (to: Destination, request: HttpRequest, limits: TimeLimits): Promise<Transferred> => {
    const options = optionsOf(to, request);
    const isTls = to.url.protocol === "https:";
    try {
      const outgoing = isTls
        ? requestHttps({ ...options, agent: (secure ??= httpsAgent(extraCa)) })
        : requestHttp({ ...options, agent: plain });
      return await transfer({ request: outgoing, body: request.body, isTls, signal: request.signal }, limits);
    } catch (error) {
      // node refuses a malformed header before it connects
      return { ok: false, failure: "aborted", message: messageOf(error), mayHaveArrived: false };
    }
  };
  const exchange = async (to: Destination, request: HttpRequest, limits: Limits): Promise<Exchanged> => {
    const opened = await open(to, request, { ...limits, idleMs: limits.totalMs });
    if (!opened.ok) return opened;
    try {
      return { ...opened, ...(await collect(opened.body, limits.responseBytes)) };
    } catch (error) {
      return { ok: false, failure: failureOf(error), message: messageOf(error), mayHaveArrived: true };
    }
  };
  return {
    open,
    exchange,
    close() {
      plain.destroy();
      secure?.destroy();
    },
  };
};
