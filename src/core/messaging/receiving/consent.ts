import type { ConsentChanged } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { recordWish } from "../../conversations/opt-outs.ts";
import { contactOf } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";

/** Records, once, what a network reports of a person's wish. */
export const receiveConsent = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { nativeId, at, from, state, word }: ConsentChanged,
): Promise<void> => {
  const { channel, environment } = context;
  if (!(await isFirst(env, tx, context, { providerMessageId: `consent/${nativeId}` }))) return;
  const who = contactOf(await learnIdentity(tx, context, { identity: from, at }));
  const wish = { isOptedOut: state === "opted_out", by: "network", word: word ?? null, at } as const;
  await recordWish(env, tx, { tenantId: channel.tenantId, channel, environment }, { who, ...wish });
};
