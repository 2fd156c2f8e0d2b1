import type { DeletedForMe, Starred } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { actsOn, keepAct, NO_ACTS } from "../../conversations/acts.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import { readTarget } from "./targets.ts";

/**
 * Receives what the owner did to a message in the account's own app alone: a star, or that it is shown no more. A
 * message that is not known here has no marks, and a repeat publishes nothing.
 */
export const receiveOwnMark = async (
  env: PublishEnv,
  tx: Tx,
  context: InboundContext,
  event: Starred | DeletedForMe,
): Promise<void> => {
  const { channel, environment } = context;
  const target = await readTarget(tx, context, event.key);
  if (!target) return;
  const { messageId, chat } = target;
  const before = (await actsOn(tx, { tenantId: channel.tenantId }, [messageId])).get(messageId) ?? NO_ACTS;
  const isRepeat = event.kind === "starred" ? before.starred === event.isStarred : before.deletedForMeAt !== null;
  if (isRepeat) return;
  const { at } = event;
  const domainEvent: DomainEvent =
    event.kind === "starred"
      ? { type: "message.starred", messageId, at, isStarred: event.isStarred, chat }
      : { type: "message.deleted_for_me", messageId, at, chat };
  await keepAct(env, tx, channel, { domainEvent, author: "" });
  if (!event.isHistory) await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, domainEvent);
};
