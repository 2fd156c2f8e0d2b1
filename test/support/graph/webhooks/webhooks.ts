import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../../../../src/kernel/clock.ts";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import type { Random } from "../../../../src/kernel/random.ts";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";

/**
 * The destination of webhooks, and their form. `retryDelaysMs`: the waits after an answer other than 2xx. After the
 * last one the webhook is given up.
 */
export const WebhookConfig = Type.Object(
  {
    url: Text(1, 2048),
    appSecret: Text(1, 200),
    retryDelaysMs: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 200 })),
    maxInFlight: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  { additionalProperties: false },
);
export type WebhookConfig = Static<typeof WebhookConfig>;

/** `wrong` is signed with another secret, `altered` was signed over other bytes than it carries. */
export const Signature = OneOf(["valid", "wrong", "altered", "none"]);
export type Signature = Static<typeof Signature>;

/** The answer to one try; `status` null without an answer, because of `reason`. */
export type Answer = { at: number; status: number | null; reason?: string; body?: string };

/**
 * One webhook and every answer to it. `url` null: it went nowhere, because nothing is configured or nobody subscribed.
 */
export type Delivery = {
  id: number;
  at: number;
  url: string | null;
  body: string;
  signature: Signature;
  answers: Answer[];
  isDone: boolean;
};

/** The owner of a webhook. For Instagram, `businessAccountId` is the professional account. */
export type Whose = { phoneNumberId?: string; businessAccountId?: string };
export type SendOptions = Whose & { signature?: Signature };

/** The destination of a webhook: `configuredUrl`, the account's own address, or none (null). */
export type TargetOf = (configuredUrl: string | undefined, whose: Whose) => string | null;

export type Webhooks = {
  configure(config: WebhookConfig): void;
  readonly configuredUrl: string | undefined;
  readonly appSecret: string | undefined;
  /** Every webhook there was, with its answers. */
  readonly journal: readonly Delivery[];
  /**
   * Sends a body: an object in Meta's escaped form, a string as it stands. Resolves when it was answered with 2xx or
   * given up.
   */
  send(body: unknown, options?: SendOptions): Promise<Delivery>;
  /** Sends the bytes of a former delivery again, as Meta does when it missed the answer. */
  resend(id: number): Promise<Delivery>;
  /** The subscription handshake; `url` default the configured one. */
  verify(verifyToken: string, url?: string): Promise<Verification>;
  /** Resolves when nothing is in flight or due. Later statuses count, so advance the clock first. */
  settled(): Promise<void>;
  /** Counts some work as in flight. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Waits by the simulator's clock; ends at once when it stops. */
  pause(delayMs: number): Promise<void>;
  reset(): void;
  stop(): void;
};

export type Verification = { isVerified: boolean; status: number | null; body: string };

const RETRY_DELAYS_MS = [200, 500, 1000, 2000];
const MAX_IN_FLIGHT = 16;
/** The timeout of a socket is in real time: advancing the clock must not cut requests in flight. */
const TIMEOUT_MS = 10_000;

/** JSON in the bytes Meta sends: `/` and everything beyond ASCII escaped. */
const escapedJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const createWebhooks = ({ clock, random }: { clock: Clock; random: Random }, targetOf: TargetOf): Webhooks => {
  const work = createWork(clock);
  const slots = createSlots();
  let config: WebhookConfig | undefined;
  let journal: Delivery[] = [];

  const attempt = async (delivery: Delivery, url: string) => {
    const secret = config?.appSecret ?? "";
    delivery.answers.push(
      await slots.use(config?.maxInFlight ?? MAX_IN_FLIGHT, () =>
        post(clock, url, { headers: headersOf(delivery, secret), body: delivery.body, stopped: work.signal }),
      ),
    );
  };

  const deliver = async (delivery: Delivery): Promise<Delivery> => {
    for (const delayMs of [0, ...(config?.retryDelaysMs ?? RETRY_DELAYS_MS)]) {
      if (delayMs > 0) await work.pause(delayMs);
      if (delivery.url === null || work.signal.aborted) break;
      await attempt(delivery, delivery.url);
      if (isOk(delivery.answers.at(-1))) break;
    }
    delivery.isDone = true;
    return delivery;
  };

  const begin = (body: string, url: string | null, signature: Signature): Promise<Delivery> => {
    const delivery: Delivery = {
      id: journal.length,
      at: clock.now(),
      url,
      body,
      signature,
      answers: [],
      isDone: false,
    };
    journal.push(delivery);
    return work.track(deliver(delivery));
  };

  return {
    get journal() {
      return journal;
    },
    get configuredUrl() {
      return config?.url;
    },
    get appSecret() {
      return config?.appSecret;
    },
    configure(next) {
      config = { ...next, url: loopback(next.url) };
    },
    send: (body, { signature = "valid", ...whose } = {}) =>
      begin(typeof body === "string" ? body : escapedJson(body), targetOf(config?.url, whose), signature),
    resend(id) {
      const former = journal[id];
      if (!former) throw new Error(`there was no delivery ${id}`);
      return begin(former.body, former.url, former.signature);
    },
    verify: (verifyToken, url = config?.url ?? "") => handshake(random, loopback(url), verifyToken),
    settled: work.settled,
    track: work.track,
    pause: work.pause,
    reset() {
      config = undefined;
      journal = [];
    },
    stop: work.stop,
  };
};

