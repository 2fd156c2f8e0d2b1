import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { selfSigned } from "./certificate.ts";

/** TLS in front of a server on this machine, as a proxy terminates it. */
export type TlsProxy = {
  url: string;
  /** Its certificate, which is its own authority. */
  ca: string;
  /** The number of encrypted connections so far. */
  readonly connections: number;
  close(): Promise<void>;
};

export const startTlsProxy = async (target: string): Promise<TlsProxy> => {
  const { cert, key } = selfSigned("localhost", Date.now() + DAY_MS);
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer({ cert, key }, (client) => {
    connections++;
    const upstream = connect(Number(new URL(target).port), "127.0.0.1");
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
      socket.on("close", () => open.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: cert,
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
