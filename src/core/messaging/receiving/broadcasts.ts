import type { Broadcast } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { contactOf } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/**
 * Publishes a status of a person or a post of a newsletter, once. It belongs to no conversation, makes no contact, and
 * no agent answers it. Its file is not fetched.
 */
export const receiveBroadcast = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { key, at, from, newsletter, pushName, content }: Broadcast,
): Promise<void> => {
  const { channel, environment } = context;
  const author = from ? contactOf(from) : null;
  const happening = {
    providerMessageId: `broadcast/${newsletter ?? ""}/${key}`,
    chat: newsletter === undefined ? "" : `newsletter:${newsletter}`,
    sender: author?.canonicalKey ?? "",
  };
  if (await isFirst(env, tx, context, happening))
    await publish(
      env,
      tx,
      { tenantId: channel.tenantId, channel, environment },
      { type: "broadcast.received", at, from: author, newsletterId: newsletter ?? null, pushName, content },
    );
};
