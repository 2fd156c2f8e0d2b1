// Links one session with a phone, before its first login. A person scans a QR code, types a code on the phone, or uses
// the passkey of the account. Then the network reports that the phone vouches for the identity (`pair-success`), and the
// library logs in. Each way has a secret that the phone vouches under: `creds.advSecretKey` is that of the QR codes,
// `offered` of the socket has those of the typed code and of the passkey. What is promised:
//
// - The identity keeps the secret that the phone used. A phone with another secret is refused, and all codes stay.
// - A new secret is on disk before the network or a phone can rely on it.
// - Sockets show codes for five minutes after the last request for one. Codes end with their socket, and a requested
//   code to type is then made on the next socket.
// - Whoever waits for a QR code goes on when one is shown; whoever waits for a code to type, also if none is made.
//   Every wait ends with its time, and with the session.
// - Nothing that the network says throws into the library: a step that fails is logged.
//
// qr-round.ts has the QR codes and their times, pairing-codes.ts the codes to type, passkey.ts the passkey.

import type { PairingApi, PairingNotice } from "../../../src/contract/abilities/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { type Clock, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
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
  codesExhausted(activeSocket: ActiveSocket): void;
  /** The person who links must act; undefined: no longer. */
  notify(notice?: PairingNotice): void;
} & Pick<PairingApi, "reset" | "unlinkOld">;

/** The pairing of one session, over all its sockets. */
export type Pairing = {
  api: PairingApi;
  /** Takes the network's messages about the linking of a socket, before it connects. */
  attach(socket: Omit<PairingSocket, "offered">): void;
  /** Counts as a request for codes. */
  noteRequest(): void;
  /** Whether codes were requested in the last five minutes. */
  isRequested(): boolean;
  /** The socket shows its first QR code. */
  qrShown(activeSocket: ActiveSocket, firstQr: string): void;
  /** The socket is gone, and its codes with it. */
  socketGone(): void;
  /**
   * The network was not reached, or ended the socket; `code` tells the reason to the person who waits for codes.
   * Undefined: no person waits any more.
   */
  setFailure(code: string | undefined): void;
  /** Drops all codes, because they were used or their identity was given up. Requested codes are not made either. */
  dropCodes(): void;
  /** Ends all waits. */
  close(): void;
};

type State = {
  readonly host: ChannelHost;
  readonly sessionManager: PairingSession;
  readonly qrRound: QrRound;
  readonly codes: TypedCodes;
  readonly passkeys: Passkeys;
  /** The callers that wait for a QR code. Each function ends one wait. */
  readonly qrWaiters: Set<() => void>;
  /** The callers that wait for a code to type. */
  readonly codeWaiters: Set<() => void>;
  /** The open socket, as long as no phone is linked. */
  socket: PairingSocket | undefined;
  /** The references of the network for QR codes: each gives one code. */
  refs: readonly string[];
  /** When codes were last requested. */
  requestedAt: number;
  /** Until when the person must learn that the code was scanned and has changed. */
  scanAgainUntil: number;
  /** Whether the person was notified of a step since the last code without one. */
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
    qrRound: createQrRound(host.clock, () => onQrRoundOver(self)),
    codes: createTypedCodes(host, numbers, () => endEach(self.codeWaiters)),
    passkeys: createPasskeys(host, {
      begun: (untilMs) => onPasskeyBegun(self, untilMs),
      failed() {
        self.qrRound.resume();
        notify(self, "PASSKEY_FAILED");
      },
      notify(notice) {
        self.hasNotified = true;
        sessionManager.notify(notice);
      },
    }),
    qrWaiters: new Set(),
    codeWaiters: new Set(),
    socket: undefined,
    refs: [],
    requestedAt: Number.NEGATIVE_INFINITY,
    scanAgainUntil: Number.NEGATIVE_INFINITY,
    hasNotified: false,
    failure: undefined,
  };
  return {
    api: apiOf(self),
    attach: (parts) => attach(self, parts),
    noteRequest: () => noteRequest(self),
    isRequested: () => host.clock.now() - self.requestedAt < INTEREST_MS,
    qrShown: (activeSocket, firstQr) => qrShown(self, activeSocket, firstQr),
    socketGone: () => socketGone(self),
    setFailure(code) {
      self.failure = code;
    },
    dropCodes: () => dropCodes(self),
    close() {
      dropCodes(self);
      endEach(self.qrWaiters);
    },
  };
};

const apiOf = (self: State): PairingApi => {
  const { host, sessionManager, qrRound, codes, passkeys } = self;
  const qr = () => {
    noteRequest(self);
    sessionManager.wake();
    return qrRound.current();
  };
  return {
    qr,
    async nextQr(withinMs) {
      if (!qr()) await within(host.clock, withinMs, self.qrWaiters);
      return qrRound.current();
    },
    endWaits() {
      endEach(self.qrWaiters);
      endEach(self.codeWaiters);
    },
    requestCode(phoneNumber) {
      noteRequest(self);
      sessionManager.wake();
      return codes.request(phoneNumber);
    },
    code: codes.text,
    async nextCode(withinMs) {
      if (codes.isAwaited()) await within(host.clock, withinMs, self.codeWaiters);
      return codes.text();
    },
    hint: (way) => (way === "code" ? codes.hint() : undefined) ?? qrHint(self),
    passkey: passkeys.api,
    reset: sessionManager.reset,
    unlinkOld: sessionManager.unlinkOld,
  };
};

