import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { createHttp } from "../../adapters/http/http.ts";
import { tryAdapters } from "../../adapters/machine/adapter-trial.ts";
import { pluginsCompiledIn } from "../../composition.ts";
import { GIVEN, type Given, type Pupil, type Setup } from "../../conformance/bench.ts";
import { judge, type Verdict } from "../../conformance/run.ts";
import { withSampleFiles } from "../../conformance/sample-files.ts";
import { systemClock } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { Environment } from "../../kernel/reading.ts";
import { variableOf } from "../../kernel/settings/adapter-settings.ts";
import { PluginFault } from "../../loading/folder.ts";
import { importedFrom, type Loaded, loadFolder, loadPlugin } from "../../loading/loader.ts";
import { type CommandContext, EXIT } from "../command.ts";
import { withConfig } from "../with-config.ts";

const SETUP_FILES = ["conformance.js", "conformance.ts"];

/**
 * The default export of an author's conformance file: makes the simulated network, once for every law. It gets what a
 * signed webhook may contain.
 */
type Description = (
  given: Given,
) => (Setup & { settings?: Record<string, string> }) | Promise<Setup & { settings?: Record<string, string> }>;

type Ports = Parameters<typeof loadPlugin>[3];

/** An endless loop ends another process, not the command. */
const APART: Ports = { tried: tryAdapters };

const viewOf = ({ plugin, version, author, contract, entry, hosts, sha256, settings, warnings }: Loaded) => ({
  name: plugin.name,
  version,
  author: author ?? null,
  kind: plugin.kind,
  label: plugin.label.en,
  contract,
  hosts,
  sha256,
  file: entry,
  settings: settings.map((setting) => variableOf(plugin.name, setting.name)),
  warnings,
});

/** Lists the adapters of the plugin folder. Exit code 1 if one of them cannot be used. */
export const list = (context: CommandContext, isJson: boolean): Promise<number> =>
  withConfig(context, async (config) => {
    const { loaded, unavailable, unowned } = await loadFolder(
      config.pluginDir,
      pluginsCompiledIn(config, false),
      config.adapterEnv,
      APART,
    );
    const views = loaded.map((one) => ({ ...viewOf(one), state: "usable" }));
    const faults = unavailable.map(({ name, fault }) => ({ name, state: "unusable", fault }));
    if (isJson) context.out(JSON.stringify([...views, ...faults]));
    else if (views.length + faults.length === 0) context.out(`no adapters in ${config.pluginDir}`);
    else
      for (const { name, version, kind, contract, hosts, sha256, settings } of views)
        context.out(
          [
            `${name} ${version}`,
            kind,
            `contract ${contract}`,
            `hosts ${hosts.join(",") || "none"}`,
            `sha256 ${sha256}`,
            ...settings,
          ].join("  "),
        );
    if (!isJson) for (const { fault } of faults) context.err(fault);
    for (const fault of unowned) context.err(fault);
    return faults.length === 0 ? EXIT.ok : EXIT.fault;
  });

const refusedFor = (context: CommandContext, { message: fault }: PluginFault, isJson: boolean): number => {
  if (isJson) context.out(JSON.stringify({ ok: false, fault }));
  else context.err(fault);
  return EXIT.fault;
};

/** Loads one adapter as the server does, and prints every fault. Exit code 1 for a fault; a warning is none. */
export const check = (context: CommandContext, folder: string, isJson: boolean): Promise<number> =>
  withConfig(context, async (config) => {
    try {
      const others = pluginsCompiledIn(config, false);
      const view = viewOf(await loadPlugin(folder, others, config.adapterEnv, APART));
      context.out(
        isJson
          ? JSON.stringify({ ok: true, ...view })
          : `${view.name} serves ${view.kind} (contract ${view.contract}); it can be loaded`,
      );
      if (!isJson) for (const warning of view.warnings) context.err(`warning: ${warning}`);
      return EXIT.ok;
    } catch (thrown) {
      if (!(thrown instanceof PluginFault)) throw thrown;
      return refusedFor(context, thrown, isJson);
    }
  });

/** Tests an adapter against the laws, with the simulated network in its folder. Exit code 1 for a broken law. */
export const examine = (context: CommandContext, folder: string, isJson: boolean): Promise<number> =>
  withConfig(context, async (config) => {
    const description = await descriptionIn(folder);
    if (typeof description === "string") {
      context.err(description);
      return EXIT.fault;
    }
    const others = pluginsCompiledIn(config, false);
    try {
      const { warnings, close } = await pupilOf(folder, description, others, APART);
      await close();
      if (!isJson) for (const warning of warnings) context.err(`warning: ${warning}`);
    } catch (thrown) {
      // a fault of the adapter's shape is said once; one of the set-up is said with each law
      if (thrown instanceof PluginFault) return refusedFor(context, thrown, isJson);
    }
    const verdicts: Verdict[] = [];
    for await (const verdict of judge(folder, systemClock(), () => pupilOf(folder, description, others))) {
      verdicts.push(verdict);
      if (!isJson) context.out(lineOf(verdict));
    }
    const count = (outcome: Verdict["outcome"]) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
    const isKept = count("broken") === 0;
    if (isJson) context.out(JSON.stringify({ ok: isKept, laws: verdicts }));
    else context.out(`${count("kept")} kept, ${count("broken")} broken, ${count("skipped")} skipped`);
    return isKept ? EXIT.ok : EXIT.fault;
  });

const lineOf = ({ outcome, law, reason }: Verdict): string => {
  const indented = reason === undefined ? "" : `\n${reason}`.replaceAll("\n", "\n         ");
  return `${outcome.padEnd("skipped".length)}  ${law}${indented}`;
};

/** The author's set-up, or the reason why there is none. */
const descriptionIn = async (folder: string): Promise<Description | string> => {
  const file = SETUP_FILES.map((name) => join(folder, name)).find(existsSync);
  if (file === undefined) return `${folder}: there is no ${SETUP_FILES.join(" or ")}; plugins/README.md describes it`;
  try {
    const made = await importedFrom(file);
    return typeof made === "function"
      ? (made as Description)
      : `${file}: the default export must be a function that makes the simulated network`;
  } catch (thrown) {
    return `${file}: ${reasonOf(thrown)}`;
  }
};

/** The adapter with its network, for one law. The adapter reaches the loopback address and the sample files only. */
const pupilOf = async (
  folder: string,
  description: Description,
  others: Parameters<typeof loadPlugin>[1],
  ports: Ports = {},
): Promise<Pupil & Pick<Loaded, "warnings">> => {
  const { settings = {}, ...setup } = await description(GIVEN);
  const name = basename(folder);
  const env: Environment = Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [variableOf(name, setting), value]),
  );
  const { plugin, warnings } = await loadPlugin(folder, others, env, ports);
  const client = createHttp({ allow: ["127.0.0.0/8", "::1", "localhost"], extraCa: undefined });
  return {
    ...setup,
    plugin,
    warnings,
    http: withSampleFiles(client),
    async close() {
      await setup.close();
      client.close();
    },
  };
};
