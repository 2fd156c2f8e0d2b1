import type { LoggedMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { BadgeTone } from "../../parts/badge.tsx";
import { lifeTexts } from "./life-texts.ts";
import { messagesTexts } from "./texts.ts";
import { wordsOf } from "./words.ts";

export const STATUS_TONES: Readonly<Record<LoggedMessage["status"], BadgeTone>> = {
  QUEUED: "busy",
  SENT: "info",
  DELIVERED: "info",
  READ: "good",
  FAILED: "bad",
  RECEIVED: "neutral",
};

/** The type of a message in a word; the network's own word for a type without a text here. */
export const typeName = (type: string): string => {
  const { types } = messagesTexts();
  return Object.hasOwn(types, type) ? types[type as keyof typeof types] : type;
};

const SHOWN_IN_LISTS = 160;

/** One line of a message for a list: its words or those that a voice note says, after its type if it is no text. */
export const lineOf = ({
  type,
  content,
  transcript,
}: Pick<LoggedMessage, "type" | "content" | "transcript">): string => {
  const words = (transcript ?? wordsOf(content)).replaceAll(/\s+/g, " ").trim();
  const short = words.length > SHOWN_IN_LISTS ? `${words.slice(0, SHOWN_IN_LISTS)}…` : words;
  if (type === "text") return short;
  return short === "" ? typeName(type) : `${typeName(type)}: ${short}`;
};

/** The advice about a failure; undefined if only its reason is known. */
export const adviceOf = (code: string | null): string | undefined => {
  const { advice } = lifeTexts();
  return code !== null && Object.hasOwn(advice, code) ? advice[code as keyof typeof advice] : undefined;
};
