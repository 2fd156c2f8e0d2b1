import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { withTimeout } from "../../kernel/async.ts";
import { type BoundedReading, boundReading, type ReadingLimit } from "../http/bounded-reading.ts";
import { BrokerFault, type BrokerTls } from "./broker.ts";

// The clients of brokers read what a server sends without a limit: a greeting that never ends was copied at each piece,
// and an announced message of 4 GiB was waited for. One of them takes an address alone, so the limit stands between two
// connections: the client's, to this machine, and ours, to the checked address of the broker.

/**
 * The maximum that a broker may send before it has accepted the login. A greeting has a few hundred bytes in one piece.
 */
const GREETING: ReadingLimit = { bytes: 64 * 1024, pieces: 256 };
/** The maximum from one message to the next, beside the message itself, which RabbitMQ may return. */
const PER_MESSAGE: ReadingLimit = { bytes: 1024 * 1024, pieces: 1024 };
const LEAVE_MS = 2000;

/** The destination of a connection. `tls`: undefined if the client begins TLS itself, or there is no TLS. */
export type RelayTarget = { address: string; port: number; connectMs: number; tls: BrokerTls | undefined };

/** A connection to a broker, for one client on this machine. */
export type Relay = {
  /** The port for the client, at 127.0.0.1. Only the first connection is accepted. */
  port: number;
  /** Why we ended the connection; undefined if we did not. */
  readonly fault: BrokerFault | undefined;
  /** The broker has accepted the login, or gets another message of this size: it may send more. */
  allowMessage(sentBytes: number): void;
  /** Ends both connections at once. */
  close(): void;
};

const excess = ({ bytes, pieces }: ReadingLimit): BrokerFault =>
  new BrokerFault(
    "aborted",
    `the broker sent more than ${bytes} bytes or ${pieces} pieces beside what it was asked for`,
  );

/** @throws an error of Node if there is no connection, or no TLS, in time */
const connected = async ({ address, port, connectMs, tls }: RelayTarget): Promise<Socket> => {
  const at = { host: address, port };
  const name = tls && "servername" in tls.name ? tls.name : {};
  const socket = tls
    ? process.getBuiltinModule("node:tls").connect({ ...at, secureContext: tls.context, ...name })
    : connect(at);
  try {
    await withTimeout(connectMs, once(socket, tls ? "secureConnect" : "connect"), {
      error: () => new BrokerFault("timeout", "no connection in time"),
    });
  } catch (thrown) {
    socket.on("error", () => {}).destroy();
    throw thrown;
  }
  return socket.setNoDelay(true);
};

/** Connects to a broker, and listens for the one client of this connection. @throws what `connected` throws */
export const openRelay = async (target: RelayTarget): Promise<Relay> => {
  const upstream = await connected(target);
  const server = createServer();
  let local: Socket | undefined;
  let reading: BoundedReading | undefined;
  let fault: BrokerFault | undefined;
  const close = () => {
    server.close();
    upstream.destroy();
    local?.destroy();
  };
  upstream.on("error", (error) => {
    if (error instanceof BrokerFault) fault = error;
  });
  upstream.on("close", () => {
    server.close();
    if (fault) local?.destroy();
    else local?.end(); // the last bytes still reach the client
  });
  server.on("connection", (client) => {
    if (local) return void client.destroy();
    local = client;
    server.close();
    reading = boundReading(upstream, GREETING, { take: (piece) => void client.write(piece), excess });
    client.on("error", () => {}).on("close", () => leave(upstream));
    client.pipe(upstream, { end: false });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  if (upstream.destroyed) close();
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    get fault() {
      return fault;
    },
    allowMessage: (sentBytes) => reading?.allow({ ...PER_MESSAGE, bytes: PER_MESSAGE.bytes + sentBytes }),
    close,
  };
};

/** Sends the client's remaining bytes, and ends. A broker that does not read them is given up after a while. */
const leave = (upstream: Socket): void => {
  const end = () => void upstream.destroy();
  const timer = setTimeout(end, LEAVE_MS).unref();
  upstream.once("close", () => clearTimeout(timer)).end(end);
};
