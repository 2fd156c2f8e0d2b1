import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server of this machine that can be cut. */
export type Wire = {
  url: string;
  /** Breaks every connection, and takes no new one until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

export const startWire = async (toPort: number): Promise<Wire> => {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(toPort, "127.0.0.1");
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      breakAll();
    },
    mend: () => void (isCut = false),
    async close() {
      breakAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
