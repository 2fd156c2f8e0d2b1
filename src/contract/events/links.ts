import type { PairingNotice } from "../abilities/pairing.ts";
import type { Restriction } from "../abilities/restriction.ts";

/**
 * An unrequested report of the channel's health. Without a state, only the values in `profile` changed. `isInDoubt`:
 * the report is ambiguous, so Recado has to ask the network.
 */
export type HealthChanged = {
  kind: "health";
  at: number;
  state?: LinkState;
  reason?: string;
  profile?: Record<string, unknown>;
  isInDoubt?: boolean;
};

/**
 * The progress of a sync, or its refusal by the owner. `imported`: the number of messages just imported; progress with
 * it is published.
 */
export type SyncProgress = {
  kind: "sync";
  at: number;
  what: "contacts" | "history";
  percent: number;
  refusal?: string;
  imported?: number;
};

/**
 * The version with which the channel's link speaks to the network. `expiresAt`: when the network ends it, in
 * milliseconds; null if the network withdrew the end; absent if it announced nothing.
 */
export type ClientUpdate = { kind: "client"; at: number; version: string; expiresAt?: number | null };

/**
 * The state of a channel's connection; the nine values of the gateway. `RESTRICTED`: connected, but the network
 * restricts the account; `LinkReport.restriction` says how.
 */
export const LINK_STATES = [
  "PENDING",
  "PENDING_QR",
  "PENDING_WEBHOOK",
  "CONNECTING",
  "CONNECTED",
  "RESTRICTED",
  "DISCONNECTED",
  "TOKEN_EXPIRED",
  "FAILED",
] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The states in which a channel can send. */
export const OPEN_STATES: readonly LinkState[] = ["CONNECTED", "RESTRICTED"];
export const isOpenState = (state: LinkState): boolean => OPEN_STATES.includes(state);

/**
 * A report of a channel's health. `profile` holds attributes of the number that an API shows (quality, throughput …).
 * `restriction`: the network's restriction; it lasts until a report in an open state omits it. `pairing`: the task of
 * the person who links the channel, while its state is `PENDING_QR`.
 */
export type LinkReport = {
  state: LinkState;
  reason?: string;
  phoneNumber?: string;
  profile?: Record<string, unknown>;
  restriction?: Restriction;
  pairing?: PairingNotice;
};
