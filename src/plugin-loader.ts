import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { AdapterModule, AdapterSetting } from "./contract/adapter.ts";
import { COMMON_PHONE_FIELDS, CONTRACT_VERSION } from "./contract/kind.ts";
import type { ChannelPlugin } from "./contract/plugin.ts";
import { readAdapterSettings, unclaimedVariables } from "./kernel/adapter-settings.ts";
import { reasonOf } from "./kernel/errors.ts";
import type { Environment } from "./kernel/reading.ts";
import { writersFault } from "./kernel/writers.ts";
import { settingsShapeFaults } from "./plugin-settings.ts";
import { shapeFaults } from "./plugin-shape.ts";
import { VERSION } from "./version.ts";

/** An adapter of the plugin folder cannot be used. The message names the file and every fault. */
export class PluginFault extends Error {}

/** A loaded adapter with its file and its settings. */
export type Loaded = { plugin: ChannelPlugin; entry: string; contract: number; settings: readonly AdapterSetting[] };

const LOADED = new WeakSet<ChannelPlugin>();

/** Whether an adapter came from a folder: only those are guarded at run time. */
export const isLoaded = (plugin: ChannelPlugin): boolean => LOADED.has(plugin);

const ENTRIES = ["plugin.js", "plugin.ts"];
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * Loads the adapters of a folder: `<dir>/<name>/plugin.js` or `plugin.ts`, in the order of their names. A missing
 * folder has none. `env` holds the variables of their settings.
 *
 * @throws PluginFault for an adapter that others can write, that is for another contract, that has a wrong shape or
 * wrong settings, or that uses a name, a kind or a platform word of another adapter. Then no adapter is loaded.
 */
export const loadPlugins = async (
  dir: string,
  compiledIn: readonly ChannelPlugin[],
  env: Environment = {},
): Promise<ChannelPlugin[]> => (await loadFolder(dir, compiledIn, env)).map(({ plugin }) => plugin);

/** The same, with the file and the settings of each adapter. */
export const loadFolder = async (
  dir: string,
  compiledIn: readonly ChannelPlugin[],
  env: Environment,
): Promise<Loaded[]> => {
  const loaded: Loaded[] = [];
  checkWriters(dir);
  for (const folder of existsSync(dir) ? readdirSync(dir).sort() : []) {
    if (!entryOf(join(dir, folder))) continue;
    loaded.push(await loadPlugin(join(dir, folder), [...compiledIn, ...loaded.map(({ plugin }) => plugin)], env));
  }
  const unclaimed = unclaimedVariables(
    env,
    loaded.map(({ plugin, settings }) => ({ name: plugin.name, settings })),
  );
  if (unclaimed.length > 0) throw new PluginFault(unclaimed.join("; "));
  return loaded;
};

/** The adapter's file in a folder; undefined where there is none. */
const entryOf = (folder: string): string | undefined =>
  statSync(folder).isDirectory() ? ENTRIES.map((name) => join(folder, name)).find(existsSync) : undefined;

/**
 * Loads the adapter of one folder.
 * @throws PluginFault as `loadPlugins` does.
 */
export const loadPlugin = async (
  folder: string,
  others: readonly ChannelPlugin[],
  env: Environment,
): Promise<Loaded> => {
  const entry = existsSync(folder) ? entryOf(folder) : undefined;
  if (entry === undefined) throw new PluginFault(`${folder}: there is no ${ENTRIES.join(" or ")}`);
  checkWriters(folder);
  try {
    const module = moduleOf(await importedFrom(entry), basename(folder));
    const read = readAdapterSettings(module, env);
    if (!read.ok) throw new ShapeFault(read.faults.join("; "));
    const plugin: unknown = module.create({ Type, settings: read.values });
    refuse(shapeFaults(plugin, module.name));
    refuse(takenFaults(plugin as ChannelPlugin, others)); // its shape has been checked
    LOADED.add(plugin as ChannelPlugin);
    return { plugin: plugin as ChannelPlugin, entry, contract: module.contract, settings: module.settings ?? [] };
  } catch (cause) {
    throw new PluginFault(`${entry}: ${cause instanceof ShapeFault ? cause.message : reasonOf(cause)}`, { cause });
  }
};

