import type { ScheduledStatus } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { scheduledTexts } from "./texts.ts";

const TONES: Record<ScheduledStatus, BadgeTone> = {
  PENDING: "info",
  PROCESSING: "busy",
  SENT: "good",
  FAILED: "bad",
  CANCELED: "neutral",
};

export const ScheduledBadge = ({ status }: { status: ScheduledStatus }) => (
  <Badge tone={TONES[status]}>{scheduledTexts().states[status]}</Badge>
);
