import type { InboundContent } from "./content.ts";

/** A message's id on its network; made and read only by the plugin, never shown to a customer. */
export type NativeKey = string & { readonly __brand: "NativeKey" };

/** Who somebody is, as far as the network says. At least one field is set. Numbers are digits without `+`. */
export type Identity = { pn?: string; lid?: string; bsuid?: string; parentBsuid?: string; igsid?: string; username?: string };

/** A file of an inbound message, still at the network. */
export type InboundMedia = { nativeId: string; contentType: string; sizeBytes?: number; filename?: string; sha256?: string };

/** What a network tells us. `at` is the network's own time in milliseconds, 0 where it named none. */
export type ChannelEvent = Received | Receipt | UnknownFact;

export type Received = {
  kind: "received";
  key: NativeKey;
  at: number;
  from: Identity;
  chat: Identity;
  pushName: string | null;
  content: InboundContent;
  media?: InboundMedia;
  quotedKey?: NativeKey;
};

/** `messageId` is ours, where the network carried it along: it resolves a send whose outcome was unknown. */
export type Receipt = {
  kind: "receipt";
  key: NativeKey;
  at: number;
  status: "sent" | "delivered" | "read" | "failed";
  messageId?: string;
  to?: Identity;
  /** `isFormatRefused`: the network cannot take a file of this format. */
  error?: { code: number; reason: string; isFormatRefused?: boolean };
  pricing?: { isBillable: boolean; category: string };
};

/** Something the plugin does not know yet. The raw envelope stays stored; it is logged once per `what`. */
export type UnknownFact = { kind: "unknown"; at: number; what: string };

/** The state of a channel's connection; the eight values of the gateway. */
export const LINK_STATES = ["PENDING", "PENDING_QR", "PENDING_WEBHOOK", "CONNECTING", "CONNECTED", "DISCONNECTED", "TOKEN_EXPIRED", "FAILED"] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** A report of a channel's health. `profile` are facts of the number that a face shows (quality, throughput …). */
export type LinkReport = { state: LinkState; reason?: string; phoneNumber?: string; profile?: Record<string, unknown> };
