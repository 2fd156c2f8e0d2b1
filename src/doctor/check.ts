import { withTimeout } from "../kernel/async.ts";
import { reasonOf } from "../kernel/errors.ts";
import { fileRemedy } from "../kernel/file-faults.ts";
import type { Installation } from "./installation.ts";

/** The result of a check. `fault`: something does not work, or soon will not. `skipped`: the check does not apply. */
export type Outcome = "ok" | "warning" | "fault" | "skipped";

/** The finding, and in one sentence its remedy. */
export type Finding = { outcome: Outcome; found: string; remedy?: string };

/** A finding with the name of its check. */
export type Report = { name: string } & Finding;

/**
 * One check. `isLong`: it may block the process for longer than its time limit, and runs in another process.
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

/** The reason of an error, without the prefix of a plain `Error`. */
export const saidBy = (thrown: unknown): string => reasonOf(thrown).replace(/^Error: /, "");

/** The weight of each outcome. */
const WEIGHTS: Record<Outcome, number> = { skipped: 0, ok: 1, warning: 2, fault: 3 };

/**
 * The worst outcome of several findings, with the texts and remedies of all findings that have this outcome.
 */
export const worstOf = (findings: readonly Finding[]): Finding => {
  const worst = Math.max(...findings.map(({ outcome }) => WEIGHTS[outcome]));
  const reported = findings.filter(({ outcome }) => WEIGHTS[outcome] === worst);
  const [first] = reported;
  if (!first) return skipped("nothing to check");
  const remedies = [...new Set(reported.flatMap(({ remedy }) => remedy ?? []))];
  return {
    outcome: first.outcome,
    found: reported.map(({ found }) => found).join("; "),
    ...(remedies.length > 0 ? { remedy: remedies.join("; ") } : {}),
  };
};

/** The time limit of a check, in ms, by default. */
export const LIMIT_MS = 6000;

/** Turns an error of a check into a fault, with the remedy for its cause if the file system names one. */
const settled = async (name: string, work: Promise<Finding>, { config }: Installation): Promise<Report> => {
  try {
    return { name, ...(await work) };
  } catch (thrown) {
    const remedy = fileRemedy(thrown, config.dataDir);
    const toEnd = `run recado doctor --only ${name}, which has no time limit, to see where it stops`;
    return { name, ...fault(saidBy(thrown), remedy ?? toEnd) };
  }
};

/** Runs a check within its time limit. A check that hangs is a fault and does not delay the others. */
export const runCheck = ({ name, run, limitMs = LIMIT_MS }: Check, installation: Installation): Promise<Report> =>
  settled(
    name,
    withTimeout(limitMs, run(installation), { message: `no end within ${limitMs / 1000} s` }),
    installation,
  );

/** Runs a check without a time limit. */
export const runToEnd = ({ name, run }: Check, installation: Installation): Promise<Report> =>
  settled(name, run(installation), installation);
