import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What an adapter must ask its host for instead: the time, a timer, randomness. */
const OWN = [
  { pattern: /\bDate\.now\b|\bnew Date\s*\(\s*\)/, instead: "host.clock.now()" },
  { pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b/, instead: "host.random" },
  { pattern: /\bset(?:Timeout|Interval|Immediate)\b|\bBun\.sleep/, instead: "host.clock.timer" },
] as const;

const SOURCE = /\.(?:[cm]?js|ts)$/;
/** Packages, and the author's own set-up of a simulated network, are not the adapter. */
const NOT_ADAPTER = /(?:^|\/)(?:node_modules\/|test\/|conformance\.|[^/]*\.test\.)/;

const withoutComments = (text: string): string =>
  text.replaceAll(/(^|[\s(,{])\/\*[\s\S]*?\*\//gm, "$1").replaceAll(/(^|[\s;,{}()])\/\/.*$/gm, "$1");

/**
 * Where the sources of a folder take time or randomness from elsewhere than their host: a line for each, with what to
 * use.
 */
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
