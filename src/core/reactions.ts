import type { Tx } from "../store/db.ts";
import { askAgent } from "./ai/respond.ts";
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
      return askAgent(env, tx, { ...published, fact });
    case "message.sent":
    case "message.delivered":
    case "message.read":
      return fact.isFirst ? countSent(tx, published) : undefined;
    case "message.priced":
      return countPriced(tx, { ...published, fact });
    case "channel.connected":
      return syncOnConnect(env, tx, published);
    default:
      return undefined;
  }
};
