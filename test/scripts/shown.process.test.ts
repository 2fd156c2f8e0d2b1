import { afterEach, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const SHOWN = resolve(import.meta.dir, "../../scripts/test/shown.ts");
/** More than a pipe holds (64 KiB), and less than two. */
const LINES = 1000;
const LINE = "(pass) a test of a portion whose reader is slow, with a title of a hundred characters, as they often are";

test("a portion's whole output comes before the summary, though its reader begins when the portion has ended", () => {
  const ended = join(newFolder(), "ended");
  const portion = `
    import { writeFileSync, writeSync } from "node:fs";
    writeSync(2, ${JSON.stringify(`${LINE}\n`)}.repeat(${LINES})); // at once: a socket holds less of many small parts
    writeFileSync(${JSON.stringify(ended)}, "");`;
  const run = `
    import { runShown } from ${JSON.stringify(SHOWN)};
    await runShown(["-e", ${JSON.stringify(portion)}], {});
    console.error("summary");
    process.exit(0);`;
  const slowly = `"$0" -e "$1" 2>&1 | { until [ -e "$2" ]; do :; done; cat; }`;
  const { stdout } = Bun.spawnSync(["sh", "-c", slowly, process.execPath, run, ended]);
  expect(stdout.toString().split("\n")).toEqual([...Array.from({ length: LINES }, () => LINE), "summary", ""]);
});
