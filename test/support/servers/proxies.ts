import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy on this machine that really connects. Stopped with the scope. */
export type TestProxy = {
  readonly port: number;
  /** The URL of the proxy, with its user and password if it asks for them. */
  readonly url: string;
  /** The requested destinations, `host:port`. */
  readonly asked: string[];
  /** Refuses everything from now on, and ends open connections. */
  refuse(): void;
  accept(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

type Login = { user: string; password: string };

const join = (one: Socket, other: Socket): void => {
  for (const socket of [one, other]) {
    socket.on("error", () => {});
    socket.on("close", () => [one, other].map((each) => each.destroy()));
  }
  one.pipe(other).pipe(one);
};

/** Connects to a client's destination. `done` gets nothing if that fails. */
const dial = (host: string, port: number, done: (upstream: Socket | undefined) => void): void => {
  const upstream = connect({ host, port });
  const failed = () => done(undefined);
  upstream.once("error", failed);
  upstream.once("connect", () => {
    upstream.off("error", failed);
    done(upstream);
  });
};

type Serve = (client: Socket, asked: string[], isRefusing: () => boolean) => void;

const proxyOf = async (scheme: string, login: Login | undefined, serve: Serve): Promise<TestProxy> => {
  const asked: string[] = [];
  const clients = new Set<Socket>();
  let isRefusing = false;
  const server: Server = createServer((client) => {
    clients.add(client);
    client.on("error", () => {});
    client.on("close", () => clients.delete(client));
    serve(client, asked, () => isRefusing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const end = () => {
    for (const client of clients) client.destroy();
  };
  const userinfo = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : "";
  return {
    port,
    url: `${scheme}://${userinfo}127.0.0.1:${port}`,
    asked,
    refuse() {
      isRefusing = true;
      end();
    },
    accept() {
      isRefusing = false;
    },
    async [Symbol.asyncDispose]() {
      end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

/** An HTTP proxy that knows only CONNECT; 407 without its login. */
export const connectProxy = (login?: Login): Promise<TestProxy> =>
  proxyOf("http", login, (client, asked, isRefusing) => {
    const wanted = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    client.once("data", (head: Buffer) => {
      const text = head.toString();
      const [, host = "", port = ""] = /^CONNECT (\S+):(\d+) HTTP\/1\.1\r\n/.exec(text) ?? [];
      const [, given] = /^Proxy-Authorization: (.+)\r$/m.exec(text) ?? [];
      if (wanted !== given) return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      asked.push(`${host}:${port}`);
      if (isRefusing()) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      dial(host, Number(port), (upstream) => {
        if (!upstream) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
        client.write("HTTP/1.1 200 Connection established\r\nX-Proxy: test\r\n\r\n");
        join(client, upstream);
      });
    });
  });

const hostIn = (request: Buffer): { host: string; port: number } => {
  const kind = request[3];
  if (kind === 1) return { host: [...request.subarray(4, 8)].join("."), port: request.readUInt16BE(8) };
  const length = request[4] ?? 0;
  return { host: request.subarray(5, 5 + length).toString(), port: request.readUInt16BE(5 + length) };
};

/** A SOCKS5 server (RFC 1928) for CONNECT to names and IPv4 addresses, with the login of RFC 1929. */
export const socksProxy = (login?: Login): Promise<TestProxy> =>
  proxyOf("socks5", login, (client, asked, isRefusing) => {
    const reply = (code: number) => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
    const request = (bytes: Buffer) => {
      const { host, port } = hostIn(bytes);
      asked.push(`${host}:${port}`);
      if (isRefusing()) return void reply(2);
      dial(host, port, (upstream) => {
        if (!upstream) return void reply(5);
        reply(0);
        join(client, upstream);
      });
    };
    client.once("data", (greeting: Buffer) => {
      const methods = [...greeting.subarray(2)];
      if (!methods.includes(login ? 2 : 0)) return void client.end(Buffer.from([5, 255]));
      client.write(Buffer.from([5, login ? 2 : 0]));
      client.once("data", (bytes: Buffer) => {
        if (!login) {
          request(bytes);
          return;
        }
        const user = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString();
        const password = bytes.subarray(3 + (bytes[1] ?? 0)).toString();
        const isRight = user === login.user && password === login.password;
        client.write(Buffer.from([1, isRight ? 0 : 1]));
        if (!isRight) return void client.end();
        client.once("data", request);
      });
    });
  });
