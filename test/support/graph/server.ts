import type { Server } from "bun";
import { debugToken, listSubscriptions, subscribe, unsubscribe } from "./accounts.ts";
import { authenticate, type Call, type Handler, type Reply } from "./call.ts";
import { envelopeOf, GraphError, unknownObject } from "./errors.ts";
import { type Failures, type Outcome, perform } from "./failures.ts";
import { newTraceId } from "./ids.ts";
import { entryOf, type JournalEntry } from "./journal.ts";
import { deleteMedia, downloadMedia, getMedia, uploadMedia } from "./media/handlers.ts";
import { messagesHandler } from "./messages.ts";
import { deregister, getNumber, listNumbers, register } from "./numbers.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { fieldsOf } from "./shape.ts";
import type { State } from "./state.ts";
import type { Statuses } from "./statuses.ts";
import { createTemplate } from "./templates/creation.ts";
import { deleteTemplates, editTemplate, getTemplate, listTemplates } from "./templates/management.ts";
import { startUpload, uploadStatus, writeUpload } from "./uploads.ts";
import type { Webhooks } from "./webhooks.ts";

export type Parts = { state: State; failures: Failures; webhooks: Webhooks; statuses: Statuses; journal: JournalEntry[] };

/**
 * Every endpoint, by method, kind of node and edge. What is not here does not exist upstream either: no edit, no revoke,
 * no group admins. Groups, calls and Instagram add their lines, and their kinds of node to `kindOf`.
 */
const routesOf = ({ statuses, webhooks }: Parts): Record<string, Handler> => ({
  "GET debug_token": debugToken,
  "GET number": getNumber,
  "POST number/messages": messagesHandler(statuses),
  "POST number/register": register,
  "POST number/deregister": deregister,
  "GET account/phone_numbers": listNumbers,
  "GET account/subscribed_apps": listSubscriptions,
  "POST account/subscribed_apps": subscribe(webhooks),
  "DELETE account/subscribed_apps": unsubscribe,
  "GET account/message_templates": listTemplates,
  "POST account/message_templates": createTemplate(webhooks),
  "DELETE account/message_templates": deleteTemplates,
  "GET template": getTemplate,
  "POST template": editTemplate(webhooks),
  "POST number/media": uploadMedia,
  "GET media": getMedia,
  "DELETE media": deleteMedia,
  "GET whatsapp_business/attachments": downloadMedia,
  "POST app/uploads": startUpload,
  "POST upload": writeUpload,
  "GET upload": uploadStatus,
});

const kindOf = ({ numbers, accounts, templates, media, uploads, tokens }: State, node: string): string | undefined => {
  if (numbers.has(node)) return "number";
  if (accounts.has(node)) return "account";
  if (templates.has(node)) return "template";
  if (media.has(node)) return "media";
  if (uploads.has(node)) return "upload";
  if (["debug_token", "whatsapp_business"].includes(node)) return node;
  return [...tokens.values()].some((token) => token.appId === node) ? "app" : undefined;
};

/** Answers `/_sim/*` requests; the rest goes to Graph. */
export type Control = (path: string, request: Request) => Promise<Response>;

/** Serves the simulated Graph on a free port of this machine. */
export const serveGraph = (parts: Parts, control: Control): Server<undefined> => {
  const routes = routesOf(parts);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0, // a hanging answer must hang for as long as the client can bear it
    maxRequestBodySize: 256 * 1024 * 1024,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/_sim/")) return control(url.pathname.slice("/_sim/".length), request);
      return answer(parts, routes, request, url);
    },
  });
  parts.state.url = `http://127.0.0.1:${server.port}`;
  return server;
};

const answer = async (parts: Parts, routes: Record<string, Handler>, request: Request, url: URL): Promise<Response> => {
  const { state, journal } = parts;
  const payload = await payloadOf(request);
  const entry = entryOf(state.clock, request, url, payload.shown);
  journal.push(entry);
  const path = pathOf(state, url.pathname);
  try {
    const outcome = await outcomeOf(parts, routes, { entry, payload, headers: request.headers, query: url.searchParams, path });
    if (outcome.after) setImmediate(outcome.after);
    return responseOf(state, outcome, path, entry);
  } catch (thrown) {
    if (!(thrown instanceof GraphError)) throw thrown;
    return wholeAnswer(state, { status: thrown.httpStatus, body: envelopeOf(thrown, newTraceId(state.random)) }, path, entry);
  }
};

type Path = { version: string; node: string; edge: string };

