import { connect, isIP, type Socket } from "node:net";
import { withTimeout } from "../../kernel/async.ts";
import { boundReading, type ReadingLimit } from "./bounded-reading.ts";
import type { OutboundHttp } from "./http.ts";
import { messageOf } from "./transfer.ts";

/** A proxy as its URL names it. `host` has no brackets. */
export type ProxyAddress = {
  scheme: "http" | "socks5";
  host: string;
  port: number;
  user: string;
  password: string;
};

export type Target = { host: string; port: number };

/** There is no connection through the proxy. The message is for its owner and names no secret. */
export class TunnelFault extends Error {
  override name = "TunnelFault";
  readonly isBlocked: boolean;
  constructor(message: string, { isBlocked = false }: { isBlocked?: boolean } = {}) {
    super(message);
    this.isBlocked = isBlocked;
  }
}

const CONNECT_MS = 10_000;
/** The maximum that a proxy may send before it has connected. */
const HANDSHAKE: ReadingLimit = { bytes: 8 * 1024, pieces: 1024 };
const MAX_ADDRESSES = 3;
/** RFC 1929: the two fields of a SOCKS5 login have at most 255 bytes. */
const MAX_FIELD_BYTES = 255;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Reads `http://` or `socks5://` with `host:port`, perhaps with `user:password@`; undefined for any other text. */
export const proxyAddressOf = (text: string): ProxyAddress | undefined => {
  const [, scheme, rest] = /^(http|socks5):\/\/([^\s/?#]+)\/?$/i.exec(text) ?? [];
  // as an http URL: parsers know neither the port nor the host of another scheme
  const url = rest === undefined ? null : URL.parse(`http://${rest}`);
  const [, port] = /:(\d{1,5})$/.exec(rest ?? "") ?? [];
  if (!url || url.hostname === "" || port === undefined || Number(port) === 0) return undefined;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined) return undefined;
  if (Buffer.byteLength(user) > MAX_FIELD_BYTES || Buffer.byteLength(password) > MAX_FIELD_BYTES) return undefined;
  return {
    scheme: scheme?.toLowerCase() === "http" ? "http" : "socks5",
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port),
    user,
    password,
  };
};

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The proxy without its user and password. */
export const shownProxy = ({ scheme, host, port }: ProxyAddress): string => `${scheme}://${bracketed(host)}:${port}`;

const connected = (host: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error("no connection in time")), CONNECT_MS);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });

/**
 * Reads the head of the proxy's answer. Nothing may follow it: TLS and WebSocket hosts do not speak first. The socket is
 * not paused afterwards, because Bun's WebSocket would not resume it (1.4.5).
 */
const headOf = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const end = (error?: Error) => {
      socket.off("data", take).off("close", closed).off("error", closed);
      if (error) reject(error);
      else resolve(head.toString("latin1"));
    };
    const closed = (error?: unknown) =>
      end(error instanceof TunnelFault ? error : new Error("the proxy closed the connection"));
    const take = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const at = head.indexOf("\r\n\r\n");
      if (at < 0) return;
      if (head.length > at + 4) return end(new Error("the proxy's answer has a body"));
      head = head.subarray(0, at);
      end();
    };
    socket.on("data", take).on("close", closed).on("error", closed);
  });

/** https://www.rfc-editor.org/rfc/rfc9110#name-connect */
const byConnect = async (socket: Socket, { user, password }: ProxyAddress, { host, port }: Target): Promise<Socket> => {
  const place = `${bracketed(host)}:${port}`;
  const login = Buffer.from(`${user}:${password}`).toString("base64");
  const lines = [
    `CONNECT ${place} HTTP/1.1`,
    `Host: ${place}`,
    ...(user === "" ? [] : [`Proxy-Authorization: Basic ${login}`]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(await headOf(socket)) ?? [];
  if (status === "407") throw new TunnelFault("the proxy refuses the user or the password");
  if (status?.startsWith("2")) return socket;
  throw new TunnelFault(
    status === undefined ? "it does not answer as a proxy" : `the proxy answers HTTP ${status} to CONNECT`,
  );
};

/** https://www.rfc-editor.org/rfc/rfc1928 */
const bySocks = async (
  socket: Socket,
  { host: proxyHost, port: proxyPort, user, password }: ProxyAddress,
  { host, port }: Target,
): Promise<Socket> => {
  const { SocksClient } = await import("socks"); // loaded with the first proxy of this kind
  const made = await SocksClient.createConnection({
    proxy: {
      host: proxyHost,
      port: proxyPort,
      type: 5,
      ...(user === "" ? {} : { userId: user, password }),
    },
    command: "connect",
    destination: { host, port },
    timeout: CONNECT_MS,
    existing_socket: socket,
  });
  return made.socket;
};

/**
 * Connects through a proxy to a host, whose name the proxy resolves. The proxy's own address is checked first.
 *
 * @throws TunnelFault
 */
export const openTunnel = async (
  http: Pick<OutboundHttp, "checkedAddresses">,
  proxy: ProxyAddress,
  target: Target,
): Promise<Socket> => {
  const addresses = await http.checkedAddresses(bracketed(proxy.host));
  if ("failure" in addresses) throw new TunnelFault(addresses.message, { isBlocked: addresses.failure === "blocked" });
  let last: unknown;
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const socket = await connected(address, proxy.port).catch((thrown: unknown) => {
      last = thrown;
    });
    if (!socket) continue;
    const reading = boundReading(socket, HANDSHAKE, {
      excess: () => new TunnelFault("the proxy's answer is too long"),
    });
    try {
      const through = proxy.scheme === "http" ? byConnect : bySocks;
      return await withTimeout(CONNECT_MS, through(socket, proxy, target), {
        message: "the proxy did not connect in time",
      });
    } catch (thrown) {
      socket.destroy();
      throw thrown instanceof TunnelFault ? thrown : new TunnelFault(messageOf(thrown));
    } finally {
      reading.end();
    }
  }
  throw new TunnelFault(`the proxy cannot be reached: ${messageOf(last)}`);
};
