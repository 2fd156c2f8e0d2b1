type Served = { gatewayUrl: string; host: string };

/**
 * Excepts our own server from the proxies of the environment, which Bun uses even for this machine's addresses: they
 * must not see our keys.
 */
const exceptFromProxies = (hostname: string): void => {
  const excepted = (process.env["NO_PROXY"] ?? process.env["no_proxy"] ?? "")
    .split(",")
    .flatMap((host) => host.trim() || []);
  if (excepted.includes(hostname)) return;
  process.env["NO_PROXY"] = process.env["no_proxy"] = [...excepted, hostname].join(",");
};

/** `fetch` without a proxy, to a server of ours. Rejects if nothing answers. */
export const fetchFromOwn = (url: string, options: RequestInit = {}): Promise<Response> => {
  exceptFromProxies(new URL(url).hostname);
  return fetch(url, options);
};

/**
 * Sends a GET to a server of ours, at the address where it listens, with the Host header `host`. Rejects if nothing
 * answers in time.
 */
export const askOwnServer = ({ gatewayUrl, host }: Served, path: string, timeoutMs: number): Promise<Response> =>
  fetchFromOwn(gatewayUrl + path, { headers: { host }, signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
