import type { Cancel, Clock } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";

/** Functions that must all resolve for the process to count as alive. The key is the name shown to the operator. */
export type Proofs = Readonly<Record<string, () => Promise<unknown>>>;

type HeartbeatOptions = {
  clock: Clock;
  /** Time between two checks, and the time that one check may take, in ms. */
  everyMs: number;
  proofs: Proofs;
  /** Called when all proofs resolved within `everyMs`. */
  onAlive(): void;
  /** Called when a proof rejected or did not resolve in time, with the reasons. */
  onMissed(faults: readonly string[]): void;
};

/**
 * Checks all proofs at once, every `everyMs`, until the returned function is called. No new check begins while a proof
 * is outstanding. A proof that resolves late does not count.
 */
export const startHeartbeat = ({ clock, everyMs, proofs, onAlive, onMissed }: HeartbeatOptions): Cancel => {
  let unanswered = new Set<string>();
  let cancel: Cancel = () => {};
  let isEnded = false;

  const tick = () => {
    cancel = clock.timer(everyMs, tick);
    if (unanswered.size === 0) void check();
    else onMissed([...unanswered].map((name) => `${name} does not answer`));
  };
  const check = async () => {
    const startedAt = clock.now();
    const faults: string[] = [];
    unanswered = new Set(Object.keys(proofs));
    const prove = async ([name, proof]: [string, () => Promise<unknown>]) => {
      await proof().catch((error: unknown) => faults.push(`${name} fails: ${reasonOf(error)}`));
      unanswered.delete(name);
    };
    await Promise.all(Object.entries(proofs).map(prove));
    if (isEnded) return;
    if (faults.length > 0) onMissed(faults);
    else if (clock.now() - startedAt < everyMs) onAlive();
  };

  tick();
  return () => {
    isEnded = true;
    cancel();
  };
};
