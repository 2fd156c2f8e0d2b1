import { existsSync, readdirSync } from "node:fs";
import type { InstalledAdapter } from "./contract/installed-adapter.ts";
import type { Environment } from "./kernel/reading.ts";
import { unclaimedFault, unclaimedVariables } from "./kernel/settings/adapter-settings.ts";
import type { Folder, Loaded, loadFolder } from "./plugin-loader.ts";

/** The plugin folder, or an adapter of it, cannot be used. The message names the file and every fault. */
export class PluginFault extends Error {}

/** As `loadFolder`. Without anything in the folder, the code that loads adapters is not loaded either. */
export const adaptersIn = async (
  dir: string,
  compiledIn: Parameters<typeof loadFolder>[1],
  env: Environment,
  ports: Parameters<typeof loadFolder>[3],
): Promise<Folder> => {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    return (await import("./plugin-loader.ts")).loadFolder(dir, compiledIn, env, ports);
  return { loaded: [], unavailable: [], unowned: unclaimedVariables(env, []).map(unclaimedFault) };
};

/** What an operator sees of a loaded adapter. */
export const installedAs = ({ plugin: { name, kind, label }, ...loaded }: Loaded): InstalledAdapter => {
  const { version, author, homepage, contract, hosts, sha256, warnings } = loaded;
  return { name, kind, label: label.en, version, author, homepage, contract, hosts, sha256, warnings };
};
