import type { HttpOpen } from "./http.ts";

/**
 * A way out through the proxy that a channel's owner has set. The proxy resolves the names of the hosts behind it.
 * Whether the proxy's own address may be reached is checked at every connection.
 */
export type ProxyRoute = {
  /** An agent for Node's `http` and `https`, for a library that connects to a URL of this protocol. */
  agentFor(url: string): object;
  /** A request through the proxy to a host of the network. Never to a host that a customer has named. */
  stream: HttpOpen;
  /** Why the last connection through the proxy failed, in words; undefined if it succeeded. */
  readonly fault: string | undefined;
};

/** Whether a proxy reached a host. `isBlocked`: the proxy's own address is forbidden. `message` is for its owner. */
export type ProxyCheck = { ok: true; durationMs: number } | { ok: false; isBlocked: boolean; message: string };

/** Proxies that customers name: `http://` (CONNECT) or `socks5://`, with a port, perhaps with user and password. */
export type Proxies = {
  /** A proxy's URL without user and password; undefined if the text is not the URL of a proxy. */
  shown(url: string): string | undefined;
  /** @throws TypeError if the text is not the URL of a proxy. */
  open(url: string): ProxyRoute;
  /** Connects once through the proxy to the host of `target`, up to the end of the TLS handshake. Never throws. */
  check(url: string, target: string): Promise<ProxyCheck>;
};
