import type { Tx } from "../store/db.ts";
import { noteReceived, noteSent } from "./ai/respond.ts";
import { countPriced, countReceived, countSent } from "./billing/usage.ts";
import type { Env } from "./env.ts";
import type { PublishedFact } from "./events/fact.ts";
import { syncOnConnect } from "./messaging/template-sync.ts";

/** TABLE: which fact begins which work elsewhere, in the write that publishes it. What a test key caused begins none. */
export const react = async (env: Env, tx: Tx, { fact, ...published }: PublishedFact): Promise<void> => {
  if (published.environment !== "live") return;
  switch (fact.type) {
    case "message.received":
      await countReceived(tx, { ...published, fact });
      return noteReceived(env, tx, { ...published, fact });
    case "message.sent":
    case "message.delivered":
    case "message.read":
      if (!fact.isFirst) return undefined;
      await countSent(tx, published);
      return noteSent(env, tx, { ...published, fact });
    case "message.priced":
      return countPriced(tx, { ...published, fact });
    case "channel.connected":
      return syncOnConnect(env, tx, published);
    default:
      return undefined;
  }
};
