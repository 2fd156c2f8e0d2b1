import { utcDayOf } from "../../../kernel/clock.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { countConversation, countMessage } from "../../../store/tables/billing/usage.ts";
import type { DomainEvent, PublishedEvent } from "../../domain-event.ts";
import type { BillingEnv } from "../env.ts";

type Published<Type extends DomainEvent["type"]> = Omit<PublishedEvent, "domainEvent"> & {
  domainEvent: Extract<DomainEvent, { type: Type }>;
};
type Happened = Omit<PublishedEvent, "domainEvent">;

/** Counted on the day of its receipt, by the server's clock: a past day no longer changes. */
const dayOf = ({ createdAt }: Happened): number => utcDayOf(createdAt);

/**
 * Counts a message that was received now. Does not count a message that the owner wrote elsewhere, history, or a
 * message for information while another app led the conversation.
 */
export const countReceived = async (
  { activity }: Pick<BillingEnv, "activity">,
  tx: Tx,
  { domainEvent, ...happened }: Published<"message.received">,
): Promise<void> => {
  if (domainEvent.direction !== "inbound" || domainEvent.isHistory || domainEvent.heldBy) return;
  count(tx, "received", happened);
  tx.afterCommit(() => activity.note(happened, "received"));
};

/** Counts a message that the network has accepted. It stays counted when it fails later. */
export const countSent = async (tx: Tx, happened: Happened): Promise<void> => count(tx, "sent", happened);

/** Counts a message that the network charges for. */
export const countPriced = async (tx: Tx, { domainEvent, ...happened }: Published<"message.priced">): Promise<void> =>
  countConversation(tx, {
    tenantId: happened.tenantId,
    day: dayOf(happened),
    category: domainEvent.category.toUpperCase(),
  });

const count = (tx: Tx, what: "sent" | "received", happened: Happened): void => {
  const { tenantId, channelId } = happened;
  if (channelId !== null) countMessage(tx, what, { tenantId, day: dayOf(happened), channelId });
};
