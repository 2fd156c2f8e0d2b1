import type { Batch } from "../../../../../clients/typescript/src/generated/platform.ts";
import { number } from "../../frame/texts/format.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { batchesTexts } from "./texts.ts";

/** A batch's state in people's words. A waiting batch says its reason. */
export type ShownState = Batch["status"] | "paused" | "planned" | "closed" | "away";

export const isUnfinished = ({ status }: Pick<Batch, "status">): boolean => status === "QUEUED" || status === "RUNNING";

export const stateOf = (batch: Batch, nowMs = Date.now()): ShownState => {
  if (!isUnfinished(batch)) return batch.status;
  if (batch.pausedAt !== null) return "paused";
  if (batch.status === "QUEUED" && batch.startsAt !== null && Date.parse(batch.startsAt) > nowMs) return "planned";
  if (batch.opensAt !== null) return "closed";
  return batch.waitingSince === null ? batch.status : "away";
};

const TONES: Record<ShownState, BadgeTone> = {
  QUEUED: "neutral",
  RUNNING: "busy",
  COMPLETED: "good",
  FAILED: "bad",
  CANCELLED: "neutral",
  paused: "warning",
  planned: "info",
  closed: "info",
  away: "warning",
};

export const BatchBadge = ({ batch }: { batch: Batch }) => {
  const state = stateOf(batch);
  return <Badge tone={TONES[state]}>{batchesTexts().states[state]}</Badge>;
};

/** TABLE: the parts of the bar, in their order. */
const PARTS = ["sent", "failed", "cancelled"] as const;

/** The progress of a batch by the outcomes of its recipients, as a bar with its numbers. */
export const ProgressBar = ({ batch, isLarge = false }: { batch: Batch; isLarge?: boolean }) => {
  const t = batchesTexts().one;
  const total = Math.max(1, batch.total);
  const done = batch.total - batch.pending - batch.cancelled;
  let x = 0;
  return (
    <div class={`batch-progress ${isLarge ? "large" : ""}`}>
      <svg
        role="img"
        viewBox={`0 0 ${total} 1`}
        preserveAspectRatio="none"
        aria-label={`${t.progress}: ${done} / ${batch.total}`}
      >
        <rect class="rest" x={0} y={0} width={total} height={1} />
        {PARTS.map((part) => {
          const from = x;
          x += batch[part];
          return <rect key={part} class={part} x={from} y={0} width={batch[part]} height={1} />;
        })}
      </svg>
      <span class="small">
        {number(done)} / {number(batch.total)}
      </span>
    </div>
  );
};
