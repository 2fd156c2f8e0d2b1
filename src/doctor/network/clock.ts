import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { clockFault, SET_CLOCK } from "../../store/laws/clock-fault.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning } from "../check.ts";
import { onDatabase } from "../database/database.ts";
import type { Answered, Installation } from "../installation.ts";
import { serverTime } from "../work.ts";

const WARNING_MS = 30 * SECOND_MS;
const FAULT_MS = 5 * MINUTE_MS;
/** The time by which our clock is ahead of the upstream's, in ms; undefined without a Date header. */
const aheadOf = ({ result, atMs }: Answered): number | undefined => {
  const theirs = result.ok ? Date.parse(result.headers["date"] ?? "") : Number.NaN;
  return Number.isNaN(theirs) ? undefined : atMs - theirs;
};

/** A fault if the clock is before a known past time, which needs no request. */
const pastFault = async (installation: Installation): Promise<Finding | undefined> => {
  const builtAt = installation.builtAt();
  const made = await clockFault(undefined, { nowMs: installation.clock.now(), builtAt });
  if (made !== undefined) return fault(made, SET_CLOCK);
  const written = await onDatabase(installation, async (reader) => {
    const nowMs = await serverTime(installation, reader);
    const found = await clockFault(reader, { nowMs, builtAt });
    return found === undefined ? ok("after the newest row") : fault(found, SET_CLOCK);
  });
  return written.outcome === "fault" ? written : undefined;
};

/**
 * The machine's clock is not before this program and the newest row of the database, and agrees with the clocks of the
 * upstreams, which other checks ask anyway.
 */
export const clock: Check = {
  name: "clock",
  async run(installation: Installation) {
    const past = await pastFault(installation);
    if (past) return past;
    const answers = await Promise.all((await installation.upstreams()).map(installation.ask));
    const ahead = answers.flatMap((answer) => aheadOf(answer) ?? []).toSorted((a, b) => Math.abs(a) - Math.abs(b));
    // the smallest difference: an upstream's clock may be wrong, too
    const [least] = ahead;
    if (least === undefined) return skipped("no upstream was asked, so there is no clock to compare with");
    const found = `${Math.abs(Math.round(least / SECOND_MS))} s ${least < 0 ? "behind" : "ahead of"} the upstreams`;
    if (Math.abs(least) > FAULT_MS) return fault(found, SET_CLOCK);
    return Math.abs(least) > WARNING_MS ? warning(found, SET_CLOCK) : ok(found);
  },
};

/** The time zone of billing is known. */
export const timeZone: Check = {
  name: "time-zone",
  async run({ config: { billingTz }, clock: { now } }) {
    try {
      const days = [now(), now() + DAY_MS].map((at) =>
        new Intl.DateTimeFormat("en-CA", { timeZone: billingTz, dateStyle: "short" }).format(at),
      );
      return new Set(days).size === 2
        ? ok(`${billingTz}, where today is ${days[0]}`)
        : fault(`the days of ${billingTz} cannot be distinguished`, "set RECADO_BILLING_TZ to UTC");
    } catch (error) {
      return fault(
        `${billingTz} is not known: ${saidBy(error)}`,
        "set RECADO_BILLING_TZ to a zone of the IANA database, such as America/Sao_Paulo",
      );
    }
  },
};
