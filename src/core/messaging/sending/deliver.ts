import type { GroupContent } from "../../../contract/abilities/groups.ts";
import type { Content } from "../../../contract/content/content.ts";
import { type Identity, isOpenState, type ListedCategory, type ProviderMessageId } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { PlainerForm, SendOutcome } from "../../../contract/outcome.ts";
import type { ChannelLink } from "../../../contract/plugin.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { noteTried } from "../../../store/tables/messaging/batches.ts";
import { beginTry, findMessage, type MessageRow, updateMessage } from "../../../store/tables/messaging/messages.ts";
import { pausedUntil, pauseQueue } from "../../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { findAccountState } from "../../../store/tables/tenancy/tenants.ts";
import { learnIdentity } from "../../channels/identity.ts";
import { noteRefusedToken } from "../../channels/links/refused-token.ts";
import { linkedMessage } from "../../media/sent-links.ts";
import { pauseInBatch } from "../batches/batch-settle.ts";
import { takeBackCancelled } from "../batches/batches.ts";
import type { MessagingEnv } from "../env.ts";
import { keepKeys } from "../receiving/echo.ts";
import { expireLater } from "../receiving/expiry.ts";
import { completedMessage } from "../templates/fitting-values.ts";
import { syncAfterMisfit } from "../templates/template-sync.ts";
import type { DeliverPayload } from "./accept.ts";
import { triesWith } from "./failed-tries.ts";
import { FORWARDED_IS_GONE, forwardedKey } from "./forward.ts";
import { takeMeasured } from "./pricing.ts";
import { MAX_TRIES, tryLater, waitForChannel, waitForHold } from "./queue.ts";
import { quotedKeyNow } from "./quoting.ts";
import { findHold, type Hold, waitingSince } from "./send-waits.ts";
import { type Failure, isOptedOut, recordFailure, recordProgress } from "./status.ts";
import { isFirstMisfit, keepForNewTemplate, type Refit, refitOf } from "./template-misfit.ts";
import { mayHaveLeft, UNCERTAIN_WAIT_MS, uncertainFailure } from "./uncertain.ts";
import { noteUnsent, takeBackBegun, withoutUnsent } from "./unsent.ts";

type DeliverJob = Job<DeliverPayload>;

/** How long a message waits for its channel to connect. */
const QUEUE_TTL_MS = DAY_MS;
/** The maximum number of attempts of a send if every answer is lost: as many as for a refused send. */
const MAX_UNCERTAIN_ATTEMPTS = MAX_TRIES;

/**
 * Sends a queued message, once. The start of an attempt is on disk before the network is called; the end of the attempt
 * also ends the job. An attempt without a known end, after a crash or a lost answer, is not repeated blindly: see
 * `resolveUncertain`. Messages of a suspended account wait.
 */
export const deliverMessage = async (env: MessagingEnv, job: DeliverJob): Promise<JobOutcome> => {
  const [found, channel] = await env.db.read(async (reader) => [
    await findMessage(reader, EVERY_TENANT, job.payload.messageId),
    await findChannel(reader, EVERY_TENANT, job.payload.channelId),
  ]);
  if (found?.status !== "QUEUED") return { is: "done" };
  const message = await withoutUnsent(env, job.claim, found);
  if (!channel)
    return fail(env, job, message, { code: "CHANNEL_DELETED", reason: "the number that was to send it was deleted" });
  const hold = await env.db.read((reader) => findHold(env, reader, message));
  if (hold) return waitWhileHeld(env, job, message, hold);
  const link = env.supervisor.linkOf(channel, message.environment);
  if (!link || (message.environment === "live" && !isOpenState(channel.state))) return wait(env, job, message);
  const route: SendRoute = { link, kind: channel.kind };
  if (
    message.sendState !== "NONE" &&
    (!link.providerMessageIdFor || message.uncertainAttempts >= MAX_UNCERTAIN_ATTEMPTS)
  )
    return resolveUncertain(env, job, message, route);
  const refit = await refitOf(env, channel, message);
  if (refit.is === "later") return waitForTemplate(env, job, message, refit);
  if (refit.is === "fails") return failForTemplate(env, job, message, refit);
  return attempt(env, job, message, route);
};

