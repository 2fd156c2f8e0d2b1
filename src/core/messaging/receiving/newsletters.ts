import type { NewsletterChanged, NewsletterCounted } from "../../../contract/events.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findMessageByProviderId } from "../../../store/tables/messaging/messages.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/** Publishes, once, that the account follows a newsletter or no longer does, or that the newsletter changed. */
export const receiveNewsletterChange = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { nativeId, at, newsletterId, what: change, name, description }: NewsletterChanged,
): Promise<void> => {
  const { channel, environment } = context;
  if (await isFirst(env, tx, context, { providerMessageId: `newsletter/${nativeId}` }))
    await publish(
      env,
      tx,
      { tenantId: channel.tenantId, channel, environment },
      { type: "newsletter.changed", newsletterId, at, change, name: name ?? null, description: description ?? null },
    );
};

/** Publishes the counts of a post. They are not repeated: the next counts replace them. */
export const receiveNewsletterCounts = async (
  env: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { at, newsletterId, serverId, key, views, reactions }: NewsletterCounted,
): Promise<void> => {
  const post = key === undefined ? undefined : await findMessageByProviderId(tx, channel.id, key);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    { type: "newsletter.counts", newsletterId, at, serverId, messageId: post?.id ?? null, views, reactions },
  );
};
