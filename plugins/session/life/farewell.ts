import type { LinkReport } from "../../../src/contract/events.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { atMost, endSocket, unlink } from "./ends.ts";
import { fail, letGo, next, report, type Standing, shutKeys } from "./standing.ts";

/** What was begun before a socket ended may take so long to reach the disk. */
const SETTLES_WITHIN_MS = 2 * SECOND_MS;

/** Gives up the identity, reports `news` and opens with a new one. Who asks while that happens joins it. Throws when it cannot be written. */
export const renew = (self: Standing, news: LinkReport, open: () => void): Promise<void> => {
  self.renewal ??= startOver(self, news, open).finally(() => {
    self.renewal = undefined;
  });
  return self.renewal;
};

const startOver = async (self: Standing, news: LinkReport, open: () => void): Promise<void> => {
  const mine = next(self, "opening");
  try {
    await giveUpIdentity(self, mine);
  } catch (thrown) {
    if (mine === self.generation) fail(self);
    throw thrown;
  }
  self.isOut = false;
  self.isFirstLogin = false;
  report(self, news);
  self.pairing.want();
  open();
};

const giveUpIdentity = async (self: Standing, mine: number): Promise<void> => {
  const { clock, vault } = self.host;
  const session = letGo(self);
  self.pairing.done();
  if (session?.isOpen) await unlink(session.wire.sock, clock);
  if (session) await endSocket(session.wire.sock, clock);
  shutKeys(self);
  // read or not: keys that nobody can read any more are wiped as well
  if (mine === self.generation) await (await vault.openRing()).write({ wipe: true });
  if (mine !== self.generation) throw new Error("the session was closed while it was being reset");
};

/** Gives up the identity for good. Never throws. */
export const forget = (self: Standing): Promise<void> =>
  giveUpIdentity(self, next(self, "closed")).catch((thrown: unknown) => {
    self.host.log.warn({ reason: reasonOf(thrown) }, "the identity could not be wiped");
  });

/** Ends everything; the identity stays, and what was read by then is on disk. */
export const close = async (self: Standing): Promise<void> => {
  next(self, "closed");
  const session = letGo(self);
  self.pairing.close();
  const { clock } = self.host;
  if (session) await endSocket(session.wire.sock, clock);
  if (self.held) await atMost(clock, SETTLES_WITHIN_MS, self.held.keys.idle());
  shutKeys(self);
};
