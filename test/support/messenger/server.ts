import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { GraphError } from "../graph/errors.ts";
import { partsOf } from "../graph/requests/multipart.ts";
import { requireKept } from "../graph/requests/versions.ts";
import type { Failure, Failures } from "../telegram/failures.ts";
import { envelopeOf, invalid, Refusal } from "./errors.ts";
import { recipientOf, sendMessage } from "./sends.ts";
import type { Fields, Page, Person, State } from "./state.ts";
import { passThread, releaseThread, takeThread } from "./threads.ts";

const PATH = /^\/(v\d+\.\d+)\/([^/]+)(?:\/([a-z_]+))?$/;
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** The simulated Graph API of pages; it listens on a free port of the loopback address. */
export const serveMessenger = (state: State, failures: Failures): Server => {
  const server = createServer((request, response) => void serve(state, failures, { request, response }));
  server.listen(0, "127.0.0.1");
  return server;
};

type Exchange = { request: IncomingMessage; response: ServerResponse };

const write = (response: ServerResponse, status: number, body: object | string): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

const serve = async (state: State, failures: Failures, { request, response }: Exchange): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://graph");
  const bytes = await bytesOf(request);
  const { version, node, edge } = placeOf(url);
  const failure = failures.take(`${request.method ?? ""} ${edge || node}`);
  try {
    if (failure?.kind === "cut" && !failure.isTaken) return void request.socket.destroy();
    const result = answerOf(state, request, { url, version, node, edge, bytes, failure });
    if (failure?.kind === "cut") return void request.socket.destroy();
    write(response, 200, failure?.kind === "garble" ? "<html>Bad gateway</html>" : result);
  } catch (thrown) {
    refuse(response, refusalOf(thrown));
  }
};

const refusalOf = (thrown: unknown): Refusal => {
  if (thrown instanceof Refusal) return thrown;
  return thrown instanceof GraphError
    ? new Refusal(thrown.code, undefined, thrown.message)
    : new Refusal(1, undefined, String(thrown));
};

const refuse = (response: ServerResponse, refusal: Refusal): void =>
  write(response, refusal.status, envelopeOf(refusal));

const placeOf = ({ pathname }: URL) => {
  const [, version = "", node = "", edge = ""] = PATH.exec(pathname) ?? [];
  return { version, node, edge };
};

type Called = {
  url: URL;
  version: string;
  node: string;
  edge: string;
  bytes: Uint8Array;
  failure: Failure | undefined;
};

const answerOf = (
  state: State,
  request: IncomingMessage,
  { url, version, node, edge, bytes, failure }: Called,
): object => {
  const method = request.method ?? "";
  const form = formOf(bytes, request.headers["content-type"] ?? "");
  const proof = url.searchParams.get("appsecret_proof") ?? undefined;
  state.journal.push({ method, path: url.pathname, fields: form.fields, proof });
  if (failure?.kind === "refuse") throw new Refusal(failure.status, failure.parameters?.["subcode"]);
  requireKept(version, url.searchParams, { headers: headersOf(request), body: form.fields });
  const page = pageOf(state, request, { node, proof });
  const person = page.people.get(node);
  if (person) return profileOf(person, `${method} ${edge}`);
  return perform(state, page, { what: `${method} ${edge || "node"}`, query: url.searchParams, form });
};

/** The page of the token; a token shows no other page. A proof is checked if there is one. */
const pageOf = (
  { pages }: State,
  request: IncomingMessage,
  { node, proof }: { node: string; proof: string | undefined },
) => {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const page = [...pages.values()].find(({ tokens }) => tokens.has(token));
  if (!page) throw new Refusal(190);
  if (proof !== undefined && proof !== hmacSha256(page.appSecret, token, "hex"))
    throw invalid("Invalid appsecret_proof provided in the API argument");
  if (node !== "me" && node !== page.id && !page.people.has(node)) throw new Refusal(100, 33);
  return page;
};

/** https://developers.facebook.com/docs/messenger-platform/identity/user-profile */
const profileOf = ({ psid: id, name, hidesName }: Person, what: string): object => {
  if (what !== "GET ") throw new Refusal(100, 33);
  if (hidesName) throw new Refusal(230);
  return { id, name };
};

const headersOf = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));

type Form = { fields: Fields; file?: { type: string; bytes: Uint8Array; filename: string | undefined } };
type Asked = { what: string; query: URLSearchParams; form: Form };

const perform = (state: State, page: Page, { what, query, form }: Asked): object => {
  switch (what) {
    case "GET node":
      return { id: page.id, name: page.name };
    case "POST messages":
      return sendMessage(state, page, form.fields);
    case "POST pass_thread_control":
      return passThread(page, recipientOf(page, form.fields), form.fields);
    case "POST take_thread_control":
      return takeThread(page, recipientOf(page, form.fields));
    case "POST release_thread_control":
      return releaseThread(page, recipientOf(page, form.fields));
    case "POST message_attachments":
      return upload(state, page, form);
    case "POST subscribed_apps":
      if (!page.maySubscribe) throw new Refusal(200);
      page.subscribed = (query.get("subscribed_fields") ?? "").split(",").filter(Boolean);
      if (page.subscribed.length === 0) throw invalid("The parameter subscribed_fields is required.");
      return { success: true };
    case "DELETE subscribed_apps":
      page.subscribed = undefined;
      return { success: true };
    default:
      throw new Refusal(100, 33);
  }
};

/** https://developers.facebook.com/docs/messenger-platform/reference/attachment-upload-api */
const upload = (state: State, page: Page, { fields, file }: Form): object => {
  const type: string = fields["message"]?.attachment?.type ?? "";
  if (!file) throw invalid("The parameter filedata is required.");
  const isFitting = type === "file" || file.type.startsWith(`${type}/`);
  if (!isFitting || file.bytes.length > MAX_FILE_BYTES) throw new Refusal(100, 2018047);
  state.nextId += 1;
  const id = `90000${state.nextId}`;
  page.files.set(id, { type, bytes: file.bytes.length, contentType: file.type, filename: file.filename });
  return { attachment_id: id };
};

const formOf = (bytes: Uint8Array, contentType: string): Form => {
  if (!contentType.startsWith("multipart/form-data"))
    return { fields: bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes)) };
  const parts = partsOf(bytes, contentType);
  const message = parts?.get("message");
  const file = parts?.get("filedata");
  if (!message) throw invalid("The parameter message is required.");
  return {
    fields: { message: JSON.parse(new TextDecoder().decode(message.bytes)) },
    ...(file?.filename === undefined ? {} : { file }),
  };
};

const bytesOf = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
