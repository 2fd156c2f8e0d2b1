import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { allowedOrigin } from "../shared/http/http-answers.ts";
import { askedFor, nameRequest } from "../shared/http/request.ts";
import { callingAs } from "./calling.ts";
import { createMcpServer } from "./server.ts";

/**
 * `ask`: the handler of all APIs in this process; the gateway API is at `baseUrl`. `corsOrigins`: the origins whose
 * pages may call. A request of any other page is refused, because that page may have rebound its name to this server.
 */
export type McpPage = {
  version: string;
  maySend: boolean;
  corsOrigins: readonly string[];
  baseUrl: string;
  ask(request: Request): Promise<Response> | Response;
};

/** No tool takes a longer body. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Serves the protocol over HTTP, without sessions: each POST has one message and is answered by itself, so any node can
 * take it. The key is in `X-API-Key`, or a bearer token. The gateway checks it and counts the request before anything
 * is read. A batch of JSON-RPC is refused: its messages would not be counted, and the protocol has had no batches since
 * 2025-06-18. Requests of a tool to the gateway have the id of the request.
 */
export const mcpOverHttp =
  ({ clock, random, log }: { clock: Clock; random: Random; log: Log }, page: McpPage) =>
  async (request: Request): Promise<Response> => {
    const requestId = nameRequest(request, () => newId({ clock, random }));
    const response = await answerTo(page, request, requestId);
    response.headers.set("x-request-id", requestId);
    log.debug({ requestId, api: "mcp", status: response.status }, "request answered");
    return response;
  };

const answerTo = async (
  { version, maySend, corsOrigins, baseUrl, ask }: McpPage,
  request: Request,
  requestId: string,
): Promise<Response> => {
  if (request.headers.has("origin") && allowedOrigin(corsOrigins, request) === undefined)
    return refused(403, "this origin may not call");
  if (request.method !== "POST") return refused(405, "only POST is taken", { allow: "POST" });
  const key = keyIn(request);
  if (key === undefined) return refused(401, "the key is missing", { "www-authenticate": 'Bearer realm="recado"' });
  const send = (url: string, init: RequestInit) => {
    const asked = new Request(url, init);
    asked.headers.set("x-request-id", requestId);
    return ask(askedFor(asked, request));
  };
  const known = await send(`${baseUrl}/v1/account`, { headers: { "x-api-key": key } });
  if (!known.ok) return known;
  const length = request.headers.get("content-length");
  if (length === null || Number(length) > MAX_BODY_BYTES)
    return refused(413, `the body must state its length, of at most ${MAX_BODY_BYTES} bytes`);
  const parsedBody: unknown = parsedJson(await request.text());
  if (parsedBody === undefined) return refused(400, "the body is not JSON");
  if (Array.isArray(parsedBody)) return refused(400, "a request is one message: batches are not taken");
  const server = createMcpServer({ version, maySend, callAs: callingAs({ baseUrl, key, send }) });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
};

const keyIn = ({ headers }: Request): string | undefined =>
  headers.get("x-api-key") ?? /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** An error of JSON-RPC without an id, as the protocol wants it. */
const refused = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers });
