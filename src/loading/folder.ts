import { readdirSync } from "node:fs";
import type { InstalledAdapter } from "../contract/installed-adapter.ts";
import type { guardPlugin } from "../core/channels/links/guard/guarded-plugin.ts";
import type { Environment } from "../kernel/reading.ts";
import { unclaimedFault, unclaimedVariables } from "../kernel/settings/adapter-settings.ts";
import type { Folder, Loaded, loadFolder } from "./loader.ts";

/** The plugin folder, or an adapter of it, cannot be used. The message names the file and every fault. */
export class PluginFault extends Error {}

/** `guard` stands around each loaded adapter; undefined without one. */
export type GuardedFolder = Folder & { guard: typeof guardPlugin | undefined };

/** What lies in the folder; nothing if it does not exist. A folder that this process may not read throws. */
export const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
};

/** As `loadFolder`. Code that loads adapters, and their guard, is loaded only if there are some. */
export const adaptersIn = async (
  dir: string,
  compiledIn: Parameters<typeof loadFolder>[1],
  env: Environment,
  ports: Parameters<typeof loadFolder>[3],
): Promise<GuardedFolder> => {
  if (namesIn(dir).length === 0)
    return { loaded: [], unavailable: [], unowned: unclaimedVariables(env, []).map(unclaimedFault), guard: undefined };
  const folder = await (await import("./loader.ts")).loadFolder(dir, compiledIn, env, ports);
  const guards = folder.loaded.length > 0 && (await import("../core/channels/links/guard/guarded-plugin.ts"));
  return { ...folder, guard: guards ? guards.guardPlugin : undefined };
};

/** What an operator sees of a loaded adapter. */
export const installedAs = ({ plugin: { name, kind, label }, ...loaded }: Loaded): InstalledAdapter => {
  const { version, author, homepage, contract, hosts, sha256, warnings } = loaded;
  return { name, kind, label: label.en, version, author, homepage, contract, hosts, sha256, warnings };
};
