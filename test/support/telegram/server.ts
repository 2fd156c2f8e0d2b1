import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { bodyOf, notFound, Refusal, unauthorized } from "./errors.ts";
import type { Failures } from "./failures.ts";
import { methodOf } from "./methods.ts";
import { payloadOf } from "./payload.ts";
import { isTooLarge } from "./sends.ts";
import type { Bot, JournalEntry, State } from "./state.ts";

export type Parts = { state: State; failures: Failures; journal: JournalEntry[]; onRequest: () => void };

const METHOD_PATH = /^\/bot([^/]+)\/([A-Za-z]+)$/;
const FILE_PATH = /^\/file\/bot([^/]+)\/(.+)$/;

/** The simulated server; it listens on a free port of the loopback address. */
export const serveTelegram = (parts: Parts): Server => {
  const server = createServer((request, response) => {
    serve(parts, request, response).catch((thrown: unknown) => {
      if (!response.headersSent)
        write(response, 500, { ok: false, error_code: 500, description: `Internal Server Error: ${String(thrown)}` });
    });
  });
  server.listen(0, "127.0.0.1");
  return server;
};

const write = (response: ServerResponse, status: number, body: object | string): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

const refuse = (response: ServerResponse, refusal: Refusal): void => write(response, refusal.code, bodyOf(refusal));

const botOf = ({ bots }: State, token: string): Bot => {
  const bot = bots.get(token);
  if (!bot || bot.isRevoked) throw unauthorized();
  return bot;
};

const serve = async (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://telegram");
  try {
    const [, fileToken, filePath] = FILE_PATH.exec(url.pathname) ?? [];
    if (fileToken !== undefined && filePath !== undefined) return sendFile(parts, response, fileToken, filePath);
    const [, token, name] = METHOD_PATH.exec(url.pathname) ?? [];
    if (token === undefined || name === undefined) throw notFound();
    if (isTooLarge(Number(request.headers["content-length"] ?? 0))) throw new Refusal(413, "Request Entity Too Large");
    const payload = await payloadOf(await bytesOf(request), request.headers["content-type"] ?? "", url.searchParams);
    await perform(parts, { token: decodeURIComponent(token), name, ...payload }, { request, response });
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    request.resume();
    refuse(response, thrown);
  }
};

type Asked = { token: string; name: string } & Awaited<ReturnType<typeof payloadOf>>;

const perform = async (
  parts: Parts,
  { token, name, fields, files }: Asked,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> => {
  const { state, failures, journal, onRequest } = parts;
  const { name: method, method: run } = methodOf(name);
  journal.push({
    method,
    fields,
    files: Object.fromEntries([...files].map(([field, { bytes }]) => [field, bytes.length])),
    token,
  });
  onRequest();
  const failure = failures.take(method);
  if (failure?.kind === "refuse") throw new Refusal(failure.status, failure.description, failure.parameters);
  if (failure?.kind === "cut" && !failure.isTaken) return void request.socket.destroy();
  const result = await run(state, botOf(state, token), { method, fields, files }, (gone) => response.on("close", gone));
  if (failure?.kind === "cut") return void request.socket.destroy();
  if (failure?.kind === "garble") return write(response, failure.status ?? 200, "<html>Bad gateway</html>");
  write(response, 200, { ok: true, result });
};

const sendFile = (
  { state, failures, onRequest }: Parts,
  response: ServerResponse,
  token: string,
  path: string,
): void => {
  botOf(state, decodeURIComponent(token));
  onRequest();
  const failure = failures.take("file");
  if (failure?.kind === "cut") return void response.socket?.destroy();
  const file = [...state.files.values()].find((one) => one.path === decodeURIComponent(path));
  if (!file) throw notFound();
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": file.bytes.length });
  response.end(file.bytes);
};

const bytesOf = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
