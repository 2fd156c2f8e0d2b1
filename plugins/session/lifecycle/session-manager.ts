import type { ConnectionState } from "@whiskeysockets/baileys";
import type { PairingApi } from "../../../src/contract/abilities/pairing.ts";
import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import type { ChannelHost, ConnectOptions } from "../../../src/contract/plugin.ts";
import { KeyStoreLost } from "../../../src/contract/ports/key-store.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { AppError, reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import { hasNoKeys, watchOneTimeKeys } from "../keys/one-time-keys.ts";
import type { Ban } from "./ban.ts";
import { type Disconnect, disconnectOf } from "./disconnects.ts";
import { cutSocket, endSocket } from "./ends.ts";
import { createPairing } from "./pairing.ts";
import { close, forget, renew, unlinkOld } from "./release.ts";
import { createRetries, type Next } from "./retries.ts";
import {
  fail,
  type Held,
  next,
  release,
  report,
  type Session,
  type SessionManagerParts,
  type SessionState,
  shutKeys,
} from "./session-state.ts";
import { shuttable } from "./shuttable.ts";
import { watchSocket } from "./watch.ts";

const CONFIRMS_AFTER_MS = 2 * SECOND_MS;
/** After a restart with a refused version, how often a newer one is looked for. */
const LOOKS_EVERY_MS = 5 * MINUTE_MS;
/** One failure of a proxy may be a restart of it. */
const MANY_PROXY_FAULTS = 2;

/** A session from its first connect to its close, over all its sockets. */
export type SessionManager = {
  /** When the network last sent a frame on the open socket; undefined without an open socket. */
  readonly lastReceivedAt: number | undefined;
  /** The open socket; undefined without one. */
  readonly activeSocket: ActiveSocket | undefined;
  readonly pairing: PairingApi;
  connect(connectOptions?: ConnectOptions): void;
  close(): Promise<void>;
  /** Reports again the restrictions of an open session. */
  restrictionChanged(): void;
  /** Deletes the identity for good, and unlinks it at the network if that is possible. */
  forget(): Promise<void>;
};

export const createSessionManager = (host: ChannelHost, parts: SessionManagerParts): SessionManager => {
  const self: SessionState = {
    host,
    parts,
    pairing: createPairing(
      host,
      {
        wake: () => wake(self),
        codesExhausted: (activeSocket) => codesExhausted(self, activeSocket),
        notify: (pairing) => host.report({ state: "PENDING_QR", ...(pairing ? { pairing } : {}) }),
        reset: () => renew(self, { report: { state: "PENDING_QR" }, open: () => void open(self) }),
        unlinkOld: () => unlinkOld(self, () => hold(self, self.generation)),
      },
      parts.codeNumbers,
    ),
    retries: createRetries(host),
    stage: "new",
    generation: 0,
    cancelTimer: () => {},
    isOut: false,
    isAsked: false,
    proxyFaults: 0,
    isFirstLogin: false,
  };
  return {
    get lastReceivedAt() {
      return self.session?.isOpen ? self.session.watch.lastReceivedAt : undefined;
    },
    get activeSocket() {
      return self.session?.isOpen ? self.session.activeSocket : undefined;
    },
    pairing: self.pairing.api,
    connect: (connectOptions) => start(self, connectOptions),
    close: () => close(self),
    forget: () => forget(self),
    restrictionChanged() {
      if (self.session?.isOpen) reportOpen(self, self.session);
    },
  };
};

/**
 * An open or opening session is left alone; a session that was out of order counts as connecting again. Who asks while a
 * start is still reading the ban lifts it all the same.
 */
const start = (self: SessionState, { isAsked }: ConnectOptions = { isAsked: false }): void => {
  self.pairing.noteRequest();
  if (self.renewal) return;
  const wasOut = self.isOut;
  self.isOut = false;
  if (self.stage !== "opening" && self.stage !== "live") {
    self.isAsked = isAsked;
    void open(self);
    return;
  }
  self.isAsked ||= isAsked;
  if (wasOut && self.held) reportUnderWay(self, self.held.keys);
};

const wake = (self: SessionState): void => {
  if (self.stage === "new" || self.stage === "idle") void open(self);
};

/** Opens a socket after the wait. An unpaired session opens only while codes are requested. */
const openLater = (self: SessionState, keys: ChannelKeys, afterMs: number): void => {
  const isWanted = () => keys.isPaired() || self.pairing.isRequested();
  const openNow = () => {
    if (isWanted()) return void open(self);
    self.pairing.setFailure(undefined); // it says nothing about the next attempt
    next(self, "idle");
  };
  if (afterMs === 0 || !isWanted()) return openNow();
  next(self, "waiting");
  self.cancelTimer = self.host.clock.timer(afterMs, openNow);
};

