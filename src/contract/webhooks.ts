import type { ChannelEvent } from "./events.ts";

// What a network sends to this server, and what an adapter says to it. Every function may give a promise.

/** A value, or a promise of it: an adapter may run outside this process. */
export type Awaitable<Value> = Value | Promise<Value>;

/** A request of the network, before its body is read. */
export type WebhookHead = {
  readonly method: string;
  /** The address as the network called it: the public URL with the query as it was sent. */
  readonly url: string;
  /** The parameters of the query. */
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** When the request came, in milliseconds of the host's clock. Compare signed times with it. */
  readonly receivedAt: number;
};

/** A request of the network with its exact bytes, of any media type; empty for a request without a body. */
export type WebhookRequest = WebhookHead & { readonly rawBody: Uint8Array };

/** The types of an answer. A browser that is led to the address shows them as text, or not at all. */
export const ANSWER_TYPES = ["application/json", "application/xml", "text/plain", "text/xml"] as const;
export type AnswerType = (typeof ANSWER_TYPES)[number];
/** The longest body of an answer, in characters. */
export const MAX_ANSWER_CHARS = 64 * 1024;

/** The answer that a network reads. `status`: 200 to 299. @default 200, application/json */
export type WebhookAnswer = { status?: number; contentType?: AnswerType; body: string };

/**
 * The channel that an envelope names: by its id at the network (`number`), or by the account, which means all its
 * channels or the one with this phone number.
 */
export type Route = { by: "number" | "account"; id: string; phoneNumber?: string };

/** What both kinds of receivers say. Pure: no I/O, no time but `receivedAt`. */
type Receiving = {
  /**
   * The headers and the parameters of the query that `parse` reads, by name. All others are withheld from `parse`,
   * and not stored: they may contain secrets. The header `content-type` is always kept.
   */
  keeps?: readonly string[];
  /** Whether a request has a signature or a secret in this network's form. Without it, the body is not read. */
  isSigned(head: WebhookHead): Awaitable<boolean>;
  /**
   * The answer to a request that was stored, if the network reads it. Recado sends its usual body if this is undefined
   * or the function is absent. Never throws.
   */
  answer?(request: WebhookRequest): Awaitable<WebhookAnswer | undefined>;
};

/** A network's question whether this address wants its webhooks. */
export type Handshake = {
  /** The token that the network was given: the server's, or a channel's (`routeOf`). */
  token: string;
  /** Whether it is the verify token of the operator. */
  isOperators: boolean;
  /** The answer if the token is known. */
  answer: WebhookAnswer;
};

/** Verifies and reads the webhooks of a network that calls one address for all channels. */
export type UpstreamReceiver = Receiving & {
  /** False when the operator has set no secret, so that nothing can be verified. */
  isConfigured: boolean;
  /** Whether the network sends JSON alone: any other body is refused, whatever type it says. @default false */
  takesJsonAlone?: boolean;
  /** Whether an envelope belongs to this network. Several networks may share an address and a secret. */
  isFor(request: WebhookRequest): Awaitable<boolean>;
  /** Whether the signature matches this request with its exact bytes, and one of our secrets. */
  verify(request: WebhookRequest): Awaitable<boolean>;
  /** Reads the network's GET when a webhook is registered; undefined if it is none. */
  handshake?(head: WebhookHead): Awaitable<Handshake | undefined>;
  /** Every event of an envelope, with the channel it belongs to. Never throws: an unreadable event is `unknown`. */
  parse(request: WebhookRequest): Awaitable<{ route: Route; event: ChannelEvent }[]>;
};

/**
 * An event for the channel with this `numberId` (`routeOf`). It reaches only a channel of the same tenant and the same
 * `accountId` as the channel whose address was called, because that channel's secret has verified it.
 */
export type ForNumber = { numberId: string; event: ChannelEvent };

/**
 * Verifies and reads webhooks whose address names the channel (`host.webhookUrl`). The envelope is on disk before the
 * 200.
 */
export type ChannelWebhook = Receiving & {
  /**
   * Whether the secret or signature belongs to this channel, whose vault holds `secrets`. Compare secrets with
   * `timingSafeEqual`.
   */
  verify(request: WebhookRequest, secrets: Readonly<Record<string, string>>): Awaitable<boolean>;
  /** Whether the network sends events by GET too: `parse` reads the parameters of the query that `keeps` names. */
  takesGet?: boolean;
  /**
   * True if the network calls one address for all numbers of an account. `parse` then says for which number an event
   * is. When the channel whose address was called is deleted, the others of its account connect anew, and register
   * theirs.
   */
  servesAccount?: boolean;
  /** Answers the network's GET when a webhook is registered; undefined if it is none, or a wrong one. */
  handshake?(head: WebhookHead, secrets: Readonly<Record<string, string>>): Awaitable<WebhookAnswer | undefined>;
  /** Every event of an envelope. Never throws: an unreadable event is `unknown`. */
  parse(request: WebhookRequest): Awaitable<(ChannelEvent | ForNumber)[]>;
};

/** The part of a request that is stored, and that `parse` gets. */
export const keptPart = (request: WebhookRequest, keeps: readonly string[] = []): WebhookRequest => {
  const names = new Set(keeps.map((name) => name.toLowerCase()));
  const query = new URLSearchParams([...request.query].filter(([name]) => names.has(name.toLowerCase())));
  const address = request.url.split("?", 1)[0] ?? "";
  return {
    ...request,
    url: query.size === 0 ? address : `${address}?${query.toString()}`,
    query,
    headers: new Headers([...request.headers].filter(([name]) => name === "content-type" || names.has(name))),
  };
};
