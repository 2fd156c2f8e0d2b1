import type { Server } from "bun";
import { readForm } from "../sounds.ts";
import { encoded, vectorOf } from "../vectors.ts";

/** The key that every simulated provider of the matrix takes. */
export const PROVIDER_KEY = "sk-the-key-of-the-matrix";
/** What every model of the matrix answers, whatever its provider makes of it. */
export const ANSWER = "O prazo é de dois dias.";
export const THOUGHT = "O cliente parece irritado.";

/** A request as it came. `n`: how many came before it on its path, beginning with 0. */
export type Call = { path: string; body: any; n: number };
export type Reply = { status?: number; body: unknown; type?: string; headers?: Record<string, string> };

/**
 * A provider with the quirks that are known of it. `base` is the path of the base URL as users set it; `paths` are
 * where the provider is. `chats` and `learns`: whether an agent can answer with it, and learn; else the reason that the
 * account is told.
 */
export type Provider = {
  name: string;
  base: string;
  paths: { chat: string; embeddings: string };
  key: "bearer" | "api-key" | "none";
  models: { chat: string; embedding: string };
  /** Facts, each with its source. */
  quirks: readonly (readonly [what: string, source: string])[];
  chats: true | RegExp;
  learns: true | RegExp;
  chat(call: Call): Reply;
  embed(call: Call): Reply;
  /**
   * The reply in place of a successful one, while tools are offered: its way to call TOOL, or its refusal of tools.
   * Undefined: the answer, because the call has been answered.
   */
  calls?(call: Call): Reply | undefined;
  sounds?: Sounds;
};

/**
 * How a provider transcribes and speaks. `transcribes` and `speaks`: true, or the reason that the account is told. A body is JSON, or
 * a form whose file has its name and bytes.
 */
export type Sounds = {
  transcribes: true | RegExp;
  speaks: true | RegExp;
  quirks: Provider["quirks"];
  transcribe?(body: any): Reply;
  speak?(body: any): Reply;
};

/** The tool of the matrix, and the call that every model of it makes first. */
export const TOOL = {
  name: "order_status",
  description: "Says where an order of this person is",
  parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
};
export const CALLED = { order: "A-7" };
const WORDED = "<tool_call>";

/** The second tool of the matrix, which takes no arguments. */
export const BARE_TOOL = {
  name: "business_hours",
  description: "Says whether the business is open",
  parameters: { type: "object", properties: {} },
};
/** The schemas of a request's tools. */
export const schemasIn = ({ tools = [] }: any): object[] =>
  tools.flatMap(({ function: { parameters } }: any) => (parameters === undefined ? [] : [parameters]));

/** Whether the tools of a request are described in its prompt. */
const isWorded = ({ messages }: any): boolean => messages.some(({ content }: any) => content?.includes(WORDED));
/** Whether the request has an answer of TOOL. */
export const hasAnswer = ({ messages }: any): boolean =>
  messages.some(({ role, content }: any) => role === "tool" || content?.includes("<tool_response>\n"));
/** A call in the field for calls, with these changes of it, of its message and of its end. */
export const nativeCall = (
  call: object = {},
  {
    message = {},
    finish = "tool_calls",
    given,
    more = [],
  }: { message?: object; finish?: string; given?: unknown; more?: object[] } = {},
) => {
  const first = {
    id: "call_1",
    type: "function",
    function: { name: TOOL.name, arguments: given ?? JSON.stringify(CALLED) },
    ...call,
  };
  return {
    body: completion(null, {
      message: { tool_calls: [first, ...more], ...message },
      choice: { finish_reason: finish },
    }),
  };
};
/** The answer of a model that has the tools in its prompt. */
export const wordedCall = (text = `${WORDED}{"name":"${TOOL.name}","arguments":${JSON.stringify(CALLED)}}`): Reply => ({
  body: completion(text),
});

export type StartedProvider = {
  url: string;
  calls: { path: string; body: any; status: number }[];
  stop(): Promise<void>;
};

const headerOf = { bearer: "authorization", "api-key": "api-key" } as const;

