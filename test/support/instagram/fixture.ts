import { afterEach, beforeEach } from "bun:test";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { type Answered, type Hook, listOf, receiver, request } from "../graph/fixture.ts";
import { type Fields, fieldsOf } from "../graph/shape.ts";
import { type Instagram, startInstagram } from "./index.ts";

/** Odd and beyond 2^53: read as a number of JavaScript it is another account's. */
export const ACCOUNT = "17841405793187219";
export const OTHER_ACCOUNT = "17841400000000001";
export const APP = "990602627938098";
export const APP_SECRET = "instagram app secret";
export const REDIRECT = "http://127.0.0.1:9/social/callback";
export const TOKEN = "IGAA-token";
export const USER = "1535148674817116";

export type Bench = {
  instagram: Instagram;
  clock: ManualClock;
  /** A request to graph.instagram.com. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answered>;
  /** A send of this message to `USER`, with `patch` beside it. */
  send(message?: Fields, patch?: Fields): Promise<Answered>;
  /** A sender action for `USER`. */
  act(action: string, payload?: Fields): Promise<Answered>;
  /** A receiver of webhooks that Instagram sends to; it answers by `statuses` in turn, then 200. */
  receive(statuses?: number[]): Hook[];
  /** Puts a file on this machine, as a gateway would offer it. Gives its link. */
  offer(bytes: Uint8Array<ArrayBuffer> | string, mimeType: string): string;
};

/**
 * A simulator with one app, one account and a user who has just written, on a clock that only the test moves. Each test
 * of the file gets a new one.
 */
export const instagramBench = (): (() => Bench) => {
  let bench: Bench | undefined;
  let cleanUp: (() => Promise<void>)[] = [];
  beforeEach(() => {
    const clock = manualClock();
    const instagram = startInstagram({ clock, random: seededRandom(1) });
    cleanUp = [instagram.stop];
    instagram.addApp({ appId: APP, appSecret: APP_SECRET, redirectUris: [REDIRECT] });
    instagram.addAccount({ igUserId: ACCOUNT, username: "padaria", tokens: [TOKEN] });
    instagram.addUser({ igsid: USER, username: "ana", hasWrittenTo: [ACCOUNT] });
    const call: Bench["call"] = (method, path, body, token = TOKEN) =>
      request(instagram.urls.graph + path, method, body, token);
    const post = (body: Fields) => call("POST", `/v25.0/${ACCOUNT}/messages`, { recipient: { id: USER }, ...body });
    bench = {
      instagram,
      clock,
      call,
      send: (message = { text: "oi" }, patch = {}) => post({ message, ...patch }),
      act: (action, payload) => post({ sender_action: action, payload }),
      receive: (statuses = []) => receiver(instagram.webhooks, statuses, cleanUp),
      offer: (bytes, mimeType) => offered(bytes, mimeType, cleanUp),
    };
  });
  afterEach(async () => {
    for (const end of cleanUp) await end();
  });
  return () => {
    if (!bench) throw new Error("the bench stands only while a test runs");
    return bench;
  };
};

const offered = (
  bytes: Uint8Array<ArrayBuffer> | string,
  mimeType: string,
  cleanUp: (() => Promise<void>)[],
): string => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(bytes, { headers: { "content-type": mimeType } }),
  });
  cleanUp.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}/file`;
};

/** The right form of a code's exchange, changed by the patch. */
export const exchangeForm = (code: string, patch: Record<string, string> = {}): URLSearchParams =>
  new URLSearchParams({
    client_id: APP,
    client_secret: APP_SECRET,
    grant_type: "authorization_code",
    redirect_uri: REDIRECT,
    code,
    ...patch,
  });

/** The answer of an exchange, also as its raw text. */
export const exchange = async (
  instagram: Instagram,
  form: URLSearchParams | FormData,
): Promise<{ status: number; text: string; body: Fields }> => {
  const answer = await fetch(`${instagram.urls.token}/oauth/access_token`, { method: "POST", body: form });
  const text = await answer.text();
  return { status: answer.status, text, body: fieldsOf(JSON.parse(text)) };
};

/** The messaging items of a webhook, of all its entries. */
export const itemsOf = (hook: Hook | undefined, list = "messaging"): Fields[] =>
  listOf(hook?.body["entry"]).flatMap((entry) => listOf(entry[list]));
export const messageIn = (hook: Hook | undefined): Fields => fieldsOf(itemsOf(hook)[0]?.["message"]);
export const attachmentsIn = (hook: Hook | undefined): { type: unknown; payload: Fields }[] =>
  listOf(messageIn(hook)["attachments"]).map((one) => ({ type: one["type"], payload: fieldsOf(one["payload"]) }));
