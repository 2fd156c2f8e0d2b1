// Everything that must hold before a commit, in the order of what fails fastest; stops at the first failure.
//   bun scripts/check.ts [--no-tests]
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

type Outcome = { ok: boolean; output: string };
type Step = { name: string; run: () => Promise<Outcome> };

const root = resolve(import.meta.dir, "..");

const spawn = async (command: string[]): Promise<Outcome> => {
  const child = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { ok: code === 0, output: `${stdout}${stderr}`.trimEnd() };
};

/** A development tool out of node_modules, run by this very Bun: the machine's own Node may be too old for it. */
const tool = (name: string, ...args: string[]): Promise<Outcome> =>
  spawn([process.execPath, join(root, "node_modules", ".bin", name), ...args]);

const script = (path: string, ...args: string[]): Promise<Outcome> =>
  spawn([process.execPath, join(root, path), ...args]);

/**
 * Lets drizzle-kit write what the schema lacks into a copy of the migrations. It exits with 0 even when it crashed, so
 * only its own word counts.
 */
const migrations = async (): Promise<Outcome> => {
  const temp = await mkdtemp(join(tmpdir(), "recado-migrations-"));
  try {
    const out = join(temp, "migrations");
    await cp(join(root, "migrations"), out, { recursive: true });
    const config = join(temp, "drizzle.config.ts");
    // drizzle-kit takes `out` relative to the working directory only
    const copied = { from: JSON.stringify(join(root, "drizzle.config.ts")), out: JSON.stringify(relative(root, out)) };
    await Bun.write(config, `import config from ${copied.from};\nexport default { ...config, out: ${copied.out} };\n`);
    const { output } = await tool("drizzle-kit", "generate", "--config", config);
    return {
      ok: output.includes("No schema changes"),
      output: `${output}\nThe migrations do not say what the schema says: run drizzle-kit generate and review the file.`,
    };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
};

const changelog = async (): Promise<Outcome> => {
  const text = await Bun.file(join(root, "CHANGELOG.md")).text();
  return { ok: /^## \[Unreleased\]\s*$/m.test(text), output: "CHANGELOG.md has no section '## [Unreleased]'" };
};

const STEPS: Step[] = [
  { name: "format", run: () => tool("biome", "check", ".") },
  { name: "lint", run: () => tool("oxlint", "--type-aware", "--deny-warnings") },
  { name: "types", run: () => tool("tsc") },
  { name: "types of web", run: () => tool("tsc", "--noEmit", "-p", join("src", "console", "web")) },
  { name: "unused", run: () => tool("knip") },
  { name: "patterns", run: () => script("scripts/patterns.ts") },
  { name: "openapi", run: () => script("scripts/openapi.ts", "--check") },
  { name: "clients", run: () => script("scripts/clients.ts", "--check") },
  { name: "openapi lint", run: () => script("scripts/openapi-lint.ts") },
  { name: "api breaks", run: () => script("scripts/openapi-breaks.ts") },
  { name: "docs", run: () => script("scripts/docs.ts", "--check") },
  { name: "migrations", run: migrations },
  { name: "changelog", run: changelog },
];

const TESTS: Step = { name: "tests", run: () => script("scripts/test.ts") };

const perform = async ({ name, run }: Step): Promise<boolean> => {
  process.stdout.write(`${name.padEnd(14)}`);
  const startedAt = performance.now();
  const { ok, output } = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${seconds.padStart(6)} s  ${ok ? "ok" : "FAILED"}`);
  if (!ok) console.error(`\n${output}`);
  return ok;
};

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== "--no-tests");
if (unknown.length > 0) {
  console.error(`unknown argument ${unknown.join(" ")}; usage: check.ts [--no-tests]`);
  process.exit(2);
}
for (const step of args.includes("--no-tests") ? STEPS : [...STEPS, TESTS]) if (!(await perform(step))) process.exit(1);
