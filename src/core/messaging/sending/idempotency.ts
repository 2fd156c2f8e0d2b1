import { DAY_MS } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { canonicalJson } from "../../../kernel/texts/json.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  claimIdempotencyKey,
  type IdempotencyKey,
  keepIdempotencyKey,
} from "../../../store/tables/messaging/messages.ts";
import type { ScheduledRow } from "../../../store/tables/messaging/scheduled.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";
import type { SendOptions } from "./send-options.ts";
import type { Envelope, Sendable } from "./sendable.ts";

const TTL_MS = DAY_MS;
const RETRY_AFTER_SECONDS = 1;

/** The request behind a send, if it is not the send itself: an answer in a chat, or a schedule with its time. */
export type Via = "chat" | { scheduledAt: number; respectHours: boolean };

/** The way in which a scheduled message was requested. */
export const viaOf = ({ scheduledAt, askedFor }: Pick<ScheduledRow, "scheduledAt" | "askedFor">): Via => ({
  scheduledAt: askedFor ?? scheduledAt,
  respectHours: askedFor !== null,
});

/**
 * The idempotency key of a send with a hash of its request; undefined for a send without a key. Only sends have keys,
 * also those in the payload of a scheduled message. The hash covers the request's path, the content and the recipient,
 * however its number is written.
 */
export const idempotencyOf = (
  { tenantId }: TenantScope,
  { idempotencyKey: key, quotedMessageId, answersComment, fallback, sendOptions, status, fileHash }: Envelope,
  { channel, content, recipient }: Sendable,
  via?: Via,
): IdempotencyKey | undefined =>
  key === undefined
    ? undefined
    : {
        tenantId,
        key,
        fingerprint: sha256(
          canonicalJson({
            channelId: channel.id,
            recipient,
            quotedMessageId,
            answersComment,
            fallback,
            sendOptions,
            status: status && statusInHash(status),
            via,
            ...content,
            ...(fileHash === undefined ? {} : { content: { ...content.content, mediaHandle: fileHash } }),
          }),
        ),
      };

/** Everybody is other people after each message, so a repeated request need not name the same ones. */
const statusInHash = ({ everybody, audience, ...form }: SendOptions) => ({
  ...form,
  ...(everybody === undefined ? { audience } : { everybody }),
});

/**
 * Binds the key to a message or scheduled message, for 24 hours after the request, or after `until` if it completes
 * later. Returns the earlier owner of the key; undefined if it was free or is its own.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export const claimKey = async <Id extends string>(
  env: Pick<MessagingEnv, "clock">,
  tx: Tx,
  claimed: IdempotencyKey,
  { id, until }: { id: Id; until?: number },
): Promise<Id | undefined> => {
  const nowMs = env.clock.now();
  const earlier = await claimIdempotencyKey(tx, claimed, { id, nowMs, expiresAt: (until ?? nowMs) + TTL_MS });
  if (earlier?.isSameRequest === false) throw reused();
  return earlier?.id;
};

/** Remembers the key of a scheduled message until 24 hours after its new time, or its end. */
export const keepKey = (tx: Tx, { tenantId, id, payload }: ScheduledRow, until: number): void => {
  const { idempotencyKey: key } = payload;
  if (typeof key === "string") keepIdempotencyKey(tx, { tenantId, key, id }, until + TTL_MS);
};

/**
 * Runs the request with the key, unless another request with this key is being answered.
 * @throws AppError IDEMPOTENCY_IN_PROGRESS
 */
export const alone = async <Result>(
  { beingAccepted }: Pick<MessagingEnv, "beingAccepted">,
  { tenantId, key }: IdempotencyKey,
  request: () => Promise<Result>,
): Promise<Result> => {
  const claim = `${tenantId}/${key}`;
  if (beingAccepted.has(claim)) throw inProgress();
  beingAccepted.add(claim);
  try {
    return await request();
  } finally {
    beingAccepted.delete(claim);
  }
};

/** The refusal of a key that belongs to another request. */
export const reused = () =>
  new AppError("IDEMPOTENCY_KEY_REUSED", {
    message: "The idempotency key was used for a different request. Nothing was sent; use a new key for a new message.",
  });

const inProgress = () =>
  new AppError("IDEMPOTENCY_IN_PROGRESS", {
    message: "A request with the same idempotency key is being answered. Repeat this one later.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
