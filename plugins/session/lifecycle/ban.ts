import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import type { KeyRow } from "../../../src/contract/ports/key-store.ts";
import type { Lasting } from "../outbound/limits/limits.ts";
import type { PauseReason } from "./disconnects.ts";

/** Why a session is paused over restarts. */
export type LastingReason = PauseReason | "REPLACED" | "OLD_SERVER_RUNS";

/**
 * No login is allowed: until a time in milliseconds, or until the owner asks for a login. `reason` and `restriction`
 * are reported meanwhile; without a reason the session counts as connecting. `version`: the refused one of the client;
 * a newer one ends the ban.
 */
export type Ban = { until: number | null; reason?: LastingReason; restriction?: Restriction; version?: number };

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
