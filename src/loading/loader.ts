import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { AdapterModule, AdapterSetting } from "../contract/adapter.ts";
import { COMMON_PHONE_FIELDS } from "../contract/kind.ts";
import type { ChannelPlugin } from "../contract/plugin.ts";
import { isReached, limitedProbe } from "../contract/reach.ts";
import type { UnavailableAdapter } from "../contract/unavailable-adapter.ts";
import { machineTimer, withTimeout } from "../kernel/async.ts";
import { type Clock, SECOND_MS } from "../kernel/clock.ts";
import { placeIn, reasonOf } from "../kernel/errors.ts";
import type { Environment } from "../kernel/reading.ts";
import {
  readAdapterSettings,
  unclaimedFault,
  unclaimedVariables,
  variableOf,
} from "../kernel/settings/adapter-settings.ts";
import { isRecord } from "../kernel/texts/json.ts";
import { writersFault } from "../kernel/writers.ts";
import { aboutFaults, reachOf } from "./about.ts";
import { namesIn, PluginFault } from "./folder.ts";
import { oneChoiceWarnings } from "./forms.ts";
import { hashOfFolder } from "./hash.ts";
import { misspeltLinkMembers, plainAdapter, unknownMembers } from "./members.ts";
import { settingsShapeFaults } from "./settings.ts";
import { openInertly, shapeFaults } from "./shape.ts";
import { versionFaults } from "./version.ts";

/** The adapters of a folder. `unowned`: faults of variables that are settings of no adapter in it. */
export type Folder = {
  loaded: readonly Loaded[];
  unavailable: readonly UnavailableAdapter[];
  unowned: readonly string[];
};

/**
 * A loaded adapter with its file and what its module says. `hosts`: those that it may ask, with those of its settings.
 * `sha256`: of its whole folder. `warnings`: members that it declares in vain.
 */
export type Loaded = Pick<AdapterModule, "contract" | "version"> & {
  author: string | undefined;
  homepage: string | undefined;
  plugin: ChannelPlugin;
  entry: string;
  hosts: readonly string[];
  sha256: string;
  settings: readonly AdapterSetting[];
  warnings: readonly string[];
};

type Timer = Pick<Clock, "timer">;

type Made = Omit<Loaded, "sha256">;

const hashed = async (made: Made): Promise<Loaded> => ({ ...made, sha256: await hashOfFolder(dirname(made.entry)) });

/** Loads adapters in another process first: the folders of those that would end or hold up this one, with the reason. */
export type Trial = (folders: readonly string[], env: Environment) => Promise<ReadonlyMap<string, string>>;

type Ports = { timer: Timer; tried: Trial };

const untried: Trial = async () => new Map();

const OPEN = "others can write to its files, or it cannot be read";

const ENTRIES = ["plugin.js", "plugin.ts"];
/** The form of an adapter's name, and of its folder's. */
export const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** The time limit of an import. A good file takes milliseconds; a file that awaits for ever never ends. */
const IMPORT_MS = 10 * SECOND_MS;

/**
 * Loads the adapters of a folder: `<dir>/<name>/plugin.js` or `plugin.ts`, in the order of their names. A missing
 * folder has no adapters. `env` holds the variables of their settings. An adapter is unavailable when others can write
 * to its files, when its file cannot be imported in time, when it is for another contract, has a wrong shape or wrong
 * settings, or uses a name, a kind or a platform word of an earlier adapter. The others are loaded nevertheless. If
 * others can write to the folder itself, nothing of it is run. `timer`: for the time limit.
 */
export const loadFolder = async (
  dir: string,
  compiledIn: readonly ChannelPlugin[],
  env: Environment,
  { timer = machineTimer, tried = untried }: Partial<Ports> = {},
): Promise<Folder> => {
  const names = namesIn(dir)
    .filter((name) => !isHidden(name) && entryOf(join(dir, name)))
    .sort();
  const made: Made[] = [];
  const unavailable: UnavailableAdapter[] = [];
  for (const one of await readAll(dir, names, env, { timer, tried })) {
    const next = "fault" in one ? one : madeOf(one, [...compiledIn, ...made.map(({ plugin }) => plugin)], env);
    if ("fault" in next) unavailable.push(next);
    else made.push(next);
  }
  const unclaimed = unclaimedVariables(env, made.map(declared));
  const misspeltOf = (name: string | undefined) =>
    unclaimed.filter((variable) => ownerOf(variable, names) === name).map(unclaimedFault);
  for (const { plugin, entry } of made) {
    const reason = misspeltOf(plugin.name).join("; ");
    if (reason !== "") unavailable.push({ name: plugin.name, kind: plugin.kind, reason, fault: `${entry}: ${reason}` });
  }
  const loaded: Loaded[] = [];
  for (const one of made) if (misspeltOf(one.plugin.name).length === 0) loaded.push(await hashed(one));
  return { loaded, unavailable, unowned: misspeltOf(undefined) };
};

