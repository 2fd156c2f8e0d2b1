import type { ConnectionState } from "@whiskeysockets/baileys";
import type { LinkState } from "../../../src/contract/events.ts";
import { RingLost } from "../../../src/contract/key-ring.ts";
import type { PairingApi } from "../../../src/contract/pairing.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { AppError, reasonOf } from "../../../src/kernel/errors.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import type { Wire } from "../wire.ts";
import { type Ending, endingOf } from "./disconnects.ts";
import { cutSocket, endSocket } from "./ends.ts";
import { close, forget, renew, unlinkOld } from "./farewell.ts";
import { createPairing } from "./pairing.ts";
import { createRetries, type Next } from "./retries.ts";
import { shuttable } from "./shuttable.ts";
import { fail, type Held, type LifeParts, letGo, next, report, type Session, type Standing, shutKeys } from "./standing.ts";
import { watchSocket } from "./watch.ts";

const CONFIRMS_AFTER_MS = 2 * SECOND_MS;

/** A session from its first connect to its close, over all its sockets. */
export type Life = {
  readonly state: LinkState;
  /** When the network was last heard on the socket that is open; undefined while none is. */
  readonly heardAt: number | undefined;
  /** The socket that is open; undefined while none is. */
  readonly wire: Wire | undefined;
  readonly pairing: PairingApi;
  connect(): void;
  close(): Promise<void>;
  /** Gives up the identity for good, at the network as well as it goes. */
  forget(): Promise<void>;
};

export const createLife = (host: ChannelHost, parts: LifeParts): Life => {
  const self: Standing = {
    host,
    parts,
    pairing: createPairing(host, {
      wake: () => wake(self),
      exhausted: (wire) => exhausted(self, wire),
      reset: () => renew(self, { report: { state: "PENDING_QR" }, open: () => void open(self) }),
      unlinkOld: () => unlinkOld(self, () => hold(self, self.generation)),
    }),
    retries: createRetries(host),
    stage: "new",
    generation: 0,
    cancelTimer: () => {},
    isOut: false,
    isFirstLogin: false,
  };
  return {
    get state() {
      return self.reported?.state ?? "PENDING_QR";
    },
    get heardAt() {
      return self.session?.isOpen ? self.session.watch.heardAt : undefined;
    },
    get wire() {
      return self.session?.isOpen ? self.session.wire : undefined;
    },
    pairing: self.pairing.api,
    connect: () => start(self),
    close: () => close(self),
    forget: () => forget(self),
  };
};

/** A session that is open or on its way there is left alone; one that was out of order is on its way again. */
const start = (self: Standing): void => {
  self.pairing.want();
  if (self.renewal) return;
  const wasOut = self.isOut;
  self.isOut = false;
  if (self.stage !== "opening" && self.stage !== "live") void open(self);
  else if (wasOut && self.held) reportUnderWay(self, self.held.keys);
};

const wake = (self: Standing): void => {
  if (self.stage === "new" || self.stage === "idle") void open(self);
};

/** Nobody waits for a session without an owner: it opens only while somebody wants to pair. */
const openLater = (self: Standing, keys: ChannelKeys, afterMs: number): void => {
  const isWanted = () => keys.isPaired() || self.pairing.isWanted();
  const openNow = () => {
    if (isWanted()) void open(self);
    else next(self, "idle");
  };
  if (afterMs === 0 || !isWanted()) return openNow();
  next(self, "waiting");
  self.cancelTimer = self.host.clock.timer(afterMs, openNow);
};

/** Opens a socket, unless something else becomes of the session meanwhile. Never throws. */
const open = async (self: Standing): Promise<void> => {
  const mine = next(self, "opening");
  let leaveGate = () => {};
  try {
    const held = await hold(self, mine);
    if (mine !== self.generation) return;
    held.keys.dropDraft();
    reportUnderWay(self, held.keys);
    leaveGate = await self.parts.gate.enter(self.host);
    if (mine === self.generation) goLive(self, held, leaveGate);
    else leaveGate();
  } catch (thrown) {
    leaveGate();
    self.host.log.error({ reason: reasonOf(thrown) }, "the session could not be opened");
    if (mine === self.generation) unopened(self, thrown);
  }
};

/** Keys that are another's, or that cannot be read at the moment, are not unreadable. */
const unopened = (self: Standing, thrown: unknown): void => {
  if (thrown instanceof RingLost) return superseded(self);
  if (!(thrown instanceof AppError && thrown.code === "OVERLOADED")) return fail(self);
  const following = self.retries.after({ is: "retry" });
  next(self, "waiting");
  if (following.is === "again") self.cancelTimer = self.host.clock.timer(following.afterMs, () => void open(self));
};

const reportUnderWay = (self: Standing, keys: ChannelKeys): void => {
  if (!keys.isPaired()) report(self, { state: "PENDING_QR" });
  else if (!self.isOut) report(self, { state: "CONNECTING" });
};

