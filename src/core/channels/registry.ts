import type { ChannelKind } from "../../contract/kind.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import type { Environment } from "../../store/keys.ts";

export type Receiving = ChannelPlugin & { receiver: NonNullable<ChannelPlugin["receiver"]> };

/** Which adapter serves which channel. */
export type Registry = {
  /** The adapters of networks, those compiled in first; without the one that stands in. */
  readonly adapters: readonly ChannelPlugin[];
  /** Their kinds, in the same order. */
  readonly kinds: readonly ChannelKind[];
  /**
   * The kind's own adapter, whichever stands in for it: what it declares holds in every environment. Undefined where it
   * is not installed (any more).
   */
  declared(kind: ChannelKind): ChannelPlugin | undefined;
  /** What serves the live channels of a kind; undefined where its adapter is not installed. */
  ofKind(kind: ChannelKind): ChannelPlugin | undefined;
  /** What a send in this environment goes through: test sends never reach a network. */
  of(kind: ChannelKind, environment: Environment): ChannelPlugin | undefined;
  ofName(name: string): ChannelPlugin | undefined;
  /** The adapters whose networks call one address for all their channels. */
  receivers(): readonly Receiving[];
};

/**
 * `isSimulated`: the adapter that stands in serves all kinds in place of their own: what the demo does with the
 * simulator.
 */
export const createRegistry = (
  plugins: readonly ChannelPlugin[],
  { isSimulated = false }: { isSimulated?: boolean } = {},
): Registry => {
  const standIn = plugins.find((plugin) => plugin.standsIn);
  const adapters = plugins.filter((plugin) => !plugin.standsIn);
  const byKind = new Map(adapters.map((plugin) => [plugin.kind, plugin]));
  const ofKind = (kind: ChannelKind) => (byKind.has(kind) && isSimulated ? standIn : byKind.get(kind));
  return {
    adapters,
    kinds: [...byKind.keys()],
    declared: (kind) => byKind.get(kind),
    ofKind,
    of: (kind, environment) => (byKind.has(kind) && environment === "test" ? standIn : ofKind(kind)),
    ofName: (name) => plugins.find((plugin) => plugin.name === name),
    receivers: () => adapters.flatMap(({ receiver, ...plugin }) => (receiver ? [{ ...plugin, receiver }] : [])),
  };
};
