import type { ChannelEvent, Identity } from "../../../src/contract/events.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import { numberOf, textOf } from "../../meta/json.ts";

/**
 * One change of an envelope, as its readers need it. `at` is the time of the entry, 0 if it has none; `own` is the
 * channel's number.
 */
export type Change = { field: string; at: number; value: Json; contacts: readonly Json[]; own: Identity };

/** The events of a change, in their order. Never throws: an unknown change becomes an `unknown` event. */
export type ChangeReader = (change: Change) => ChannelEvent[];

const MAX_NAME_LENGTH = 60;
const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold

/** Timestamps are seconds, mostly as text; 0 for an invalid one. */
export const millisecondsOf = (seconds: unknown): number => {
  const at = Math.round((numberOf(seconds) ?? 0) * SECOND_MS);
  return at > 0 && at <= MAX_DATE_MS ? at : 0;
};

/** A name from the envelope, short enough for a log line. */
export const nameOf = (value: unknown): string => (textOf(value) ?? "without a name").slice(0, MAX_NAME_LENGTH);

export const unknownEvent = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });
