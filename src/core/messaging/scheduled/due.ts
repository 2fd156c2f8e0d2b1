import { MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError, refusalText } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  findScheduled,
  loadScheduled,
  type ScheduledFailure,
  type ScheduledRow,
  updateScheduled,
} from "../../../store/tables/messaging/scheduled.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { accountRefusal } from "../../tenancy/accounts/accounts.ts";
import type { MessagingEnv } from "../env.ts";
import { acceptWithin, prepareMessage } from "../sending/accept.ts";
import { claimKey, reused, viaOf } from "../sending/idempotency.ts";
import { waitForChannel, waitForHold } from "../sending/queue.ts";
import { findHold, type Hold, waitingSince } from "../sending/send-waits.ts";
import type { Envelope } from "../sending/sendable.ts";

/** How long a due message waits for its channel to connect. */
const WAIT_MS = 5 * MINUTE_MS;
/** The statuses of a scheduled message that is not accepted yet. */
const OPEN = ["PENDING", "PROCESSING"] as const;

type SchedulePayload = { scheduledId: string; channelId: ChannelId };
type DueJob = Job<SchedulePayload>;
type Due = NonNullable<Awaited<ReturnType<typeof loadScheduled>>>;

/**
 * Accepts a due message like any other send. The acceptance, the end of the schedule and that of the job are one write,
 * so that a crash neither repeats nor loses the message. A lasting refusal makes it FAILED. It waits for a channel that
 * is not connected, and for the payment of a suspended account.
 */
export const acceptScheduled = async (env: MessagingEnv, job: DueJob): Promise<JobOutcome> => {
  const due = await env.db.read((reader) => loadScheduled(reader, job.payload.scheduledId));
  if (!due) return { is: "done" };
  const { row } = due;
  const hold = await env.db.read((reader) => findHold(env, reader, { ...row, account: due }));
  if (hold) return conclude(env, job, (tx) => waitWhileHeld(env, tx, { job, row, hold }));
  const refusal = accountRefusal(due);
  if (refusal)
    return conclude(env, job, (tx) => fail(env, tx, row.id, { code: refusal, reason: "the account may not send" }));
  const acceptable = await prepared(env, row);
  if (acceptable instanceof AppError) return conclude(env, job, (tx) => putOff(env, tx, { job, due }, acceptable));
  return conclude(env, job, async (tx) => {
    const refused = await keepOwnKey(env, tx, { id: row.id, acceptable });
    if (refused) return fail(env, tx, row.id, { code: refused.code, reason: refusalText(refused) });
    const { messageId } = await acceptWithin(env, tx, { ...acceptable, idempotency: undefined });
    await updateScheduled(tx, row.id, OPEN, { status: "SENT", messageId, updatedAt: env.clock.now() });
    return "ended";
  });
};

type Acceptable = Awaited<ReturnType<typeof prepareMessage>>;

/**
 * Renews the idempotency key that a scheduled message has had since it was accepted. Returns the refusal if the key is
 * not its own: a version that did not claim it then had accepted the message.
 */
const keepOwnKey = async (
  env: MessagingEnv,
  tx: Tx,
  { id, acceptable: { idempotency } }: { id: string; acceptable: Acceptable },
): Promise<AppError | undefined> => {
  if (!idempotency) return undefined;
  try {
    return (await claimKey(env, tx, idempotency, { id })) === undefined ? undefined : reused();
  } catch (error) {
    if (error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED") return error;
    throw error;
  }
};

const prepared = async (env: MessagingEnv, row: ScheduledRow): Promise<Acceptable | AppError> => {
  // stored as it was checked
  const envelope = { ...(row.payload as Omit<Envelope, "channelId">), channelId: row.channelId };
  try {
    return await prepareMessage(env, row, envelope, {
      environment: "live",
      mustBeConnected: true,
      holdsFile: true,
      acceptedBy: `schedule:${row.id}`,
      requestId: row.requestId,
      isFallbackChecked: true,
      via: viaOf(row),
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== "OVERLOADED") return error;
    throw error;
  }
};

type Concluded = "ended" | "waits";

/**
 * The write that ends an attempt. If the owner has cancelled or moved the message meanwhile, the attempt has no effect.
 */
const conclude = async (env: MessagingEnv, job: DueJob, body: (tx: Tx) => Promise<Concluded>): Promise<JobOutcome> => {
  const write = async (tx: Tx) => {
    const row = await findScheduled(tx, EVERY_TENANT, job.payload.scheduledId);
    const isDue =
      row !== undefined && OPEN.some((status) => status === row.status) && row.scheduledAt <= env.clock.now();
    if (!isDue || (await body(tx)) === "ended") job.end(tx);
  };
  // not durable: before the delivery calls the network, it writes this and everything earlier to disk
  await env.db.write(write, { isDurable: false });
  return { is: "settled" };
};

/** Stays PENDING, as if it were not due yet. */
const waitWhileHeld = async (
  env: MessagingEnv,
  tx: Tx,
  { job, row, hold }: { job: DueJob; row: ScheduledRow; hold: Hold },
): Promise<Concluded> => {
  await waitForHold({ env, tx, job }, row, { place: row.scheduledAt, hold });
  return "waits";
};

const putOff = async (
  env: MessagingEnv,
  tx: Tx,
  { job, due }: { job: DueJob; due: Due },
  refusal: AppError,
): Promise<Concluded> => {
  const { row } = due;
  const until = waitingSince(row.scheduledAt, due) + WAIT_MS;
  if (refusal.code !== "CHANNEL_NOT_CONNECTED" || env.clock.now() >= until)
    return fail(env, tx, row.id, { code: refusal.code, reason: refusalText(refusal) });
  await updateScheduled(tx, row.id, OPEN, { status: "PROCESSING", updatedAt: env.clock.now() });
  await waitForChannel({ env, tx, job }, row.channelId, { place: row.scheduledAt, until, environment: "live" });
  return "waits";
};

const fail = async (env: MessagingEnv, tx: Tx, id: string, failure: ScheduledFailure): Promise<Concluded> => {
  await updateScheduled(tx, id, OPEN, { status: "FAILED", failure, updatedAt: env.clock.now() });
  return "ended";
};

/** Ends a scheduled message when its job is discarded. */
export const discardScheduled = async (
  env: MessagingEnv,
  tx: Tx,
  { scheduledId }: SchedulePayload,
  reason: string,
): Promise<void> => void (await fail(env, tx, scheduledId, { code: "INTERNAL_ERROR", reason }));
