import type { ProviderMessageId } from "../../../contract/events.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { claimInbound } from "../../../store/tables/channels/inbox.ts";
import type { ChannelsEnv } from "../env.ts";
import type { InboundContext } from "../identity.ts";

/**
 * An inbound event that is not a message: the key by which a repeat is recognised, and the canonical keys of the people
 * concerned.
 */
type Happening = { providerMessageId: string; chat?: string; sender?: string; isOwn?: boolean };

/** Whether it comes for the first time. Records it, so that the next call returns false. */
export const isFirst = (
  env: Pick<ChannelsEnv, "clock" | "random">,
  tx: Tx,
  { channel, environment }: InboundContext,
  { providerMessageId, chat = "", sender = "", isOwn = false }: Happening,
): Promise<boolean> =>
  claimInbound(tx, {
    channelId: channel.id,
    providerMessageId: providerMessageId as ProviderMessageId,
    messageId: newId<MessageId>(env),
    chat,
    sender,
    isOwn,
    isPlaceholder: false,
    receivedAt: env.clock.now(),
    environment,
  });