/** The module of each adapter, or why its file was not run. */
const readAll = async (
  dir: string,
  names: readonly string[],
  env: Environment,
  { timer, tried }: Ports,
): Promise<(Imported | UnavailableAdapter)[]> => {
  const open = openToOthers(dir, names);
  const safe = names.filter((name) => !open.has(name)).map((name) => join(dir, name));
  const faulty = safe.length === 0 ? new Map<string, string>() : await tried(safe, env);
  const read: (Imported | UnavailableAdapter)[] = [];
  // one after the other: a blocking adapter must not use up the time of the others
  for (const name of names) {
    const [folder, writers] = [join(dir, name), open.get(name)];
    const trouble = faulty.get(folder);
    if (writers !== undefined) read.push({ name, kind: undefined, reason: OPEN, fault: writers });
    else if (trouble !== undefined) read.push({ ...of(folder), thrown: new ShapeFault(trouble) });
    else read.push(await imported(folder, timer));
  }
  return read;
};

const declared = ({ plugin, settings }: Made) => ({ name: plugin.name, settings });

/** The adapter that a variable belongs to by its name: of `a` and `a-b`, the longer one. */
const ownerOf = (variable: string, adapters: readonly string[]): string | undefined =>
  adapters
    .filter((name) => variable.startsWith(variableOf(name, "")))
    .reduce<string | undefined>((longest, name) => (name.length > (longest?.length ?? 0) ? name : longest), undefined);

/** The adapter's file in a folder; undefined if there is none. */
export const entryOf = (folder: string): string | undefined =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? ENTRIES.map((name) => join(folder, name)).find(existsSync)
    : undefined;

/**
 * Loads the adapter of one folder.
 * @throws PluginFault when others can write to it, or it is unavailable. The message names the file and every fault.
 */
export const loadPlugin = async (
  folder: string,
  others: readonly ChannelPlugin[],
  env: Environment,
  { timer = machineTimer, tried = untried }: Partial<Ports> = {},
): Promise<Loaded> => {
  const entry = entryOf(folder);
  if (entry === undefined) throw new PluginFault(`${folder}: there is no ${ENTRIES.join(" or ")}`);
  const open = writersFaultIn(folder);
  if (open !== undefined) throw new PluginFault(open);
  const trouble = (await tried([folder], env)).get(folder);
  if (trouble !== undefined) throw new PluginFault(`${entry}: ${trouble}`);
  const made = madeOf(await imported(folder, timer), others, env);
  if ("fault" in made) throw new PluginFault(made.fault);
  return hashed(made);
};

/** The result of an adapter's file: its default export, or why there is none. */
type Imported = { name: string; entry: string } & ({ exported: unknown } | { thrown: unknown });

const of = (folder: string) => ({ name: basename(folder), entry: entryOf(folder) ?? folder });

const imported = async (folder: string, timer: Timer): Promise<Imported> => {
  const { name, entry } = of(folder);
  const error = () => new ShapeFault(`it was not imported within ${IMPORT_MS / SECOND_MS} s: what does it await?`);
  try {
    return { name, entry, exported: await withTimeout(IMPORT_MS, importedFrom(entry), { clock: timer, error }) };
  } catch (thrown) {
    return { name, entry, thrown };
  }
};

