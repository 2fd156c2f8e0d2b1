import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Direction = "request" | "answer";

/** A way to a server on this machine that breaks off at the byte that a test names. */
export type ByteCutter = {
  url: string;
  /** Bytes that passed in each direction since `measure`. */
  readonly passed: Readonly<Record<Direction, number>>;
  /** Requests that began to pass since `measure`. */
  readonly requests: number;
  /** Counts from zero. */
  measure(): void;
  /** Lets so many more bytes pass in this direction, then breaks both connections off. */
  cutAfter(direction: Direction, bytes: number): void;
  close(): Promise<void>;
};

export const byteCutter = async (target: string): Promise<ByteCutter> => {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const passed = { request: 0, answer: 0 };
  let requests = 0;
  let cut: { direction: Direction; left: number } | undefined;

  const carry = (from: Socket, to: Socket, direction: Direction, end: () => void): void => {
    from.on("data", (chunk: Buffer) => {
      passed[direction] += chunk.length;
      if (direction === "request" && chunk.includes("POST /")) requests++;
      if (cut?.direction !== direction) return void to.write(chunk);
      cut.left -= chunk.length;
      if (cut.left > 0) return void to.write(chunk);
      const rest = chunk.subarray(0, chunk.length + cut.left);
      cut = undefined;
      from.pause();
      to.write(rest, end);
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = (): void => [client, upstream].forEach((socket) => socket.destroy());
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
      socket.on("close", () => open.delete(socket));
    }
    carry(client, upstream, "request", end);
    carry(upstream, client, "answer", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    get requests() {
      return requests;
    },
    measure() {
      [passed.request, passed.answer, requests] = [0, 0, 0];
    },
    cutAfter: (direction, left) => void (cut = { direction, left }),
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
