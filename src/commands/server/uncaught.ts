import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { faultNotes, type GuardPorts, type NoteFault } from "../../core/channels/links/guard/faults.ts";
import { reasonOf } from "../../kernel/errors.ts";

/** An adapter with the folder of its code, as stacks name it. */
type CodeFolder = { plugin: string; path: string };

/**
 * Logs every exception and rejection that no code handles; none ends the process. If the stack names a file of the
 * plugin folder, as that of an adapter's own timer, the adapter is named, and the fault counts as one of its faults.
 */
export const watchUncaught = (pluginDir: string, ports: GuardPorts): void => {
  const folders = foldersIn(pluginDir);
  const notes = new Map<string, NoteFault>(folders.map(({ plugin }) => [plugin, faultNotes(plugin, ports)]));
  const noting = (what: string) => (thrown: unknown) => {
    const origin = faultyCode(thrown, folders);
    const note = origin && notes.get(origin.plugin);
    if (note) note("threw", `${what}, at ${origin.at}`, reasonOf(thrown));
    else ports.log.error({ error: reasonOf(thrown) }, what);
  };
  process.on("unhandledRejection", noting("an unhandled rejection"));
  process.on("uncaughtException", noting("an uncaught exception"));
};

/** The folders of a plugin folder, which may be links. The code of a folder runs only if it was there at the start. */
const foldersIn = (dir: string): CodeFolder[] => {
  try {
    const names = readdirSync(dir).filter((name) => existsSync(join(dir, name)));
    return names.map((plugin) => ({ plugin, path: `${realpathSync(join(dir, plugin))}/` }));
  } catch {
    return []; // the loader reports its fault
  }
};

/** The first place in these folders that the stack names: its adapter, and the file with its line. */
export const faultyCode = (
  thrown: unknown,
  folders: readonly CodeFolder[],
): { plugin: string; at: string } | undefined => {
  for (const frame of framesOf(thrown)) {
    const folder = folders.find(({ path }) => frame.includes(path));
    if (folder === undefined) continue;
    const place = frame.slice(frame.indexOf(folder.path) + folder.path.length);
    return { plugin: folder.plugin, at: place.replace(/\)$/, "") };
  }
  return undefined;
};

/**
 * The thrown value may be anything, and so may its `stack`. The text of an error may name any file: only frames count.
 */
const framesOf = (thrown: unknown): string[] => {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    return typeof stack === "string" ? stack.split("\n").filter((line) => /^\s+at /.test(line)) : [];
  } catch {
    return [];
  }
};
