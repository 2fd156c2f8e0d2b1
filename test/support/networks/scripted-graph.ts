import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request. `path` is without the query, and `query` without the `proof` of the app's secret. */
export type Arrived = {
  proof: string | null;
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  body: unknown;
};

/**
 * The answer: a status with a body (an object is sent as JSON), a connection cut after the request was read, or nothing
 * until `release`.
 */
export type Answer = { status: number; body: unknown; headers?: Record<string, string> } | "cut" | "silence";

export type ScriptedGraph = {
  url: string;
  readonly arrived: Arrived[];
  /** The answers to come, in order; after the last, requests get good answers. */
  script(...answers: Answer[]): void;
  /** Resolves when a request has got silence. */
  silenced(): Promise<void>;
  /** Answers the requests that got no answer, with `answer` if it is given. */
  release(answer?: Exclude<Answer, string>): void;
  close(): Promise<void>;
};

export const NUMBER = {
  id: "106540352242922",
  display_phone_number: "+55 11 98765-4321",
  verified_name: "Padaria Aurora",
  quality_rating: "GREEN",
  throughput: { level: "STANDARD" },
  platform_type: "CLOUD_API",
  is_on_biz_app: true,
};

/** A Graph API error body. */
export const graphError = (code: number, message: string, details?: string) => ({
  error: {
    message,
    type: "OAuthException",
    code,
    ...(details ? { error_data: { messaging_product: "whatsapp", details } } : {}),
    fbtrace_id: "Az8or2yhqkZfEZ-_4Qn_Bam",
  },
});

const good = ({ method, path, body }: Arrived): Exclude<Answer, string> => {
  if (method === "GET") return { status: 200, body: NUMBER };
  if (!path.endsWith("/messages")) return { status: 200, body: { success: true } };
  const { to, recipient } = body as { to?: string; recipient?: string };
  const contact = to === undefined ? { input: recipient, user_id: recipient } : { input: to, wa_id: to };
  return {
    status: 200,
    body: {
      messaging_product: "whatsapp",
      contacts: [contact],
      messages: [{ id: "wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjA" }],
    },
  };
};

/** A server that answers as a test scripts it: for the answers that the simulated Graph has no reason to give. */
export const scriptedGraph = async (): Promise<ScriptedGraph> => {
  const arrived: Arrived[] = [];
  const answers: Answer[] = [];
  const held: ((answer: Exclude<Answer, string> | undefined) => void)[] = [];
  let isHeld = Promise.withResolvers<void>();

  const write = (response: ServerResponse, { status, body, headers }: Exclude<Answer, string>) => {
    response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const hold = (answer: (typeof held)[number]) => {
    held.push(answer);
    isHeld.resolve();
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://graph");
    const text = Buffer.concat(chunks).toString();
    const proof = url.searchParams.get("appsecret_proof");
    url.searchParams.delete("appsecret_proof");
    const one = {
      proof,
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
      body: text ? (JSON.parse(text) as unknown) : undefined,
    };
    arrived.push(one);
    const answer = answers.shift() ?? good(one);
    if (answer === "cut") request.socket.destroy();
    else if (answer === "silence") hold((late) => write(response, late ?? good(one)));
    else write(response, answer);
  };

  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const release = (late?: Exclude<Answer, string>) => {
    for (const answer of held.splice(0)) answer(late);
    isHeld = Promise.withResolvers<void>();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    script: (...next) => void answers.push(...next),
    silenced: () => isHeld.promise,
    release,
    async close() {
      release();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
