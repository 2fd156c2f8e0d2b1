import type { Socket } from "bun";

/** An entry of a stream: its key, and its fields with their values. */
export type Entry = { stream: string; fields: Record<string, string> };

/**
 * The part of a Redis server that an entry in a stream needs. It refuses any password but its own. The real one is in
 * test/system.
 */
export type RedisServer = {
  port: number;
  /** Whether it is silent from now on: it takes commands and answers none. */
  isSilent: boolean;
  entries: Entry[];
  /** The number of open connections. */
  readonly connections: number;
  /** The arguments before `*` of the last XADD. */
  lastOptions: string[];
  stop(): void;
};

/** The first command of RESP arrays in a text, and the rest; undefined while it is not complete. */
const commandIn = (bytes: Buffer): { command: string[]; rest: Buffer } | undefined => {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const text = bytes.toString("utf8", at, end);
    at = end + 2;
    return text;
  };
  const head = line();
  if (head === undefined) return undefined;
  const command: string[] = [];
  for (let left = Number(head.slice(1)); left > 0; left--) {
    const size = line();
    if (size === undefined || bytes.length < at + Number(size.slice(1)) + 2) return undefined;
    command.push(bytes.toString("utf8", at, at + Number(size.slice(1))));
    at += Number(size.slice(1)) + 2;
  }
  return { command, rest: bytes.subarray(at) };
};

/** `port`: by default any free one. */
export const startRedisServer = (password: string, port = 0): RedisServer => {
  const open = new Set<Socket<{ rest: Buffer }>>();
  const server: Omit<RedisServer, "port" | "stop" | "connections"> = { isSilent: false, entries: [], lastOptions: [] };

  const answerTo = ([name = "", ...args]: string[]): string => {
    if (name === "HELLO") {
      const given = args[args.indexOf("AUTH") + 2];
      return given === password ? "%1\r\n$5\r\nproto\r\n:3\r\n" : "-WRONGPASS invalid username-password pair\r\n";
    }
    if (name !== "XADD") return "+OK\r\n";
    const star = args.indexOf("*");
    const flat = args.slice(star + 1);
    const fields = Object.fromEntries(
      Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]),
    );
    server.lastOptions = args.slice(1, star);
    const id = `${server.entries.push({ stream: args[0] ?? "", fields })}-0`;
    return `$${id.length}\r\n${id}\r\n`;
  };
  const listener = Bun.listen<{ rest: Buffer }>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        socket.data = { rest: Buffer.alloc(0) };
        open.add(socket);
      },
      close: (socket) => void open.delete(socket),
      data(socket, chunk) {
        socket.data.rest = Buffer.concat([socket.data.rest, chunk]);
        for (let found = commandIn(socket.data.rest); found; found = commandIn(socket.data.rest)) {
          socket.data.rest = found.rest;
          if (!server.isSilent) socket.write(answerTo(found.command));
        }
      },
    },
  });
  return Object.assign(
    Object.defineProperty(server, "connections", { get: () => open.size }) as typeof server & { connections: number },
    { port: listener.port, stop: () => listener.stop(true) },
  );
};
