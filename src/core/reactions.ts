import type { Tx } from "../store/engine/db.ts";
import { noteDeleted, noteLed, noteReceived, noteSent } from "./ai/conversations/respond.ts";
import { noteVoice } from "./ai/voice/notes.ts";
import { enqueueAccountRead } from "./billing/costs/ledger.ts";
import { countPriced, countReceived, countSent } from "./billing/costs/usage.ts";
import type { PublishedEvent } from "./domain-event.ts";
import type { Env } from "./env.ts";
import { labelByTags, tagByLabel, tagNewContact } from "./messaging/chats/label-tags.ts";
import { syncOnConnect } from "./messaging/templates/template-sync.ts";

/**
 * TABLE: the work that a domain event starts in other slices, in the write that publishes it. Events of test keys start
 * none.
 */
export const react = async (env: Env, tx: Tx, { domainEvent, ...published }: PublishedEvent): Promise<void> => {
  if (published.environment !== "live") return;
  switch (domainEvent.type) {
    case "message.received":
      await countReceived(env, tx, { ...published, domainEvent });
      if (await noteVoice(env, tx, { ...published, domainEvent })) return undefined;
      return noteReceived(env, tx, { ...published, domainEvent });
    case "message.sent":
    case "message.delivered":
    case "message.read":
      if (!domainEvent.isFirst) return undefined;
      await countSent(tx, published);
      return noteSent(env, tx, { ...published, domainEvent });
    case "message.deleted":
      return noteDeleted(tx, { ...published, domainEvent });
    case "chat.labelled":
      return tagByLabel(env, tx, { ...published, domainEvent });
    case "contact.created":
      return tagNewContact(env, tx, { ...published, domainEvent });
    case "contact.updated":
      return labelByTags(env, tx, { ...published, domainEvent });
    case "conversation.held":
      return noteLed(tx, { ...published, domainEvent });
    case "message.priced":
      return countPriced(tx, { ...published, domainEvent });
    case "channel.connected":
      await enqueueAccountRead(env, tx, published);
      return syncOnConnect(env, tx, published);
    default:
      return undefined;
  }
};
