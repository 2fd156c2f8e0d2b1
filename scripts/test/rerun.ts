// Decides in CI whether failures are chance: runs each file that had one twice more, alone, each time with another seed.
//   bun scripts/test/rerun.ts KIND REPORT SEED SAVED
//     KIND    which tests ran: test, test:process, test:binary or test:system
//     REPORT  the JUnit report of that run; SEED  its seed
//     SAVED   a file that collects the line `flaky: …` of every test that was saved in this build
// Exit code 0 where every file passed both times and no test is in test/flaky.txt already; else 1.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The maximum number of saved files of a build. More failures are no chance. */
const MOST_FILES = 5;
const RUNS = 2;

export type FailedTest = { file: string; name: string };
export type Build = {
  /** The lines that earlier runs of this build have saved. */
  saved: readonly string[];
  /** Names that any build has ever saved. */
  known: ReadonlySet<string>;
  seed: string;
  /** Runs one file alone, in another order. Says whether it passed. */
  passes(file: string): Promise<boolean>;
};
export type Verdict = { lines: string[]; why: string | undefined };

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
/** An attribute of XML with its entities resolved, because the rewriter leaves them in. */
const plain = (attribute: string | null): string =>
  (attribute ?? "").replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** The tests of a JUnit report that failed. */
export const failedTests = (report: string): FailedTest[] => {
  const failed: FailedTest[] = [];
  let current: FailedTest = { file: "", name: "" };
  const fail = { element: () => void (failed.includes(current) || failed.push(current)) };
  new HTMLRewriter()
    .on("testcase", {
      element(test) {
        const names = [test.getAttribute("classname"), test.getAttribute("name")];
        current = { file: test.getAttribute("file") ?? "", name: names.filter(Boolean).map(plain).join(" > ") };
      },
    })
    .on("failure", fail)
    .on("error", fail)
    .transform(report);
  return failed;
};

/** The name of a test in test/flaky.txt. */
export const flakyName = ({ file, name }: FailedTest): string => `${file}: ${name}`;

const savedFile = (line: string): string => line.slice("flaky: ".length).split(": ")[0] ?? "";

/** The lines of the tests that were saved, or why the build stays red. */
export const judge = async (failed: readonly FailedTest[], build: Build): Promise<Verdict> => {
  const red = (why: string): Verdict => ({ lines: [], why });
  if (failed.length === 0) return red("the report names no test that failed");
  if (failed.some(({ file }) => file === "")) return red("the report names a failure without its file");
  const again = failed.map(flakyName).find((name) => build.known.has(name));
  if (again !== undefined) return red(`test/flaky.txt has it already: ${again}`);
  const files = [...new Set(failed.map(({ file }) => file))];
  if (new Set([...build.saved.map(savedFile), ...files]).size > MOST_FILES)
    return red(`more than ${MOST_FILES} files of this build had failures`);
  for (const file of files)
    for (let run = 0; run < RUNS; run++) if (!(await build.passes(file))) return red(`${file} failed again, alone`);
  return { lines: failed.map((test) => `flaky: ${flakyName(test)} (seed ${build.seed})`), why: undefined };
};

if (import.meta.main) {
  const [kind = "", report = "", seed = "", savedIn = ""] = process.argv.slice(2);
  const root = resolve(import.meta.dir, "../..");
  const linesOf = (path: string): string[] =>
    existsSync(path)
      ? readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line !== "" && !line.startsWith("#"))
      : [];
  const mode = kind === "test" ? [] : [`--${kind.slice("test:".length)}`];
  const passes = async (file: string): Promise<boolean> => {
    const command = [process.execPath, join(root, "scripts/test.ts"), ...mode, `./${file}`];
    return (await Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exited) === 0;
  };
  const failed = existsSync(report) ? failedTests(readFileSync(report, "utf8")) : [];
  const known = new Set(linesOf(join(root, "test/flaky.txt")));
  const { lines, why } = await judge(failed, { saved: linesOf(savedIn), known, seed, passes });
  if (why !== undefined) {
    console.error(`not chance: ${why}`);
    process.exit(1);
  }
  appendFileSync(savedIn, lines.map((line) => `${line}\n`).join(""));
  console.log(lines.join("\n"));
}
