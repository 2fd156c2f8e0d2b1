import type { PairingApi, PairingNotice } from "../../../src/contract/abilities/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { type Clock, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type ActiveSocket, childrenOf, type Stanza } from "../active-socket.ts";
import type { CodeNumbers } from "./code-numbers.ts";
import { createTypedCodes, type TypedCodes } from "./pairing-codes.ts";
import { acknowledge, divert, type PairingSocket, refuseVouching } from "./pairing-socket.ts";
import { createPasskeys, type Passkeys } from "./passkey.ts";
import { createQrRound, type QrRound } from "./qr-round.ts";

/** Codes are made for this long after the last request. */
const INTEREST_MS = 5 * MINUTE_MS;
/** The person who must scan again is expected for this long. */
const HINT_MS = 5 * MINUTE_MS;

/** The parts of the session manager that pairing needs. */
export type PairingSession = {
  /** Opens a socket if no socket is open, opening or awaited, unless the channel is paused. */
  wake(): void;
  /** A socket has shown all its codes. */
  exhausted(activeSocket: ActiveSocket): void;
  /** The person who links must act; undefined: no longer. */
  notify(notice?: PairingNotice): void;
} & Pick<PairingApi, "reset" | "unlinkOld">;

/** The pairing of one session, over all its sockets. */
export type Pairing = {
  api: PairingApi;
  /** Takes the network's messages about the linking of a socket, before it connects. */
  attach(socket: Omit<PairingSocket, "offered">): void;
  /** Counts as a request for codes. */
  want(): void;
  /** Whether codes were requested in the last five minutes. */
  isWanted(): boolean;
  /** The socket shows its first QR code. */
  shown(activeSocket: ActiveSocket, firstQr: string): void;
  /** The socket is gone, and its codes with it. */
  gone(): void;
  /**
   * The network was not reached, or ended the socket; `code` tells the reason to the person who waits for codes.
   * Undefined: no person waits any more.
   */
  failed(code: string | undefined): void;
  /** Drops all codes, because they were used or their identity was given up. Requested codes are not made either. */
  done(): void;
  /** Ends all waits. */
  close(): void;
};

type State = {
  readonly host: ChannelHost;
  readonly sessionManager: PairingSession;
  readonly round: QrRound;
  readonly codes: TypedCodes;
  readonly passkeys: Passkeys;
  readonly waiting: Set<() => void>;
  readonly waitingForCode: Set<() => void>;
  socket: PairingSocket | undefined;
  refs: readonly string[];
  askedAt: number;
  /** Until when the person must learn that the code was scanned and has changed. */
  scanAgainUntil: number;
  hasNotified: boolean;
  /** Why no code comes, until a code comes. */
  failure: string | undefined;
};

/**
 * Makes the pairing of one session. The QR codes of a socket follow each other by the clock of the host. `numbers`: the
 * codes that other sessions have in progress.
 */
export const createPairing = (host: ChannelHost, sessionManager: PairingSession, numbers: CodeNumbers): Pairing => {
  const self: State = {
    host,
    sessionManager,
    round: createQrRound(host.clock, () => finished(self)),
    codes: createTypedCodes(host, numbers, () => endEach(self.waitingForCode)),
    passkeys: createPasskeys(host, {
      begun: (untilMs) => begun(self, untilMs),
      failed() {
        self.round.resume();
        notify(self, "PASSKEY_FAILED");
      },
      notify(notice) {
        self.hasNotified = true;
        sessionManager.notify(notice);
      },
    }),
    waiting: new Set(),
    waitingForCode: new Set(),
    socket: undefined,
    refs: [],
    askedAt: Number.NEGATIVE_INFINITY,
    scanAgainUntil: Number.NEGATIVE_INFINITY,
    hasNotified: false,
    failure: undefined,
  };
  return {
    api: apiOf(self),
    attach: (parts) => attach(self, parts),
    want: () => want(self),
    isWanted: () => host.clock.now() - self.askedAt < INTEREST_MS,
    shown: (activeSocket, firstQr) => shown(self, activeSocket, firstQr),
    gone: () => gone(self),
    failed(code) {
      self.failure = code;
    },
    done: () => done(self),
    close() {
      done(self);
      endEach(self.waiting);
    },
  };
};