const hold = async (self: Standing, mine: number): Promise<Held> => {
  if (self.held) return self.held;
  const { openKeys, connect } = await self.parts.engine();
  const { channelId, log } = self.host;
  const { vault, shut } = shuttable(self.host.vault);
  const keys = await openKeys({ channelId, log, vault });
  const held = { keys, connect, shut };
  if (mine !== self.generation) shut();
  else self.held = held;
  return held;
};

const goLive = (self: Standing, { keys, connect }: Held, leaveGate: () => void): void => {
  const wire: Wire = connect(keys, () => self.session?.wire === wire);
  const { sock } = wire;
  const watch = watchSocket(sock, self.host.clock, () => {
    cutSocket(sock);
    ended(self, session, { is: "retry" });
  });
  const session: Session = { wire, keys, watch, leaveGate, isOpen: false };
  self.session = session;
  self.stage = "live";
  sock.ev.on("connection.update", (update) => heard(self, session, update));
  self.pairing.attach(wire);
};

const heard = (self: Standing, session: Session, { qr, isNewLogin, connection, lastDisconnect }: Partial<ConnectionState>): void => {
  if (self.session !== session) return;
  if (qr !== undefined) {
    arrived(self, session);
    self.pairing.shown(session.wire, qr);
  }
  if (isNewLogin) {
    self.isFirstLogin = true;
    session.watch.paired();
    self.pairing.done();
    report(self, { state: "CONNECTING" });
  }
  if (connection === "open") opened(self, session);
  if (connection === "close") ended(self, session, endingOf(lastDisconnect?.error, session.keys.auth.creds));
};

const arrived = (self: Standing, session: Session): void => {
  session.watch.arrived();
  session.leaveGate();
  self.retries.arrived();
};

const opened = (self: Standing, session: Session): void => {
  arrived(self, session);
  session.isOpen = true;
  session.watch.opened();
  self.isOut = false;
  self.isFirstLogin = false;
  const [phoneNumber] = /^\d+/.exec(session.keys.auth.creds.me?.id ?? "") ?? [];
  report(self, { state: "CONNECTED", ...(phoneNumber === undefined ? {} : { phoneNumber }) });
};

const ended = (self: Standing, session: Session, ending: Ending): void => {
  if (self.session !== session) return;
  letGo(self);
  const { clock, log } = self.host;
  void endSocket(session.wire.sock, clock);
  log.info({ ending: ending.is }, "a socket of the session ended");
  self.host.ended(ending.is === "retry" && ending.isForged ? "forged" : ending.is);
  switch (ending.is) {
    case "superseded":
      return superseded(self);
    case "logged-out":
      return loggedOut(self, session);
    case "draft":
      return follow(self, session, self.retries.after({ is: "retry" }));
    case "retry":
      if (ending.isForged) log.error({}, "somebody answered in the network's place, with a certificate that is not the network's");
      return follow(self, session, self.retries.after(ending));
    default:
      return follow(self, session, self.retries.after(ending));
  }
};

/** The network has been seen to refuse the first login of an identity that it had just accepted, because of the socket before it: one more is tried. */
const loggedOut = (self: Standing, { keys }: Session): void => {
  if (self.isFirstLogin) {
    self.isFirstLogin = false;
    return openLater(self, keys, CONFIRMS_AFTER_MS);
  }
  renew(self, { report: { state: "PENDING_QR", reason: "LOGGED_OUT" }, isTakenBack: true, open: () => void open(self) }).catch((thrown: unknown) => {
    self.host.log.error({ reason: reasonOf(thrown) }, "an identity that was taken back could not be wiped");
  });
};

const follow = (self: Standing, { keys }: Session, following: Next): void => {
  if (following.is === "again") {
    if (following.isLost && keys.isPaired()) putOut(self, "CONNECTION_LOST");
    else reportUnderWay(self, keys);
    return openLater(self, keys, following.afterMs);
  }
  const { reason, retryAfterMs } = following;
  if (retryAfterMs === undefined) next(self, "parked");
  else openLater(self, keys, retryAfterMs);
  // who wants to pair waits on, and is told why
  if (retryAfterMs !== undefined && !keys.isPaired()) report(self, { state: "PENDING_QR", reason });
  else putOut(self, reason);
};

const putOut = (self: Standing, reason: string): void => {
  self.isOut = true;
  report(self, { state: "DISCONNECTED", reason });
};

const exhausted = (self: Standing, wire: Wire): void => {
  const { session } = self;
  if (!session || session.wire !== wire) return;
  letGo(self);
  void endSocket(wire.sock, self.host.clock);
  openLater(self, session.keys, 0);
};

/** Somebody else has taken over the channel's keys: its health is theirs to tell. */
const superseded = (self: Standing): void => {
  self.host.log.warn({}, "another link has taken over the session");
  next(self, "closed");
  shutKeys(self);
};
