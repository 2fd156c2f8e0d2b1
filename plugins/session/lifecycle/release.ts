import type { LinkReport } from "../../../src/contract/events.ts";
import { hasEndedWithin } from "../../../src/kernel/async.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { endSocket, unlink } from "./ends.ts";
import { fail, type Held, next, release, report, type Session, type SessionState, shutKeys } from "./session-state.ts";

// How a session gives up its identity, and how it closes. Both wait for the network and the disk, and the owner may
// connect, reset or close meanwhile. Each such act begins a new generation (`next`). Code that has awaited compares the
// generation with its own: if there is a newer one, it changes nothing more.

/** The time for work that was begun before a socket ended to reach the disk. */
const SETTLES_WITHIN_MS = 2 * SECOND_MS;

/**
 * The report of a renewal, and the function that runs afterwards. `isTakenBack`: the network has already unlinked the
 * identity.
 */
type Renewal = { report: LinkReport; isTakenBack?: boolean; open(): void };

/**
 * Gives up the identity, reports that and opens with a new one. A call during a renewal joins it. Throws when the keys
 * cannot be wiped, or when a newer act began meanwhile.
 */
export const renew = (self: SessionState, renewal: Renewal): Promise<void> => {
  self.renewal ??= startOver(self, renewal).finally(() => {
    self.renewal = undefined;
  });
  return self.renewal;
};

/** Gives up the identity for good. Never throws. */
export const forget = async (self: SessionState): Promise<void> => {
  const generation = next(self, "closed");
  try {
    await giveUpIdentity(self, generation, { isTakenBack: false });
  } catch (thrown) {
    self.host.log.warn({ reason: reasonOf(thrown) }, "the identity could not be wiped");
  }
};

/** Closes the session. The identity stays, and everything read until then is on disk. */
export const close = async (self: SessionState): Promise<void> => {
  next(self, "closed");
  const session = release(self);
  self.pairing.close();
  const { clock } = self.host;
  if (session) await endSocket(session.activeSocket.sock, clock);
  // before the keys are shut: the last stanzas of the socket may still be on their way to them
  if (self.held) await hasEndedWithin(clock, SETTLES_WITHIN_MS, self.held.keys.idle());
  shutKeys(self);
};

/** Unlinks the identities that could not be unlinked before. Resolves to true when none is left. Never throws. */
export const unlinkOld = async (self: SessionState, hold: () => Promise<Held>): Promise<boolean> => {
  if (self.stage === "opening" && !self.held) return false; // opening the keys a second time takes them over
  try {
    const { keys } = await hold();
    const engine = await self.parts.engine();
    return await engine.unlinkOld(keys.keyStore);
  } catch (thrown) {
    self.host.log.warn({ reason: reasonOf(thrown) }, "an old identity could not be unlinked yet");
    return false;
  }
};

const isCurrent = (self: SessionState, generation: number): boolean => generation === self.generation;

const startOver = async (self: SessionState, { report: update, isTakenBack = false, open }: Renewal): Promise<void> => {
  const generation = next(self, "opening");
  try {
    await giveUpIdentity(self, generation, { isTakenBack });
  } catch (thrown) {
    // a newer act has its own outcome
    if (isCurrent(self, generation)) fail(self);
    throw thrown;
  }
  self.isOut = false;
  self.isFirstLogin = false;
  report(self, update);
  self.pairing.noteRequest();
  open();
};

/**
 * The order matters. The socket is detached first, so that later stanzas are not published. The network is asked while
 * the socket is still open. The socket ends before the keys are shut, and the keys are shut before they are wiped: a
 * late write of the socket would bring them back.
 */
const giveUpIdentity = async (
  self: SessionState,
  generation: number,
  { isTakenBack }: { isTakenBack: boolean },
): Promise<void> => {
  const session = release(self);
  self.pairing.dropCodes();
  const isUnlinked = isTakenBack || (await isUnlinkedNow(self, session));
  if (session) await endSocket(session.activeSocket.sock, self.host.clock);
  shutKeys(self);
  if (isCurrent(self, generation)) await wipeKeys(self, isUnlinked);
  if (!isCurrent(self, generation)) throw new Error("the session was closed while it was being reset");
};

/** Asks the network to unlink the identity. False when it did not answer in time, or when no socket was open. */
const isUnlinkedNow = async ({ host }: SessionState, session: Session | undefined): Promise<boolean> =>
  session?.isOpen === true && (await unlink(session.activeSocket.sock, host.clock));

/** Wipes the keys. An identity that the network could not unlink is left behind, and unlinked at a later pairing. */
const wipeKeys = async ({ host, parts }: SessionState, isUnlinked: boolean): Promise<void> => {
  // opened again: the session's own is shut
  const keyStore = await host.vault.openKeyStore();
  const { remainderOf } = await parts.engine();
  // keys that cannot be read leave nothing behind, and are wiped as well
  const remainder = await remainderOf(keyStore, { isUnlinked }).catch(() => []);
  await keyStore.write({ wipe: true, rows: remainder });
};
