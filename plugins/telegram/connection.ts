import type { LinkReport, LinkState } from "../../src/contract/events.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { Cancel } from "../../src/kernel/clock.ts";
import { apiOf, type Fault } from "./api.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { isConflict, isTokenRefused, textOfFault } from "./errors.ts";
import { open } from "./opening.ts";
import { type Attempt, newCursor, pollOnce, takeAll } from "./polling.ts";

/** The words of `host.ended`: what the end of a connection asks for. */
export const ENDINGS = ["retry", "conflict", "token"] as const;

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** So many failures in a row, and the channel counts as disconnected; it is tried on. */
const LOST_AFTER = 10;
/**
 * Two programs that ask for one bot's updates end each other's calls: the third time within ten minutes ours gives way.
 */
const CONFLICT_WAIT_MS = 30_000;
const CONFLICT_WINDOW_MS = 10 * 60_000;
const MAX_CONFLICTS = 3;

/**
 * A bot's connection: a long poll that is always open, or in webhook mode none. From `connect` on it is `CONNECTING`
 * until the network has said who the bot is and gives its updates; `CONNECTED` then; `CONNECTING` again while it is
 * interrupted. It ends by itself as `TOKEN_EXPIRED` (the token is refused), `FAILED` (the webhook is refused, or there
 * is no token) or `DISCONNECTED` (another program takes the updates). `connect` and `close` begin a new attempt: what
 * an older one meets counts no more.
 */
export type Connection = {
  readonly state: LinkState;
  readonly lastReceivedAt: number | undefined;
  connect(): void;
  close(): void;
  /** What `refuseToken` wants to know of a call that begins now. */
  readonly generation: number;
  /** Says that a call has met a refused token; silent when the connection has begun anew since. */
  refuseToken(begun: number): void;
};

export const createConnection = (host: ChannelHost, url: string): Connection => {
  const cursor = newCursor();
  let state: LinkState = "PENDING";
  let lastReceivedAt: number | undefined;
  let generation = 0;
  let failures = 0;
  let conflicts: number[] = [];
  let controller = new AbortController();
  let cancelTimer: Cancel = () => {};

  const begin = (): number => {
    controller.abort();
    controller = new AbortController();
    cancelTimer();
    lastReceivedAt = undefined;
    generation += 1;
    return generation;
  };
  const report = (update: LinkReport): void => {
    if (update.state === state && update.state === "CONNECTING") return;
    state = update.state;
    host.report(update);
  };
  const lose = (why: (typeof ENDINGS)[number]): void => {
    if (lastReceivedAt !== undefined) host.ended(why);
    lastReceivedAt = undefined;
  };
  const waitThen = (waitMs: number, next: () => void): void => {
    cancelTimer = host.clock.timer(waitMs, next);
  };
  const backoffMs = (): number =>
    FIRST_WAIT_MS + Math.floor(host.random.float() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));

  const retry = (waitMs = backoffMs()): void => {
    lose("retry");
    failures += 1;
    report(failures >= LOST_AFTER ? { state: "DISCONNECTED", reason: "CONNECTION_LOST" } : { state: "CONNECTING" });
    const mine = generation;
    waitThen(waitMs, () => void start(mine));
  };
  const lowerPriority = (fault: Fault): void => {
    lose("conflict");
    const now = host.clock.now();
    conflicts = [...conflicts.filter((at) => at > now - CONFLICT_WINDOW_MS), now];
    host.log.warn({ reason: textOfFault(fault) }, "another program takes the updates of this bot");
    if (conflicts.length >= MAX_CONFLICTS) return report({ state: "DISCONNECTED", reason: "POLLING_CONFLICT" });
    report({ state: "CONNECTING", reason: "POLLING_CONFLICT" });
    const mine = generation;
    waitThen(CONFLICT_WAIT_MS + Math.floor(host.random.float() * CONFLICT_WAIT_MS), () => void start(mine));
  };
  const refuse = (): void => {
    lose("token");
    report({ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" });
  };
  const meet = (fault: Fault): void => {
    if (isTokenRefused(fault)) return refuse();
    if (isConflict(fault)) return lowerPriority(fault);
    if (fault.kind === "error" && fault.code < 500 && fault.code !== 429)
      return report({ state: "FAILED", reason: fault.text });
    host.log.warn(
      { reason: textOfFault(fault) },
      "the network does not give the updates of this bot; it is asked again",
    );
    retry(fault.kind === "error" ? fault.retryAfterMs : undefined);
  };

  const start = async (mine: number): Promise<void> => {
    const credentials = await readCredentials(host);
    if (mine !== generation) return;
    if (typeof credentials === "string")
      return report({ state: "FAILED", reason: `CREDENTIALS_${credentials.toUpperCase()}` });
    report({ state: "CONNECTING" });
    await run(
      {
        api: apiOf(host.http, url, credentials.token),
        signal: controller.signal,
        isCurrent: () => mine === generation,
      },
      credentials,
    );
  };
  const run = async (attempt: Attempt, credentials: Credentials): Promise<void> => {
    const opened = await open(host, attempt, credentials, cursor).catch(() => undefined); // the vault cannot be written
    if (!attempt.isCurrent()) return;
    if (!opened) return retry();
    if ("fault" in opened) return meet(opened.fault);
    failures = 0;
    report({ state: "CONNECTED", profile: opened.profile });
    if (credentials.mode === "webhook") return;
    lastReceivedAt = host.clock.now();
    if (await takeAll(host, attempt, cursor, opened.updates)) return poll(attempt);
    if (attempt.isCurrent()) retry();
  };
  const poll = async (attempt: Attempt): Promise<void> => {
    while (attempt.isCurrent()) {
      const step = await pollOnce(host, attempt, cursor, () => (lastReceivedAt = host.clock.now()));
      if (!attempt.isCurrent()) return;
      if (step === "not-taken") return retry();
      if ("fault" in step) return meet(step.fault);
      if (step.waitMs > 0) return waitThen(step.waitMs, () => void poll(attempt));
    }
  };

  return {
    get state() {
      return state;
    },
    get lastReceivedAt() {
      return lastReceivedAt;
    },
    get generation() {
      return generation;
    },
    connect() {
      failures = 0;
      conflicts = [];
      void start(begin());
    },
    close: () => void begin(),
    refuseToken(begun) {
      if (begun === generation && state !== "TOKEN_EXPIRED") {
        begin();
        refuse();
      }
    },
  };
};