/** Opens a socket, unless a newer generation begins meanwhile. Never throws. */
const open = async (self: SessionState): Promise<void> => {
  const mine = next(self, "opening");
  let leaveConnectLimiter = () => {};
  try {
    const held = await hold(self, mine);
    if (mine !== self.generation) return;
    held.keys.dropTransaction();
    const ban = self.parts.bans.at(self.host.clock.now());
    if (ban && !self.isAsked && held.keys.isPaired()) {
      const isOver = ban.version !== undefined && (await held.hasNewerClient(ban.version));
      if (mine !== self.generation) return;
      if (!isOver && !self.isAsked) return banned(self, held.keys, ban);
    }
    reportUnderWay(self, held.keys);
    leaveConnectLimiter = await self.parts.connectLimiter.enter(self.host);
    if (mine === self.generation) goLive(self, held, leaveConnectLimiter);
    else leaveConnectLimiter();
  } catch (thrown) {
    leaveConnectLimiter();
    self.host.log.error({ reason: reasonOf(thrown) }, "the session could not be opened");
    if (mine === self.generation) unopened(self, thrown);
  }
};

/** Decides the next action after the keys could not be opened. Only keys that can never be read end in FAILED. */
const unopened = (self: SessionState, thrown: unknown): void => {
  if (thrown instanceof KeyStoreLost) return superseded(self);
  if (!(thrown instanceof AppError && thrown.code === "OVERLOADED")) return fail(self);
  const following = self.retries.after({ is: "retry" });
  next(self, "waiting");
  if (following.is === "again") self.cancelTimer = self.host.clock.timer(following.afterMs, () => void open(self));
};

const reportUnderWay = (self: SessionState, keys: ChannelKeys): void => {
  if (!keys.isPaired()) report(self, { state: "PENDING_QR" });
  else if (!self.isOut) report(self, { state: "CONNECTING" });
};

const hold = async (self: SessionState, mine: number): Promise<Held> => {
  if (self.held) return self.held;
  const { openKeys, connect, hasNewerClient, usedClient, pairingCrypto, proxyFault } = await self.parts.engine();
  const { channelId, log } = self.host;
  const { vault, shut } = shuttable(self.host.vault);
  const keys = await openKeys({ channelId, log, vault });
  const held = { keys, connect, hasNewerClient, usedClient, pairingCrypto, proxyFault, shut };
  if (mine !== self.generation) shut();
  else {
    self.held = held;
    // the process may have died between the pairing and the first login
    self.isFirstLogin ||= keys.isPaired() && hasNoKeys(keys);
  }
  return held;
};

const goLive = (self: SessionState, held: Held, leaveConnectLimiter: () => void): void => {
  const { keys, connect, pairingCrypto: crypto } = held;
  const activeSocket: ActiveSocket = connect(keys, () => self.session?.activeSocket === activeSocket);
  const { sock } = activeSocket;
  const noticed = () => {
    cutSocket(sock);
    ended(self, session, { is: "retry" });
  };
  const watch = watchSocket(sock, self.host.clock, noticed, self.parts.keepAliveMs);
  const hasOneTimeKeys = watchOneTimeKeys(sock, keys);
  const session: Session = { activeSocket, keys, watch, hasOneTimeKeys, leaveConnectLimiter, isOpen: false };
  self.session = session;
  self.stage = "live";
  sock.ev.on("connection.update", (update) => updated(self, session, update));
  self.pairing.attach({ activeSocket, keys, crypto });
};

const updated = (
  self: SessionState,
  session: Session,
  { qr, isNewLogin, connection, lastDisconnect }: Partial<ConnectionState>,
): void => {
  if (self.session !== session) return;
  if (qr !== undefined) {
    arrived(self, session);
    self.pairing.qrShown(session.activeSocket, qr);
  }
  if (isNewLogin) {
    self.isFirstLogin = true;
    session.watch.paired();
    self.pairing.dropCodes();
    report(self, { state: "CONNECTING" });
  }
  if (connection === "open") {
    if (session.hasOneTimeKeys()) opened(self, session);
    else ended(self, session, { is: "retry", isKeyless: true });
  }
  if (connection === "close")
    ended(self, session, disconnectOf(lastDisconnect?.error, session.keys.auth.creds, self.host.clock.now()));
};

