import type { Restriction } from "../../src/contract/abilities/restriction.ts";
import type { Asking } from "../../src/contract/asking.ts";
import type { LinkReport } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";

export type RestrictionWatch = {
  /** Reads the outcome of a send that began in the generation `begun`. */
  note(begun: number, outcome: SendOutcome): void;
  /** The report of a connection that lasts, with its restriction. */
  lasting(profile: NonNullable<LinkReport["profile"]>): LinkReport;
  /** A new connection begins without a restriction. */
  reset(): void;
};

/**
 * The network tells a restriction by refusing a send. It names no end, and no call reads the state: the restriction
 * lasts until the network accepts a send, or until the account is connected again.
 */
export const createRestriction = (asking: Asking): RestrictionWatch => {
  let restriction: Restriction | undefined;
  return {
    note(begun, outcome) {
      if (begun !== asking.generation) return;
      if (outcome.ok && restriction) {
        restriction = undefined;
        asking.report(begun, { state: "CONNECTED" });
      } else if (!outcome.ok && outcome.code === "UPSTREAM_ACCOUNT_RESTRICTED" && !restriction) {
        restriction = { reason: "SENDING_RESTRICTED", until: null, allows: "none", text: outcome.reason };
        asking.report(begun, { state: "RESTRICTED", restriction });
      }
    },
    lasting: (profile) =>
      restriction ? { state: "RESTRICTED", restriction, profile } : { state: "CONNECTED", profile },
    reset: () => {
      restriction = undefined;
    },
  };
};