/** The message waits for the list of its template as long as it would wait for its channel. */
const waitForTemplate = async (
  env: MessagingEnv,
  job: DeliverJob,
  message: MessageRow,
  { atMs, error, failure }: Extract<Refit, { is: "later" }>,
): Promise<JobOutcome> => {
  const { until } = await env.db.read((reader) => turnOf(reader, message));
  if (atMs >= until) return failForTemplate(env, job, message, { failure, isUnlisted: true });
  return { is: "snooze", atMs, error };
};

const failForTemplate = async (
  env: MessagingEnv,
  job: DeliverJob,
  message: MessageRow,
  { failure, isUnlisted }: { failure: Failure; isUnlisted: boolean },
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    if (isUnlisted) await syncAfterMisfit(env, tx, message.channelId);
    await giveUp({ env, tx, job, message }, failure);
  });
  return { is: "settled" };
};

type SendRoute = { link: ChannelLink; kind: ChannelKind };

const attempt = async (
  env: MessagingEnv,
  job: DeliverJob,
  message: MessageRow,
  { link, kind }: SendRoute,
): Promise<JobOutcome> => {
  const paceMs = await paceOf(env, job, message, link);
  if (!job.mayAct()) return { is: "snooze", atMs: job.createdAt }; // to its place, as if it had not been claimed
  const key = message.providerMessageId ?? link.providerMessageIdFor?.(message.id);
  noteUnsent(env.unsentTries, job.claim, message); // until the beginning is known to be stored
  const begun = await env.db.write((tx) => begin({ env, tx, job, message }, { kind, key, paceMs }));
  if (begun.is !== "begun") env.unsentTries.delete(message.id);
  if (begun.is === "held") return { is: "settled" };
  if (begun.is === "too-late") return { is: "done" };
  // another process may send it too, or its outcome would stay unknown
  if (!job.mayAct()) return takeBack(env, job, message);
  env.unsentTries.delete(message.id);
  const { templateCategory, ...said } = await completedMessage(env, kind, message);
  const { quotedProviderMessageId } = begun;
  const begunAt = env.clock.now();
  const order = await withFileLinks(env, kind, { ...message, ...said, quotedProviderMessageId });
  const forwards = await forwardedKey(env, message);
  const outcome = forwards === null ? FORWARDED_IS_GONE : await send(link, order, { key, templateCategory, forwards });
  measure(env, message, kind, outcome);
  await env.db.write(async (tx) => {
    await recordOutcome({ env, tx, job, message }, outcome);
    if (!outcome.ok && message.environment === "live")
      await noteRefusedToken(env, tx, message.channelId, { code: outcome.code, begunAt });
  });
  return { is: "settled" };
};

const withFileLinks = async (env: MessagingEnv, kind: ChannelKind, message: MessageRow): Promise<MessageRow> => {
  const plugin = env.registry.of(kind, message.environment);
  return plugin ? linkedMessage(env, plugin, message) : message;
};

/**
 * Reverts the beginning of an attempt that did not leave, and gives its job back, unless another process has it now.
 */
const takeBack = async (env: MessagingEnv, job: DeliverJob, message: MessageRow): Promise<JobOutcome> => {
  const error = "the process stopped, or lost its lease, before the message left";
  await takeBackBegun(env, job.claim, message, (tx) => job.snooze(tx, job.createdAt, { error }));
  return { is: "settled" };
};

/** Simulated sends are not measured. Nor is a message of a batch, because it waits for the batch's pace. */
const measure = (
  { metrics, clock }: MessagingEnv,
  { environment, batchId, createdAt }: MessageRow,
  kind: ChannelKind,
  outcome: SendOutcome,
): void => {
  if (environment !== "live") return;
  metrics.count("recado_send_attempts_total", { kind, outcome: outcome.ok ? "sent" : outcome.kind });
  if (outcome.ok && batchId === null)
    metrics.observe("recado_message_sending_seconds", { kind }, (clock.now() - createdAt) / 1000);
};

