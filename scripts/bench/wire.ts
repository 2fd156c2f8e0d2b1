/** A raw answer: its status, and its body on demand. */
export type Answer = { status: number; body(): string };

/**
 * One kept-alive connection with one request at a time, so that little time passes between the clock and the server.
 */
export type Wire = {
  /** Rejects when the connection ends before the answer is complete. */
  send(request: Uint8Array): Promise<Answer>;
  close(): void;
};

const HEAD_END = Buffer.from("\r\n\r\n");

/** A whole POST in bytes, ready to be sent. */
export const postBytes = (path: string, headers: Record<string, string>, body: string): Uint8Array => {
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
};

/** So many of a POST, with a number of five digits for each `<n>` in its body. */
export const postsOf = (
  { path, headers, body }: { path: string; headers: Record<string, string>; body: string },
  count: number,
): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => postBytes(path, headers, body.replaceAll("<n>", String(n).padStart(5, "0"))));

/** The same for a GET. */
export const getBytes = (path: string, headers: Record<string, string> = {}): Uint8Array => {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
};

/** The answer in these bytes; undefined while it is not complete. Throws for an answer without a length. */
const answerIn = (bytes: Buffer): Answer | undefined => {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, headEnd + 2))?.[1];
  if (length === undefined) throw new Error("an answer without a length");
  const start = headEnd + HEAD_END.length;
  const end = start + Number(length);
  return bytes.length < end
    ? undefined
    : { status: Number(bytes.toString("latin1", 9, 12)), body: () => bytes.toString("utf8", start, end) };
};

/** Connects to a port of this machine. */
export const openWire = async (port: number): Promise<Wire> => {
  let held: Buffer | undefined;
  let waiting: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined;
  const fail = (error: unknown) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  const take = (chunk: Buffer) => {
    const bytes = held ? Buffer.concat([held, chunk]) : chunk;
    const answer = answerIn(bytes);
    held = answer ? undefined : Buffer.from(bytes);
    if (!answer) return;
    const settled = waiting;
    waiting = undefined;
    settled?.resolve(answer);
  };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, chunk) => take(chunk),
      close: () => fail(new Error("the connection was closed")),
      error: (_, error) => fail(error),
    },
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.write(request) !== request.length) fail(new Error("the request did not fit into the socket"));
      }),
    close: () => void socket.end(),
  };
};

/** The value below which `share` of the sorted samples lie. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export type Spread = { p50: number; p99: number; max: number };

export const spreadOf = (samples: readonly number[]): Spread => {
  const sorted = Float64Array.from(samples).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: percentile(sorted, 1) };
};
