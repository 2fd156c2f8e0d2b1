import type { ComponentChildren } from "preact";

export type BadgeTone = "good" | "busy" | "warning" | "bad" | "neutral" | "info";

/** A state in a word. The dot has the colour; the word says the same. */
export const Badge = ({ tone = "neutral", children }: { tone?: BadgeTone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
