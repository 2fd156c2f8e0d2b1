import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The fate of a request on its way; `lost`: it was executed, and its answer does not come back. */
export type Fate = "passes" | "refused" | "lost" | Response;

type Seen = { method: string; path: string; headers: Headers };

export type FlakyProxy = AsyncDisposable & {
  url: string;
  /** Every received request, in order. */
  seen: Seen[];
  /** The fates of the next requests; after them all pass. */
  next(...fates: Fate[]): void;
};

/** A way to a server on which requests and answers are lost as a test says. */
export const startFlakyProxy = async (target: string): Promise<FlakyProxy> => {
  const seen: Seen[] = [];
  let fates: Fate[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of request) parts.push(part);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = "GET", url: path = "/" } = request;
    seen.push({ method, path, headers });
    const fate = fates.shift() ?? "passes";
    if (fate === "refused") return request.socket.destroy();
    headers.delete("host");
    const body = method === "GET" || method === "HEAD" ? null : new Blob(parts);
    const answer =
      fate instanceof Response
        ? fate.clone()
        : await fetch(target + path, { method, headers, body, redirect: "manual" });
    const bytes = await answer.bytes();
    if (fate === "lost") return request.socket.destroy();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes);
    return undefined;
  };
  // a request that the client ended has no answer
  const server = createServer(
    (request, response) => void pass(request, response).catch(() => request.socket.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...given) => void (fates = given),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
