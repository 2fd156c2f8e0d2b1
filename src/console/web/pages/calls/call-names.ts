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

/** A person as people read it: a number with its plus, any other id as it is. */
export const peerName = (peer: string): string => (/^\d+$/.test(peer) ? `+${peer}` : peer);
