import { connect, type Socket } from "node:net";

/** A raw answer of the wire. */
export type WireAnswer = { status: number; head: string; body: string };
export type WireRequest = { path: string; host: string; method?: string; headers?: Record<string, string> };

const textOf = (
  { path, host, method = "GET", headers = {} }: WireRequest,
  connection: "close" | "keep-alive",
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Connection: ${connection}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

const dial = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1");

/** A request in exactly these bytes, which no client library would send. */
export const requestRaw = (url: string, request: WireRequest): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = dial(url);
    socket.once("error", reject);
    socket.on("data", (chunk) => void (text += chunk.toString()));
    socket.once("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body });
    });
    socket.once("connect", () => socket.write(textOf(request, "close")));
  });

/** A connection that its client keeps open after one answer. */
export const idleConnection = (url: string, request: WireRequest): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = dial(url);
    socket.once("error", reject);
    socket.once("data", () => resolve(socket));
    socket.once("connect", () => socket.write(textOf(request, "keep-alive")));
  });
