import type { Server } from "bun";
import { GraphError } from "../graph/errors.ts";
import { newTraceId } from "../graph/ids.ts";
import type { Control } from "../graph/operations.ts";
import { type Answer, apiHeaders, respond } from "../graph/requests/answers.ts";
import { entryOf, type JournalEntry } from "../graph/requests/journal.ts";
import { payloadOf } from "../graph/requests/payload.ts";
import { requireKept } from "../graph/requests/versions.ts";
import { serveSimulator } from "../graph/serve.ts";
import { fieldsOf } from "../graph/shape.ts";
import type { Webhooks } from "../graph/webhooks/webhooks.ts";
import { getAccount, listSubscriptions, subscribe, unsubscribe } from "./accounts.ts";
import { authenticate, type Call, type Effect, type Handler, json } from "./call.ts";
import { envelopeOf, invalid, loginEnvelopeOf, refusal, unknownObject, unsupported } from "./errors.ts";
import { type Failures, type Outcome, perform } from "./failures.ts";
import { authorizePage, exchangeCode } from "./login/login.ts";
import { exchangeToken, refreshToken } from "./login/tokens.ts";
import { getMedium } from "./messages/media.ts";
import { addAttachment, messagesHandler } from "./messages/messages.ts";
import { clearProfile, getProfile, putProfile } from "./profiles.ts";
import type { State } from "./state.ts";
import { getMessage, getUser } from "./users.ts";
import type { Echoes } from "./webhooks/echoes.ts";

export type Parts = { state: State; failures: Failures; webhooks: Webhooks; echoes: Echoes; journal: JournalEntry[] };

/**
 * Every endpoint of graph.instagram.com, by method, kind of node and edge. An endpoint that is missing here does not
 * exist upstream either: no edit, no unsend.
 */
const routesOf = ({ echoes }: Parts): Record<string, Handler> => ({
  "GET access_token": exchangeToken,
  "GET refresh_access_token": refreshToken,
  "GET account": getAccount,
  "GET account/subscribed_apps": listSubscriptions,
  "POST account/subscribed_apps": subscribe,
  "DELETE account/subscribed_apps": unsubscribe,
  "POST account/messages": messagesHandler(echoes),
  "POST account/message_attachments": addAttachment,
  "GET account/messenger_profile": getProfile,
  "POST account/messenger_profile": putProfile,
  "DELETE account/messenger_profile": clearProfile,
  "GET user": getUser,
  "GET message": getMessage,
});

const kindOf = ({ accounts, users, messages }: State, node: string): string | undefined => {
  if (node === "me" || accounts.has(node)) return "account";
  if (users.has(node)) return "user";
  if (messages.has(node)) return "message";
  return node === "access_token" || node === "refresh_access_token" ? node : undefined;
};

type Incoming = { entry: JournalEntry; request: Request; query: URLSearchParams; steps: string[] };

/** One of the hosts that the simulator is, by the first step of the path. */
type Host = {
  effectOf(incoming: Incoming): Effect | Promise<Effect>;
  answerOf(error: GraphError): Answer;
  headersOf(incoming: Incoming): Record<string, string>;
};

const noHeaders = () => ({});
const loginAnswer = (error: GraphError): Answer => ({ ...json(loginEnvelopeOf(error)), status: error.httpStatus });
const plainAnswer = ({ httpStatus, message }: GraphError): Answer => ({
  status: httpStatus,
  body: message,
  headers: { "content-type": "text/plain" },
});
const nowhere = (): GraphError =>
  new GraphError(404, { message: "Sorry, this page isn't available.", httpStatus: 404 });
const NOWHERE: Host = { effectOf: () => Promise.reject(nowhere()), answerOf: plainAnswer, headersOf: noHeaders };

/**
 * `/graph` is graph.instagram.com, `/api` api.instagram.com, `/www` www.instagram.com, `/ig_messaging_cdn` where
 * attachments lie.
 */
const hostsOf = (parts: Parts): Record<string, Host> => {
  const { state } = parts;
  const routes = routesOf(parts);
  return {
    graph: {
      effectOf: (incoming) => graphEffect(state, routes, incoming),
      answerOf: (error) => ({ ...json(envelopeOf(error, newTraceId(state.random))), status: error.httpStatus }),
      headersOf: ({ steps }) => apiHeaders(state.random, pathOf(state, steps), "instagram"),
    },
    api: { effectOf: (incoming) => tokenEffect(state, incoming), answerOf: loginAnswer, headersOf: noHeaders },
    www: { effectOf: (incoming) => pageEffect(state, incoming), answerOf: loginAnswer, headersOf: noHeaders },
    ig_messaging_cdn: { effectOf: ({ query }) => getMedium(state, query), answerOf: plainAnswer, headersOf: noHeaders },
  };
};

