// The parts that the samples of several events share.

import { DAY_MS } from "../../../kernel/clock.ts";
import type { ChannelId, ConversationId, MessageId, TenantId } from "../../../kernel/ids.ts";
import { contactOf, type MediaMetadata, type PublishedEvent } from "../../domain-event.ts";

/** The time of every sample: 2026-11-20 12:00 UTC. */
export const AT = Date.UTC(2026, 10, 20, 12);

/** A public id whose last digits tell what it names. */
export const idOf = <Id extends string>(number: number): Id =>
  `01a5c0de-0000-4000-8000-${String(number).padStart(12, "0")}` as Id;

export const TENANT_ID = idOf<TenantId>(2);
export const CHANNEL_ID = idOf<ChannelId>(3);
/** The place and time of a sample's publication: live, of one channel. */
export const PUBLISHED = {
  id: idOf(1),
  tenantId: TENANT_ID,
  channelId: CHANNEL_ID,
  kind: null,
  environment: "live",
  createdAt: AT,
} as const satisfies Omit<PublishedEvent, "domainEvent">;
export const MESSAGE_ID = idOf<MessageId>(4);
export const CONVERSATION_ID = idOf<ConversationId>(6);

export const ANA = contactOf({ pn: "5511999999999", bsuid: "BR.1234567890" });
/** A person on Instagram. */
export const BIA = contactOf({ igsid: "17841400000000001" });

export const MEDIA: MediaMetadata = {
  mediaId: idOf(5),
  contentType: "image/jpeg",
  sizeBytes: 48_213,
  filename: null,
  expiresAt: AT + 7 * DAY_MS,
};
