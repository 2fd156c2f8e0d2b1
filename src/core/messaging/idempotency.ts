import { DAY_MS } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import type { MessageId } from "../../kernel/ids.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { Tx } from "../../store/db.ts";
import { claimIdempotencyKey, findIdempotencyKey, type IdempotencyKey } from "../../store/messages.ts";
import type { TenantScope } from "../../store/scope.ts";
import type { MessagingEnv } from "./env.ts";
import type { Envelope, Sendable } from "./sendable.ts";

const TTL_MS = DAY_MS;
const RETRY_AFTER_SECONDS = 1;

/** The request that brings a send, where it is not the send itself: an answer in a chat, or a schedule. */
export type Via = "chat" | "schedule";

/**
 * The idempotency key of a send with a hash of its request; undefined for a send without a key. Only sends have keys,
 * also those in the payload of a scheduled message. The hash covers the request's path, the content and the recipient,
 * however its number is written.
 */
export const idempotencyOf = (
  { tenantId }: TenantScope,
  { idempotencyKey: key, quotedMessageId, answersComment, fallback }: Envelope,
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
            via,
            ...content,
          }),
        ),
      };

/**
 * Binds the key to this message. Returns the message that the key already belongs to, undefined where there is none.
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export const claimKey = async (
  env: Pick<MessagingEnv, "clock">,
  tx: Tx,
  claimed: IdempotencyKey,
  messageId: MessageId,
): Promise<MessageId | undefined> => {
  const nowMs = env.clock.now();
  const earlier = await claimIdempotencyKey(tx, claimed, { messageId, nowMs, expiresAt: nowMs + TTL_MS });
  if (earlier?.isSameRequest === false) throw reused();
  return earlier?.messageId;
};

/** @throws AppError IDEMPOTENCY_KEY_REUSED when the key belongs to another request now */
export const checkKey = async (env: Pick<MessagingEnv, "clock" | "db">, key: IdempotencyKey): Promise<void> => {
  const earlier = await env.db.read((reader) => findIdempotencyKey(reader, key, env.clock.now()));
  if (earlier?.isSameRequest === false) throw reused();
};

/**
 * Runs the request that has the key, unless another with this key is being answered.
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

const reused = () =>
  new AppError("IDEMPOTENCY_KEY_REUSED", {
    message: "The idempotency key was used for a different request. Nothing was sent; use a new key for a new message.",
  });

const inProgress = () =>
  new AppError("IDEMPOTENCY_IN_PROGRESS", {
    message: "A request with the same idempotency key is being answered. Repeat this one later.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
