import { Readable } from "node:stream";
import type { SocketConfig } from "@whiskeysockets/baileys";
import { type ChannelHost, PROXY_FIELD } from "../../../src/contract/plugin.ts";
import type { HttpOpen } from "../../../src/contract/ports/http.ts";
import type { ProxyRoute } from "../../../src/contract/ports/proxy.ts";
import { WHATSAPP_WEB } from "../kind.ts";
import type { ClientVersion } from "./client-version.ts";

/**
 * The address of a socket, its client version and its proxy. `url`: the network's own if undefined. `fetch`: the
 * function by which the library fetches files through a proxy.
 */
export type SocketRoute = {
  url: string | undefined;
  version: number;
  agent: Agent | undefined;
  fetch?: FetchFile;
};
/** The parts of an answer that the library reads. */
type FetchFile = (url: string, options: { headers?: Record<string, string> }) => Promise<FetchedFile>;
type FetchedFile = { ok: boolean; status: number; body: Readable };
type Agent = NonNullable<SocketConfig["agent"]>;

/** The way of one session to its network. */
export type Route = {
  /** Reads the client version and the proxy. Throws if they cannot be read. */
  load(): Promise<void>;
  /** For the next socket. */
  forSocket(): SocketRoute;
  /** A request to one of the network's media hosts. */
  readonly stream: HttpOpen;
  /** Why the proxy made no connection the last time; undefined if it did, or if there is no proxy. */
  readonly fault: string | undefined;
};

export const createRoute = (host: ChannelHost, url: string | undefined, client: ClientVersion): Route => {
  let proxy: ProxyRoute | undefined;
  return {
    async load() {
      await client.load(host);
      const { [PROXY_FIELD]: proxyUrl } = await host.vault.read();
      if (proxyUrl && !host.openProxy) throw new Error("this host opens no proxies, and the channel has one");
      proxy = proxyUrl ? host.openProxy?.(proxyUrl) : undefined;
    },
    forSocket: () => ({
      url,
      version: client.current(),
      agent: proxy?.agentFor(url ?? WHATSAPP_WEB) as Agent | undefined, // it is one of Node's
      ...(proxy ? { fetch: fetchThrough(proxy.stream) } : {}),
    }),
    stream: (request) => (proxy?.stream ?? host.http.guardedStream)(request),
    get fault() {
      return proxy?.fault;
    },
  };
};

const fetchThrough =
  (stream: HttpOpen): FetchFile =>
  async (url, { headers = {} }) => {
    const answer = await stream({ method: "GET", url, headers });
    if (!answer.ok) throw new Error(`the file could not be fetched: ${answer.failure}`);
    return { ok: answer.status === 200, status: answer.status, body: Readable.from(answer.body) };
  };