const arrived = (self: SessionState, session: Session): void => {
  session.watch.arrived();
  session.leaveConnectLimiter();
  self.retries.arrived();
};

const opened = (self: SessionState, session: Session): void => {
  arrived(self, session);
  self.isAsked = false;
  keepBan(self, session.keys, undefined);
  session.isOpen = true;
  session.watch.opened();
  self.isOut = false;
  self.isFirstLogin = false;
  reportOpen(self, session);
};

/** An open session is connected, or restricted while the network restricts the account. */
const reportOpen = (self: SessionState, { keys }: Session): void => {
  const [phoneNumber] = /^\d+/.exec(keys.auth.creds.me?.id ?? "") ?? [];
  const restriction = self.parts.restriction();
  const [lid] = /^\d+/.exec(keys.auth.creds.me?.lid ?? "") ?? [];
  const named = {
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    profile: { lid: lid === undefined ? null : `${lid}@lid` },
  };
  if (restriction) report(self, { state: "RESTRICTED", reason: restriction.reason, ...named, restriction });
  else report(self, { state: "CONNECTED", ...named });
};

const ended = (self: SessionState, session: Session, disconnect: Disconnect): void => {
  if (self.session !== session) return;
  release(self);
  const { clock, log } = self.host;
  void endSocket(session.activeSocket.sock, clock);
  log.info({ disconnect: disconnect.is }, "a socket of the session ended");
  self.host.ended(endingOf(disconnect));
  switch (disconnect.is) {
    case "superseded":
      return superseded(self);
    case "logged-out":
      return loggedOut(self, session);
    case "draft":
      return follow(self, session, self.retries.after({ is: "retry" }));
    case "retry":
      if (disconnect.isForged)
        log.error({}, "somebody answered in the network's place, with a certificate that is not the network's");
      if (disconnect.isKeyless)
        log.warn({}, "the network has no one-time keys of this device: the login is tried again");
      return interrupted(self, session, disconnect);
    case "park":
      if (disconnect.isOutdated) return void outdated(self, session, disconnect);
      return follow(self, session, self.retries.after(disconnect));
    default:
      return follow(self, session, self.retries.after(disconnect, session.keys));
  }
};

const interrupted = (self: SessionState, session: Session, disconnect: Extract<Disconnect, { is: "retry" }>): void => {
  if (!session.keys.isPaired()) self.pairing.setFailure(failureOf(disconnect));
  const following = self.retries.after(disconnect);
  // a session that comes back too soon is banned
  if (disconnect.isTooFast && following.is === "again")
    keepBan(self, session.keys, { until: self.host.clock.now() + following.afterMs });
  follow(self, session, following);
};

/** Why no code comes, for the person who waits for it. */
const failureOf = ({ isForged, isOutage, isTooFast }: Extract<Disconnect, { is: "retry" }>): string => {
  if (isForged) return "NETWORK_FORGED";
  if (isTooFast) return "NETWORK_BUSY";
  return isOutage ? "NETWORK_DOWN" : "NETWORK_NOT_REACHED";
};

/** The word under which the end of a socket is counted. */
const endingOf = (disconnect: Disconnect): string => {
  if (disconnect.is !== "retry") return disconnect.is;
  if (disconnect.isForged) return "forged";
  if (disconnect.isUnacked) return "unacked";
  if (disconnect.isKeyless) return "keyless";
  return disconnect.isTooFast ? "rate-limited" : "retry";
};

/**
 * The network no longer accepts this version of the client: connects at once if a newer one is available. A linked
 * identity never logs in again with a number that was refused.
 */
const outdated = async (
  self: SessionState,
  session: Session,
  disconnect: Extract<Disconnect, { is: "park" }>,
): Promise<void> => {
  const mine = next(self, "waiting");
  const isNewer = await self.held?.hasNewerClient();
  if (mine !== self.generation) return;
  if (isNewer) return openLater(self, session.keys, 0);
  const { retryAfterMs = 0, ...paused } = disconnect;
  if (!session.keys.isPaired()) return follow(self, session, self.retries.after(disconnect));
  follow(self, session, self.retries.after(paused));
  awaitNewerClient(self, session.keys, { everyMs: retryAfterMs });
};

