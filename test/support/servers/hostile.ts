import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

/** Bad webhook endpoints, and two good ones to compare with. Each has its own port on this machine. */
export type Endpoint = AsyncDisposable & {
  url: string;
  port: number;
  /** Connections that ever arrived. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Bytes that ever arrived, after decryption. */
  readonly receivedBytes: number;
  /** Bytes that the system took to send. */
  readonly sentBytes: number;
  /** The requests that arrived whole: head and body as sent. */
  readonly requests: readonly string[];
};

/** The address to listen on; 127.0.0.1 and any free port by default. */
export type At = { hostname?: string; port?: number };

type Answer = (socket: Socket) => void;
type Keys = { cert: string; key: string };

const fixture = (name: string): Promise<string> => Bun.file(join(import.meta.dir, "../fixtures", name)).text();

const keysOf = async (name: string): Promise<Keys> => ({
  cert: await fixture(`${name}.pem`),
  key: await fixture(`${name}.key`),
});

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const CHUNK = "x".repeat(16 * 1024);

/** The length of the request that a text begins with; undefined while it is not whole. */
const wholeLength = (text: string): number | undefined => {
  const headEnd = text.indexOf("\r\n\r\n") + 4;
  const length = headEnd + Number(/^content-length: *(\d+)/im.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return headEnd >= 4 && text.length >= length ? length : undefined;
};

/** Hands over every whole request of a connection. */
const readRequests = (socket: Socket, take: (request: string) => void): void => {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (let length = wholeLength(text); length !== undefined; length = wholeLength(text)) {
      take(text.slice(0, length));
      text = text.slice(length);
    }
  });
};

const portOf = async (server: Server, { hostname = "127.0.0.1", port = 0 }: At): Promise<number> => {
  const ready = Promise.withResolvers<void>();
  server.once("error", ready.reject);
  server.listen(port, hostname, ready.resolve);
  await ready.promise;
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
};

/** `greet` sees each connection before anything is read from it. */
const listen = async (answer: Answer, at: At = {}, keys?: Keys, greet: Answer = () => undefined): Promise<Endpoint> => {
  const sockets = new Set<Socket>();
  const open = new Set<Socket>();
  const requests: string[] = [];
  let receivedBytes = 0;
  const converse = (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      receivedBytes += chunk.length;
    });
    readRequests(socket, (request) => {
      requests.push(request);
      answer(socket);
    });
    greet(socket);
  };
  const server: Server = keys ? createTlsServer(keys, converse) : createServer(converse);
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
  });
  const port = await portOf(server, at);
  const hostname = at.hostname ?? "127.0.0.1";
  return {
    url: `${keys ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/hook`,
    port,
    requests,
    get connections() {
      return sockets.size;
    },
    get open() {
      return open.size;
    },
    get receivedBytes() {
      return receivedBytes;
    },
    get sentBytes() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
};

/** Answers 200 at once and keeps the connection. */
export const healthy = (at?: At): Promise<Endpoint> => listen((socket) => socket.write(OK), at);

/** Answers exactly these bytes, and keeps the connection open unless the test closes it. */
export const saying = (
  answer: string,
  { thenHangUp = false, ...at }: At & { thenHangUp?: boolean } = {},
): Promise<Endpoint> => listen((socket) => (thenHangUp ? socket.end(answer) : socket.write(answer)), at);

/** Answers 302 to another place. */
export const redirecting = (to: string): Promise<Endpoint> =>
  saying(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`);

/** Takes the request and never answers. */
export const hanging = (at?: At): Promise<Endpoint> => listen(() => undefined, at);

/** Takes the connection and never reads from it. */
export const deaf = (): Promise<Endpoint> =>
  listen(
    () => undefined,
    {},
    undefined,
    (socket) => socket.pause(),
  );

/** Answers 413 to the first bytes of a request, whose rest it never reads. */
export const impatient = (): Promise<Endpoint> =>
  listen(
    () => undefined,
    {},
    undefined,
    (socket) =>
      socket.once("data", () =>
        socket.pause().write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\n\r\ntoo large"),
      ),
  );

/** Takes the request and drops the connection. */
export const dropping = (): Promise<Endpoint> => listen((socket) => socket.destroy());

/** Promises ten bytes of body, sends three and hangs up. */
export const truncating = (): Promise<Endpoint> =>
  saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", { thenHangUp: true });

/** Answers the first request of each connection, and no other. */
export const tiring = (): Promise<Endpoint> => {
  const served = new WeakSet<Socket>();
  return listen((socket) => {
    if (!served.has(socket)) socket.write(OK);
    served.add(socket);
  });
};

/** The answer: first this, then that without an end, as fast as it is read. */
export type Pouring = { first: string; again?: string };

const pourInto = (socket: Socket, { first, again = "" }: Pouring): void => {
  socket.write(first);
  if (again === "") return;
  const piece = again.repeat(Math.ceil(CHUNK.length / again.length));
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", pour);
  pour();
};

/** Answers each request with the present `answerOf`. */
export const pouring = (answerOf: () => Pouring): Promise<Endpoint> => listen((socket) => pourInto(socket, answerOf()));

/** Answers 200 with a body that never ends, as fast as it is read. */
export const endless = (): Promise<Endpoint> => pouring(() => ({ first: "HTTP/1.1 200 OK\r\n\r\n", again: CHUNK }));

/** Answers 200 with a body that never ends, one byte at a time. */
export const slow = (byteEveryMs: number): Promise<Endpoint> =>
  listen((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const drip = setInterval(() => socket.write("x"), byteEveryMs);
    socket.on("close", () => clearInterval(drip));
  });

/** An endpoint that nobody should reach. It counts connections, and answers like a good one. */
export const tripwire = (at?: At): Promise<Endpoint> => healthy(at);

/** The root that `goodTls` and `strangerTls` are signed by, as PEM. */
export const testCa = (): Promise<string> => fixture("tls-ca.pem");

/** TLS for localhost, hooks.test, *.hooks.test, 127.0.0.1 and ::1, signed by `testCa`. */
export const goodTls = async (at?: At): Promise<Endpoint> =>
  listen((socket) => socket.write(OK), at, await keysOf("tls-hooks"));

/** TLS signed by `testCa`, but for elsewhere.test. */
export const strangerTls = async (): Promise<Endpoint> =>
  listen((socket) => socket.write(OK), undefined, await keysOf("tls-stranger"));

/** TLS for localhost, hooks.test and 127.0.0.1, signed only by itself. */
export const badCertificate = async (): Promise<Endpoint> =>
  listen((socket) => socket.write(OK), undefined, await keysOf("tls-selfsigned"));
