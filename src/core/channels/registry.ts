import { SENDS, type Sends } from "../../contract/capabilities.ts";
import type { ChannelKind, ChannelPlugin } from "../../contract/plugin.ts";
import type { Environment } from "../../store/keys.ts";

/** Which plugin serves which channel. */
export type Registry = {
  /** The plugin of a kind; undefined where none is installed. */
  ofKind(kind: ChannelKind): ChannelPlugin | undefined;
  /** What a send in this environment goes through: test sends never reach a network. */
  of(kind: ChannelKind, environment: Environment): ChannelPlugin | undefined;
  /** What a channel of this kind may be asked to send, whoever stands in for its own adapter: a test send is refused what a live one would be. */
  sends(kind: ChannelKind): Sends;
  ofName(name: string): ChannelPlugin | undefined;
  /** The kind whose channels a plugin's envelopes are for. */
  receivers(): (ChannelPlugin & { kind: ChannelKind; receiver: NonNullable<ChannelPlugin["receiver"]> })[];
};

/** `standIn` serves the kinds given to it in place of their own plugins: what the demo does with the simulator. */
export const createRegistry = (plugins: readonly ChannelPlugin[], standIn: { for: readonly ChannelKind[] } = { for: [] }): Registry => {
  const simulator = plugins.find((plugin) => plugin.kind === "SIMULATOR");
  const ofKind = (kind: ChannelKind) => (standIn.for.includes(kind) ? simulator : plugins.find((plugin) => plugin.kind === kind));
  return {
    ofKind,
    of: (kind, environment) => (environment === "test" ? simulator : ofKind(kind)),
    sends: (kind) => plugins.find((plugin) => plugin.kind === kind)?.capabilities ?? SENDS[kind],
    ofName: (name) => plugins.find((plugin) => plugin.name === name),
    receivers: () => plugins.flatMap(({ kind, receiver, ...plugin }) => (receiver && kind !== "SIMULATOR" ? [{ ...plugin, kind, receiver }] : [])),
  };
};
