import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import type { Channel } from "../../core/channels/channel.ts";
import { hasLostPairing } from "../../core/channels/report.ts";

/** TABLE: the platform's words for the core's. */
export const CHANNEL_TYPES = ["CHAT_SESSION", "CHAT_WABA"] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export const KIND_OF: Record<ChannelType, ChannelKind> = { CHAT_SESSION: "SESSION", CHAT_WABA: "WABA" };
/** The kinds that this face shows; SOCIAL has no word here. */
export const SHOWN_KINDS: readonly ChannelKind[] = Object.values(KIND_OF);
export const typeOf = (kind: ChannelKind): ChannelType => (kind === "WABA" ? "CHAT_WABA" : "CHAT_SESSION");

export const CHANNEL_STATUSES = ["DISCONNECTED", "CONNECTING", "CONNECTED"] as const;
const STATUS_OF: Record<LinkState, (typeof CHANNEL_STATUSES)[number]> = {
  PENDING: "DISCONNECTED",
  PENDING_QR: "CONNECTING",
  PENDING_WEBHOOK: "CONNECTING",
  CONNECTING: "CONNECTING",
  CONNECTED: "CONNECTED",
  DISCONNECTED: "DISCONNECTED",
  TOKEN_EXPIRED: "DISCONNECTED",
  FAILED: "DISCONNECTED",
};
/** One that has lost its pairing is gone until its owner connects it again. */
export const statusOf = (channel: Pick<Channel, "state" | "profile">) => (hasLostPairing(channel) ? "DISCONNECTED" : STATUS_OF[channel.state]);

export const EVENT_NAMES = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "conversation.created",
  "conversation.closed",
  "channel.connected",
  "channel.disconnected",
  "contact.created",
  "contact.updated",
  "bulk.completed",
  "bulk.failed",
] as const;
export type EventName = (typeof EVENT_NAMES)[number];
