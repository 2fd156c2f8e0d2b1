import type { Server } from "bun";
import { debugToken, listSubscriptions, subscribe, unsubscribe } from "./accounts.ts";
import { apiHeaders, respond } from "./answers.ts";
import { authenticate, type Call, type Handler, NOBODY } from "./call.ts";
import { envelopeOf, GraphError, unknownObject } from "./errors.ts";
import { type Failures, type Outcome, perform } from "./failures.ts";
import { newTraceId } from "./ids.ts";
import { entryOf, type JournalEntry } from "./journal.ts";
import { messagesHandler } from "./messages.ts";
import { formFields } from "./multipart.ts";
import { deregister, getNumber, listNumbers, register } from "./numbers.ts";
import { onboardingRoutes } from "./onboarding/routes.ts";
import type { Control } from "./operations.ts";
import { type Fields, fieldsOf, textOf } from "./shape.ts";
import type { State } from "./state.ts";
import type { Statuses } from "./statuses.ts";
import type { Webhooks } from "./webhooks.ts";

export type Parts = { state: State; failures: Failures; webhooks: Webhooks; statuses: Statuses; journal: JournalEntry[] };

/**
 * Every endpoint, by method, kind of node and edge. What is not here does not exist upstream either: no edit, no revoke,
 * no group admins. Templates, media, groups, calls and Instagram add their lines, and their kinds of node to `kindOf`.
 */
const routesOf = ({ statuses, webhooks }: Parts): Record<string, Handler> => ({
  "GET debug_token": debugToken,
  "GET number": getNumber(webhooks),
  "POST number/messages": messagesHandler(statuses),
  "POST number/register": register,
  "POST number/deregister": deregister,
  "GET account/phone_numbers": listNumbers(webhooks),
  "GET account/subscribed_apps": listSubscriptions,
  "POST account/subscribed_apps": subscribe(webhooks),
  "DELETE account/subscribed_apps": unsubscribe,
  ...onboardingRoutes(webhooks),
});

const kindOf = ({ numbers, accounts, flows }: State, node: string): string | undefined => {
  if (numbers.has(node)) return "number";
  if (accounts.has(node)) return "account";
  if (flows.has(node)) return "flow";
  return node === "debug_token" || node === "oauth" ? node : undefined;
};

/** Serves the simulated Graph on a free port of this machine. */
export const serveGraph = (parts: Parts, control: Control): Server<undefined> => {
  const routes = routesOf(parts);
  return Bun.serve({
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
};

const answer = async (parts: Parts, routes: Record<string, Handler>, request: Request, url: URL): Promise<Response> => {
  const { state, journal } = parts;
  const entry = entryOf(state.clock, request, url, await request.text());
  journal.push(entry);
  const path = pathOf(state, url.pathname);
  try {
    const outcome = await outcomeOf(parts, routes, { entry, headers: request.headers, query: url.searchParams, path });
    if (outcome.after) setImmediate(outcome.after);
    return responseOf(state, outcome, path, entry);
  } catch (thrown) {
    if (!(thrown instanceof GraphError)) throw thrown;
    return responseOf(state, { kind: "answer", status: thrown.httpStatus, body: envelopeOf(thrown, newTraceId(state.random)) }, path, entry);
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

type Incoming = { entry: JournalEntry; headers: Headers; query: URLSearchParams; path: Path };

const outcomeOf = async (parts: Parts, routes: Record<string, Handler>, { entry, headers, query, path }: Incoming): Promise<Outcome> => {
  const { state, failures } = parts;
  const { method } = entry;
  const token = path.node === "oauth" ? NOBODY : authenticate(state, headers, query, path.node);
  const handler = routes[`${method} ${kindOf(state, path.node)}${path.edge === "" ? "" : `/${path.edge}`}`];
  if (!handler) throw noRoute(state, routes, method, path);
  if (headers.get("content-type")?.startsWith("application/json") && typeof entry.body === "string")
    throw new GraphError(100, { message: "(#100) The request body is not valid JSON." });
  const body = await bodyOf(headers.get("content-type") ?? "", entry.body);
  const call: Call = { state, method, node: path.node, edge: path.edge, query, body, token };
  const effect = handler(call);
  return perform(effect, failures.take(effect));
};

const bodyOf = async (contentType: string, body: unknown): Promise<Fields> =>
  contentType.startsWith("multipart/form-data") ? formFields(contentType, textOf(body)) : fieldsOf(body);

const noRoute = (state: State, routes: Record<string, Handler>, method: string, { node, edge }: Path): GraphError => {
  const kind = kindOf(state, node);
  if (!kind) return unknownObject(method, node);
  const hasOtherMethod = Object.keys(routes).some((key) => key.endsWith(edge === "" ? ` ${kind}` : ` ${kind}/${edge}`));
  if (hasOtherMethod) return new GraphError(100, { message: `Unsupported ${method.toLowerCase()} request - method type: ${method.toLowerCase()}` });
  return new GraphError(2500, { message: `Unknown path components: /${edge}`, httpStatus: 400 });
};

const responseOf = (state: State, outcome: Outcome, path: Path, entry: JournalEntry): Response | Promise<Response> => {
  if (outcome.kind !== "answer" && outcome.kind !== "half") return respond(outcome, entry);
  return respond({ ...outcome, body: JSON.stringify(outcome.body), headers: apiHeaders(state.random, path, "whatsapp") }, entry);
};
