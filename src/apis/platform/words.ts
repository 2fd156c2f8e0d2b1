import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind, KindDeclaration } from "../../contract/kind.ts";
import type { Channel } from "../../core/channels/channel.ts";
import type { Registry } from "../../core/channels/registry.ts";
import { hasLostPairing } from "../../core/channels/report.ts";

type Kinds = Pick<Registry, "adapters" | "declared">;

const isListed = ({ platform }: Pick<KindDeclaration, "platform">): boolean => platform?.isListed ?? true;

/**
 * The platform's word for a kind of channel, as its adapter declares it; one whose adapter is gone keeps the word that
 * most have.
 */
export const typeOf = (registry: Kinds, kind: ChannelKind): string =>
  registry.declared(kind)?.platform?.type ?? `CHAT_${kind}`;

/** The types that there are here, each with its kind. */
export const channelTypes = (registry: Kinds): ReadonlyMap<string, ChannelKind> =>
  new Map(registry.adapters.filter(isListed).map(({ kind }) => [typeOf(registry, kind), kind]));

/** The kinds that have no word here: their channels are as if they did not exist. */
export const hiddenKinds = ({ adapters }: Pick<Kinds, "adapters">): ChannelKind[] =>
  adapters.filter((adapter) => !isListed(adapter)).map(({ kind }) => kind);

/** TABLE: the platform's words for the core's. */

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
export const statusOf = (channel: Pick<Channel, "state" | "profile">) =>
  hasLostPairing(channel) ? "DISCONNECTED" : STATUS_OF[channel.state];

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