/**
 * The default export of an adapter author's file. The file runs with all rights of this process.
 *
 * @throws what the file throws, or the error of reading it.
 */
export const importedFrom = async (file: string): Promise<unknown> =>
  ((await import(file)) as { default?: unknown }).default;

class ShapeFault extends Error {}

const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new ShapeFault(faults.join("; "));
};

/** Checks that only this user can write the files, because they run with all rights of this process. */
const checkWriters = (dir: string): void => {
  const below = existsSync(dir)
    ? readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => join(dir, name))
    : [];
  const fault = [dir, ...below].map(writersFault).find((one) => one !== undefined);
  if (fault !== undefined) throw new PluginFault(fault);
};

/** Checks that a default export is a module of this contract; calls none of its functions. */
const moduleOf = (exported: unknown, folder: string): AdapterModule => {
  if (typeof exported !== "object" || exported === null) {
    throw new ShapeFault("the default export must be an object: export default { contract, name, create }");
  }
  const module = exported as Partial<Record<keyof AdapterModule, unknown>>;
  refuse(versionFaults(module.contract, folder));
  const { name, create, settings } = module;
  refuse([
    ...(typeof name === "string" && NAME.test(name)
      ? []
      : ["name must be lower case letters, digits and -, a letter first, at most 32"]),
    ...(name === folder ? [] : [`name must be ${folder}, as the folder is called`]),
    ...(typeof create === "function" ? [] : ["create must be a function"]),
    ...settingsShapeFaults(settings, folder),
  ]);
  return exported as AdapterModule; // its shape has been checked
};

/** What to install where the versions of an adapter and of Recado do not match. */
const versionFaults = (contract: unknown, adapter: string): string[] => {
  const here = `Recado ${VERSION} loads adapters for contract ${CONTRACT_VERSION}`;
  if (contract === CONTRACT_VERSION) return [];
  if (typeof contract !== "number" || !Number.isInteger(contract) || contract < 1) {
    const needed = `a version of ${adapter} that exports contract: ${CONTRACT_VERSION}`;
    return [`it declares no contract version, and ${here}: install ${needed}`];
  }
  const isNewer = contract > CONTRACT_VERSION;
  const remedy = isNewer
    ? `install a newer Recado, or an older ${adapter} for contract ${CONTRACT_VERSION}`
    : `install a newer ${adapter} for contract ${CONTRACT_VERSION}, or an older Recado`;
  return [`it was written for contract ${contract}, and ${here}: ${remedy}`];
};

/** The word of a kind in the platform API. */
const wordOf = ({ kind, platform }: ChannelPlugin): string => platform?.type ?? `CHAT_${kind}`;

const takenFaults = (plugin: ChannelPlugin, others: readonly ChannelPlugin[]): string[] => [
  ...COMMON_PHONE_FIELDS.filter((name) => Object.hasOwn(plugin.phoneFields?.schema ?? {}, name)).map(
    (name) => `the field ${name} is shown by all phones`,
  ),
  ...others.flatMap((other) => [
    ...(other.name === plugin.name ? [`the name ${plugin.name} is taken by another adapter`] : []),
    ...(other.kind === plugin.kind ? [`the kind ${plugin.kind} is taken by ${other.name}`] : []),
    ...(!other.standsIn && wordOf(other) === wordOf(plugin)
      ? [`the platform word ${wordOf(plugin)} is taken by ${other.name}`]
      : []),
    ...sharedNames(plugin, other),
  ]),
];

const sharedNames = (plugin: ChannelPlugin, other: ChannelPlugin): string[] => {
  const fields = Object.keys(other.phoneFields?.schema ?? {});
  const probes = (other.probes ?? []).map(({ name }) => name);
  return [
    ...Object.keys(plugin.phoneFields?.schema ?? {})
      .filter((name) => fields.includes(name))
      .map((name) => `the field ${name} is taken by ${other.name}`),
    ...(plugin.probes ?? [])
      .filter(({ name }) => probes.includes(name))
      .map(({ name }) => `the probe ${name} is taken by ${other.name}`),
  ];
};