const NO_GROUPS: SendOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_UNSUPPORTED",
  reason: "the adapter of the network does not send to groups",
};

const send = async (
  link: ChannelLink,
  { id: messageId, recipient, quotedProviderMessageId, ...message }: MessageRow,
  {
    key,
    templateCategory,
    forwards,
  }: {
    key: ProviderMessageId | undefined;
    templateCategory: ListedCategory | undefined;
    forwards: ProviderMessageId | undefined;
  },
): Promise<SendOutcome> => {
  // stored as it was checked
  const content = { type: message.type, content: message.content } as Content | GroupContent;
  if (content.type === "native")
    return (await link.groups?.send({ ...content.content, messageId, to: recipient })) ?? NO_GROUPS;
  return link.send({
    ...content,
    messageId,
    to: recipient,
    ...(key === undefined ? {} : { key }),
    ...(message.options === null ? {} : { options: message.options }),
    ...(templateCategory === undefined ? {} : { templateCategory }),
    ...(quotedProviderMessageId === null ? {} : { quotedProviderMessageId }),
    ...(forwards === undefined ? {} : { forwards }),
  });
};

/** Whether the queue of a message is slowed down, and how long the message waits after the one before of its batch. */
const heldBack = async (reader: Reader, job: DeliverJob, { batchId }: MessageRow, now: number) => {
  const isQueueHeld = (await pausedUntil(reader, job.queue)) > now;
  return { isQueueHeld, pauseMs: batchId === null || isQueueHeld ? 0 : await pauseInBatch(reader, batchId, now) };
};

/**
 * How long the link's own pace makes a send wait. It is asked before the write that begins the attempt, which waits for
 * no adapter. A link counts the send when it says 0, so it is not asked about a message that waits anyway.
 */
const paceOf = async ({ db, clock }: MessagingEnv, job: DeliverJob, message: MessageRow, link: ChannelLink) => {
  if (!link.paceMs) return 0;
  const { isQueueHeld, pauseMs } = await db.read((reader) => heldBack(reader, job, message, clock.now()));
  return isQueueHeld || pauseMs > 0 ? 0 : link.paceMs(message.recipient);
};

type Begun = { is: "begun"; quotedProviderMessageId: ProviderMessageId | null } | { is: "held" } | { is: "too-late" };

/**
 * Records that an attempt begins. It does not begin if the message is no longer queued, or if its recipient opted out
 * and it is no answer. If its channel was slowed down meanwhile, or the link's own pace makes it wait, the whole queue waits, so
 * that no message overtakes it. A message that comes too soon after another of its batch waits alone.
 */
const begin = async (
  { env, tx, job, message }: SendContext,
  { kind, key, paceMs }: { kind: ChannelKind; key: ProviderMessageId | undefined; paceMs: number },
): Promise<Begun> => {
  const now = env.clock.now();
  const { isQueueHeld, pauseMs } = await heldBack(tx, job, message, now);
  if (pauseMs > 0) {
    job.snooze(tx, now + pauseMs);
    return { is: "held" };
  }
  if (isQueueHeld || paceMs > 0) {
    job.snooze(tx, message.createdAt);
    if (!isQueueHeld) pauseQueue(tx, job.queue, now + paceMs, "pace");
    return { is: "held" };
  }
  if (!message.isAnswer && (await isOptedOut(tx, message))) {
    await withhold({ env, tx, job, message });
    return { is: "held" };
  }
  const quotedProviderMessageId = await quotedKeyNow(env, tx, message, kind);
  if (!(await beginTry(tx, message.id, { providerMessageId: key ?? null, quotedProviderMessageId })))
    return { is: "too-late" };
  if (message.batchId !== null) noteTried(tx, message.batchId, now);
  return { is: "begun", quotedProviderMessageId };
};