const isOk = (answer: Answer | undefined): boolean => Math.floor((answer?.status ?? 0) / 100) === 2;

/** The URL itself. Throws for a URL of another machine, because tests speak only to this one. */
export const loopback = (url: string): string => {
  const { hostname } = new URL(url);
  if (!/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname))
    throw new Error(`the simulator calls this machine only, not ${hostname}`);
  return url;
};

/** The headers of a signed POST. */
export const headersOf = (
  { body, signature }: Pick<Delivery, "body" | "signature">,
  secret: string,
): Record<string, string> => {
  const headers = { "content-type": "application/json", "user-agent": "facebookexternalua" };
  if (signature === "none") return headers;
  const hex = hmacSha256(
    signature === "wrong" ? `${secret}?` : secret,
    signature === "altered" ? `${body} ` : body,
    "hex",
  );
  return { ...headers, "x-hub-signature-256": `sha256=${hex}` };
};

type Posted = { headers: Record<string, string>; body: string; stopped: AbortSignal };

const post = async (clock: Clock, url: string, { headers, body, stopped }: Posted): Promise<Answer> => {
  const at = clock.now();
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { at, status: answer.status, body: (await answer.text()).slice(0, 1000) };
  } catch (thrown) {
    return { at, status: null, reason: reasonOf(thrown) };
  }
};

const handshake = async (random: Random, url: string, verifyToken: string): Promise<Verification> => {
  const challenge = String(Math.floor(random.float() * 1_000_000_000));
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.challenge": challenge,
    "hub.verify_token": verifyToken,
  });
  const answer = await fetch(`${url}${url.includes("?") ? "&" : "?"}${query.toString()}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  const body = (await answer?.text()) ?? "";
  return { isVerified: answer?.status === 200 && body === challenge, status: answer?.status ?? null, body };
};

/** The requests in flight, and functions to wait for them or end them. */
const createWork = (clock: Clock) => {
  const stopping = new AbortController();
  let busy = 0;
  let waiting: (() => void)[] = [];
  const finish = () => {
    busy -= 1;
    if (busy > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    signal: stopping.signal,
    stop: () => stopping.abort(),
    track: <T>(work: Promise<T>): Promise<T> => {
      busy += 1;
      return work.finally(finish);
    },
    settled: () => (busy === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
    pause: (delayMs: number) =>
      new Promise<void>((resolve) => {
        if (stopping.signal.aborted) return resolve();
        const end = () => {
          cancel();
          stopping.signal.removeEventListener("abort", end);
          resolve();
        };
        const cancel = clock.timer(delayMs, end);
        stopping.signal.addEventListener("abort", end);
      }),
  };
};

/** At most so many at a time; the rest wait in the order they came. */
const createSlots = () => {
  const waiting = new Set<() => void>();
  let taken = 0;
  return {
    async use<T>(max: number, run: () => Promise<T>): Promise<T> {
      if (taken >= max) await new Promise<void>((resolve) => waiting.add(resolve));
      else taken += 1;
      try {
        return await run();
      } finally {
        const [next] = waiting;
        // the slot goes over to the next one in line without being free in between
        if (next) waiting.delete(next);
        if (next) next();
        else taken -= 1;
      }
    },
  };
};
