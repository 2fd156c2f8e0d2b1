import type { DelegationChanged, Known, ReachChanged } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { contactOf, type DomainEvent } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/** A report that is published once. `key` is the same when the network repeats it. */
const publishOnce = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { key, domainEvent }: { key: string; domainEvent: DomainEvent },
): Promise<void> => {
  const { channel, environment } = context;
  if (await isFirst(env, tx, context, { providerMessageId: key }))
    await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, domainEvent);
};

/** Publishes, once, that a person or group takes no messages of the channel any more, or takes them again. */
export const receiveReach = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { nativeId, at, chat, isReachable, reason }: ReachChanged,
): Promise<void> =>
  publishOnce(env, tx, context, {
    key: `reach/${nativeId}`,
    domainEvent: {
      type: isReachable ? "contact.unblocked" : "contact.blocked",
      chat: contactOf(await learnIdentity(tx, context, { identity: chat, at })),
      at,
      reason: reason ?? null,
    },
  });

/** Publishes, once, that a person lets the channel act in the person's own chats, changed that, or ended it. */
export const receiveDelegation = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { nativeId, at, id: connectionId, from, pushName: name, isActive, mayWrite }: DelegationChanged,
): Promise<void> =>
  publishOnce(env, tx, context, {
    key: `delegation/${nativeId}`,
    domainEvent: {
      type: "channel.delegated",
      from: contactOf(await learnIdentity(tx, context, { identity: from, at, name })),
      name,
      connectionId,
      isActive,
      mayWrite,
      at,
    },
  });

/** Publishes, once, that a group has another address. Both of its chats may say so. */
export const receiveRenamedGroup = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { identity, before = {}, at }: Known,
): Promise<void> => {
  const [chat, former] = [contactOf(identity), contactOf(before)];
  await publishOnce(env, tx, context, {
    key: `renamed/${former.canonicalKey}/${chat.canonicalKey}`,
    domainEvent: {
      type: "chat.renamed",
      chat,
      before: former,
      at,
    },
  });
};
