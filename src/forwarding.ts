import type { ApiEnv, Asked } from "./apis/shared/api-env.ts";
import { type BodyIntake, bodyCopy } from "./apis/shared/http/body-intake.ts";
import {
  addressOf,
  MAX_BODY_BYTES,
  noteForwarded,
  type Origin,
  originalOf,
  originOf,
} from "./apis/shared/http/request.ts";
import type { HttpRequest, HttpSend } from "./contract/ports/http.ts";
import { SECOND_MS } from "./kernel/clock.ts";
import { isSameSecret, type Secrets } from "./kernel/crypto.ts";
import { AppError } from "./kernel/errors.ts";
import { isUuid, lowerIn } from "./kernel/ids.ts";
import type { Log } from "./kernel/log.ts";
import type { Handle } from "./listener.ts";

// Of several nodes one has the live link of a channel. A request that needs the link is forwarded to that node.

type Named = { id: string; isNeeded: boolean };

const channelIn = async (intake: BodyIntake, { request, link }: Asked): Promise<Named | undefined> => {
  const id = link.channelId === undefined ? await channelInBody(intake, request) : lowerIn(link.channelId);
  return id !== undefined && isUuid(id) ? { id, isNeeded: link.isRequired } : undefined;
};

/** The channel id in the body of an authenticated request, by the name that the API has for it. */
const channelInBody = async (intake: BodyIntake, request: Request): Promise<string | undefined> => {
  const text = await bodyCopy(intake, request);
  return /"(?:channelId|phoneId)"\s*:\s*"([^"]*)"/.exec(text)?.[1];
};

/** Headers of a forwarded request: a token of nodes with the same master key, the client's address, the URL. */
const TOKEN = "x-recado-node";
const CLIENT = "x-recado-client";
const URL_THERE = "x-recado-url";

const TIMEOUT_MS = 40 * SECOND_MS;
const MAX_RESPONSE_BYTES = 2 * MAX_BODY_BYTES; // answers with a result for each item of a body are longer than the body
const MAX_IN_FLIGHT = 256;
/** Headers of one connection, and those that our client sets for the body. */
const NOT_FORWARDED = [
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "expect",
  "upgrade",
  "te",
  "trailer",
];

type Ports = {
  holderOf(channelId: string): Promise<{ url: string | null } | undefined>;
  ask: HttpSend;
  secrets: Pick<Secrets, "derive">;
  intake: BodyIntake;
  log: Log;
};

export type Forwarding = {
  /**
   * Forwards a request to the node that has the channel's link; undefined if this node must answer. Call it after
   * authentication, so that strangers neither cause work nor learn about nodes. The other node authenticates again.
   *
   * @throws OVERLOADED when the other node cannot be reached.
   */
  elsewhere: NonNullable<ApiEnv["elsewhere"]>;
  /**
   * Wraps the handler of all APIs. A request that another node has forwarded gets its original URL and client address,
   * and is not forwarded again.
   */
  within(handle: Handle): Handle;
};

export const createForwarding = ({ holderOf, ask, secrets, intake, log }: Ports): Forwarding => {
  const token = Buffer.from(secrets.derive("node-forwarding")).toString("base64url");
  /** The origins of forwarded requests: a request that stands in for another has the same. */
  const forwarded = new WeakSet<Origin>();
  let inFlight = 0;

  const forward = async ({ request, requestId }: Asked, url: string): Promise<Response> => {
    if (inFlight >= MAX_IN_FLIGHT) throw away();
    inFlight++;
    try {
      const asked = await requestFor(intake, request, { [TOKEN]: token, "x-request-id": requestId });
      const answer = await ask({
        ...asked,
        url: new URL(pathOf(originalOf(request)), url).href,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      if (answer.ok && !answer.isCut) return responseOf(answer);
      log.warn({ url, failure: answer.ok ? "too long" : answer.failure }, "the node that has a channel did not answer");
      throw away();
    } finally {
      inFlight--;
    }
  };

  return {
    async elsewhere(asked) {
      const named = forwarded.has(originOf(asked.request)) ? undefined : await channelIn(intake, asked);
      const holder = named && (await holderOf(named.id));
      if (!holder || (holder.url === null && !named.isNeeded)) return undefined;
      if (holder.url === null) throw unreachable(log, named);
      return forward(asked, holder.url);
    },
    within: (handle) => (request) => {
      const given = request.headers.get(TOKEN);
      const url = request.headers.get(URL_THERE);
      if (given === null || url === null || !isSameSecret(given, token)) return handle(request);
      const original = new Request(url, request);
      noteForwarded(original, request.headers.get(CLIENT) ?? "unknown");
      forwarded.add(originOf(original));
      return handle(original);
    },
  };
};

const away = () =>
  new AppError("OVERLOADED", {
    message: "The node that has this channel does not answer; another takes over soon.",
    retryAfterSeconds: 5,
  });

const unreachable = (log: Log, { id: channelId }: Named) => {
  log.warn({ channelId }, "the node that has a channel cannot be reached by the others: set its RECADO_NODE_URL");
  return new AppError("OVERLOADED", {
    message: "This channel is served by a node that cannot be reached from here.",
    retryAfterSeconds: 5,
  });
};

const pathOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
};

const requestFor = async (
  intake: BodyIntake,
  request: Request,
  more: Record<string, string>,
): Promise<Pick<HttpRequest, "method" | "headers" | "body">> => {
  // the other node authenticates again: requests through the console go through its door there
  const given = originalOf(request);
  const headers = Object.fromEntries([...given.headers].filter(([name]) => !NOT_FORWARDED.includes(name)));
  const body = await intake.read(request, MAX_BODY_BYTES);
  return {
    // a method of our routes; of the answer to a HEAD the listener drops the body
    method: request.method === "HEAD" ? "GET" : (request.method as HttpRequest["method"]),
    headers: { ...headers, [CLIENT]: addressOf(request), [URL_THERE]: given.url, ...more },
    ...(body.length > 0 ? { body } : {}),
  };
};

const responseOf = ({
  status,
  headers,
  body,
}: {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}): Response => {
  const forwarded = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.includes(name));
  return new Response(status === 204 || status === 304 ? null : Buffer.from(body), { status, headers: forwarded });
};
