import { DAY_MS } from "../../../kernel/clock.ts";
import { AppError, refusalText } from "../../../kernel/errors.ts";
import type { ChannelId, MessageId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { moveRecipient } from "../../../store/tables/messaging/batch-recipients.ts";
import { findBatch } from "../../../store/tables/messaging/batches.ts";
import {
  decideFallback,
  type FallbackRow,
  findFallback,
  isUndecided,
} from "../../../store/tables/messaging/fallbacks.ts";
import { findMessage, type MessageRow } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { findAccountState } from "../../../store/tables/tenancy/tenants.ts";
import { channelOrRest, publish } from "../../events/publish.ts";
import { accountRefusal } from "../../tenancy/accounts/accounts.ts";
import { settleInBatch } from "../batches/batch-settle.ts";
import type { MessagingEnv } from "../env.ts";
import { acceptWithin, deliveryOf, prepareMessage } from "../sending/accept.ts";
import { isAway } from "../sending/queue.ts";
import { PASSING_REFUSALS } from "../sending/send-waits.ts";
import { readRecipient, recordFailure } from "../sending/status.ts";
import { failureCodeOf } from "./fallback-causes.ts";
import { type Looked, type Verdict, verdictOf } from "./fallback-verdict.ts";

type FallbackJob = Job<{ messageId: MessageId; channelId: ChannelId }>;
/** Why the template cannot be sent. */
type Refusal = { code: string; text: string };
type Acceptable = Awaited<ReturnType<typeof prepareMessage>>;

/** How long a fallback waits for its own phone, or for the payment of its account. */
const PATIENCE_MS = 2 * DAY_MS;

/**
 * Checks a message with a fallback: after the time of its phone, and when it fails. The template is accepted in the
 * write that ends the message. If the message may have left, that needs `mayArriveTwice`. A crash before that write
 * changes nothing; after it the check finds the decision.
 */
export const lookAtFallback = async (env: MessagingEnv, job: FallbackJob): Promise<JobOutcome> => {
  const looked = await env.db.read((reader) => load(env, reader, job.payload.messageId));
  if (!looked) return { is: "done" };
  const prepared = verdictOf(looked).is === "send" ? await prepare(env, looked) : undefined;
  await env.db.write(async (tx) => {
    const now = await load(env, tx, job.payload.messageId);
    if (!now) return job.end(tx);
    await conclude({ env, tx, job, looked: now }, verdictOf(now), prepared);
  });
  return { is: "settled" };
};

const load = async (env: MessagingEnv, r: Reader, id: MessageId): Promise<Looked | undefined> => {
  const fallback = await findFallback(r, EVERY_TENANT, id);
  const message = await findMessage(r, EVERY_TENANT, id);
  if (!fallback || !message || !isUndecided(fallback)) return undefined;
  const channel = await findChannel(r, EVERY_TENANT, message.channelId);
  const batch = message.batchId === null ? undefined : await findBatch(r, EVERY_TENANT, message.batchId);
  return {
    fallback,
    message,
    channel,
    isAway: channel !== undefined && isAway(env, channel, message.environment),
    isCancelled: batch?.status === "CANCELLED",
    now: env.clock.now(),
  };
};

/** The template as a message of its own, checked now; the refusal if it cannot be sent. */
const prepare = async (env: MessagingEnv, { fallback, message }: Looked): Promise<Acceptable | Refusal> => {
  const account = await env.db.read((reader) => findAccountState(reader, message.tenantId));
  const refusal = account ? accountRefusal(account) : "ACCOUNT_INACTIVE";
  if (refusal) return { code: refusal, text: "The account may not send." };
  const { channelId, recipient: to, template: content } = fallback;
  const { isAnswer } = message;
  try {
    return await prepareMessage(
      env,
      message,
      { channelId, to, type: "template", content, isAnswer },
      {
        environment: message.environment,
        mustBeConnected: message.environment === "live",
        holdsFile: true,
        ...(message.batchId === null || isSettled(message) ? {} : { batchId: message.batchId }),
        acceptedBy: message.acceptedBy,
        requestId: message.requestId,
      },
    );
  } catch (error) {
    if (error instanceof AppError && error.code !== "OVERLOADED") return { code: error.code, text: refusalText(error) };
    throw error;
  }
};

/** The batch has counted the message as sent. */
const isSettled = ({ status }: MessageRow): boolean => status !== "QUEUED" && status !== "FAILED";

type LookContext = { env: MessagingEnv; tx: Tx; job: FallbackJob; looked: Looked };

const conclude = async (
  context: LookContext,
  verdict: Verdict,
  prepared: Acceptable | Refusal | undefined,
): Promise<void> => {
  const { env, tx, job, looked } = context;
  const { fallback, now: decidedAt } = looked;
  switch (verdict.is) {
    case "leave":
      return job.end(tx);
    case "look-again":
      return job.snooze(tx, verdict.atMs);
    case "not-needed":
      await decideFallback(tx, fallback.id, { status: "NOT_NEEDED", decidedAt });
      break;
    case "withhold": {
      const { reason } = verdict;
      await decideFallback(tx, fallback.id, { status: "WITHHELD", reason, isUncertain: true, decidedAt });
      if (fallback.status === "WAITING")
        await publishDecision(context, {
          outcome: "WITHHELD",
          reason,
          isUncertain: true,
          secondId: null,
          refusal: null,
        });
      break;
    }
    case "send":
      // the prepared template belongs to an earlier state of the message
      if (!prepared) return job.snooze(tx, env.clock.now());
      if ("code" in prepared) return refuse(context, verdict, prepared);
      return take(context, verdict, prepared);
  }
  await settleFailed(env, tx, looked.message);
  job.end(tx);
};

type Sending = Extract<Verdict, { is: "send" }>;

/** Accepts the template, and ends the message that it replaces, in one write. */
const take = async (context: LookContext, verdict: Sending, acceptable: Acceptable): Promise<void> => {
  const { env, tx, job, looked } = context;
  const { fallback, message, now } = looked;
  const { reason, isUncertain } = verdict;
  const { messageId: secondId } = await acceptWithin(env, tx, acceptable);
  await decideFallback(tx, fallback.id, { status: "TAKEN", reason, isUncertain, secondId, decidedAt: now });
  if (acceptable.message.batchId !== null) moveRecipient(tx, message.id, secondId);
  if (message.status === "QUEUED") {
    await recordFailure(env, tx, message, {
      code: "FALLBACK_TAKEN",
      reason: `it was sent as a template in its place, as message ${secondId}${isUncertain ? "; it may have arrived all the same" : ""}`,
      at: now,
      isReport: false,
    });
    env.jobs.cancel(tx, "message.deliver", deliveryOf(message));
  }
  await publishDecision(context, { outcome: "TAKEN", reason, isUncertain, secondId, refusal: null });
  job.end(tx);
};

const refuse = async (
  context: LookContext,
  { reason, isUncertain }: Sending,
  { code, text: message }: Refusal,
): Promise<void> => {
  const { tx, job, looked } = context;
  const { fallback, now } = looked;
  const age = Math.max(0, now - looked.message.createdAt);
  if (PASSING_REFUSALS.has(code) && age < PATIENCE_MS)
    return job.snooze(tx, now + Math.max(fallback.afterMs, age), { error: message });
  await decideFallback(tx, fallback.id, {
    status: "REFUSED",
    reason,
    isUncertain,
    errorCode: code,
    errorMessage: message,
    decidedAt: now,
  });
  await publishDecision(context, {
    outcome: "REFUSED",
    reason,
    isUncertain,
    secondId: null,
    refusal: { code, message },
  });
  await settleFailed(context.env, tx, looked.message);
  job.end(tx);
};

/** Counts a failed message in its batch, once no other message replaces it. */
const settleFailed = async (env: MessagingEnv, tx: Tx, message: MessageRow): Promise<void> => {
  if (message.status !== "FAILED") return;
  const { failedReason } = message;
  await settleInBatch(env, tx, message, {
    code: failureCodeOf(message) ?? "INTERNAL_ERROR",
    message: failedReason?.replace(/^\[\w+\] /, "") ?? "",
  });
};

type Decided = {
  outcome: "TAKEN" | "WITHHELD" | "REFUSED";
  reason: FallbackRow["reason"];
  isUncertain: boolean;
  secondId: MessageId | null;
  refusal: { code: string; message: string } | null;
};

const publishDecision = async ({ env, tx, looked }: LookContext, decided: Decided): Promise<void> => {
  const { message, fallback, now: at } = looked;
  const { tenantId, channelId, environment, id: messageId } = message;
  await publish(
    env,
    tx,
    { tenantId, channel: await channelOrRest(tx, channelId), environment },
    {
      type: "message.fallback",
      messageId,
      at,
      chat: await readRecipient(tx, message),
      secondChannelId: fallback.channelId,
      ...decided,
    },
  );
};

/** A discarded job leaves the message unchanged, and lets its batch end. */
export const discardFallback = async (
  env: MessagingEnv,
  tx: Tx,
  { messageId }: FallbackJob["payload"],
  reason: string,
): Promise<void> => {
  await decideFallback(tx, messageId, {
    status: "REFUSED",
    errorCode: "INTERNAL_ERROR",
    errorMessage: reason,
    decidedAt: env.clock.now(),
  });
  const message = await findMessage(tx, EVERY_TENANT, messageId);
  if (message) await settleFailed(env, tx, message);
};
