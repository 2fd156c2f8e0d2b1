import type { UpstreamFailure } from "../upstream.ts";

export const HANDOVER_ACTIONS = ["pass", "take", "release"] as const;
export type HandoverAction = (typeof HANDOVER_ACTIONS)[number];

/**
 * A request about who leads a conversation. `to` is a canonical key. `targetRole` names the app that leads it after
 * `pass`; by default the network chooses one. `metadata` is a text for that app.
 */
export type HandoverOrder = { action: HandoverAction; to: string; targetRole?: string; metadata?: string };

/**
 * The outcome of such a request.
 * - `held`: another app leads the conversation, and only that app may do this.
 * - `role`: the role of this app at the network does not allow the action.
 * - `unsupported`: the network has no such call for this account.
 */
export type HandoverOutcome =
  | { ok: true }
  | { ok: false; kind: "held" | "role" | "unsupported"; reason: string }
  | UpstreamFailure;

/** The conversations of a number that several apps share. Never throws. */
export type HandoverApi = { change(order: HandoverOrder): Promise<HandoverOutcome> };
