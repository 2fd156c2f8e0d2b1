import type { InstalledAdapter } from "../../../contract/installed-adapter.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import type { UnavailableAdapter } from "../../../contract/unavailable-adapter.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";

export type Receiving = ChannelPlugin & { receiver: NonNullable<ChannelPlugin["receiver"]> };

/** Which adapter serves which channel. */
export type Registry = {
  /** The adapters of networks, the compiled-in ones first; without the simulator. */
  readonly adapters: readonly ChannelPlugin[];
  /** Their kinds, in the same order. */
  readonly kinds: readonly ChannelKind[];
  /**
   * The kind's own adapter, even if the simulator replaces it: its declarations apply in every environment. Undefined
   * if it is not installed (any more).
   */
  declared(kind: ChannelKind): ChannelPlugin | undefined;
  /** The adapter of a kind's live channels; undefined if it is not installed. */
  ofKind(kind: ChannelKind): ChannelPlugin | undefined;
  /** The adapter for sends in this environment. Test sends never reach a network. */
  of(kind: ChannelKind, environment: Environment): ChannelPlugin | undefined;
  ofName(name: string): ChannelPlugin | undefined;
  /** The adapters whose networks call one address for all their channels. */
  receivers(): readonly Receiving[];
  /** The adapters of the plugin folder that are in use. */
  readonly installed: readonly InstalledAdapter[];
  /** The adapters that are installed but cannot be used: their channels have no adapter. */
  readonly unavailable: readonly UnavailableAdapter[];
};

/** `isSimulated`: the simulator serves all kinds instead of their own adapters, as the demo does. */
export const createRegistry = (
  plugins: readonly ChannelPlugin[],
  {
    isSimulated = false,
    installed = [],
    unavailable = [],
  }: {
    isSimulated?: boolean;
    installed?: readonly InstalledAdapter[];
    unavailable?: readonly UnavailableAdapter[];
  } = {},
): Registry => {
  const standIn = plugins.find((plugin) => plugin.standsIn);
  const adapters = plugins.filter((plugin) => !plugin.standsIn);
  const byKind = new Map(adapters.map((plugin) => [plugin.kind, plugin]));
  const receiving = adapters.filter((plugin): plugin is Receiving => plugin.receiver !== undefined);
  const ofKind = (kind: ChannelKind) => (byKind.has(kind) && isSimulated ? standIn : byKind.get(kind));
  return {
    adapters,
    kinds: [...byKind.keys()],
    declared: (kind) => byKind.get(kind),
    ofKind,
    of: (kind, environment) => (byKind.has(kind) && environment === "test" ? standIn : ofKind(kind)),
    ofName: (name) => plugins.find((plugin) => plugin.name === name),
    receivers: () => receiving,
    installed,
    unavailable,
  };
};