/** Serves the simulated Instagram on a free port of this machine. */
export const serveInstagram = (parts: Parts, control: Control): Server<undefined> => {
  const hosts = hostsOf(parts);
  const server = serveSimulator(control, (request, url) => answer(parts, hosts, request, url));
  parts.state.origin = `http://127.0.0.1:${server.port}`;
  return server;
};

const answer = async (
  { state, failures, journal }: Parts,
  hosts: Record<string, Host>,
  request: Request,
  url: URL,
): Promise<Response> => {
  const payload = await payloadOf(request);
  const entry = entryOf(state.clock, request, url, payload.shown);
  journal.push(entry);
  const [first = "", ...steps] = url.pathname.split("/").filter((step) => step !== "");
  const host = hosts[first] ?? NOWHERE;
  const incoming = { entry, request, query: url.searchParams, steps: steps.map(decodeURIComponent) };
  const outcome = await outcomeOf(failures, host, incoming);
  if (outcome.after) setImmediate(outcome.after);
  if (!("body" in outcome)) return respond(outcome, entry);
  return respond({ ...outcome, headers: { ...host.headersOf(incoming), ...outcome.headers } }, entry);
};

const outcomeOf = async (failures: Failures, host: Host, incoming: Incoming): Promise<Outcome> => {
  try {
    const effect = await host.effectOf(incoming);
    return await perform(effect, failures.take(effect), host.answerOf);
  } catch (thrown) {
    if (!(thrown instanceof GraphError)) throw thrown;
    return { kind: "answer", ...host.answerOf(thrown) };
  }
};

type Path = { version: string; node: string; edge: string };

/** The parts of `/{version}/{node}/{edge}`; without a version it is the app's own. */
const pathOf = ({ settings }: State, steps: string[]): Path => {
  const [first = "", ...rest] = steps;
  const hasVersion = /^v\d+\.\d+$/.test(first);
  const [node = "", ...edge] = hasVersion ? rest : steps;
  return { version: hasVersion ? first : settings.version, node, edge: edge.join("/") };
};

const graphEffect = (
  state: State,
  routes: Record<string, Handler>,
  { entry, request, query, steps }: Incoming,
): Effect => {
  const path = pathOf(state, steps);
  const { method, body } = entry;
  requireKept(path.version, query, { headers: request.headers, body });
  const call: Omit<Call, "token"> = { state, method, node: path.node, query, body: fieldsOf(body) };
  const token = authenticate(state, request.headers, call);
  const handler = routes[`${method} ${kindOf(state, path.node)}${path.edge === "" ? "" : `/${path.edge}`}`];
  if (!handler) throw noRoute(state, routes, method, path);
  if (request.headers.get("content-type")?.startsWith("application/json") && typeof body === "string")
    throw invalid("The request body is not valid JSON.");
  return handler({ ...call, token });
};

const noRoute = (state: State, routes: Record<string, Handler>, method: string, { node, edge }: Path): GraphError => {
  const kind = kindOf(state, node);
  if (!kind) return unknownObject(method, node);
  const hasOtherMethod = Object.keys(routes).some((key) => key.endsWith(edge === "" ? ` ${kind}` : ` ${kind}/${edge}`));
  return hasOtherMethod ? unsupported(method) : refusal(2500, { message: `Unknown path components: /${edge}` });
};

/** The host of codes has the authorize page too. */
const tokenEffect = (state: State, incoming: Incoming): Effect => {
  const { entry, request, steps } = incoming;
  if (`${entry.method} ${steps.join("/")}` !== "POST oauth/access_token") return pageEffect(state, incoming);
  return exchangeCode(state, formOf(request.headers.get("content-type") ?? "", entry.body));
};

/** The texts of a form of either kind; none when the body is no form. */
const formOf = (contentType: string, body: unknown): Record<string, string> => {
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/.test(contentType)) return {};
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(fieldsOf(body))) if (typeof value === "string") fields[name] = value;
  return fields;
};

const pageEffect = (state: State, { entry, query, steps }: Incoming): Effect => {
  if (`${entry.method} ${steps.join("/")}` !== "GET oauth/authorize") throw nowhere();
  return authorizePage(state, query);
};
