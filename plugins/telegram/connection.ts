import type { LinkReport, LinkState } from "../../src/contract/events.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { Cancel } from "../../src/kernel/clock.ts";
import { apiOf, type Fault } from "./api.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { isConflict, isTokenRefused, textOfFault } from "./errors.ts";
import { open } from "./opening.ts";
import { type Attempt, type Cursor, newCursor, pollOnce, storeAll } from "./polling.ts";

/** The words of `host.ended`: why a connection ended. */
export const ENDINGS = ["retry", "conflict", "token"] as const;

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** After this many failures in a row the channel is reported as disconnected; retries go on. */
const LOST_AFTER = 10;
/**
 * Two programs that ask for one bot's updates end each other's calls. At the third time within ten minutes this
 * connection stays disconnected.
 */
const CONFLICT_WAIT_MS = 30_000;
const CONFLICT_WINDOW_MS = 10 * 60_000;
const MAX_CONFLICTS = 3;

/**
 * A bot's connection: one long poll that is always open, or none in webhook mode. Its states:
 * - `CONNECTING` from `connect` until the network has named the bot and sends its updates, and while it is interrupted.
 * - `CONNECTED` while updates come.
 * - `TOKEN_EXPIRED` when the network refuses the token.
 * - `FAILED` when the network refuses the webhook, or when the vault holds no token.
 * - `DISCONNECTED` after ten failures in a row, or when another program takes the updates.
 *
 * `connect` and `close` begin a new generation: results of an older one are ignored.
 */
export type Connection = {
  /** When the network last answered a poll; undefined while no poll is open. */
  readonly lastReceivedAt: number | undefined;
  connect(): void;
  close(): void;
  /** The number of the present generation, for `refuseToken`. */
  readonly generation: number;
  /** Reports a refused token of a call that began in generation `begun`; ignored when a newer one has begun. */
  refuseToken(begun: number): void;
};

type Self = {
  readonly host: ChannelHost;
  readonly url: string;
  readonly cursor: Cursor;
  state: LinkState;
  lastReceivedAt: number | undefined;
  generation: number;
  failures: number;
  conflicts: readonly number[];
  controller: AbortController;
  cancelTimer: Cancel;
};

/** Makes the connection of one bot at the server `url`. It does nothing before `connect`. */
export const createConnection = (host: ChannelHost, url: string): Connection => {
  const self: Self = {
    host,
    url,
    cursor: newCursor(),
    state: "PENDING",
    lastReceivedAt: undefined,
    generation: 0,
    failures: 0,
    conflicts: [],
    controller: new AbortController(),
    cancelTimer: () => {},
  };
  return {
    get lastReceivedAt() {
      return self.lastReceivedAt;
    },
    get generation() {
      return self.generation;
    },
    connect() {
      self.failures = 0;
      self.conflicts = [];
      beginGeneration(self);
      void start(self);
    },
    close: () => beginGeneration(self),
    refuseToken(begun) {
      if (begun !== self.generation || self.state === "TOKEN_EXPIRED") return;
      beginGeneration(self);
      endByToken(self);
    },
  };
};

/** Ends the open call and the timer; their results are ignored from now on. */
const beginGeneration = (self: Self): void => {
  self.controller.abort();
  self.controller = new AbortController();
  self.cancelTimer();
  self.lastReceivedAt = undefined;
  self.generation += 1;
};

const report = (self: Self, update: LinkReport): void => {
  if (update.state === self.state && update.state === "CONNECTING") return;
  self.state = update.state;
  self.host.report(update);
};

const countEnd = (self: Self, why: (typeof ENDINGS)[number]): void => {
  if (self.lastReceivedAt !== undefined) self.host.ended(why);
  self.lastReceivedAt = undefined;
};

const startAfter = (self: Self, waitMs: number): void => {
  self.cancelTimer = self.host.clock.timer(waitMs, () => void start(self));
};

const backoffMs = ({ host, failures }: Self): number =>
  FIRST_WAIT_MS + Math.floor(host.random.float() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));

const retry = (self: Self, waitMs = backoffMs(self)): void => {
  countEnd(self, "retry");
  self.failures += 1;
  const isLost = self.failures >= LOST_AFTER;
  report(self, isLost ? { state: "DISCONNECTED", reason: "CONNECTION_LOST" } : { state: "CONNECTING" });
  startAfter(self, waitMs);
};

const endByConflict = (self: Self, fault: Fault): void => {
  const { clock, log, random } = self.host;
  countEnd(self, "conflict");
  const now = clock.now();
  self.conflicts = [...self.conflicts.filter((at) => at > now - CONFLICT_WINDOW_MS), now];
  log.warn({ reason: textOfFault(fault) }, "another program takes the updates of this bot");
  if (self.conflicts.length >= MAX_CONFLICTS)
    return report(self, { state: "DISCONNECTED", reason: "POLLING_CONFLICT" });
  report(self, { state: "CONNECTING", reason: "POLLING_CONFLICT" });
  startAfter(self, CONFLICT_WAIT_MS + Math.floor(random.float() * CONFLICT_WAIT_MS));
};

const endByToken = (self: Self): void => {
  countEnd(self, "token");
  report(self, { state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" });
};

const endByFault = (self: Self, fault: Fault): void => {
  if (isTokenRefused(fault)) return endByToken(self);
  if (isConflict(fault)) return endByConflict(self, fault);
  if (fault.kind === "error" && fault.code < 500 && fault.code !== 429)
    return report(self, { state: "FAILED", reason: fault.text });
  self.host.log.warn({ reason: textOfFault(fault) }, "the network does not send the updates of this bot; retrying");
  retry(self, fault.kind === "error" ? fault.retryAfterMs : undefined);
};

const start = async (self: Self): Promise<void> => {
  const { generation, controller, host, url } = self;
  const credentials = await readCredentials(host);
  const isCurrent = () => generation === self.generation;
  if (!isCurrent()) return;
  if (typeof credentials === "string")
    return report(self, { state: "FAILED", reason: `CREDENTIALS_${credentials.toUpperCase()}` });
  report(self, { state: "CONNECTING" });
  await run(self, { api: apiOf(host.http, url, credentials.token), signal: controller.signal, isCurrent }, credentials);
};

const run = async (self: Self, attempt: Attempt, credentials: Credentials): Promise<void> => {
  const { host, cursor } = self;
  const opened = await open(host, attempt, credentials, cursor).catch(() => undefined); // the vault cannot be written
  if (!attempt.isCurrent()) return;
  if (!opened) return retry(self);
  if ("fault" in opened) return endByFault(self, opened.fault);
  self.failures = 0;
  report(self, { state: "CONNECTED", profile: opened.profile });
  if (credentials.mode === "webhook") return;
  self.lastReceivedAt = host.clock.now();
  if (await storeAll(host, attempt, cursor, opened.updates)) return poll(self, attempt);
  if (attempt.isCurrent()) retry(self);
};

const poll = async (self: Self, attempt: Attempt): Promise<void> => {
  const { host, cursor } = self;
  while (attempt.isCurrent()) {
    const step = await pollOnce(host, attempt, cursor, () => (self.lastReceivedAt = host.clock.now()));
    if (!attempt.isCurrent()) return;
    if (step === "not-stored") return retry(self);
    if ("fault" in step) return endByFault(self, step.fault);
    if (step.waitMs > 0) {
      self.cancelTimer = host.clock.timer(step.waitMs, () => void poll(self, attempt));
      return;
    }
  }
};