/** The parts of `/{version}/{node}/{edge}`; without a version it is the app's own. */
const pathOf = ({ settings }: State, pathname: string): Path => {
  const steps = pathname.split("/").filter((step) => step !== "");
  const version = /^v\d+\.\d+$/.test(steps[0] ?? "") ? steps.shift() : undefined;
  const [node = "", ...edge] = steps;
  return { version: version ?? settings.version, node: decodeURIComponent(node), edge: edge.join("/") };
};

type Incoming = { entry: JournalEntry; payload: Payload; headers: Headers; query: URLSearchParams; path: Path };

const outcomeOf = async (parts: Parts, routes: Record<string, Handler>, { entry, payload, headers, query, path }: Incoming): Promise<Outcome> => {
  const { state, failures } = parts;
  const { method } = entry;
  const token = authenticate(state, headers, query, path.node);
  const handler = routes[`${method} ${kindOf(state, path.node)}${path.edge === "" ? "" : `/${path.edge}`}`];
  if (!handler) throw noRoute(state, routes, method, path);
  if (headers.get("content-type")?.startsWith("application/json") && typeof entry.body === "string")
    throw new GraphError(100, { message: "(#100) The request body is not valid JSON." });
  const call: Call = { state, method, node: path.node, edge: path.edge, query, headers, body: fieldsOf(payload.shown), payload, token };
  const effect = handler(call);
  return perform(effect, failures.take(effect), method === "GET");
};

const noRoute = (state: State, routes: Record<string, Handler>, method: string, { node, edge }: Path): GraphError => {
  const kind = kindOf(state, node);
  if (!kind) return unknownObject(method, node);
  const hasOtherMethod = Object.keys(routes).some((key) => key.endsWith(edge === "" ? ` ${kind}` : ` ${kind}/${edge}`));
  if (hasOtherMethod) return new GraphError(100, { message: `Unsupported ${method.toLowerCase()} request - method type: ${method.toLowerCase()}` });
  return new GraphError(2500, { message: `Unknown path components: /${edge}`, httpStatus: 400 });
};

const responseOf = (state: State, outcome: Outcome, path: Path, entry: JournalEntry): Response | Promise<Response> => {
  switch (outcome.kind) {
    case "answer":
      return wholeAnswer(state, outcome, path, entry);
    case "half":
    case "stall":
      entry.broken = outcome.kind;
      return cutAnswer(outcome.status, halfOf(outcome), { headers: headersOf(state, path, outcome), isSilent: outcome.kind === "stall" });
    case "page":
      entry.broken = "page";
      entry.status = outcome.status;
      return new Response("<html><body><h1>Sorry, something went wrong.</h1></body></html>", { status: outcome.status, headers: { "content-type": "text/html; charset=utf-8" } });
    case "reset":
      entry.broken = "reset";
      return cutAnswer(200, new Uint8Array(), { headers: {}, isSilent: false });
    case "hang":
      entry.broken = "hang";
      return new Promise(() => undefined);
  }
};

const wholeAnswer = (state: State, reply: Reply, path: Path, entry: JournalEntry): Response => {
  entry.status = reply.status;
  return new Response(bytesOf(reply), { status: reply.status, headers: headersOf(state, path, reply) });
};

const bytesOf = ({ body }: Reply): Uint8Array => (body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body)));

const halfOf = (reply: Reply): Uint8Array => {
  const bytes = bytesOf(reply);
  return bytes.subarray(0, bytes.length / 2);
};

const headersOf = ({ random }: State, { version, node }: Path, { headers }: Reply): Record<string, string> => {
  const trace = newTraceId(random);
  const usage = { call_count: 1, total_cputime: 1, total_time: 1 };
  return {
    "content-type": "application/json; charset=UTF-8",
    "facebook-api-version": version,
    "x-fb-request-id": trace,
    "x-fb-trace-id": trace,
    "x-fb-rev": "1030000000",
    "x-app-usage": JSON.stringify(usage),
    "x-business-use-case-usage": JSON.stringify({ [node]: [{ type: "whatsapp", ...usage, estimated_time_to_regain_access: 0 }] }),
    ...headers,
  };
};

/** An answer that breaks off after these bytes, or before its first when there are none: the connection is reset, or falls silent. */
const cutAnswer = (status: number, half: Uint8Array, { headers, isSilent }: { headers: Record<string, string>; isSilent: boolean }): Response => {
  let isSent = half.length === 0;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (!isSent) {
      isSent = true;
      return stream.enqueue(half);
    }
    if (isSilent) return new Promise<void>(() => undefined);
    // one turn of the event loop, so that the first half is on the wire before the reset
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        stream.error();
        resolve();
      });
    });
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status, headers });
};
