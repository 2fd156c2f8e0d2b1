import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Calls that an adapter must not use, with the host's function to use instead. */
const OWN = [
  { pattern: /\bDate\.now\b|\bnew Date\s*\(\s*\)/, instead: "host.clock.now()" },
  { pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b/, instead: "host.random" },
  { pattern: /\bset(?:Timeout|Interval|Immediate)\b|\bBun\.sleep/, instead: "host.clock.timer" },
] as const;

const SOURCE = /\.(?:[cm]?js|ts)$/;
/** Files that are not part of the adapter: packages, tests, and the set-up of the simulated network. */
const NOT_ADAPTER = /(?:^|\/)(?:node_modules\/|test\/|conformance\.|[^/]*\.test\.)/;

const withoutComments = (text: string): string =>
  text.replaceAll(/(^|[\s(,{])\/\*[\s\S]*?\*\//gm, "$1").replaceAll(/(^|[\s;,{}()])\/\/.*$/gm, "$1");

/** A line for each use of time or randomness that is not the host's, with its replacement. */
export const ownTimeFaults = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => SOURCE.test(path) && !NOT_ADAPTER.test(path))
    .flatMap((path) => {
      const text = withoutComments(readFileSync(join(folder, path), "utf8"));
      return OWN.flatMap(({ pattern, instead }) => {
        const found = pattern.exec(text)?.[0];
        return found === undefined ? [] : [`${path}: uses ${found}; use ${instead}`];
      });
    });
