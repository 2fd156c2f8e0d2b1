// Runs the tests, in random order and, but for those of test/system, several files at once where there are processors for it: those that need npm alone; those of test/system, which need
// packages of the operating system; or those of processes against the binary, which is built first, in an empty root.
//   bun scripts/test.ts [--system | --binary] [arguments of bun test]
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { makeJail } from "../test/support/jail.ts";

const root = resolve(import.meta.dir, "..");
const args = process.argv.slice(2);
const [isSystem, isBinary] = [args.includes("--system"), args.includes("--binary")];

const run = (command: readonly string[], env: Record<string, string> = {}): Promise<number> =>
  Bun.spawn([process.execPath, ...command], { cwd: root, env: { ...process.env, ...env }, stdio: ["inherit", "inherit", "inherit"] }).exited;

// bunfig.toml leaves these folders out of every run; ignoring nothing takes them in
const everywhere = ["--path-ignore-patterns", ""];
// those of test/system change one machine; the others share nothing, but many start processes of their own. A file's modules are loaded once for each worker
const workers = isSystem ? 1 : Math.min(4, Math.floor(availableParallelism() / 2));
const atOnce = workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : [];
// a test that waits for another process must have the time for it on a machine that does other work, too
const runTests = (selection: readonly string[], env?: Record<string, string>): Promise<number> =>
  run(["test", "--no-orphans", "--randomize", "--timeout=30000", ...atOnce, ...selection, ...args.filter((arg) => !["--system", "--binary"].includes(arg))], env);

const runAgainstBinary = async (): Promise<number> => {
  const built = await run([join(root, "scripts/build.ts")]);
  if (built !== 0) return built;
  const jail = makeJail(join(root, "dist/recado"));
  try {
    return await runTests([...everywhere, "test/binary", "test/process"], { RECADO_TEST_PROGRAM: jail.program, TMPDIR: jail.folder });
  } finally {
    jail.remove();
  }
};

const code = isBinary ? await runAgainstBinary() : await runTests(isSystem ? [...everywhere, "test/system"] : []);
if (!isSystem && !isBinary) {
  console.log("Left out: test/system, which needs the Debian packages that the README names (npm run test:system), and test/binary (npm run test:binary).");
}
process.exit(code);
