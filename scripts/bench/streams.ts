// Clients of the event stream in one process, `each` for every key. Prints the number of open streams, and a port: GET
// /next answers with the times at which the first and the last of them got the next event.
export type StreamsOrder = { port: number; keys: string[]; each: number };
export type StreamsReady = { port: number; open: number };

const requestOf = (key: string): string =>
  `GET /gateway/v1/events/stream HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\naccept: text/event-stream\r\n\r\n`;

type Waiting = { left: number; first: number; resolve(times: [number, number]): void };

const run = async ({ port, keys, each }: StreamsOrder): Promise<void> => {
  let open = 0;
  let waiting: Waiting | undefined;
  const note = () => {
    if (!waiting) return;
    waiting.first = Math.min(waiting.first, Date.now());
    waiting.left -= 1;
    if (waiting.left > 0) return;
    waiting.resolve([waiting.first, Date.now()]);
    waiting = undefined;
  };
  const connect = (key: string) =>
    new Promise<void>((resolve, reject) => {
      let isOpen = false;
      let hasEvent = false;
      const take = (text: string) => {
        if (!isOpen) {
          if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(text.slice(0, 200)));
          isOpen = true;
          open += 1;
          resolve();
        }
        if (hasEvent || !waiting || !/^event: ?message/m.test(text)) return;
        hasEvent = true;
        note();
      };
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open: (socket) => void socket.write(requestOf(key)),
          data: (_, chunk) => take(chunk.toString("latin1")),
          close: () => reject(new Error("a stream was closed")),
          error: (_, error) => reject(error),
        },
      }).catch(reject);
    });
  for (const key of keys) await Promise.all(Array.from({ length: each }, () => connect(key)));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: () =>
      new Promise<Response>((resolve) => {
        waiting = { left: open, first: Number.POSITIVE_INFINITY, resolve: (times) => resolve(Response.json(times)) };
      }),
  });
  process.stdout.write(`${JSON.stringify({ port: server.port ?? 0, open } satisfies StreamsReady)}\n`);
};

await run((await Bun.stdin.json()) as StreamsOrder);
