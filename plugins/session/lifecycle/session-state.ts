import { isDeepStrictEqual } from "node:util";
import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import type { LinkReport } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { Cancel } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { Engine } from "../engine.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import type { KeptBans } from "./ban.ts";
import type { CodeNumbers } from "./code-numbers.ts";
import type { ConnectLimiter } from "./connect-limiter.ts";
import type { Pairing } from "./pairing.ts";
import type { Retries } from "./retries.ts";
import type { Watch } from "./watch.ts";

/**
 * The parts of a session manager. `connectLimiter`: the limiter of opening sockets of all channels. `codeNumbers`: the
 * numbers whose code is in progress, over all channels.
 */
export type SessionManagerParts = {
  engine(): Promise<
    Pick<
      Engine,
      | "openKeys"
      | "connect"
      | "pairingCrypto"
      | "remainderOf"
      | "unlinkOld"
      | "hasNewerClient"
      | "usedClient"
      | "proxyFault"
    >
  >;
  connectLimiter: ConnectLimiter;
  codeNumbers: CodeNumbers;
  keepAliveMs?: number | undefined;
  /** The present restriction by the network. */
  restriction(): Restriction | undefined;
  bans: KeptBans;
};

export type Session = {
  activeSocket: ActiveSocket;
  keys: ChannelKeys;
  watch: Watch;
  /** Whether the network has one-time keys of this device. */
  hasOneTimeKeys(): boolean;
  leaveConnectLimiter(): void;
  isOpen: boolean;
};

/**
 * `new`: nothing was tried yet. `opening`: a socket is being opened. `live`: there is a socket. `waiting`: there will
 * be one. `idle`: there was no recent request for a pairing code. `paused`: it waits until its owner connects it.
 * `closed`: the link is closed, until `connect` is called.
 *
 * Concurrent causes do not cancel one another. A ban is a row of its own, which every opening checks: the end of
 * another wait, a restart and a newer client leave it. An owner who moved the identity out has cleared the channel's
 * time of validation, so that no start connects it. The owner's `connect` is meant to lift every pause of the session.
 */
export type Stage = "new" | "opening" | "live" | "waiting" | "idle" | "paused" | "closed";

/** The keys, `connect` to make sockets for them, and `shut` to refuse all later writes. */
export type Held = Pick<Engine, "connect" | "hasNewerClient" | "usedClient" | "pairingCrypto" | "proxyFault"> & {
  keys: ChannelKeys;
  shut(): void;
};

/** The state of a session. */
export type SessionState = {
  readonly host: ChannelHost;
  readonly parts: SessionManagerParts;
  readonly pairing: Pairing;
  readonly retries: Retries;
  stage: Stage;
  /** Increased whenever all running and scheduled work becomes void. */
  generation: number;
  cancelTimer: Cancel;
  held?: Held | undefined;
  session?: Session | undefined;
  renewal?: Promise<void> | undefined;
  reported?: LinkReport;
  /** Stays true until the session is open again, or until its owner connects it. */
  isOut: boolean;
  /** Its owner has asked for a login although the network may have banned the account. */
  isAsked: boolean;
  /** The number of sockets in a row that did not get through the proxy. */
  proxyFaults: number;
  /** A phone has accepted the identity, but it has not logged in since. */
  isFirstLogin: boolean;
};

/** Begins another stage: the timer is cancelled, and all running work belongs to an old generation. */
export const next = (self: SessionState, stage: Stage): number => {
  self.cancelTimer();
  self.stage = stage;
  self.generation += 1;
  return self.generation;
};

/** Reports a state; repeats the same state only with another reason or restriction. */
export const report = (self: SessionState, update: LinkReport): void => {
  const { reported } = self;
  const isSame = reported?.state === update.state && (update.reason === undefined || update.reason === reported.reason);
  if (isSame && isDeepStrictEqual(reported.restriction, update.restriction)) return;
  self.reported = update;
  self.host.report(update);
};

/** Ends in FAILED: the owner must act. */
export const fail = (self: SessionState): void => {
  next(self, "paused");
  self.isOut = true;
  report(self, { state: "FAILED", reason: "CREDENTIALS_UNREADABLE" });
};

/** Detaches the socket: from here on it publishes nothing. */
export const release = (self: SessionState): Session | undefined => {
  const { session } = self;
  self.session = undefined;
  session?.watch.stop();
  session?.leaveConnectLimiter();
  self.pairing.socketGone();
  return session;
};

/** From here on nothing is written. */
export const shutKeys = (self: SessionState): void => {
  self.held?.shut();
  self.held = undefined;
};
