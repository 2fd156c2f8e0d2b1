import type { ChannelPlugin } from "../src/contract/plugin.ts";
import { type SessionSettings, sessionPlugin } from "./session/plugin.ts";
import { type SimulatorSettings, simulatorPlugin } from "./simulator/plugin.ts";
import { type SocialSettings, socialPlugin } from "./social/plugin.ts";
import { type WabaSettings, wabaPlugin } from "./waba/plugin.ts";

export type PluginSettings = {
  session: SessionSettings;
  waba: WabaSettings;
  social: SocialSettings;
  simulator: SimulatorSettings;
};

/** The adapters compiled in, one line each. */
export const compiledPlugins = (settings: PluginSettings): readonly ChannelPlugin[] => [
  sessionPlugin(settings.session),
  wabaPlugin(settings.waba),
  socialPlugin(settings.social),
  simulatorPlugin(settings.simulator),
];
