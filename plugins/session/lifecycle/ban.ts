import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import type { KeyRow } from "../../../src/contract/ports/key-store.ts";
import type { Lasting } from "../outbound/limits/limits.ts";
import type { PauseReason } from "./disconnects.ts";

/**
 * The network refuses logins: until a time in milliseconds, or until the owner asks for a login. `reason` and
 * `restriction` are reported meanwhile; without a reason the session counts as connecting.
 */
export type Ban = { until: number | null; reason?: PauseReason; restriction?: Restriction };

/** The ban of an identity. Every login in its time makes it longer, so it is kept over restarts. */
export type Bans = Lasting & {
  /** The ban that holds at that time. */
  at(now: number): Ban | undefined;
  set(ban: Ban | undefined): void;
};

export const createBans = (): Bans => {
  let ban: Ban | undefined;
  return {
    at: (now) => (ban && (ban.until === null || now < ban.until) ? ban : undefined),
    set(next) {
      ban = next;
    },
    state: () => ban ?? null,
    recall(state) {
      ban = (state as Ban | null | undefined) ?? undefined; // written by `state` alone
    },
  };
};

/** The ban of a session, and the row that keeps it. */
export type KeptBans = Pick<Bans, "at" | "set" | "state"> & { row(): KeyRow };
