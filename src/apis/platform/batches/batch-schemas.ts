import { Type } from "@sinclair/typebox";
import { BATCH_STATUSES, type Batch, recipientTotal } from "../../../core/messaging/batches/batches.ts";
import { AnyText, described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { CreatedAt, Id } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import { InstantOrNull, NUMBER_PATTERN } from "../schemas.ts";

/** Schemas that several files of the batches' routes share. */

/** The maximum number of recipients or numbers of a request. */
export const MOST_AT_ONCE = 1000;
export const SHORTEST_DELAY_MS = 1000;
export const LONGEST_DELAY_MS = 3_600_000;
const Variables = Type.Record(Type.String(), AnyText(), {
  description: "A value for each variable of the text or the template",
});
const Digits = Type.Unsafe<string>({ ...AnyText(), ...describedAs({ pattern: NUMBER_PATTERN }) });
export const Recipients = Type.Array(
  Type.Union(
    [
      Type.Object(
        { to: described(Digits, "The number of the recipient", "5511988887777"), variables: Type.Optional(Variables) },
        { title: "BatchRecipient" },
      ),
      Digits,
    ],
    {
      description: "8 to 15 digits with country code, alone or as `to`",
    },
  ),
  { minItems: 1, maxItems: MOST_AT_ONCE },
);
/** The fields of a batch. */
export const BATCH = {
  batchId: Id("The batch, for `GET /v1/bulk/{batchId}`", "batch"),
  channelId: Id("The channel that sends", "phone"),
  name: Nullable(
    Type.String({
      description: "The institution's name for the batch; null without a name",
      examples: ["Promoção de sábado"],
    }),
  ),
  status: OneOf(BATCH_STATUSES, {
    title: "BatchStatus",
    description: "The progress of the batch",
    examples: ["RUNNING"],
  }),
  total: Type.Integer({ description: "How many recipients the batch has", examples: [124] }),
  sent: Type.Integer({ description: "Messages that the network accepted", examples: [120] }),
  failed: Type.Integer({ description: "Refused, or never accepted by the network" }),
  pending: Type.Integer({ description: "Recipients whose message is not sent yet", examples: [3] }),
  cancelled: Type.Integer({
    description: "Recipients who get nothing, because the batch was cancelled",
    examples: [0],
  }),
  delay: Type.Integer({ description: "Milliseconds between two messages", examples: [3000] }),
  jitter: Type.Number({ description: "The share by which each delay varies at random", examples: [0.3] }),
  createdAt: CreatedAt("batch"),
  startsAt: Nullable(
    Type.String({ format: "date-time", description: "The chosen time of the first message; null starts at once" }),
  ),
  pausedAt: Nullable(
    Type.String({ format: "date-time", description: "When the batch was paused; null while it is not" }),
  ),
  startedAt: described(InstantOrNull, "When it began; null before", "2026-11-22T12:00:00.000Z"),
  finishedAt: described(InstantOrNull, "When it ended; null before"),
  respectHours: Type.Boolean({ description: "True: it sends in business hours alone" }),
  opensAt: Nullable(
    Type.String({
      format: "date-time",
      description: "Outside business hours, when sending resumes; null otherwise",
    }),
  ),
  waitingSince: Nullable(
    Type.String({
      format: "date-time",
      description: "When its channel was disconnected; null while it is connected. After 24 hours the batch fails",
    }),
  ),
};
export const BatchView = Type.Object(BATCH, { title: "Batch" });
export const batchView = (batch: Batch) =>
  toView(BatchView, batch, {
    batchId: batch.id,
    total: recipientTotal(batch.counts),
    sent: batch.counts.SENT,
    failed: batch.counts.FAILED,
    pending: batch.counts.PENDING + batch.counts.QUEUED,
    cancelled: batch.counts.CANCELLED,
    delay: batch.delayMs,
    respectHours: batch.respectsHours,
  });
