import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Carries everything between a node and its database server, and counts the statements' requests. */
export type CountingProxy = { url: string; readonly requests: number; close(): Promise<void> };

export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on("data", (chunk) => {
      if (String(chunk).startsWith("POST /v3/pipeline")) requests++;
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
