import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { tryAdapters } from "../../adapters/machine/adapter-trial.ts";
import { pluginsCompiledIn } from "../../composition.ts";
import { systemClock } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { isRecord } from "../../kernel/texts/json.ts";
import { writersFault } from "../../kernel/writers.ts";
import { PluginFault } from "../../loading/folder.ts";
import { entryOf, importedFrom, type Loaded, loadFolder, loadPlugin, NAME } from "../../loading/loader.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { withConfig } from "../with-config.ts";
import { filesOfArchive, filesOfFolder, MAX_PACKAGE_BYTES, PackageFault, type PackageFiles } from "./archive.ts";
import { examine } from "./checking.ts";
import { isSignedBy } from "./signature.ts";
import { exchange, install, remove, stage } from "./store.ts";

const RESTART = "restart the server to use it";

type Asked = { source: string; key: string | undefined; isUntested: boolean };

/**
 * Installs an adapter from an archive or a folder: verifies its signature, checks it, tests it against the laws, and keeps
 * the version before. Nothing of it runs before its signature is verified. Asks no network. Exit code 1 if it is not
 * installed; then nothing has changed.
 */
export const add = (context: CommandContext, { source, key, isUntested }: Asked): Promise<number> =>
  withConfig(context, (config) =>
    refusing(context, async () => {
      const staged = stage(config.pluginDir, packageFrom(context, source, key), systemClock().now());
      try {
        const folder = staged.named(await nameIn(staged.folder, config));
        const loaded = await loadBeside(folder, config);
        print(context, loaded);
        if (!isUntested && (await testOf(context, folder)) !== EXIT.ok) {
          context.err("it breaks laws of adapters, and is not installed; --no-test installs it nevertheless");
          return EXIT.fault;
        }
        install(config.pluginDir, loaded.plugin.name, folder);
        context.out(`installed in ${join(config.pluginDir, loaded.plugin.name)}: ${RESTART}`);
        return EXIT.ok;
      } finally {
        staged.drop();
      }
    }),
  );

/** Runs an act, and prints why it refuses. */
const refusing = async (context: CommandContext, act: () => Promise<number>): Promise<number> => {
  try {
    return await act();
  } catch (thrown) {
    if (!(thrown instanceof PackageFault || thrown instanceof PluginFault)) throw thrown;
    context.err(thrown.message);
    return EXIT.fault;
  }
};

const packageFrom = ({ out }: CommandContext, source: string, key: string | undefined): PackageFiles => {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new PackageFault(`there is no ${source}`);
  const open = writersFault(source);
  if (open !== undefined) throw new PackageFault(open);
  if (found.isDirectory()) {
    if (key !== undefined) throw new PackageFault("a folder has no signature: --key takes an archive");
    return filesOfFolder(source);
  }
  if (found.size > MAX_PACKAGE_BYTES) throw new PackageFault(`${source} has more than ${MAX_PACKAGE_BYTES} bytes`);
  const bytes = readFileSync(source);
  const signature = `${source}.minisig`;
  if (key === undefined) {
    if (existsSync(signature)) out(`${signature} is not verified: --key names the public key of its author`);
    return filesOfArchive(bytes);
  }
  if (!existsSync(signature)) throw new PackageFault(`there is no ${signature} to verify`);
  const keyText = existsSync(key) ? readFileSync(key, "utf8") : key;
  if (!isSignedBy(bytes, readFileSync(signature, "utf8"), keyText))
    throw new PackageFault(`${signature} is no signature of ${source} by this key`);
  out("the signature is of this key");
  return filesOfArchive(bytes);
};

/** The name that the module in a folder declares. Its file is run in another process first. */
const nameIn = async (folder: string, { adapterEnv }: Config): Promise<string> => {
  const entry = entryOf(folder);
  if (entry === undefined) throw new PackageFault("the package has no plugin.js");
  const trouble = (await tryAdapters([folder], adapterEnv)).get(folder);
  if (trouble !== undefined) throw new PackageFault(`plugin.js: ${trouble}`);
  const module = await importedFrom(entry).catch((thrown: unknown) => {
    throw new PackageFault(`plugin.js: ${reasonOf(thrown)}`);
  });
  const name = isRecord(module) ? module["name"] : undefined;
  if (typeof name !== "string" || !NAME.test(name)) throw new PackageFault("plugin.js declares no name of an adapter");
  return name;
};

/** Loads it beside the installed adapters, in place of its own version before. */
const loadBeside = async (folder: string, config: Config): Promise<Loaded> => {
  const compiledIn = pluginsCompiledIn(config, false);
  const { loaded } = await loadFolder(config.pluginDir, compiledIn, config.adapterEnv, { tried: tryAdapters });
  const others = loaded.map(({ plugin }) => plugin).filter(({ name }) => name !== basename(folder));
  return loadPlugin(folder, [...compiledIn, ...others], config.adapterEnv);
};

const testOf = async (context: CommandContext, folder: string): Promise<number> => {
  if (existsSync(join(folder, "conformance.js")) || existsSync(join(folder, "conformance.ts")))
    return examine(context, folder, false);
  context.out("it brings no simulated network (conformance.js): it is not tested");
  return EXIT.ok;
};

const print = ({ out, err }: CommandContext, loaded: Loaded): void => {
  const { plugin, version, author, homepage, contract, hosts, sha256, warnings } = loaded;
  const reach = hosts.includes("*") ? "any host" : hosts.join(", ") || "no host";
  out(`${plugin.name} ${version}${author === undefined ? "" : ` by ${author}`} serves ${plugin.kind}`);
  if (homepage !== undefined) out(`  homepage  ${homepage}`);
  out(`  contract  ${contract}`);
  out(`  hosts     ${reach}`);
  out(`  sha256    ${sha256}`);
  for (const warning of warnings) err(`warning: ${warning}`);
};

/** Brings back the version before, and keeps the present one in its place. */
export const rollback = (context: CommandContext, name: string): Promise<number> =>
  changing(context, name, {
    change: exchange,
    none: `there is no version of ${name} before`,
    done: "has the version before",
  });

/** Removes an adapter, and the version before. */
export const removeAdapter = (context: CommandContext, name: string): Promise<number> =>
  changing(context, name, { change: remove, none: `there is no adapter ${name}`, done: "is removed" });

type Change = { change(dir: string, name: string): boolean; none: string; done: string };

const changing = (context: CommandContext, name: string, { change, none, done }: Change): Promise<number> =>
  withConfig(context, async ({ pluginDir }) => {
    const isName = NAME.test(name);
    if (isName && change(pluginDir, name)) {
      context.out(`${name} ${done}: restart the server`);
      return EXIT.ok;
    }
    context.err(isName ? none : `there is no adapter ${JSON.stringify(name)}`);
    return EXIT.fault;
  });
