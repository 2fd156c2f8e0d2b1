import type { TemplateStatus } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { templatesTexts } from "./texts.ts";

const TONES: Record<TemplateStatus, BadgeTone> = {
  DRAFT: "neutral",
  PENDING: "busy",
  APPROVED: "good",
  REJECTED: "bad",
  PAUSED: "warning",
};

export const TemplateBadge = ({ status }: { status: TemplateStatus }) => (
  <Badge tone={TONES[status]}>{templatesTexts().states[status]}</Badge>
);

/** The advice about a refusal. */
export const adviceFor = (reason: string): string => {
  const { advice } = templatesTexts();
  return Object.hasOwn(advice, reason) ? advice[reason as keyof typeof advice] : advice.other;
};
