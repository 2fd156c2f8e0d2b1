import type { LinkReport } from "../../../src/contract/events.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { endSocket, unlink } from "./ends.ts";
import { fail, type Held, next, release, report, type SessionState, shutKeys } from "./session-state.ts";

/** What was begun before a socket ended may take so long to reach the disk. */
const SETTLES_WITHIN_MS = 2 * SECOND_MS;

/** What is reported, and what runs afterwards. `isTakenBack`: the network has already unlinked the identity. */
type Renewal = { report: LinkReport; isTakenBack?: boolean; open(): void };

/**
 * Gives up the identity, reports it and opens with a new one. A caller that asks while that happens joins it. Throws
 * when it cannot be written.
 */
export const renew = (self: SessionState, renewal: Renewal): Promise<void> => {
  self.renewal ??= startOver(self, renewal).finally(() => {
    self.renewal = undefined;
  });
  return self.renewal;
};

const startOver = async (self: SessionState, { report: update, isTakenBack = false, open }: Renewal): Promise<void> => {
  const mine = next(self, "opening");
  try {
    await giveUpIdentity(self, mine, isTakenBack);
  } catch (thrown) {
    if (mine === self.generation) fail(self);
    throw thrown;
  }
  self.isOut = false;
  self.isFirstLogin = false;
  report(self, update);
  self.pairing.want();
  open();
};

const giveUpIdentity = async (self: SessionState, mine: number, isTakenBack = false): Promise<void> => {
  const { clock, vault } = self.host;
  const session = release(self);
  self.pairing.done();
  const isUnlinked = isTakenBack || (session?.isOpen === true && (await unlink(session.activeSocket.sock, clock)));
  if (session) await endSocket(session.activeSocket.sock, clock);
  shutKeys(self);
  // also when they cannot be read: unreadable keys are wiped as well
  if (mine === self.generation) {
    const [keyStore, { remainderOf }] = [await vault.openKeyStore(), await self.parts.engine()];
    await keyStore.write({ wipe: true, rows: await remainderOf(keyStore, { isUnlinked }).catch(() => []) });
  }
  if (mine !== self.generation) throw new Error("the session was closed while it was being reset");
};

/** Unlinks the identities that could not be unlinked before. Resolves to true when none is left. Never throws. */
export const unlinkOld = async (self: SessionState, hold: () => Promise<Held>): Promise<boolean> => {
  if (self.stage === "opening" && !self.held) return false; // opening the keys a second time takes them over
  try {
    const [{ keys }, engine] = [await hold(), await self.parts.engine()];
    return await engine.unlinkOld(keys.keyStore);
  } catch (thrown) {
    self.host.log.warn({ reason: reasonOf(thrown) }, "an old identity could not be unlinked yet");
    return false;
  }
};

/** Gives up the identity for good. Never throws. */
export const forget = (self: SessionState): Promise<void> =>
  giveUpIdentity(self, next(self, "closed")).catch((thrown: unknown) => {
    self.host.log.warn({ reason: reasonOf(thrown) }, "the identity could not be wiped");
  });

/** Closes the session. The identity stays, and everything read until then is on disk. */
export const close = async (self: SessionState): Promise<void> => {
  next(self, "closed");
  const session = release(self);
  self.pairing.close();
  const { clock } = self.host;
  if (session) await endSocket(session.activeSocket.sock, clock);
  if (self.held) await hasEndedWithin(clock, SETTLES_WITHIN_MS, self.held.keys.idle());
  shutKeys(self);
};