/** Asks in turns whether a newer version is known, and connects with it. The network is not asked. */
const awaitNewerClient = (
  self: SessionState,
  keys: ChannelKeys,
  { everyMs, than }: { everyMs: number; than?: number },
): void => {
  const mine = next(self, "waiting");
  self.cancelTimer = self.host.clock.timer(everyMs, () => {
    // it never throws
    void self.held?.hasNewerClient(than).then((isNewer) => {
      if (mine !== self.generation) return;
      if (isNewer) openLater(self, keys, 0);
      else awaitNewerClient(self, keys, { everyMs, ...(than === undefined ? {} : { than }) });
    });
  });
};

/**
 * The network sometimes refuses the first login of an identity that it has just accepted, because of the previous
 * socket. One more login is tried.
 */
const loggedOut = (self: SessionState, { keys }: Session): void => {
  if (self.isFirstLogin) {
    self.isFirstLogin = false;
    return openLater(self, keys, CONFIRMS_AFTER_MS);
  }
  renew(self, {
    report: { state: "PENDING_QR", reason: "LOGGED_OUT" },
    isTakenBack: true,
    open: () => void open(self),
  }).catch((thrown: unknown) => {
    self.host.log.error({ reason: reasonOf(thrown) }, "an identity that was taken back could not be wiped");
  });
};

const follow = (self: SessionState, { keys }: Session, following: Next): void => {
  self.isAsked = false;
  if (following.is === "again") {
    self.proxyFaults = self.held?.proxyFault() === undefined ? 0 : self.proxyFaults + 1;
    if (self.proxyFaults >= MANY_PROXY_FAULTS) unreachable(self, keys);
    else if (following.isLost && keys.isPaired()) putOut(self, "CONNECTION_LOST");
    else reportUnderWay(self, keys);
    return openLater(self, keys, following.afterMs);
  }
  const { reason, retryAfterMs, restriction } = following;
  const refused = reason === "CLIENT_OUTDATED" ? self.held?.usedClient() : undefined;
  keepBan(self, keys, {
    until: retryAfterMs === undefined ? null : self.host.clock.now() + retryAfterMs,
    reason,
    ...(restriction ? { restriction } : {}),
    ...(refused === undefined ? {} : { version: refused }),
  });
  if (retryAfterMs === undefined) next(self, "paused");
  else openLater(self, keys, retryAfterMs);
  // a client that waits for a pairing continues to wait, and sees the reason
  if (retryAfterMs !== undefined && !keys.isPaired()) report(self, { state: "PENDING_QR", reason });
  else putOut(self, reason, restriction);
};

/** Stores a ban on disk, or its absence. A process that is killed must not log in at its next start. */
const keepBan = (self: SessionState, keys: ChannelKeys, ban: Ban | undefined): void => {
  const { bans } = self.parts;
  if (!keys.isPaired() || (ban === undefined && bans.state() === null)) return;
  bans.set(ban);
  keys.keyStore.write({ rows: [bans.row()] }).catch((thrown: unknown) => {
    self.host.log.warn({ error: reasonOf(thrown) }, "a ban could not be written: a restart forgets it");
  });
};

/** The network accepts no login yet: waits for the end of the ban, or for the owner. */
const banned = (self: SessionState, keys: ChannelKeys, { until, reason, restriction, version }: Ban): void => {
  if (version !== undefined) awaitNewerClient(self, keys, { everyMs: LOOKS_EVERY_MS, than: version });
  else if (until === null) next(self, "paused");
  else openLater(self, keys, until - self.host.clock.now());
  if (reason === undefined) reportUnderWay(self, keys);
  else putOut(self, reason, restriction);
};

/** A client that waits for a pairing continues to wait, and sees the reason. */
const unreachable = (self: SessionState, keys: ChannelKeys): void => {
  if (keys.isPaired()) putOut(self, "PROXY_UNREACHABLE");
  else report(self, { state: "PENDING_QR", reason: "PROXY_UNREACHABLE" });
};

const putOut = (self: SessionState, reason: string, restriction?: Restriction): void => {
  self.isOut = true;
  report(self, { state: "DISCONNECTED", reason, ...(restriction ? { restriction } : {}) });
};

const codesExhausted = (self: SessionState, activeSocket: ActiveSocket): void => {
  const { session } = self;
  if (!session || session.activeSocket !== activeSocket) return;
  release(self);
  void endSocket(activeSocket.sock, self.host.clock);
  openLater(self, session.keys, 0);
};

/** Another link has taken over the channel's keys and reports its state from now on. */
const superseded = (self: SessionState): void => {
  self.host.log.warn({}, "another link has taken over the session");
  next(self, "closed");
  shutKeys(self);
};
