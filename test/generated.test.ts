import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";

const root = resolve(import.meta.dir, "..");

/** TABLE: the scripts that write files of the repository, and which. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  "scripts/base-packages.ts": ["scripts/release/base.json"],
  "scripts/bench.ts": ["scripts/bench.md"],
  "scripts/clients.ts": ["clients/*/src/generated/*.ts", "clients/python/recado/{,_}{gateway,platform}.py"],
  "scripts/costs.ts": ["scripts/costs.md"],
  "scripts/docs.ts": ["docs/{errors,events,networks,rules,settings}.md"],
  "scripts/environment.ts": ["systemd/recado.env.example"],
  "scripts/new-migration.ts": ["migrations/meta/*.json", "src/store/engine/migrations.ts"],
  "scripts/openapi-breaks.ts": ["test/released/*.gz"],
  "scripts/openapi.ts": ["test/snapshots/openapi.*.json"],
  "scripts/payloads.ts": ["test/released/job-payloads.json"],
  "scripts/start-order.ts": ["scripts/build/start.order"],
};

/** Scripts whose files are built, packed, seeded, reported or remembered: Git has none of them. */
const NOT_KEPT =
  /^scripts\/(?:build|release|seed|bench|check|test)\/|^scripts\/(?:build|release|check|patterns|native-loader|test)\.ts$|^scripts\/clients\/pack|^scripts\/with-bun\.mjs$/;
const WRITES = /\bBun\.write\(|\bwriteFile(?:Sync)?\(/;

const tracked = (await Bun.$`git ls-files`.cwd(root).text()).trim().split("\n");
const marked = (await Bun.$`git ls-files -z | git check-attr -z --stdin linguist-generated`.cwd(root).text()).split(
  "\0",
);
/** Of three texts each: path, attribute, value. */
const isMarked = new Set(marked.filter((_, at) => at % 3 === 0 && marked[at + 2] === "set"));

const generated = Object.values(WRITTEN)
  .flat()
  .flatMap((pattern) => tracked.filter((path) => new Bun.Glob(pattern).match(path)));

describe("what scripts write", () => {
  test("is listed by script: each script that writes a file is in the table, or its files are not kept", async () => {
    const scripts = tracked.filter((path) => /^scripts\/.*\.(?:ts|mjs)$/.test(path) && !NOT_KEPT.test(path));
    const texts = await Promise.all(
      scripts.map(async (path) => ({ path, text: await Bun.file(resolve(root, path)).text() })),
    );
    const writing = texts.filter(({ text }) => WRITES.test(text)).map(({ path }) => path);
    expect(writing.toSorted()).toEqual(Object.keys(WRITTEN).toSorted());
  });

  test("is there, each file is marked in .gitattributes, and no other file is", () => {
    for (const pattern of Object.values(WRITTEN).flat())
      expect([pattern, tracked.some((path) => new Bun.Glob(pattern).match(path))]).toEqual([pattern, true]);
    expect([...isMarked].toSorted()).toEqual([...new Set(generated)].toSorted());
  });

  test("says so in its first line where it is code", async () => {
    const code = generated.filter((path) => /\.(?:py|ts)$/.test(path) && path.startsWith("clients/"));
    const heads = await Promise.all(
      code.map(async (path) => (await Bun.file(resolve(root, path)).text()).slice(0, 80)),
    );
    expect(heads.filter((head) => !/^(?:#|\/\/) Written by npm run clients/.test(head))).toEqual([]);
    // each module of the Python client that says so is in the table
    const python = tracked.filter((path) => /^clients\/python\/recado\/.*\.py$/.test(path));
    const written: string[] = [];
    for (const path of python)
      if ((await Bun.file(resolve(root, path)).text()).startsWith("# Written by")) written.push(path);
    expect(written).toEqual(code.filter((path) => path.endsWith(".py")));
  });
});
