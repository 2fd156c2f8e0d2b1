import type { Call } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { BadgeTone } from "../../parts/badge.tsx";

export const STATE_TONES: Record<Call["status"], BadgeTone> = {
  RINGING: "busy",
  ACCEPTED: "busy",
  IN_PROGRESS: "good",
  COMPLETED: "neutral",
  REJECTED: "neutral",
  MISSED: "warning",
  FAILED: "bad",
};

/** The text of a person's id: a number with its plus, any other id unchanged. */
export const peerName = (peer: string): string => (/^\d+$/.test(peer) ? `+${peer}` : peer);
