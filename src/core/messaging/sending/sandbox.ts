import type { ProviderMessageId } from "../../../contract/events.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import { asDigits } from "../../../kernel/numbers/phone-numbers.ts";
import { findInbound } from "../../../store/tables/channels/inbox.ts";
import { findMessage } from "../../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireChannel } from "../../channels/refusals.ts";
import { simulatedConnectionOf } from "../../channels/sandbox.ts";
import type { MessagingEnv } from "../env.ts";
import { receiveMessage } from "../receiving/receive.ts";
import { recordFailure, recordProgress } from "./status.ts";

/**
 * Simulates that a person writes to a channel in any state; the message is received like a real one. Returns its id.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const receiveSimulated = (
  env: MessagingEnv,
  scope: TenantScope,
  channelId: string,
  { from, text }: { from: string; text: string },
): Promise<MessageId> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, channelId);
    const phoneNumber = simulatedConnectionOf(channel)?.phoneNumber ?? channel.phoneNumber;
    const who = { pn: asDigits(from) };
    const key = newKey(env);
    const context = { channel: { ...channel, phoneNumber }, environment: "test" } as const;
    await receiveMessage(env, tx, context, {
      kind: "received",
      key,
      at: env.clock.now(),
      from: who,
      chat: who,
      pushName: null,
      content: { type: "text", content: { text } },
    });
    const received = await findInbound(tx, channel.id, key);
    if (!received) throw new Error("a simulated message was not received");
    return received.messageId;
  });

/** The statuses that can be simulated. */
export const SIMULATED_STATUSES = ["sent", "delivered", "read", "failed"] as const;
export type SimulatedStatus = (typeof SIMULATED_STATUSES)[number];

const STATUS = { sent: "SENT", delivered: "DELIVERED", read: "READ" } as const;

/**
 * Simulates a network's status of a message that a test key sent. Statuses only move forward; a status that the message
 * has passed is not published.
 * @throws AppError MESSAGE_NOT_FOUND, also for a live message
 */
export const simulateStatus = (
  env: MessagingEnv,
  scope: TenantScope,
  messageId: string,
  status: SimulatedStatus,
): Promise<void> =>
  env.db.write(async (tx) => {
    const message = await findMessage(tx, scope, messageId);
    if (message?.environment !== "test")
      throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message of a test key." });
    const at = env.clock.now();
    if (status === "failed")
      await recordFailure(env, tx, message, {
        code: "UPSTREAM_BAD_REQUEST",
        reason: "the sandbox was told to let it fail",
        at,
        isReport: true,
      });
    else
      await recordProgress(env, tx, message, {
        status: STATUS[status],
        at,
        providerMessageId: message.providerMessageId ?? newKey(env),
      });
  });

/** A provider message id that no network uses. */
const newKey = (env: MessagingEnv): ProviderMessageId => `SANDBOX-${newId(env)}` as ProviderMessageId;
