type Served = { gatewayUrl: string; host: string };

/**
 * Bun asks a proxy that the environment names even for this machine's own addresses. What goes to a server of ours,
 * keys and all, goes to nobody else.
 */
const exceptFromProxies = (hostname: string): void => {
  const excepted = (process.env["NO_PROXY"] ?? process.env["no_proxy"] ?? "")
    .split(",")
    .flatMap((host) => host.trim() || []);
  if (excepted.includes(hostname)) return;
  process.env["NO_PROXY"] = process.env["no_proxy"] = [...excepted, hostname].join(",");
};

/** `fetch`, straight to a server of ours. Rejects where nothing answers. */
export const fetchFromOwn = (url: string, options: RequestInit = {}): Promise<Response> => {
  exceptFromProxies(new URL(url).hostname);
  return fetch(url, options);
};

/**
 * Asks a server of ours at the address that it listens on, under the host that it goes by: a name of its own need not
 * lead there. Rejects where nothing answers in time.
 */
export const askOwnServer = ({ gatewayUrl, host }: Served, path: string, timeoutMs: number): Promise<Response> =>
  fetchFromOwn(gatewayUrl + path, { headers: { host }, signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
