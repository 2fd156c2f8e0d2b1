import type { ApiEnv, Asked } from "./apis/shared/api-env.ts";
import type { BodyIntake } from "./apis/shared/body-intake.ts";
import { addressOf, MAX_BODY_BYTES, noteForwarded, standIn } from "./apis/shared/request.ts";
import type { HttpRequest, HttpSend } from "./contract/http.ts";
import { SECOND_MS } from "./kernel/clock.ts";
import { isSameSecret, type Secrets } from "./kernel/crypto.ts";
import { AppError } from "./kernel/errors.ts";
import { isUuid, lowerIn } from "./kernel/ids.ts";
import type { Log } from "./kernel/log.ts";
import type { Handle } from "./listener.ts";

// Of several nodes one has a channel's live link: what needs the link is asked of that one, whichever node a client
// reaches.

type Named = { id: string; isNeeded: boolean };

const channelIn = async (intake: BodyIntake, { request, link }: Asked): Promise<Named | undefined> => {
  const id = link.channelId === undefined ? await channelInBody(intake, request) : lowerIn(link.channelId);
  return id !== undefined && isUuid(id) ? { id, isNeeded: link.isRequired } : undefined;
};

/** Of the body of a known sender. It is read again by whoever answers, who also says what is wrong with it. */
const channelInBody = async (intake: BodyIntake, request: Request): Promise<string | undefined> => {
  const copy = standIn(request.clone() as Request, request);
  intake.trust(copy);
  try {
    const text = Buffer.from(await intake.read(copy, MAX_BODY_BYTES)).toString();
    return /"channelId"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  } finally {
    intake.release(copy);
  }
};

/** Shows that a request comes from a node with the same master key; the other two say what that node knows of it. */
const TOKEN = "x-recado-node";
const CLIENT = "x-recado-client";
const URL_THERE = "x-recado-url";

const TIMEOUT_MS = 40 * SECOND_MS;
const MAX_RESPONSE_BYTES = 2 * MAX_BODY_BYTES; // the verdicts on what a body names are longer than it
const MAX_IN_FLIGHT = 256;
/** What is said of one connection alone, and what our client says of the body by itself. */
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
   * Has the node that has the channel's link answer; undefined where this one is to. To be asked once it is known who
   * asks: no stranger has another node work, or learns whether it lives. That node authenticates the request once more.
   */
  elsewhere: NonNullable<ApiEnv["elsewhere"]>;
  /**
   * All APIs, for requests of other nodes as for those of clients. What another node has forwarded is believed to come
   * from where it says, and forwarded no further.
   */
  within(handle: Handle): Handle;
};

export const createForwarding = ({ holderOf, ask, secrets, intake, log }: Ports): Forwarding => {
  const token = Buffer.from(secrets.derive("node-forwarding")).toString("base64url");
  const forwarded = new WeakSet<Request>();
  let inFlight = 0;

  const forward = async ({ request, requestId }: Asked, url: string): Promise<Response> => {
    if (inFlight >= MAX_IN_FLIGHT) throw away();
    inFlight++;
    try {
      const asked = await requestFor(intake, request, { [TOKEN]: token, "x-request-id": requestId });
      const answer = await ask({
        ...asked,
        url: new URL(pathOf(request), url).href,
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
      const named = forwarded.has(asked.request) ? undefined : await channelIn(intake, asked);
      const holder = named && (await holderOf(named.id));
      if (!holder || (holder.url === null && !named.isNeeded)) return undefined;
      if (holder.url === null) throw unreachable(log, named);
      return forward(asked, holder.url);
    },
    within: (handle) => (request) => {
      const given = request.headers.get(TOKEN);
      const url = request.headers.get(URL_THERE);
      if (given === null || url === null || !isSameSecret(given, token)) return handle(request);
      const meant = new Request(url, request);
      noteForwarded(meant, request.headers.get(CLIENT) ?? "unknown");
      forwarded.add(meant);
      return handle(meant);
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
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !NOT_FORWARDED.includes(name)));
  const body = await intake.read(request, MAX_BODY_BYTES);
  return {
    method: request.method as HttpRequest["method"], // one of those above
    headers: { ...headers, [CLIENT]: addressOf(request), [URL_THERE]: request.url, ...more },
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
  const kept = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.includes(name));
  return new Response(status === 204 || status === 304 ? null : Buffer.from(body), { status, headers: kept });
};
