import type { HandoverOrder, HandoverOutcome } from "../../contract/abilities/handover.ts";
import { isOpenState } from "../../contract/events.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { recipientDigits } from "../../kernel/numbers/phone-numbers.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { readContactOn } from "../channels/identity.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { adapterMissing, notConnected } from "../channels/refusals.ts";
import type { HeldBy } from "../domain-event.ts";
import type { ConversationsEnv } from "./env.ts";
import { findChatHolder, isShared, recordChange } from "./holders.ts";

/** A chat as clients name it. */
type ChatInput = { channelId: string; to: string };

const chatIn = async (env: ConversationsEnv, scope: TenantScope, { channelId, to }: ChatInput) => {
  const channel = await getChannel(env, scope, channelId);
  const declared = env.registry.declared(channel.kind);
  if (!declared) throw adapterMissing(channel.kind);
  const address = await declared.address(declared.network.recipients === "ids" ? to : recipientDigits(to));
  if (address.ok) return { channel, to: address.to };
  throw new AppError(address.code, { message: "There can be no conversation with this recipient.", details: { to } });
};

/**
 * The app that leads the conversation with a person; null if it is this app, or no app.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, RECIPIENT_INVALID, ADDRESS_INVALID.
 */
export const getHolder = async (
  env: ConversationsEnv,
  scope: TenantScope,
  input: ChatInput,
): Promise<HeldBy | null> => {
  const { channel, to } = await chatIn(env, scope, input);
  return env.db.read((reader) => findChatHolder(env, reader, channel.id, to));
};

/**
 * Asks the network to let another app lead a conversation (`pass`), to let this one (`take`), or to let no app
 * (`release`). A granted change is recorded, because the network does not report it to the app that asked.
 * @throws AppError as `getHolder`; OPERATION_UNSUPPORTED if numbers are not shared, CHANNEL_NOT_CONNECTED, and what
 *   `requireGranted` throws.
 */
export const changeHolder = async (
  env: ConversationsEnv,
  scope: TenantScope,
  { channelId, to: given, ...order }: ChatInput & Omit<HandoverOrder, "to">,
): Promise<HeldBy | null> => {
  const { channel, to } = await chatIn(env, scope, { channelId, to: given });
  const api = env.supervisor.linkOf(channel, "live")?.handover;
  if (!api || !isShared(env, channel))
    throw new AppError("OPERATION_UNSUPPORTED", {
      message: "Conversations of a channel of this kind have one app only.",
      details: { operation: order.action },
    });
  if (!isOpenState(channel.state)) throw notConnected(channel);
  requireGranted(await api.change({ ...order, to }));
  const { action, targetRole } = order;
  const passedTo = targetRole === undefined ? {} : { role: targetRole };
  // the network counts in seconds: its reports of this second must not be older than this
  const at = Math.floor(env.clock.now() / SECOND_MS) * SECOND_MS;
  return env.db.write(async (tx) =>
    recordChange(env, tx, channel, {
      chat: await readContactOn(tx, channel.id, to),
      at,
      heldBy: action === "pass" ? passedTo : null,
      cause: "request",
    }),
  );
};

/** @throws AppError THREAD_HELD, THREAD_ROLE_REFUSED, UPSTREAM_UNSUPPORTED, and what `requireValue` throws. */
const requireGranted = (outcome: HandoverOutcome): void => {
  if (outcome.ok) return;
  switch (outcome.kind) {
    case "held":
      throw new AppError("THREAD_HELD", { message: outcome.reason });
    case "role":
      throw new AppError("THREAD_ROLE_REFUSED", { message: outcome.reason });
    case "unsupported":
      throw new AppError("UPSTREAM_UNSUPPORTED", { message: outcome.reason });
    case "refused":
    case "token":
    case "credentials":
    case "unavailable":
      requireValue(outcome);
  }
};
