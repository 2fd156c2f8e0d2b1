import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { isChannelKind } from "./contract/kind.ts";
import type { ChannelPlugin } from "./contract/plugin.ts";
import { reasonOf } from "./kernel/errors.ts";
import { writersFault } from "./kernel/writers.ts";

/** What a plugin's factory is given: it imports nothing of Recado. */
export type PluginKit = { Type: typeof Type };

/** A folder's plugin cannot be used; the message says which and why. */
export class PluginFault extends Error {}

const ENTRIES = ["plugin.ts", "plugin.js"];

/**
 * Loads the adapters of a folder: each subfolder's `plugin.ts` or `plugin.js` exports by default a factory `(kit) => ChannelPlugin`. A folder that is not there
 * holds none. Throws PluginFault for one that others can write, that breaks the contract, or that claims a name or kind which is taken.
 */
export const loadPlugins = async (dir: string, compiledIn: readonly ChannelPlugin[]): Promise<ChannelPlugin[]> => {
  const loaded: ChannelPlugin[] = [];
  checkWriters(dir);
  for (const folder of existsSync(dir) ? readdirSync(dir).sort() : []) {
    const entry = ENTRIES.map((name) => join(dir, folder, name)).find(existsSync);
    if (!entry) continue;
    const plugin = await loadOne(entry);
    const taken = [...compiledIn, ...loaded].find((other) => other.name === plugin.name || other.kind === plugin.kind);
    if (taken) throw new PluginFault(`${entry}: the name ${plugin.name} or the kind ${plugin.kind} is taken by ${taken.name}`);
    loaded.push(plugin);
  }
  return loaded;
};

/** What lies there runs with all that this process may do: nobody else may have put it there. */
const checkWriters = (dir: string): void => {
  const below = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => join(dir, name)) : [];
  const fault = [dir, ...below].map(writersFault).find((one) => one !== undefined);
  if (fault !== undefined) throw new PluginFault(fault);
};

const loadOne = async (entry: string): Promise<ChannelPlugin> => {
  try {
    const module = (await import(entry)) as { default?: (kit: PluginKit) => unknown };
    if (typeof module.default !== "function") throw new Error("its default export is no factory");
    const plugin = module.default({ Type });
    const faults = contractFaults(plugin);
    if (faults.length > 0) throw new Error(faults.join("; "));
    return plugin as ChannelPlugin; // its shape has been checked
  } catch (cause) {
    throw new PluginFault(`${entry}: ${reasonOf(cause)}`, { cause });
  }
};

/** What a plugin lacks to be one. Whether it keeps the laws shows the conformance suite. */
const contractFaults = (plugin: unknown): string[] => {
  if (typeof plugin !== "object" || plugin === null) return ["the factory made no plugin"];
  const { name, kind, capabilities, open, address } = plugin as Partial<ChannelPlugin>;
  return [
    typeof name === "string" && name !== "" ? "" : "name is missing",
    kind !== undefined && isChannelKind(kind) ? "" : "kind must be 2 to 32 capital letters, digits and _, a letter first",
    typeof capabilities === "object" && typeof capabilities.send === "object" ? "" : "capabilities.send is missing",
    typeof capabilities === "object" && typeof capabilities.operations === "object" ? "" : "capabilities.operations is missing",
    typeof open === "function" ? "" : "open is missing",
    typeof address === "function" ? "" : "address is missing",
  ].filter(Boolean);
};