/** The write that begins or ends an attempt. */
type SendContext = { env: MessagingEnv; tx: Tx; job: DeliverJob; message: MessageRow };
type Refused = Extract<SendOutcome, { ok: false }>;

const recordOutcome = async (context: SendContext, outcome: SendOutcome): Promise<void> => {
  const { env, tx, job, message } = context;
  const at = env.clock.now();
  if (outcome.ok) await takeMeasured(env, tx, message, outcome); // before the event, which says it
  if (outcome.ok && outcome.plainer) await keepPlainer(tx, message, outcome.plainer, at); // and so is this
  if (outcome.ok) await recordProgress(env, tx, message, { status: "SENT", at, providerMessageId: outcome.key });
  await keepKeys(env, tx, message, outcome.furtherKeys ?? []);
  if (outcome.ok) {
    const { id: messageId, channelId, recipient: chat, environment } = message;
    expireLater(env, tx, { messageId, channelId, chat, environment }, { from: at, seconds: outcome.disappearsAfter });
    await learnRecipient(tx, message, { ...outcome, at });
    return job.end(tx);
  }
  env.log.warn(
    {
      messageId: message.id,
      channelId: message.channelId,
      attempt: job.attempt,
      outcome: outcome.kind,
      code: outcome.code,
      upstreamCode: outcome.upstreamCode,
    },
    "send failed",
  );
  if (isFirstMisfit(message, outcome)) return keepForNewTemplate(context, outcome);
  if (outcome.isTemplateMisfit && message.type === "template") await syncAfterMisfit(env, tx, message.channelId);
  switch (outcome.kind) {
    case "refused":
      return giveUp(context, outcome);
    case "retry":
      return recordRetry(context, outcome);
    case "unknown":
      await updateMessage(tx, message.id, ["QUEUED"], {
        sendState: "UNKNOWN",
        uncertainAttempts: message.uncertainAttempts + 1,
        failedTries: triesWith(message, { at, ...outcome }, "UNCERTAIN"),
      });
      return job.snooze(tx, at + UNCERTAIN_WAIT_MS, { error: outcome.reason });
  }
};

/** Records the refusal of a message's own form, in the attempt that sent a plainer one. */
const keepPlainer = async (tx: Tx, message: MessageRow, plainer: PlainerForm, at: number): Promise<void> => {
  const { sentAs, ...refusal } = plainer;
  const failedTries = triesWith(message, { at, code: "UPSTREAM_UNSUPPORTED", ...refusal }, "REFUSED", { sentAs });
  await updateMessage(tx, message.id, ["QUEUED"], { failedTries });
};

const isNumberAlone = ({ pn, ...others }: Identity): boolean => pn !== undefined && Object.keys(others).length === 0;

/** Records the recipient's names, if the network's answer has more than the number. */
const learnRecipient = async (
  tx: Tx,
  { channelId, environment }: MessageRow,
  { identity, at }: { identity?: Identity; at: number },
): Promise<void> => {
  if (identity === undefined || isNumberAlone(identity)) return; // the send named the number
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (channel) await learnIdentity(tx, { channel, environment }, { identity, at });
};

/**
 * Nothing was sent: the next attempt may begin as if this one had not happened. A message whose batch was cancelled
 * meanwhile is withdrawn.
 */
const recordRetry = async (context: SendContext, outcome: Refused): Promise<void> => {
  const { env, tx, job, message } = context;
  if (!outcome.isUncertain && (await takeBackCancelled(env, tx, message))) return job.end(tx);
  if (!tryLater(context, outcome, await turnOf(tx, message))) return giveUp(context, outcome);
  await updateMessage(tx, message.id, ["QUEUED"], {
    sendState: "NONE",
    // an earlier attempt may have no recorded end, because its process died
    uncertainAttempts: message.uncertainAttempts + (outcome.isUncertain || message.sendState === "SENDING" ? 1 : 0),
    failedTries: triesWith(message, { at: env.clock.now(), ...outcome }, outcome.isUncertain ? "UNCERTAIN" : "REFUSED"),
  });
};

