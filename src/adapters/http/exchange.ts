import type { Agent, RequestOptions } from "node:http";
import type { HttpBody, HttpRequest } from "../../contract/ports/http.ts";
import {
  connectOptionsOf,
  type Destination,
  IDLE_MS,
  MAX_IDLE_PER_POOL,
  MAX_IDLE_POOLS,
  poolKeyOf,
} from "./destination.ts";
import { createRoundTrips, type Exchanged, type Limits, type WholeRequest } from "./round-trips.ts";
import { failureOf, isStreamBody, messageOf, type TimeLimits, type Transferred, transfer } from "./transfer.ts";
import { trustedContext } from "./trust.ts";

export type Connections = {
  /** Sends a request; resolves with the head of the answer and a stream of its body. Never rejects. */
  open(to: Destination, request: HttpRequest, limits: TimeLimits): Promise<Transferred>;
  /** Sends a request; resolves with the whole answer. Never rejects. */
  exchange(to: Destination, request: HttpRequest, limits: Limits): Promise<Exchanged>;
  /** Closes every connection, also those in use. */
  close(): void;
};

type PooledOptions = RequestOptions & { poolKey?: string };

const pooled = (agent: Agent): Agent => {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.getName = (options?: PooledOptions) => options?.poolKey ?? "";
  agent.keepSocketAlive = (socket) => Object.keys(agent.freeSockets).length < MAX_IDLE_POOLS && keep(socket);
  return agent;
};

const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: MAX_IDLE_PER_POOL, timeout: IDLE_MS };

const http = () => process.getBuiltinModule("node:http");
const https = () => process.getBuiltinModule("node:https");

const httpAgent = (): Agent => pooled(new (http().Agent)(AGENT_OPTIONS));

const httpsAgent = (extraCa: string | undefined): Agent =>
  pooled(new (https().Agent)({ ...AGENT_OPTIONS, secureContext: trustedContext(extraCa) }));

const sizeOf = (body: HttpBody): number => (isStreamBody(body) ? body.sizeBytes : Buffer.byteLength(body));

const optionsOf = (to: Destination, { method, headers, body }: HttpRequest): PooledOptions => ({
  ...connectOptionsOf(to),
  method,
  path: `${to.url.pathname}${to.url.search}`,
  poolKey: poolKeyOf(to),
  headers: { ...headers, host: to.url.host, ...(body === undefined ? {} : { "content-length": sizeOf(body) }) },
});

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

const isWhole = (request: HttpRequest): request is WholeRequest => !isStreamBody(request.body);

/**
 * Keep-alive connections. Streams go over node:http(s), the others over connections of our own. Neither counts against
 * the limit of 256 requests of Bun's fetch.
 */
export const createConnections = (extraCa: string | undefined): Connections => {
  let [plain, secure]: [plain?: Agent, secure?: Agent] = [];
  const trips = createRoundTrips(() => trustedContext(extraCa));

  const open = async (to: Destination, request: HttpRequest, limits: TimeLimits): Promise<Transferred> => {
    const options = optionsOf(to, request);
    const isTls = to.url.protocol === "https:";
    try {
      const outgoing = isTls
        ? https().request({ ...options, agent: (secure ??= httpsAgent(extraCa)) })
        : http().request({ ...options, agent: (plain ??= httpAgent()) });
      return await transfer({ request: outgoing, body: request.body, isTls, signal: request.signal }, limits);
    } catch (error) {
      // node refuses a malformed header before it connects
      return { ok: false, failure: "aborted", message: messageOf(error), mayHaveArrived: false };
    }
  };
  const exchange = async (to: Destination, request: HttpRequest, limits: Limits): Promise<Exchanged> => {
    if (isWhole(request)) return trips.exchange(to, request, limits);
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
      plain?.destroy();
      secure?.destroy();
      trips.close();
    },
  };
};