/** Azure refuses a bearer token that is no token of its directory, even beside a right key. */
const isKeyRight = (request: Request, kind: Provider["key"]): boolean => {
  if (kind === "none") return true;
  const [other] = kind === "bearer" ? ["api-key"] : ["authorization"];
  const wanted = kind === "bearer" ? `Bearer ${PROVIDER_KEY}` : PROVIDER_KEY;
  return request.headers.get(headerOf[kind]) === wanted && !request.headers.has(other ?? "");
};

/** Where a provider with such paths transcribes or speaks. */
export const soundPath = ({ chat }: Provider["paths"], call: "transcriptions" | "speech"): string =>
  chat.replace("chat/completions", `audio/${call}`);

export const startProvider = (provider: Provider): StartedProvider => {
  const { paths, key, chat, embed, calls: callsOf, sounds } = provider;
  const calls: StartedProvider["calls"] = [];
  const soundAt = new Map([
    [soundPath(paths, "transcriptions"), sounds?.transcribe],
    [soundPath(paths, "speech"), sounds?.speak],
  ]);
  const replyTo = (request: Request, path: string, body: any): Reply => {
    const sound = soundAt.get(path);
    if (path !== paths.chat && path !== paths.embeddings && !sound)
      return { status: 404, body: { detail: "Not Found" } };
    if (!isKeyRight(request, key)) return { status: 401, body: { error: { message: "Unauthorized", code: "401" } } };
    if (sound) return sound(body);
    const n = calls.filter((call) => call.path === path).length;
    if (path !== paths.chat) return embed({ path, body, n });
    const reply = chat({ path, body, n });
    const isOffered = body.tools !== undefined || isWorded(body);
    return ((reply.status ?? 200) === 200 && isOffered && callsOf?.({ path, body, n })) || reply;
  };
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      const type = request.headers.get("content-type") ?? "";
      const isForm = type.startsWith("multipart/");
      const body: any = isForm
        ? await readForm(new Uint8Array(await request.arrayBuffer()), type)
        : await request.json();
      const reply = replyTo(request, path, body);
      const { status = 200, body: answer, type: answerType = "application/json", headers = {} } = reply;
      calls.push({ path, body, status });
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      const sent = answer instanceof Uint8Array ? new Uint8Array(answer) : text;
      return new Response(sent, { status, headers: { "content-type": answerType, ...headers } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}${provider.base}`, calls, stop: () => server.stop(true) };
};

/** A completion in OpenAI's shape. */
export const completion = (
  content: unknown,
  { message = {}, choice = {}, more = {} }: Record<string, object> = {},
) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_700_000_000,
  model: "the-model",
  choices: [{ index: 0, message: { role: "assistant", content, ...message }, finish_reason: "stop", ...choice }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  ...more,
});

/** The vectors of a request in OpenAI's shape. */
export const embeddings = ({ input, encoding_format: encoding }: any, dimensions: number) => ({
  object: "list",
  model: "the-model",
  data: (input as string[]).map((text, index) => ({
    object: "embedding",
    index,
    embedding: encoded(vectorOf(text, dimensions), encoding),
  })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
});

/** A stream of chunks, as its provider would write it. */
export const stream = (...deltas: object[]): string =>
  [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .concat("data: [DONE]\n\n")
    .join("");

/** Without calls and their answers. */
const rolesOf = ({ messages }: any): string[] =>
  messages
    .filter(({ role, tool_calls: calls }: any) => role !== "tool" && calls === undefined)
    .map(({ role }: { role: string }) => role);

/** Whether roles alternate, beginning with the user's, after a message of the system's. */
export const doRolesAlternate = (body: any): boolean => {
  const roles = rolesOf(body).filter((role, at) => at > 0 || role !== "system");
  return roles.every((role, at) => role === (at % 2 === 0 ? "user" : "assistant"));
};
export const hasSystemRole = (body: any): boolean => rolesOf(body).includes("system");
/** A field that a strict provider does not know; undefined if it knows all. */
export const strangerIn = (body: object, ...known: string[]): string | undefined =>
  Object.keys(body).find((name) => !known.includes(name));
export const refused = (status: number, message: string, more: object = {}): Reply => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code: null, ...more } },
});
