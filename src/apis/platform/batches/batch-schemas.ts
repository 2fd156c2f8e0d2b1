import { type Static, Type } from "@sinclair/typebox";
import { BATCH_STATUSES, type Batch, totalOf } from "../../../core/messaging/batches/batches.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { AnyText, Nullable, OneOf } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { Instant, InstantOrNull, NUMBER_PATTERN } from "../schemas.ts";

/** Schemas that several files of the batches' routes share. */

/** How many recipients or numbers a request has at most. */
export const MOST_AT_ONCE = 1000;
export const SHORTEST_DELAY_MS = 1000;
export const LONGEST_DELAY_MS = 3_600_000;
const Variables = Type.Record(Type.String(), AnyText(), {
  description: "A value for each variable of the text or the template",
});
const Digits = Type.Unsafe<string>({ ...AnyText(), ...describedAs({ pattern: NUMBER_PATTERN }) });
export const Recipients = Type.Array(
  Type.Union([Type.Object({ to: Digits, variables: Type.Optional(Variables) }, { title: "BatchRecipient" }), Digits], {
    description: "8 to 15 digits with country code, alone or as to",
  }),
  { minItems: 1, maxItems: MOST_AT_ONCE },
);
/** The fields of a batch. */
export const BATCH = {
  batchId: Type.String(),
  channelId: Type.String(),
  name: Nullable(Type.String()),
  status: OneOf(BATCH_STATUSES, { title: "BatchStatus" }),
  total: Type.Integer(),
  sent: Type.Integer({ description: "Taken by the network" }),
  failed: Type.Integer(),
  pending: Type.Integer({ description: "Not sent yet, or being sent" }),
  cancelled: Type.Integer(),
  delay: Type.Integer(),
  jitter: Type.Number(),
  createdAt: Instant,
  startsAt: Nullable(
    Type.String({ format: "date-time", description: "The time that was chosen for the first message; null: at once" }),
  ),
  pausedAt: Nullable(Type.String({ format: "date-time", description: "Since when it is paused; null: it is not" })),
  startedAt: InstantOrNull,
  finishedAt: InstantOrNull,
  respectHours: Type.Boolean({ description: "True: it sends in business hours alone" }),
  opensAt: Nullable(
    Type.String({ format: "date-time", description: "Outside business hours: when it goes on; null otherwise" }),
  ),
  waitingSince: Nullable(
    Type.String({
      format: "date-time",
      description: "Since when its channel has not been connected; after 24 hours the batch fails",
    }),
  ),
};
export const BatchView = Type.Object(BATCH, { title: "Batch" });
export const batchView = (batch: Batch): Static<typeof BatchView> => ({
  batchId: batch.id,
  channelId: batch.channelId,
  name: batch.name,
  status: batch.status,
  total: totalOf(batch.counts),
  sent: batch.counts.SENT,
  failed: batch.counts.FAILED,
  pending: batch.counts.PENDING + batch.counts.QUEUED,
  cancelled: batch.counts.CANCELLED,
  delay: batch.delayMs,
  jitter: batch.jitter,
  createdAt: iso(batch.createdAt),
  startsAt: isoOrNull(batch.startsAt),
  pausedAt: isoOrNull(batch.pausedAt),
  startedAt: isoOrNull(batch.startedAt),
  finishedAt: isoOrNull(batch.finishedAt),
  respectHours: batch.respectsHours,
  opensAt: isoOrNull(batch.opensAt),
  waitingSince: isoOrNull(batch.waitingSince),
});