/** The step that the person at the phone must take beside a scan. */
const qrHint = ({ host, passkeys, scanAgainUntil, failure }: State) => {
  const ceremony = passkeys.api.current();
  if (ceremony) return { code: ceremony.code === undefined ? "PASSKEY_REQUIRED" : "PASSKEY_CONFIRMATION_REQUIRED" };
  if (passkeys.hasFailed()) return { code: "PASSKEY_FAILED" };
  if (failure !== undefined) return { code: failure };
  return host.clock.now() < scanAgainUntil ? { code: "SCAN_AGAIN" } : undefined;
};

/** Somebody asked for a code. */
const noteRequest = (self: State): void => {
  self.requestedAt = self.host.clock.now();
};

const endEach = (waiting: ReadonlySet<() => void>): void => {
  for (const endWait of waiting) endWait();
};

const notify = (self: State, code: string): void => {
  const at = self.host.clock.now();
  self.hasNotified = true;
  self.sessionManager.notify({ code, at, until: at + HINT_MS });
};

/**
 * All QR codes are over. A code to type that is still valid, or a phone that is about to link, keeps the socket open
 * beyond them.
 */
const onQrRoundOver = (self: State): void => {
  const { socket, codes, host } = self;
  const neededUntil = codes.neededUntil();
  if (neededUntil !== undefined) self.qrRound.wait(neededUntil - host.clock.now());
  else if (socket) self.sessionManager.codesExhausted(socket.activeSocket);
};

/** The owner is using the passkey: the socket stays, and the typed code is used up. */
const onPasskeyBegun = (self: State, untilMs: number): void => {
  noteRequest(self);
  self.codes.used();
  self.qrRound.hold(untilMs);
};

/** Takes the stanzas about linking from the library, which would answer them too early or not at all. */
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
    const handler = ownValue(HANDLERS, stanza.attrs["type"] ?? "");
    if (handler && self.socket === socket) contained(handler(self, socket, stanza));
    else passOn();
  });
  divert(sock, "CB:iq,,pair-success", (stanza, passOn) => contained(takeVouching(self, socket, stanza, passOn)));
};

type Handler = (self: State, socket: PairingSocket, stanza: Stanza) => Promise<void>;

/**
 * The phone distrusts how it got the code, so the network asks for codes with another secret. It is on disk before the
 * network is told that there is one. A secret that a phone is about to use stays.
 */
const replaceSecret: Handler = async (self, socket, stanza) => {
  const { keys } = socket;
  const isAsked = childrenOf(stanza).some(({ tag }) => ASKS_FOR_SECRET.has(tag));
  if (isAsked && !keys.isPaired() && !self.codes.isFinishing()) {
    keys.auth.creds.advSecretKey = Buffer.from(self.host.random.bytes(32)).toString("base64");
    await keys.saveCreds();
    self.qrRound.prolong();
    self.scanAgainUntil = self.host.clock.now() + HINT_MS;
    endEach(self.qrWaiters);
    if (self.socket === socket && !keys.isPaired()) notify(self, "SCAN_AGAIN");
  } else self.host.log.info({ isAsked }, "the network asked for another QR code, and none was made");
  await acknowledge(socket, stanza);
};

const ASKS_FOR_SECRET: ReadonlySet<string> = new Set(["companion_reg_refresh", "pair-device-rotate-qr"]);

/** TABLE: the notifications that come before the login, by type. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  companion_reg_refresh: replaceSecret,
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
 * A phone vouches for the identity. The secret that it used becomes the identity's own, and the library logs in. A phone
 * with any other secret is refused, and the codes stay. An unreadable stanza is left to the library, which ends the
 * socket.
 */
const takeVouching = async (self: State, socket: PairingSocket, stanza: Stanza, passOn: () => void): Promise<void> => {
  const { creds } = socket.keys.auth;
  const secret = vouchingSecret(socket, stanza, [creds.advSecretKey, ...socket.offered.values()]);
  if (secret === undefined) {
    self.host.log.warn({}, "a phone vouched under a secret that is not good any more");
    return refuseVouching(socket, stanza);
  }
  creds.advSecretKey = secret;
  passOn();
};

/** The one of the secrets that a phone vouches under; of an unreadable stanza that of the QR codes. */
const vouchingSecret = ({ crypto, keys }: PairingSocket, stanza: Stanza, secrets: string[]): string | undefined => {
  try {
    return crypto.vouchedUnder(stanza, secrets);
  } catch {
    return keys.auth.creds.advSecretKey;
  }
};

/** The library shows the first QR code of the socket: the codes run, and whoever waits for one goes on. */
const qrShown = (self: State, activeSocket: ActiveSocket, firstQr: string): void => {
  const { socket, qrRound, codes } = self;
  if (!socket || socket.activeSocket !== activeSocket) return;
  self.failure = undefined;
  qrRound.begin(firstQr, self.refs, () => socket.keys.auth.creds.advSecretKey);
  if (self.hasNotified && !qrHint(self)) {
    self.hasNotified = false;
    self.sessionManager.notify();
  }
  endEach(self.qrWaiters);
  codes.ready(socket);
};

/** Codes that were requested and not made yet wait for the next socket. */
const socketGone = (self: State): void => {
  self.qrRound.end();
  self.codes.gone();
  self.passkeys.drop(false);
  self.socket = undefined;
  self.refs = [];
};

/** Forgets all codes, also the requested ones. */
const dropCodes = (self: State): void => {
  self.qrRound.end();
  self.codes.drop();
  self.passkeys.drop(true);
  self.scanAgainUntil = Number.NEGATIVE_INFINITY;
  self.hasNotified = false;
  self.failure = undefined;
};

/** The references in the stanza that begins a linking. */
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
