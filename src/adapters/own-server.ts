/** Asks a server of ours at the address that it listens on, under the host that it goes by: a name of its own need not lead there. Rejects where nothing answers in time. */
export const askOwnServer = ({ gatewayUrl, host }: { gatewayUrl: string; host: string }, path: string, timeoutMs: number): Promise<Response> =>
  fetch(gatewayUrl + path, { headers: { host }, signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
