import { afterEach, beforeEach } from "bun:test";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { untilTrue } from "../waiting.ts";
import { type Graph, startGraph } from "./index.ts";
import { type Fields, fieldsOf } from "./shape.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

export const NUMBER_ID = "106540352242922";
export const ACCOUNT_ID = "102290129340398";
export const TOKEN = "EAAJB-token";
export const SECRET = "app secret";
export const USER = "5511987654321";

export type Answered = { status: number; body: Fields; headers: Headers };
/** A received webhook: its bytes, and their content. */
export type Hook = { raw: string; signature: string | null; body: Fields };

export type Bench = {
  graph: Graph;
  clock: ManualClock;
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answered>;
  send(patch?: Fields): Promise<Answered>;
  /** A receiver of webhooks that the graph sends to; it answers by `statuses` in turn, then 200. */
  receive(statuses?: number[]): Hook[];
};

/** A simulator with one number, on a clock that only the test moves. Each test of the file gets a new one. */
export const graphBench = (): (() => Bench) => {
  let bench: Bench | undefined;
  let cleanUp: (() => Promise<void>)[] = [];
  beforeEach(() => {
    const clock = manualClock();
    const graph = startGraph({ clock, random: seededRandom(1) });
    cleanUp = [graph.stop];
    graph.addNumber({
      phoneNumberId: NUMBER_ID,
      businessAccountId: ACCOUNT_ID,
      displayPhoneNumber: "+55 11 4000-0000",
      tokens: [TOKEN],
    });
    const call: Bench["call"] = (method, path, body, token = TOKEN) => request(graph.url + path, method, body, token);
    const send = (patch: Fields = {}) =>
      call("POST", `/v25.0/${NUMBER_ID}/messages`, {
        messaging_product: "whatsapp",
        to: USER,
        type: "text",
        text: { body: "oi" },
        ...patch,
      });
    bench = { graph, clock, call, send, receive: (statuses = []) => receiver(graph.webhooks, statuses, cleanUp) };
  });
  afterEach(async () => {
    for (const end of cleanUp) await end();
  });
  return () => {
    if (!bench) throw new Error("the bench stands only while a test runs");
    return bench;
  };
};

/** A request to a simulator, with a JSON body unless it is a text. */
export const request = async (url: string, method: string, body: unknown, token: string | null): Promise<Answered> => {
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const answer = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: fieldsOf(await answer.json()), headers: answer.headers };
};

/** A receiver of webhooks, configured as theirs; it answers by `statuses` in turn, then 200. */
export const receiver = (webhooks: Webhooks, statuses: number[], cleanUp: (() => Promise<void>)[]): Hook[] => {
  const hooks: Hook[] = [];
  const fetchHook = async (incoming: Request): Promise<Response> => {
    const query = new URL(incoming.url).searchParams;
    if (incoming.method === "GET")
      return query.get("hub.verify_token") === "right"
        ? new Response(query.get("hub.challenge"))
        : new Response("no", { status: 403 });
    const raw = await incoming.text();
    hooks.push({ raw, signature: incoming.headers.get("x-hub-signature-256"), body: fieldsOf(JSON.parse(raw)) });
    return new Response("done", { status: statuses.shift() ?? 200 });
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: fetchHook });
  cleanUp.push(() => server.stop(true));
  webhooks.configure({ url: `http://127.0.0.1:${server.port}/hook`, appSecret: SECRET, retryDelaysMs: [1000, 5000] });
  return hooks;
};

/**
 * Resolves once the condition holds, looking again each turn of the event loop; the test's own time limit bounds it.
 */
export const until = async (holds: () => boolean): Promise<void> => {
  await untilTrue(holds);
};

/** The entries of a webhook's envelope, and the values of all its changes. */
export const entriesOf = (hook: Hook | undefined): Fields[] => listOf(hook?.body["entry"]);
export const valuesOf = (hook: Hook | undefined): Fields[] =>
  entriesOf(hook).flatMap((entry) => listOf(entry["changes"]).map((change) => fieldsOf(change["value"])));
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
export const errorOf = ({ body }: Answered): Fields => fieldsOf(body["error"]);
