import type { NativeKey } from "../../contract/events.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/db.ts";
import { claimInbound } from "../../store/inbox.ts";
import type { ChannelsEnv } from "./env.ts";
import type { Inlet } from "./identity.ts";

/** Something that came in and is no message: a key by which a repeat is recognised, and the canonical keys of whom it concerns. */
type Happening = { nativeKey: string; chat?: string; sender?: string; isOwn?: boolean };

/** Whether it comes for the first time; from now on it does not. */
export const isFirst = (
  env: Pick<ChannelsEnv, "clock" | "random">,
  tx: Tx,
  { channel, environment }: Inlet,
  { nativeKey, chat = "", sender = "", isOwn = false }: Happening,
): Promise<boolean> =>
  claimInbound(tx, {
    channelId: channel.id,
    nativeKey: nativeKey as NativeKey,
    messageId: newId<MessageId>(env),
    chat,
    sender,
    isOwn,
    isPlaceholder: false,
    receivedAt: env.clock.now(),
    environment,
  });
