import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Failure, Failures } from "../telegram/failures.ts";
import { type Answer, type Called, type Fields, Refusal, type State } from "./state.ts";
import { answerOfTwilio } from "./twilio.ts";
import { answerOfZenvia } from "./zenvia.ts";

/** Both simulated providers on one free port of the loopback address; the paths do not meet. */
export const serveSms = (state: State, failures: Failures): Server => {
  const server = createServer((request, response) => void serve(state, failures, { request, response }));
  server.listen(0, "127.0.0.1");
  return server;
};

type Exchange = { request: IncomingMessage; response: ServerResponse };

const serve = async (state: State, failures: Failures, { request, response }: Exchange): Promise<void> => {
  const { method = "", headers } = request;
  const url = new URL(request.url ?? "/", `http://${headers.host ?? "127.0.0.1"}`);
  const called: Called = { method, url, headers, body: await textOf(request) };
  state.journal.push({ method, path: url.pathname + url.search, fields: fieldsOf(called) });
  const failure = failures.take(`${method} ${url.pathname}`);
  if (failure?.kind === "refuse") return write(response, refusedBy(failure));
  const answer = failure?.kind === "cut" && !failure.isTaken ? undefined : answerTo(state, called);
  if (failure?.kind === "cut" || !answer) return void request.socket.destroy();
  write(response, failure?.kind === "garble" ? { ...answer, body: Buffer.from("<html>Bad gateway</html>") } : answer);
};

const refusedBy = ({
  status,
  description: message,
  parameters = {},
}: Extract<Failure, { kind: "refuse" }>): Answer => ({
  status,
  body: { code: parameters["code"] ?? message, message },
  headers: { "retry-after": String(parameters["retryAfter"] ?? 1) },
});

const answerTo = (state: State, called: Called): Answer => {
  try {
    return called.url.pathname.startsWith("/v2/") ? answerOfZenvia(state, called) : answerOfTwilio(state, called);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
};

const fieldsOf = ({ headers, body }: Called): Fields =>
  headers["content-type"] === "application/json"
    ? JSON.parse(body || "{}")
    : Object.fromEntries(new URLSearchParams(body));

const write = (response: ServerResponse, { status, body, headers = {} }: Answer): void => {
  const isBytes = body instanceof Uint8Array;
  response.writeHead(status, { ...(isBytes ? {} : { "content-type": "application/json" }), ...headers });
  response.end(body === undefined ? undefined : isBytes ? body : JSON.stringify(body));
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};
