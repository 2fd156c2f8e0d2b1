import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Calls that an adapter must not use, with the host's function to use instead. */
const OWN = [
  { pattern: /\bDate\.now\b|\bnew Date\s*\(\s*\)/, instead: "host.clock.now()" },
  { pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b/, instead: "host.random" },
  { pattern: /\bset(?:Timeout|Interval|Immediate)\b|\bBun\.sleep/, instead: "host.clock.timer" },
] as const;

const ENTRIES = ["plugin.js", "plugin.ts"];
const ENDINGS = ["", ".js", ".ts", ".mjs", "/index.js", "/index.ts"];

const withoutComments = (text: string): string =>
  text.replaceAll(/(^|[\s(,{])\/\*[\s\S]*?\*\//gm, "$1").replaceAll(/(^|[\s;,{}()])\/\/.*$/gm, "$1");

/** The files that a file of the folder imports by their paths, in it. */
const importsOf = (folder: string, path: string): string[] =>
  new Bun.Transpiler({ loader: "ts" })
    .scanImports(readFileSync(join(folder, path), "utf8"))
    .flatMap(({ path: from }) => {
      if (!from.startsWith(".")) return [];
      const target = join(dirname(path), from);
      const found = ENDINGS.map((ending) => target + ending).find(
        (one) => !one.startsWith("..") && statSync(join(folder, one), { throwIfNoEntry: false })?.isFile(),
      );
      return found === undefined ? [] : [found];
    });

/** The files of the adapter: those that its entry imports, directly or not. Its simulated network and tests are none. */
const filesOf = (folder: string): string[] => {
  const found = new Set(ENTRIES.filter((entry) => existsSync(join(folder, entry))));
  for (const path of found) for (const imported of importsOf(folder, path)) found.add(imported);
  return [...found].sort();
};

/** A line for each use of time or randomness that is not the host's, with its replacement. */
export const ownTimeFaults = (folder: string): string[] =>
  filesOf(folder).flatMap((path) => {
    const text = withoutComments(readFileSync(join(folder, path), "utf8"));
    return OWN.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${path}: uses ${found}; use ${instead}`];
    });
  });
