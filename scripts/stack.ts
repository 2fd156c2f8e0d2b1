// Shows the places in the sources of a released binary's stack.
//   npm run build -- --maps && npm run stack < FILE
// Run it at the commit of the binary, which `recado version` prints: the same commit makes the same chunks.
import { SourceMap, type SourceMapPayload } from "node:module";
import { join, resolve } from "node:path";

/** The folder of the source maps of scripts/build.ts --maps. */
export const MAPS = resolve(import.meta.dir, "..", "dist", "maps");

/** A place in the binary: a chunk, a line and a column, both counted from 1. */
const PLACE = /\/\$bunfs\/root\/([\w.-]+\.js):(\d+):(\d+)/g;

type Maps = (chunk: string) => Promise<SourceMap | undefined>;

/** Reads the map of a chunk from a folder, once. */
export const mapsIn = (folder: string): Maps => {
  const loaded = new Map<string, ReturnType<Maps>>();
  const load = async (chunk: string): Promise<SourceMap | undefined> => {
    const file = Bun.file(join(folder, `${chunk}.map`));
    return (await file.exists()) ? new SourceMap((await file.json()) as SourceMapPayload) : undefined;
  };
  return (chunk) => {
    const map = loaded.get(chunk) ?? load(chunk);
    loaded.set(chunk, map);
    return map;
  };
};

/** A text with the places of the binary replaced by those of the sources, where the maps know them. */
export const inSources = async (text: string, maps: Maps): Promise<string> => {
  let shown = "";
  let end = 0;
  for (const { 0: place, 1: chunk = "", 2: line, 3: column, index } of text.matchAll(PLACE)) {
    const entry = (await maps(chunk))?.findEntry(Number(line) - 1, Number(column) - 1);
    const source =
      entry && "originalSource" in entry
        ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : place;
    shown += text.slice(end, index) + source;
    end = index + place.length;
  }
  return shown + text.slice(end);
};

if (import.meta.main) process.stdout.write(await inSources(await Bun.stdin.text(), mapsIn(MAPS)));
