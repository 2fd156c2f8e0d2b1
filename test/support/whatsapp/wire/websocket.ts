import { createHash } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A websocket of a client, close enough to the wire to be cut or frozen. */
export type WebSocketLink = {
  send(bytes: Uint8Array): void;
  /** Closes by the protocol. */
  close(): void;
  /** Ends without a close. */
  cut(): void;
  /** Neither reads nor writes nor closes until the returned function is called. */
  freeze(): () => void;
};

export type Handlers = { message(bytes: Buffer): void; closed(): void };

export type WebSocketServer = { readonly port: number; readonly open: number; stop(): Promise<void> };

type Options = {
  /** The HTTP status with which this upgrade is refused. */
  refuse(): number | undefined;
  accept(link: WebSocketLink): Handlers;
};

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const PATH = "/ws/chat";

const OP = { continuation: 0, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const frame = (op: number, payload: Uint8Array): Buffer => {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x80 | op;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
};

type Frame = { op: number; isLast: boolean; payload: Buffer; size: number };

/** The first frame in `bytes`, unmasked; undefined while it is not whole. */
const readFrame = (bytes: Buffer): Frame | undefined => {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const lengthSize = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + lengthSize;
  const start = maskAt + 4;
  if (bytes.length < start) return undefined;
  const length = lengthSize === 0 ? short : lengthSize === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < length; at++) payload[at] = (payload[at] ?? 0) ^ (bytes[maskAt + (at & 3)] ?? 0);
  return { op: first & 0x0f, isLast: (first & 0x80) !== 0, payload, size: start + length };
};

const answer = (status: number, headers: string[]): string =>
  `HTTP/1.1 ${status} ${status === 101 ? "Switching Protocols" : "Refused"}\r\n${headers.join("\r\n")}\r\n\r\n`;

const upgraded = (head: string): string | undefined => {
  const key = /^sec-websocket-key: *(\S+)/im.exec(head)?.[1];
  if (key === undefined || !head.startsWith(`GET ${PATH}`)) return undefined;
  const accepted = createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
  return answer(101, ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accepted}`]);
};

const linkOf = (socket: Socket): WebSocketLink & { write(op: number, payload: Uint8Array): void } => {
  let held: Buffer[] | undefined;
  const write = (op: number, payload: Uint8Array) => {
    const bytes = frame(op, payload);
    if (held) held.push(bytes);
    else if (socket.writable) socket.write(bytes);
  };
  return {
    write,
    send: (bytes) => write(OP.binary, bytes),
    close: () => {
      write(OP.close, Buffer.from([0x03, 0xe8]));
      if (!held) socket.end();
    },
    cut: () => void socket.destroy(),
    freeze: () => {
      held = [];
      socket.pause();
      return () => {
        const waiting = held ?? [];
        held = undefined;
        socket.resume();
        for (const bytes of waiting) if (socket.writable) socket.write(bytes);
      };
    },
  };
};

const serve = (socket: Socket, { refuse, accept }: Options): void => {
  const link = linkOf(socket);
  let handlers: Handlers | undefined;
  let bytes: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];

  const shakeHands = (): boolean => {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const status = refuse();
    const reply = status === undefined ? upgraded(bytes.subarray(0, end).toString()) : undefined;
    bytes = bytes.subarray(end + 4);
    if (reply === undefined) {
      socket.end(answer(status ?? 400, ["Connection: close", "Content-Length: 0"]));
      return false;
    }
    socket.write(reply);
    handlers = accept(link);
    return true;
  };

  const take = ({ op, isLast, payload }: Frame): void => {
    if (op === OP.ping) return link.write(OP.pong, payload);
    if (op === OP.close) return link.close();
    if (op === OP.pong) return;
    parts.push(payload);
    if (!isLast) return;
    const whole = parts.length === 1 ? payload : Buffer.concat(parts);
    parts = [];
    handlers?.message(whole);
  };

  socket.setNoDelay(true);
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    if (!handlers && !shakeHands()) return;
    for (let next = readFrame(bytes); next; next = readFrame(bytes)) {
      bytes = bytes.subarray(next.size);
      take(next);
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => handlers?.closed());
};

/** Takes websockets at `/ws/chat` on a free port of this machine. */
export const listen = async (options: Options): Promise<WebSocketServer> => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serve(socket, options);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return open.size;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
