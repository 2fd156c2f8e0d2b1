import type { Cancel, Clock } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";

/** What must answer for a process to count as alive, by the name that people know it by. */
export type Proofs = Readonly<Record<string, () => Promise<unknown>>>;

export type Pulse = {
  clock: Clock;
  everyMs: number;
  proofs: Proofs;
  /** All have answered before the next question was due. */
  beat(): void;
  /** What has not answered in time, or failed, and why. */
  missed(faults: readonly string[]): void;
};

/**
 * Asks for all proofs at once, again and again; while an answer is outstanding nothing new is asked, and one that comes
 * late counts for nothing.
 */
export const startHeartbeat = ({ clock, everyMs, proofs, beat, missed }: Pulse): Cancel => {
  let unanswered = new Set<string>();
  let cancel: Cancel = () => {};
  let isEnded = false;

  const tick = () => {
    cancel = clock.timer(everyMs, tick);
    if (unanswered.size === 0) void ask();
    else missed([...unanswered].map((name) => `${name} does not answer`));
  };
  const ask = async () => {
    const askedAt = clock.now();
    const faults: string[] = [];
    unanswered = new Set(Object.keys(proofs));
    const prove = async ([name, proof]: [string, () => Promise<unknown>]) => {
      await proof().catch((error: unknown) => faults.push(`${name} fails: ${reasonOf(error)}`));
      unanswered.delete(name);
    };
    await Promise.all(Object.entries(proofs).map(prove));
    if (isEnded) return;
    if (faults.length > 0) missed(faults);
    else if (clock.now() - askedAt < everyMs) beat();
  };

  tick();
  return () => {
    isEnded = true;
    cancel();
  };
};