/** Makes the adapter of an imported file, or says why it is unavailable. */
const madeOf = (one: Imported, others: readonly ChannelPlugin[], env: Environment): Made | UnavailableAdapter => {
  const { name, entry } = one;
  let kind: string | undefined;
  try {
    if ("thrown" in one) throw one.thrown;
    const module = moduleOf(one.exported, name);
    const read = readAdapterSettings(module, env);
    if (!read.ok) throw new ShapeFault(read.faults.join("; "));
    const created: unknown = module.create({ Type, settings: read.values });
    if (isRecord(created) && typeof created["kind"] === "string") kind = created["kind"];
    refuse(shapeFaults(created, module.name));
    const hosts = reachOf(module.hosts, read.values);
    const whole = plainAdapter(created as ChannelPlugin); // its shape has been checked
    const plugin = withProbesIn(hosts, whole);
    refuse(takenFaults(plugin, others));
    const warnings = [
      ...unknownMembers(module, plugin),
      ...misspeltLinkMembers(openInertly(plugin)),
      ...strayedProbes(hosts, whole),
      ...oneChoiceWarnings(whole),
    ];
    const { contract, version, author, homepage, settings = [] } = module;
    return { plugin, entry, contract, version, author, homepage, hosts, settings, warnings };
  } catch (thrown) {
    const isOurs = thrown instanceof ShapeFault;
    const reason = isOurs ? thrown.message : "it failed while it was loaded";
    return { name, kind, reason, fault: `${entry}: ${isOurs ? thrown.message : thrownIn(entry, thrown)}` };
  }
};

/**
 * The default export of an adapter author's file. The file runs with all rights of this process.
 *
 * @throws the error of the file, or of reading it.
 */
export const importedFrom = async (file: string): Promise<unknown> =>
  ((await import(file)) as { default?: unknown }).default;

class ShapeFault extends Error {}

/** What an adapter's own code threw, with the line that its author looks for. */
const thrownIn = (entry: string, thrown: unknown): string => {
  const place = placeIn(dirname(entry), thrown);
  return place === undefined ? reasonOf(thrown) : `${reasonOf(thrown)} (${place})`;
};

const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new ShapeFault(faults.join("; "));
};

/** `plugin add` keeps its own folders here under such names; no adapter finds packages in them. */
const isHidden = (name: string): boolean => name.startsWith(".");

/**
 * The adapters that others can change, with the fault. Their files run with all rights of this process. Everything in the
 * folder beside its adapters belongs to all of them, except hidden folders: they find packages there.
 */
const openToOthers = (dir: string, names: readonly string[]): ReadonlyMap<string, string> => {
  if (names.length === 0) return new Map();
  const beside = namesIn(dir).filter((name) => !isHidden(name) && !names.includes(name));
  const shared =
    writersFault(dir) ?? beside.map((name) => writersFaultIn(join(dir, name))).find((one) => one !== undefined);
  return new Map(
    names.flatMap((name) => {
      const fault = shared ?? writersFaultIn(join(dir, name));
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
};

/** Who else can write to this path or a path below it, or why that cannot be known. */
const writersFaultIn = (path: string): string | undefined => {
  try {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const names = isFolder ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
    const paths = [path, ...names.map((name) => join(path, name))];
    return paths.map((one) => writersFault(one)).find((one) => one !== undefined);
  } catch (thrown) {
    return `${path} cannot be read: ${reasonOf(thrown)}`;
  }
};

/** Checks that a default export is a module of this contract; calls none of its functions. */
const moduleOf = (exported: unknown, folder: string): AdapterModule => {
  // of a CommonJS file the default export is `module.exports`, which may have the adapter under a name
  if (!isRecord(exported) || !["contract", "name", "create"].some((member) => member in exported)) {
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
    ...aboutFaults(module),
    ...settingsShapeFaults(settings, folder),
  ]);
  return exported as AdapterModule; // its shape has been checked
};

/** The adapter, whose probes ask only these hosts: the doctor runs them without the guard. */
const withProbesIn = (hosts: readonly string[], plugin: ChannelPlugin): ChannelPlugin => {
  const { probes } = plugin;
  if (!probes) return plugin;
  const reached = probes.filter(({ url }) => isReached(hosts, url));
  return { ...plugin, probes: reached.map((probe) => limitedProbe(hosts, probe)) };
};

/** The probes that are left out: an address that only the doctor asks costs no channel its network. */
const strayedProbes = (hosts: readonly string[], { probes = [] }: ChannelPlugin): string[] =>
  probes
    .filter(({ url }) => !isReached(hosts, url))
    .map(({ name, url }) => `the probe ${name} asks ${url}, whose host is not in hosts: it is left out`);

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
