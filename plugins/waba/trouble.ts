import type { HealthChanged } from "../../src/contract/events.ts";
import { iso } from "../../src/kernel/clock.ts";

/**
 * TABLE: refusals that concern the whole number until its owner acts at the network, and the text that the phone shows.
 */
const TROUBLES: ReadonlyMap<number, string> = new Map([
  [131042, "PAYMENT"],
  [131064, "TEMPLATES_MISCLASSIFIED"],
]);

/** The phone's text for a refusal that concerns the whole number; undefined for any other refusal. */
export const troubleOf = (
  code: number | undefined,
  { at, reason }: { at: number; reason: string },
): HealthChanged | undefined => {
  const name = code === undefined ? undefined : TROUBLES.get(code);
  if (name === undefined) return undefined;
  return { kind: "health", at, profile: { wabaSendProblem: { reason: name, code, message: reason, at: iso(at) } } };
};