const turnOf = async (reader: Reader, { createdAt, tenantId }: MessageRow) => ({
  place: createdAt,
  until: waitingSince(createdAt, await findAccountState(reader, tenantId)) + QUEUE_TTL_MS,
});

const giveUp = async ({ env, tx, job, message }: SendContext, failure: Failure): Promise<void> => {
  await recordFailure(env, tx, message, { ...failure, at: env.clock.now(), isReport: false });
  job.end(tx);
};

/**
 * Settles an attempt that began and has no known end. A receipt may settle it within a minute. After that the
 * operator's policy fails the message, with a note that it may have arrived, or sends it again. If we choose the
 * provider message id, the same send is simply repeated: see `attempt`.
 */
const resolveUncertain = async (
  env: MessagingEnv,
  job: DeliverJob,
  message: MessageRow,
  route: SendRoute,
): Promise<JobOutcome> => {
  if (message.sendState === "SENDING") {
    await env.db.write((tx) => awaitReceipt({ env, tx, job, message }));
    return { is: "settled" };
  }
  if (env.config.uncertainSends === "resend" && message.uncertainAttempts < MAX_UNCERTAIN_ATTEMPTS)
    return attempt(env, job, message, route);
  return fail(env, job, message, uncertainFailure(message));
};

/** An attempt of a process that died: a receipt may still settle it. */
const awaitReceipt = async ({ env, tx, job, message }: SendContext): Promise<void> => {
  await updateMessage(tx, message.id, ["QUEUED"], {
    sendState: "UNKNOWN",
    uncertainAttempts: message.uncertainAttempts + 1,
  });
  job.snooze(tx, env.clock.now() + UNCERTAIN_WAIT_MS, { error: "the process ended while the message was being sent" });
};

/**
 * Ends a message whose recipient opted out meanwhile. A message that may have left is not repeated, and settles like any
 * other without a known end.
 */
const withhold = (context: SendContext): Promise<void> => {
  const { message } = context;
  if (message.sendState === "SENDING") return awaitReceipt(context);
  if (mayHaveLeft(message)) return giveUp(context, uncertainFailure(message));
  return giveUp(context, { code: "RECIPIENT_OPTED_OUT", reason: "the person opted out meanwhile" });
};

const wait = async (env: MessagingEnv, job: DeliverJob, message: MessageRow): Promise<JobOutcome> => {
  const turn = await env.db.read((reader) => turnOf(reader, message));
  if (env.clock.now() >= turn.until)
    return fail(env, job, message, {
      code: "CHANNEL_UNAVAILABLE",
      reason: "no connection to the network within 24 hours",
    });
  await env.db.write((tx) =>
    waitForChannel({ env, tx, job }, message.channelId, { ...turn, environment: message.environment }),
  );
  return { is: "settled" };
};

const waitWhileHeld = async (
  env: MessagingEnv,
  job: DeliverJob,
  message: MessageRow,
  hold: Hold,
): Promise<JobOutcome> => {
  await env.db.write((tx) => waitForHold({ env, tx, job }, message, { place: message.createdAt, hold }));
  return { is: "settled" };
};

const fail = async (env: MessagingEnv, job: DeliverJob, message: MessageRow, failure: Failure): Promise<JobOutcome> => {
  await env.db.write((tx) => giveUp({ env, tx, job, message }, failure));
  return { is: "settled" };
};

/** Ends a message when its job is discarded. */
export const discardMessage = async (
  env: MessagingEnv,
  tx: Tx,
  { messageId }: Pick<DeliverPayload, "messageId">,
  reason: string,
): Promise<void> => {
  const message = await findMessage(tx, EVERY_TENANT, messageId);
  if (message)
    await recordFailure(env, tx, message, { code: "INTERNAL_ERROR", reason, at: env.clock.now(), isReport: false });
};
