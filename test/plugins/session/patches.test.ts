import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(import.meta.dir, "../../../plugins/session");
const PATCHES = readdirSync(folder).filter((name) => name.endsWith(".patch"));
const page = readFileSync(join(folder, "PATCHES.md"), "utf8");

/** The changes of a patch, as `file line` of the original. */
const changesIn = (patch: string): string[] =>
  readFileSync(join(folder, patch), "utf8")
    .split(/^diff --git a\//m)
    .slice(1)
    .flatMap((part) => {
      const [file = ""] = part.split(" ");
      return [...part.matchAll(/^@@ -(\d+)/gm)].map(([, line]) => `${file} ${line}`);
    });
/** The rows of the page about a patch, with what they say of the upstream thread. */
const rowsOf = (patch: string) => {
  const section = page.split(`## \`${patch}\`\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([^`]+)` \| (\d+) \| (.+) \| (.+) \|$/gm)].map(
    ([, file, line, reason = "", thread = ""]) => ({ change: `${file} ${line}`, reason, thread }),
  );
};

test("both patches are there, with changes to name", () => {
  expect(PATCHES.toSorted()).toEqual(["baileys@7.0.0-rc14.patch", "libsignal@6.0.0.patch"]);
  for (const patch of PATCHES) expect(changesIn(patch).length).toBeGreaterThan(5);
});

test.each(PATCHES)("each change of %s names its thread upstream, or says that none is known", (patch) => {
  const rows = rowsOf(patch);
  expect(rows.map(({ change }) => change)).toEqual(changesIn(patch));
  const isNamed = (thread: string) =>
    thread === "no thread known" || /\]\(https:\/\/github\.com\/[^)]+\/\d+\)/.test(thread);
  expect(rows.filter(({ reason, thread }) => reason.length < 5 || !isNamed(thread))).toEqual([]);
});