const apiOf = (self: State): PairingApi => {
  const { host, sessionManager, round, codes, passkeys } = self;
  const qr = () => {
    want(self);
    sessionManager.wake();
    return round.current();
  };
  return {
    qr,
    async nextQr(withinMs) {
      if (!qr()) await within(host.clock, withinMs, self.waiting);
      return round.current();
    },
    endWaits() {
      endEach(self.waiting);
      endEach(self.waitingForCode);
    },
    requestCode(phoneNumber) {
      want(self);
      sessionManager.wake();
      return codes.request(phoneNumber);
    },
    code: codes.text,
    async nextCode(withinMs) {
      if (codes.isAwaited()) await within(host.clock, withinMs, self.waitingForCode);
      return codes.text();
    },
    hint: (way) => (way === "code" ? codes.hint() : undefined) ?? qrHint(self),
    passkey: passkeys.api,
    reset: sessionManager.reset,
    unlinkOld: sessionManager.unlinkOld,
  };
};

const qrHint = ({ host, passkeys, scanAgainUntil, failure }: State) => {
  const ceremony = passkeys.api.current();
  if (ceremony) return { code: ceremony.code === undefined ? "PASSKEY_REQUIRED" : "PASSKEY_CONFIRMATION_REQUIRED" };
  if (passkeys.hasFailed()) return { code: "PASSKEY_FAILED" };
  if (failure !== undefined) return { code: failure };
  return host.clock.now() < scanAgainUntil ? { code: "SCAN_AGAIN" } : undefined;
};

const want = (self: State): void => {
  self.askedAt = self.host.clock.now();
};

const endEach = (waiting: ReadonlySet<() => void>): void => {
  for (const endWait of waiting) endWait();
};

const notify = (self: State, code: string): void => {
  const at = self.host.clock.now();
  self.hasNotified = true;
  self.sessionManager.notify({ code, at, until: at + HINT_MS });
};

/** A code that is still valid, or a phone that is about to link, keeps the socket open beyond the last QR code. */
const finished = (self: State): void => {
  const { socket, codes, host } = self;
  const neededUntil = codes.neededUntil();
  if (neededUntil !== undefined) self.round.wait(neededUntil - host.clock.now());
  else if (socket) self.sessionManager.exhausted(socket.activeSocket);
};

/** The owner is using the passkey: the socket stays, and the typed code is used up. */
const begun = (self: State, untilMs: number): void => {
  want(self);
  self.codes.used();
  self.round.hold(untilMs);
};

const attach = (self: State, parts: Omit<PairingSocket, "offered">): void => {
  if (parts.keys.isPaired()) return;
  const socket: PairingSocket = { ...parts, offered: new Map() };
  const { sock } = parts.activeSocket;
  const contained = (work: Promise<void>) =>
    void work.catch((thrown: unknown) =>
      self.host.log.warn({ reason: reasonOf(thrown) }, "something about the linking could not be dealt with"),
    );
  self.socket = socket;
  sock.ws.on("CB:iq,type:set,pair-device", (stanza: Stanza) => {
    self.refs = refsIn(stanza);
  });
  divert(sock, "CB:notification", (stanza, passOn) => {
    const take = TAKEN[stanza.attrs["type"] ?? ""];
    if (take && self.socket === socket) contained(take(self, socket, stanza));
    else passOn();
  });
  divert(sock, "CB:iq,,pair-success", (stanza, passOn) => contained(vouched(self, socket, stanza, passOn)));
};

type Take = (self: State, socket: PairingSocket, stanza: Stanza) => Promise<void>;

/**
 * The secret must change, because the phone distrusts the way of the code. It is on disk before the network may rely on
 * it. A secret that is about to be used stays: a phone is vouching for it.
 */
