import { withTimeout } from "../kernel/async.ts";
import { reasonOf } from "../kernel/errors.ts";
import type { Installation } from "./installation.ts";

/**
 * What became of a check. Only a `fault` is one: something does not work, or soon will not. `skipped` is what does not
 * apply here.
 */
export type Outcome = "ok" | "warning" | "fault" | "skipped";

/** What was found, and what to do about it in one sentence. */
export type Finding = { outcome: Outcome; found: string; remedy?: string };

/** A finding with the name of its check. */
export type Report = { name: string } & Finding;

/**
 * One thing that is looked at. `isLong`: it may hold this process up for longer than a check has time, and is run in
 * one of its own.
 */
export type Check = {
  name: string;
  limitMs?: number;
  isLong?: true;
  run(installation: Installation): Promise<Finding>;
};

export const ok = (found: string): Finding => ({ outcome: "ok", found });
export const skipped = (found: string, remedy?: string): Finding => ({
  outcome: "skipped",
  found,
  ...(remedy === undefined ? {} : { remedy }),
});
export const warning = (found: string, remedy: string): Finding => ({ outcome: "warning", found, remedy });
export const fault = (found: string, remedy: string): Finding => ({ outcome: "fault", found, remedy });

/** What an error says, without the name of a plain one. */
export const saidBy = (thrown: unknown): string => reasonOf(thrown).replace(/^Error: /, "");

/** How much each outcome matters. */
const WEIGHTS: Record<Outcome, number> = { skipped: 0, ok: 1, warning: 2, fault: 3 };

/**
 * The one of several findings that matters most, the first of equals; what the others found that is as bad is told with
 * it.
 */
export const worstOf = (findings: readonly Finding[]): Finding => {
  const worst = Math.max(...findings.map(({ outcome }) => WEIGHTS[outcome]));
  const told = findings.filter(({ outcome }) => WEIGHTS[outcome] === worst);
  const [first] = told;
  if (!first) return skipped("nothing to look at");
  const remedies = [...new Set(told.flatMap(({ remedy }) => remedy ?? []))];
  return {
    outcome: first.outcome,
    found: told.map(({ found }) => found).join("; "),
    ...(remedies.length > 0 ? { remedy: remedies.join("; ") } : {}),
  };
};

/** How long a check has that does not say otherwise. */
export const LIMIT_MS = 6000;

/** A check that throws is a fault of its name. */
const settled = async (name: string, work: Promise<Finding>): Promise<Report> => {
  try {
    return { name, ...(await work) };
  } catch (thrown) {
    return {
      name,
      ...fault(saidBy(thrown), `run recado doctor --only ${name}, which has no time limit, to see where it stops`),
    };
  }
};

/** Runs a check within its time; one that hangs is a fault of its name, and holds up no other. */
export const runCheck = ({ name, run, limitMs = LIMIT_MS }: Check, installation: Installation): Promise<Report> =>
  settled(name, withTimeout(limitMs, run(installation), { message: `no end within ${limitMs / 1000} s` }));

/** Runs a check to its end. */
export const runToEnd = ({ name, run }: Check, installation: Installation): Promise<Report> =>
  settled(name, run(installation));
