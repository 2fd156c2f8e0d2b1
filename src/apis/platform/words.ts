import type { LinkState } from "../../contract/events.ts";
import type { ChannelKind, KindDeclaration } from "../../contract/kind.ts";
import type { Channel } from "../../core/channels/channel.ts";
import type { Registry } from "../../core/channels/links/registry.ts";
import { hasLostPairing } from "../../core/channels/links/report.ts";

type Kinds = Pick<Registry, "adapters" | "declared">;

const isListed = ({ platform }: Pick<KindDeclaration, "platform">): boolean => platform?.isListed ?? true;

/**
 * The platform's name of a kind of channel, as its adapter declares it. A kind without an adapter gets the most common
 * name.
 */
export const typeOf = (registry: Kinds, kind: ChannelKind): string =>
  registry.declared(kind)?.platform?.type ?? `CHAT_${kind}`;

/** The channel types of this API, each with its kind. */
export const channelTypes = (registry: Kinds): ReadonlyMap<string, ChannelKind> =>
  new Map(registry.adapters.filter(isListed).map(({ kind }) => [typeOf(registry, kind), kind]));

/** The kinds without a type in this API, which does not show their channels. */
export const hiddenKinds = ({ adapters }: Pick<Kinds, "adapters">): ChannelKind[] =>
  adapters.filter((adapter) => !isListed(adapter)).map(({ kind }) => kind);

/** TABLE: the platform's name of each state of the core. */

export const CHANNEL_STATUSES = ["DISCONNECTED", "CONNECTING", "CONNECTED"] as const;
const STATUS_OF: Record<LinkState, (typeof CHANNEL_STATUSES)[number]> = {
  PENDING: "DISCONNECTED",
  PENDING_QR: "CONNECTING",
  PENDING_WEBHOOK: "CONNECTING",
  CONNECTING: "CONNECTING",
  CONNECTED: "CONNECTED",
  RESTRICTED: "CONNECTED",
  DISCONNECTED: "DISCONNECTED",
  TOKEN_EXPIRED: "DISCONNECTED",
  FAILED: "DISCONNECTED",
};
/** A channel that has lost its pairing counts as disconnected until its owner connects it again. */
export const statusOf = (channel: Pick<Channel, "state" | "profile">) =>
  hasLostPairing(channel) ? "DISCONNECTED" : STATUS_OF[channel.state];
