import { MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import type { BatchFallback } from "../../../store/tables/messaging/batches.ts";
import { insertFallback } from "../../../store/tables/messaging/fallbacks.ts";
import type { NewMessage } from "../../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { restrictionOf } from "../../channels/links/restriction.ts";
import type { MessagingEnv } from "../env.ts";
import { isAway } from "../sending/queue.ts";
import { checkEnvelope, contentForNetwork, requireFile, type Sending } from "../sending/sendable.ts";

/**
 * The template that is sent if the phone of a send does not get the message out. `afterMinutes`: how long the phone
 * has. `mayArriveTwice`: the template is sent even if the message may have arrived.
 */
export type FallbackInput = BatchFallback;

/** The fallback of a message, its recipient as given, and the phone that sends first. */
export type GivenFallback = { first: ChannelRow; to: string; fallback: FallbackInput };

/** Whether a message may wait for a phone that is not connected: its fallback takes over. */
export const outlivesPhone = (fallback: FallbackInput | null | undefined): boolean =>
  fallback?.reasons.includes("lost") === true;

/**
 * Checks the fallback of a message as if it were sent now. A refusal names the fields within `fallback`.
 * @throws AppError as `checkEnvelope` and `contentForNetwork` do; VALIDATION for the phone of the message itself
 */
export const checkFallback = async (
  env: MessagingEnv,
  scope: TenantScope,
  { first, to, fallback }: GivenFallback,
  sending: Pick<Sending, "environment" | "hidden" | "isDryRun">,
): Promise<void> => {
  const { channelId, template } = fallback;
  if (channelId === first.id) throw invalid(issue("fallback", "forbidden", "must name another phone than the message"));
  const asked = { channelId, to, type: "template" as const, content: template };
  try {
    const sendable = await checkEnvelope(env, scope, asked, { ...sending, mustBeConnected: false });
    await contentForNetwork(env, sendable, sending);
  } catch (error) {
    throw asFallbackError(error);
  }
};

/**
 * Refuses, in the write that accepts a message, a file of its fallback that was deleted or expired since it was checked.
 * @throws AppError VALIDATION
 */
export const requireFallbackFiles = async (
  env: MessagingEnv,
  tx: Tx,
  { tenantId }: TenantScope,
  { channelId, template }: FallbackInput,
): Promise<void> => {
  const channel = await findChannel(tx, { tenantId }, channelId);
  // a phone that was deleted meanwhile: the fallback is refused when it is due
  if (!channel) return;
  try {
    await requireFile(env, tx, channel, template);
  } catch (error) {
    throw asFallbackError(error);
  }
};

const asFallbackError = (error: unknown): unknown => {
  if (!(error instanceof AppError)) return error;
  const { code, message, details, issues, retryAfterSeconds } = error;
  return new AppError(code, {
    message: `The fallback: ${message}`,
    details: { ...details, field: "fallback" },
    issues: issues.map(({ path, ...rest }) => ({ ...rest, path: path.replace(/^content/, "fallback.template") })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  });
};

/**
 * Stores the fallback of a message with the job that checks it: when its time is over, or earlier if its phone has been
 * disconnected for that long already, or may not send now.
 */
export const addFallback = async (
  env: Pick<MessagingEnv, "jobs" | "clock" | "registry">,
  tx: Tx,
  { id, tenantId, channelId, environment, createdAt }: NewMessage,
  { first, to, fallback }: GivenFallback,
): Promise<void> => {
  const { afterMinutes, reasons, mayArriveTwice, template } = fallback;
  const afterMs = afterMinutes * MINUTE_MS;
  await insertFallback(tx, {
    id,
    tenantId,
    channelId: fallback.channelId as ChannelId,
    recipient: to,
    afterMs,
    reasons: [...new Set(reasons)],
    mayArriveTwice,
    template,
  });
  const awayFor = isAway(env, first, environment) ? Math.max(0, createdAt - (first.stateSince ?? createdAt)) : 0;
  const isForbidden = restrictionOf(first)?.allows === "none" && reasons.includes("restricted");
  const waitMs = isForbidden ? 0 : Math.max(0, afterMs - (reasons.includes("lost") ? awayFor : 0));
  env.jobs.enqueue(tx, "message.fall-back", jobOfFallback({ id, channelId }), { runAt: createdAt + waitMs });
};

/** The payload of the job that checks a message's fallback. */
export const jobOfFallback = ({ id, channelId }: { id: NewMessage["id"]; channelId: ChannelId }) => ({
  messageId: id,
  channelId,
});