const refreshed: Take = async (self, socket, stanza) => {
  const { keys } = socket;
  const isAsked = childrenOf(stanza).some(({ tag }) => REFRESHES.has(tag));
  if (isAsked && !keys.isPaired() && !self.codes.isFinishing()) {
    keys.auth.creds.advSecretKey = Buffer.from(self.host.random.bytes(32)).toString("base64");
    await keys.saveCreds();
    self.round.prolong();
    self.scanAgainUntil = self.host.clock.now() + HINT_MS;
    endEach(self.waiting);
    if (self.socket === socket && !keys.isPaired()) notify(self, "SCAN_AGAIN");
  } else self.host.log.info({ isAsked }, "the network asked for another QR code, and none was made");
  await acknowledge(socket, stanza);
};

const REFRESHES: ReadonlySet<string> = new Set(["companion_reg_refresh", "pair-device-rotate-qr"]);

/** TABLE: the notifications that come before the login, by type. */
const TAKEN: Readonly<Record<string, Take>> = {
  companion_reg_refresh: refreshed,
  async link_code_companion_reg(self, socket, stanza) {
    await acknowledge(socket, stanza);
    await self.codes.take(socket, stanza);
  },
  async passkey_prologue_request(self, socket, stanza) {
    const secret = socket.offered.get("code") ?? socket.keys.auth.creds.advSecretKey;
    await acknowledge(socket, stanza);
    await self.passkeys.request(socket, stanza, secret);
  },
  async crsc_continuation(self, socket, stanza) {
    await acknowledge(socket, stanza);
    await self.passkeys.goOn(stanza);
  },
};

/**
 * A phone vouches for the identity under one of the valid secrets: this secret becomes the identity's. Any other is
 * refused, and the codes stay. An unreadable one is left to the library, which ends the socket.
 */
const vouched = async (self: State, socket: PairingSocket, stanza: Stanza, passOn: () => void): Promise<void> => {
  const { creds } = socket.keys.auth;
  const secret = secretOf(socket, stanza, [creds.advSecretKey, ...socket.offered.values()]);
  if (secret === undefined) {
    self.host.log.warn({}, "a phone vouched under a secret that is not good any more");
    return refuseVouching(socket, stanza);
  }
  creds.advSecretKey = secret;
  passOn();
};

const secretOf = ({ crypto, keys }: PairingSocket, stanza: Stanza, secrets: string[]): string | undefined => {
  try {
    return crypto.vouchedUnder(stanza, secrets);
  } catch {
    return keys.auth.creds.advSecretKey;
  }
};

const shown = (self: State, activeSocket: ActiveSocket, firstQr: string): void => {
  const { socket, round, codes } = self;
  if (!socket || socket.activeSocket !== activeSocket) return;
  self.failure = undefined;
  round.begin(firstQr, self.refs, () => socket.keys.auth.creds.advSecretKey);
  if (self.hasNotified && !qrHint(self)) {
    self.hasNotified = false;
    self.sessionManager.notify();
  }
  endEach(self.waiting);
  codes.ready(socket);
};

const gone = (self: State): void => {
  self.round.end();
  self.codes.gone();
  self.passkeys.drop(false);
  self.socket = undefined;
  self.refs = [];
};

const done = (self: State): void => {
  self.round.end();
  self.codes.drop();
  self.passkeys.drop(true);
  self.scanAgainUntil = Number.NEGATIVE_INFINITY;
  self.hasNotified = false;
  self.failure = undefined;
};

const refsIn = (stanza: Stanza): string[] => {
  const [pairDevice] = childrenOf(stanza);
  return childrenOf(pairDevice).flatMap(({ tag, content }) =>
    tag === "ref" && content instanceof Uint8Array ? [Buffer.from(content).toString()] : [],
  );
};

/** Resolves when the waiters are released, or when the time is over. */
const within = async (clock: Clock, ms: number, waiters: Set<() => void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiters.add(resolve);
  await hasEndedWithin(clock, ms, promise);
  waiters.delete(resolve);
};
