import type { LinkReport } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { Cancel } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import type { Engine } from "../engine.ts";
import type { ChannelKeys } from "../keys/keys.ts";
import type { ConnectLimiter } from "./connect-limiter.ts";
import type { Pairing } from "./pairing.ts";
import type { Retries } from "./retries.ts";
import type { Watch } from "./watch.ts";

/** What a life is made of. `gate`: where sockets of all channels wait for their turn to open. */
export type SessionManagerParts = {
  engine(): Promise<Pick<Engine, "openKeys" | "connect" | "remainderOf" | "unlinkOld">>;
  connectLimiter: ConnectLimiter;
};

export type Session = {
  activeSocket: ActiveSocket;
  keys: ChannelKeys;
  watch: Watch;
  leaveConnectLimiter(): void;
  isOpen: boolean;
};

/**
 * `new`: nothing was tried yet. `opening`: on the way to a socket. `live`: there is one. `waiting`: there will be one.
 * `idle`: nobody wants to pair. `parked`: only the owner can mend it. `closed`: the link is over, until it is connected
 * anew.
 */
export type Stage = "new" | "opening" | "live" | "waiting" | "idle" | "parked" | "closed";

/** The keys, what makes sockets for them, and what keeps anything more from being written with them. */
export type Held = { keys: ChannelKeys; connect: Engine["connect"]; shut(): void };

/** How a session stands. */
export type SessionState = {
  readonly host: ChannelHost;
  readonly parts: SessionManagerParts;
  readonly pairing: Pairing;
  readonly retries: Retries;
  stage: Stage;
  /** Counted up by whatever makes all that is under way or scheduled void. */
  generation: number;
  cancelTimer: Cancel;
  held?: Held | undefined;
  session?: Session | undefined;
  renewal?: Promise<void> | undefined;
  reported?: LinkReport;
  /** A channel that is out of order stays so until it is open again, or its owner has it connect. */
  isOut: boolean;
  /** A phone has accepted the identity, which has not logged in since. */
  isFirstLogin: boolean;
};

/** Another stage begins: what was scheduled is dropped, and what is under way finds its generation over. */
export const next = (self: SessionState, stage: Stage): number => {
  self.cancelTimer();
  self.stage = stage;
  self.generation += 1;
  return self.generation;
};

/** The same state again is news only where it has another reason. */
export const report = (self: SessionState, update: LinkReport): void => {
  if (self.reported?.state === update.state && (update.reason === undefined || update.reason === self.reported.reason))
    return;
  self.reported = update;
  self.host.report(update);
};

/** The owner has to mend it. */
export const fail = (self: SessionState): void => {
  next(self, "parked");
  self.isOut = true;
  report(self, { state: "FAILED", reason: "CREDENTIALS_UNREADABLE" });
};

/** From here on nothing of the socket is told any more. */
export const release = (self: SessionState): Session | undefined => {
  const { session } = self;
  self.session = undefined;
  session?.watch.stop();
  session?.leaveConnectLimiter();
  self.pairing.gone();
  return session;
};

/** From here on nothing is written any more. */
export const shutKeys = (self: SessionState): void => {
  self.held?.shut();
  self.held = undefined;
};
