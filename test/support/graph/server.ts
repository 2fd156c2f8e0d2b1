import type { Server } from "bun";
import { debugToken, listSubscriptions, subscribe, unsubscribe } from "./accounts.ts";
import { authenticate, type Call, checkProof, type Handler, NOBODY } from "./call.ts";
import { callPermissions, callsHandler } from "./calls/handlers.ts";
import { envelopeOf, GraphError, unknownObject } from "./errors.ts";
import { type Failures, type Outcome, perform } from "./failures.ts";
import { groupRoutes } from "./groups/handlers.ts";
import type { Later } from "./groups/model.ts";
import { newTraceId } from "./ids.ts";
import { deleteMedia, downloadMedia, getMedia, uploadMedia } from "./media/handlers.ts";
import { startUpload, uploadStatus, writeUpload } from "./media/uploads.ts";
import { marketingHandler } from "./messages/marketing.ts";
import { messagesHandler } from "./messages/messages.ts";
import { threadControl } from "./messages/threads.ts";
import { getAccount } from "./money.ts";
import { deregister, getNumber, listNumbers, register } from "./numbers.ts";
import { onboardingRoutes } from "./onboarding/routes.ts";
import type { Control } from "./operations.ts";
import { apiHeaders, respond } from "./requests/answers.ts";
import { entryOf, type JournalEntry } from "./requests/journal.ts";
import { type Payload, payloadOf } from "./requests/payload.ts";
import { requireKept } from "./requests/versions.ts";
import { serveSimulator } from "./serve.ts";
import { fieldsOf } from "./shape.ts";
import type { State } from "./state.ts";
import { createTemplate } from "./templates/creation.ts";
import { deleteTemplates, editTemplate, getTemplate, listTemplates } from "./templates/management.ts";
import type { Statuses } from "./webhooks/statuses.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export type Parts = {
  state: State;
  failures: Failures;
  webhooks: Webhooks;
  statuses: Statuses;
  journal: JournalEntry[];
  later: Later;
};

/**
 * Every endpoint, by method, kind of node and edge. An endpoint that is missing here does not exist upstream either: no
 * edit, no revoke, no group admins. Instagram adds its lines, and its kinds of node to `kindOf`.
 */
const routesOf = ({ statuses, webhooks, later }: Parts): Record<string, Handler> => ({
  "GET debug_token": debugToken,
  "GET number": getNumber(webhooks),
  "POST number/messages": messagesHandler(statuses),
  "POST number/marketing_messages": marketingHandler(statuses),
  "POST number/register": register,
  "POST number/deregister": deregister,
  "GET account": getAccount,
  "GET account/phone_numbers": listNumbers(webhooks),
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
  "POST number/calls": callsHandler,
  "GET number/call_permissions": callPermissions,
  "POST number/thread_control": threadControl,
  ...onboardingRoutes(webhooks),
  ...groupRoutes(later),
});

const kindOf = (
  { numbers, accounts, flows, groups, templates, media, uploads, tokens }: State,
  node: string,
): string | undefined => {
  if (numbers.has(node)) return "number";
  if (accounts.has(node)) return "account";
  if (flows.has(node)) return "flow";
  if (groups.has(node)) return "group";
  if (templates.has(node)) return "template";
  if (media.has(node)) return "media";
  if (uploads.has(node)) return "upload";
  if (["debug_token", "oauth", "whatsapp_business"].includes(node)) return node;
  return [...tokens.values()].some((token) => token.appId === node) ? "app" : undefined;
};

/** Serves the simulated Graph on a free port of this machine. */
export const serveGraph = (parts: Parts, control: Control): Server<undefined> => {
  const routes = routesOf(parts);
  const server = serveSimulator(control, (request, url) => answer(parts, routes, request, url));
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
    const outcome = await outcomeOf(parts, routes, {
      entry,
      payload,
      headers: request.headers,
      query: url.searchParams,
      path,
    });
    if (outcome.after) setImmediate(outcome.after);
    return responseOf(state, outcome, path, entry);
  } catch (thrown) {
    if (!(thrown instanceof GraphError)) throw thrown;
    return responseOf(
      state,
      { kind: "answer", status: thrown.httpStatus, body: envelopeOf(thrown, newTraceId(state.random)) },
      path,
      entry,
    );
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

const outcomeOf = async (
  parts: Parts,
  routes: Record<string, Handler>,
  { entry, payload, headers, query, path }: Incoming,
): Promise<Outcome> => {
  const { state, failures } = parts;
  const { method } = entry;
  requireKept(path.version, query, { headers, body: payload.shown });
  const token = path.node === "oauth" ? NOBODY : authenticate(state, headers, query, path.node);
  if (token !== NOBODY && path.node !== "whatsapp_business") checkProof(state, query, token);
  const handler = routes[`${method} ${kindOf(state, path.node)}${path.edge === "" ? "" : `/${path.edge}`}`];
  if (!handler) throw noRoute(state, routes, method, path);
  if (headers.get("content-type")?.startsWith("application/json") && typeof entry.body === "string")
    throw new GraphError(100, { message: "(#100) The request body is not valid JSON." });
  if (headers.get("content-type")?.startsWith("multipart/form-data") && !payload.form)
    throw new GraphError(100, { message: "(#100) The form could not be read." });
  const call: Call = {
    state,
    method,
    node: path.node,
    edge: path.edge,
    query,
    headers,
    body: fieldsOf(payload.shown),
    payload,
    token,
  };
  const effect = handler(call);
  return perform(effect, failures.take(effect), method === "GET");
};

const noRoute = (state: State, routes: Record<string, Handler>, method: string, { node, edge }: Path): GraphError => {
  const kind = kindOf(state, node);
  if (!kind) return unknownObject(method, node);
  const hasOtherMethod = Object.keys(routes).some((key) => key.endsWith(edge === "" ? ` ${kind}` : ` ${kind}/${edge}`));
  if (hasOtherMethod)
    return new GraphError(100, {
      message: `Unsupported ${method.toLowerCase()} request - method type: ${method.toLowerCase()}`,
    });
  return new GraphError(2500, { message: `Unknown path components: /${edge}`, httpStatus: 400 });
};

const responseOf = (state: State, outcome: Outcome, path: Path, entry: JournalEntry): Response | Promise<Response> => {
  if (!("body" in outcome)) return respond(outcome, entry);
  const { body } = outcome;
  const headers = { ...apiHeaders(state.random, path, "whatsapp"), ...outcome.headers };
  return respond({ ...outcome, body: body instanceof Uint8Array ? body : JSON.stringify(body), headers }, entry);
};
