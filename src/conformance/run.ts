import { withTimeout } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";
import { openBench, type Pupil, traitsOf } from "./bench.ts";
import { LAWS, type Law } from "./laws.ts";

/** The result of one law. `skipped`: the law does not apply to this adapter. */
export type Verdict = { law: string; outcome: "kept" | "broken" | "skipped"; reason?: string };

/** The time limit of one law, including the set-up. */
const LAW_MS = 60_000;

/**
 * Tests an adapter against every law, each with its own set-up and link. Never throws: a set-up that fails, or a law
 * that takes longer than a minute of `clock`, is a broken law.
 */
export const judge = async function* (
  folder: string,
  clock: Clock,
  setup: () => Promise<Pupil>,
): AsyncGenerator<Verdict> {
  for (const law of LAWS) yield await verdictOf(law, folder, clock, setup);
};

const verdictOf = async (
  { title: law, isFor, hold }: Law,
  folder: string,
  clock: Clock,
  setup: () => Promise<Pupil>,
): Promise<Verdict> => {
  const examined = async (): Promise<Verdict> => {
    const pupil = await setup();
    const traits = traitsOf(pupil);
    if (!(isFor?.(traits) ?? true)) {
      await pupil.close();
      return { law, outcome: "skipped" };
    }
    const bench = await openBench(pupil, folder);
    try {
      await Promise.race([hold(bench, traits), bench.failed]);
      return { law, outcome: "kept" };
    } finally {
      await bench.close();
    }
  };
  try {
    return await withTimeout(LAW_MS, examined(), { clock, message: `it has not ended within ${LAW_MS / 1000} s` });
  } catch (thrown) {
    return { law, outcome: "broken", reason: reasonOf(thrown) };
  }
};
