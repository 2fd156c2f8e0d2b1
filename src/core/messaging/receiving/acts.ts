import type { ProviderMessageId, Received, Revoked } from "../../../contract/events.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { findInbound, partKeyOf, wholeKeyOf } from "../../../store/tables/channels/inbox.ts";
import { type EarlyAct, keepEarlyAct, takeEarlyActs } from "../../../store/tables/messaging/early-acts.ts";
import { deletionTime } from "../../../store/tables/messaging/message-acts.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { keepAct } from "../../conversations/acts.ts";
import { type Contact, contactOf, type DomainEvent } from "../../domain-event.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { endWithKeep } from "./expiry.ts";
import { optionsOf, readTarget, type Target } from "./targets.ts";

/**
 * How long an act waits for its message, and the maximum number of waiting acts of a channel. Beyond it the oldest are
 * deleted.
 */
const WAIT_MS = DAY_MS;
const MOST_WAITING = 1000;

type ActEnv = PublishEnv & Pick<MessagingEnv, "log" | "jobs">;

/**
 * Receives a person's act on a message, and publishes it once under our id of the message. An act on an unknown message
 * waits for it, because networks deliver in any order.
 */
export const receiveAct = async (env: ActEnv, tx: Tx, context: InboundContext, event: EarlyAct): Promise<void> => {
  const { channel, environment } = context;
  const target = await readTarget(tx, context, event.key);
  if (!target) return waitForMessage(env, tx, context, event);
  const from = contactOf(
    event.isOwn ? event.from : await learnIdentity(tx, context, { identity: event.from, at: event.at }),
  );
  const happening = {
    providerMessageId: actKeyOf(event),
    chat: target.chat.canonicalKey,
    sender: from.canonicalKey,
    isOwn: event.isOwn ?? false,
  };
  if (!(await isFirst(env, tx, context, happening))) return;
  // networks deliver in any order: what was deleted for everyone shows no text that is changed
  if (event.kind === "edited" && (await deletionTime(tx, target.messageId)) !== null) return;
  const named =
    event.kind === "voted" ? { ...event, options: await optionsOf(tx, context, event, target.messageId) } : event;
  const domainEvent = domainEventOf(named, target, from);
  await keepAct(env, tx, channel, { domainEvent, author: event.isOwn ? "" : from.canonicalKey });
  await endWithKeep(env, tx, channel, { domainEvent, environment });
  await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, domainEvent);
  if (event.kind === "revoked") await revokeFurtherParts(env, tx, context, event);
};

/** Revokes the other contents of a message that had several. */
const revokeFurtherParts = async (env: ActEnv, tx: Tx, context: InboundContext, event: Revoked): Promise<void> => {
  const { key, nativeId } = event;
  for (let place = 1; await isPartOf(tx, context, { key, place }); place++)
    await receiveAct(env, tx, context, { ...event, key: partKeyOf(key, place), nativeId: `${nativeId}/${place}` });
};

/** Revokes those of a message's further contents that came after the message was revoked. */
export const revokeLateParts = async (
  env: ActEnv,
  tx: Tx,
  context: InboundContext,
  { event: { key: whole, from, isOwn = false }, came }: { event: Received; came: readonly Received[] },
): Promise<void> => {
  const late = came.filter(({ key }) => key !== whole);
  const first = late.length > 0 ? await findInbound(tx, context.channel.id, whole) : undefined;
  const at = first ? await deletionTime(tx, first.messageId) : null;
  if (at === null) return;
  for (const { key } of late)
    await receiveAct(env, tx, context, { kind: "revoked", key, nativeId: key, at, from, isOwn });
};

/** Whether this further content of a message came. A network may use the same form for ids of its own. */
const isPartOf = async (
  tx: Tx,
  { channel }: InboundContext,
  { key, place }: { key: ProviderMessageId; place: number },
): Promise<boolean> => {
  const found = await findInbound(tx, channel.id, partKeyOf(key, place));
  return found !== undefined && (await wholeKeyOf(tx, found)) === key;
};

const actKeyOf = ({ kind, nativeId }: EarlyAct): string => `${kind}/${nativeId}`;

const waitForMessage = async (
  env: ActEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  act: EarlyAct,
): Promise<void> => {
  env.log.debug({ channelId: channel.id, kind: act.kind }, "something was done to a message that is not known yet");
  const row = {
    channelId: channel.id,
    environment,
    providerMessageId: act.key,
    actKey: actKeyOf(act),
    expiresAt: env.clock.now() + WAIT_MS,
    act,
  };
  await keepEarlyAct(tx, row, MOST_WAITING);
};

/**
 * Publishes the waiting acts of a message in their order, in the write by which the message becomes known under this
 * id.
 */
export const receiveEarlyActs = async (
  env: ActEnv,
  tx: Tx,
  channelId: ChannelId,
  providerMessageId: ProviderMessageId,
): Promise<void> => {
  const acts = await takeEarlyActs(tx, { channelId, providerMessageId, nowMs: env.clock.now() });
  const channel = acts.length > 0 ? await findChannel(tx, EVERY_TENANT, channelId) : undefined;
  if (channel) for (const { environment, act } of acts) await receiveAct(env, tx, { channel, environment }, act);
};

const domainEventOf = (event: EarlyAct, { messageId, chat }: Target, from: Contact): DomainEvent => {
  const { at } = event;
  switch (event.kind) {
    case "reacted":
      return { type: "message.reacted", messageId, at, emoji: event.emoji ?? "", chat, from };
    case "edited":
      return { type: "message.edited", messageId, at, text: event.text, chat, from };
    case "voted": {
      const { options, totals = [] } = event;
      return { type: "message.poll_vote", messageId, at, options, totals, chat, from };
    }
    case "pinned":
      return { type: "message.pinned", messageId, at, until: event.until, chat, from };
    case "kept":
      return { type: "message.kept", messageId, at, isKept: event.isKept, chat, from };
    case "responded": {
      const { response, extraGuests } = event;
      return { type: "message.event_response", messageId, at, response, extraGuests, chat, from };
    }
    case "revoked":
      return { type: "message.deleted", messageId, at, to: chat, error: null };
  }
};
