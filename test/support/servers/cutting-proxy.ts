import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type CuttingProxy = {
  url: string;
  /** The number of cut connections. */
  readonly cuts: number;
  close(): Promise<void>;
};

type Options = {
  toPort: number;
  /** A connection on which this text passes, in either direction... */
  marker: string;
  /** ...is cut after so many further bytes in the same direction. */
  afterBytes: number;
};

/** A way to a server on this machine on which certain connections break off in the middle. */
export const cuttingProxy = async ({ toPort, marker, afterBytes }: Options): Promise<CuttingProxy> => {
  const open = new Set<Socket>();
  let cuts = 0;
  /**
   * Passes bytes on, and cuts the watched connection by `end`: after its last bytes, because a backlog would never
   * arrive otherwise.
   */
  const pass = (from: Socket, to: Socket, end: () => void) => {
    let leftBytes = Number.POSITIVE_INFINITY;
    from.on("end", () => to.end());
    from.on("data", (chunk: Buffer) => {
      if (leftBytes <= 0) return;
      if (chunk.includes(marker)) leftBytes = chunk.indexOf(marker) + marker.length + afterBytes;
      const part = chunk.subarray(0, leftBytes);
      leftBytes -= chunk.length;
      if (leftBytes > 0) return void to.write(part);
      cuts++;
      to.write(part, end);
    });
  };
  const server = createServer((client) => {
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
    pass(client, upstream, end);
    pass(upstream, client, end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
