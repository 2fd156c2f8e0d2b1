import type { Agent, ClientRequestArgs } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import type { HttpOpen } from "../../contract/ports/http.ts";
import type { Proxies, ProxyRoute } from "../../contract/ports/proxy.ts";
import { withTimeout } from "../../kernel/async.ts";
import type { OutboundHttp } from "./http.ts";
import { isStreamBody, messageOf, transfer } from "./transfer.ts";
import { trustedContext } from "./trust.ts";
import { openTunnel, type ProxyAddress, proxyAddressOf, shownProxy, type Target, TunnelFault } from "./tunnel.ts";

const TLS_MS = 10_000;
const CONNECT_MS = 20_000;
const STREAM_TIMEOUT_MS = 600_000;
const IDLE_TIMEOUT_MS = 30_000;

type Connected = (error: Error | null, socket: Duplex) => void;
type Dial = (target: Target) => Promise<Duplex>;

/** An agent of Node calls `createConnection`; Bun's WebSocket does so too (1.4.5, also in a compiled binary). */
const tunnelling = (agent: Agent, dial: Dial): Agent => {
  agent.createConnection = (options: ClientRequestArgs, done?: Connected) => {
    const target = { host: String(options.host), port: Number(options.port) };
    dial(target).then(
      (socket) => done?.(null, socket),
      // the socket is not looked at when there is an error
      (error: unknown) => done?.(error instanceof Error ? error : new Error(String(error)), undefined as never),
    );
    return undefined;
  };
  return agent;
};

const secured = async (
  socket: Awaited<ReturnType<typeof openTunnel>>,
  host: string,
  secureContext: SecureContext,
): Promise<Duplex> => {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const name = isIP(host) === 0 ? { servername: host } : { host };
  const tls = process.getBuiltinModule("node:tls").connect({ socket, secureContext, ...name });
  tls.once("secureConnect", () => resolve(tls)).once("error", reject);
  try {
    return await withTimeout(TLS_MS, promise, { message: "no TLS handshake in time" });
  } catch (thrown) {
    socket.destroy();
    throw new TunnelFault(`TLS with ${host} through the proxy failed: ${messageOf(thrown)}`);
  } finally {
    tls.off("error", reject);
  }
};

/** Connections through proxies that customers name. The proxies' own addresses are checked like those of webhooks. */
export const createProxies = (http: Pick<OutboundHttp, "checkedAddresses">, extraCa: string | undefined): Proxies => {
  const secureContext = (): SecureContext => trustedContext(extraCa);
  const dialBy =
    (proxy: ProxyAddress, isTls: boolean): Dial =>
    async (target) => {
      const socket = await openTunnel(http, proxy, target);
      return isTls ? secured(socket, target.host, secureContext()) : socket;
    };

  return {
    shown(url) {
      const proxy = proxyAddressOf(url);
      return proxy && shownProxy(proxy);
    },
    open: (url) => routeThrough(requireProxy(url), dialBy),
    async check(url, target) {
      const begunAt = performance.now();
      const { hostname, port, protocol } = new URL(target);
      const isTls = isSecure(protocol);
      try {
        const dial = dialBy(requireProxy(url), isTls);
        const socket = await dial({ host: hostname, port: Number(port) || (isTls ? 443 : 80) });
        socket.destroy();
        return { ok: true, durationMs: performance.now() - begunAt };
      } catch (thrown) {
        return {
          ok: false,
          isBlocked: thrown instanceof TunnelFault && thrown.isBlocked,
          message: messageOf(thrown),
        };
      }
    },
  };
};

const requireProxy = (url: string): ProxyAddress => {
  const proxy = proxyAddressOf(url);
  if (!proxy) throw new TypeError("this is not the URL of a proxy");
  return proxy;
};

const isSecure = (protocol: string): boolean => protocol === "https:" || protocol === "wss:";

const routeThrough = (proxy: ProxyAddress, dialBy: (proxy: ProxyAddress, isTls: boolean) => Dial): ProxyRoute => {
  let fault: string | undefined;
  const watched =
    (dial: Dial): Dial =>
    async (target) => {
      try {
        const socket = await dial(target);
        fault = undefined;
        return socket;
      } catch (thrown) {
        fault = messageOf(thrown);
        throw thrown;
      }
    };
  const { Agent: PlainAgent } = process.getBuiltinModule("node:http");
  const { Agent: SecureAgent } = process.getBuiltinModule("node:https");
  const secure = tunnelling(new SecureAgent({ keepAlive: false }), watched(dialBy(proxy, true)));
  const plainAgent = Object.assign(new PlainAgent({ keepAlive: false }), { options: {} });
  const plain = tunnelling(plainAgent, watched(dialBy(proxy, false)));
  return {
    agentFor: (url) => (isSecure(new URL(url).protocol) ? secure : plain),
    stream: (request) => openThrough(secure, request),
    get fault() {
      return fault;
    },
  };
};

const openThrough = async (agent: Agent, request: Parameters<HttpOpen>[0]): ReturnType<HttpOpen> => {
  const begunAt = performance.now();
  const { body, signal, method, headers, timeoutMs = STREAM_TIMEOUT_MS, idleMs = IDLE_TIMEOUT_MS } = request;
  const failed = (message: string) =>
    ({ ok: false, failure: "aborted", message, mayHaveArrived: false, durationMs: 0 }) as const;
  const url = URL.parse(request.url);
  if (url?.protocol !== "https:") return failed("only https goes through a proxy");
  const sizeBytes = body === undefined ? undefined : isStreamBody(body) ? body.sizeBytes : Buffer.byteLength(body);
  try {
    const outgoing = process.getBuiltinModule("node:https").request({
      agent,
      method,
      host: url.hostname,
      port: url.port || 443,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, ...(sizeBytes === undefined ? {} : { "content-length": sizeBytes }) },
    });
    const limits = { connectMs: CONNECT_MS, totalMs: timeoutMs, idleMs };
    const answer = await transfer({ request: outgoing, body, isTls: true, signal, isTunnelled: true }, limits);
    return answer.ok ? answer : { ...answer, durationMs: performance.now() - begunAt };
  } catch (error) {
    return failed(messageOf(error)); // Node refuses a malformed header before it connects
  }
};
