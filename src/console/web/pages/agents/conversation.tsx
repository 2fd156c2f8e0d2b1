import type { AiConversation } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { BadgeTone } from "../../parts/badge.tsx";
import { agentsTexts } from "./texts.ts";

export const STATE_TONES: Record<AiConversation["status"], BadgeTone> = {
  AI: "good",
  HUMAN_HANDOFF: "warning",
  CLOSED: "neutral",
};

/** The text of a contact for people: a number with its plus, else the key. */
export const contactName = (key: string): string =>
  key.startsWith("pn:") ? `+${key.slice(3)}` : key.slice(key.indexOf(":") + 1);

/** Why a person has a conversation: a known reason in words, or the words of the program that handed it over. */
export const Reason = ({ reason }: { reason: string | null }) => {
  const { reasons } = agentsTexts();
  if (reason === null) return <span class="soft">–</span>;
  return <>{reason in reasons ? reasons[reason as keyof typeof reasons] : reason}</>;
};
