import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fencesOf, pageText, reasonNotToRun } from "../laws/pages.ts";

/** The address of Recado in the pages. */
const SHOWN_ADDRESS = "http://127.0.0.1:8080";

/** The time after which a block that waits in vain is ended. */
const LONGEST_MS = 300_000;

export type PageRun = {
  /** The address of Recado. */
  url: string;
  /** An empty folder for the files of the blocks, and for their programs. */
  folder: string;
  /** The program behind `recado` on a command line. */
  program: readonly string[];
  /** The environment of all blocks: the server's settings, and the values of the reader's own. */
  env: Readonly<Record<string, string>>;
  /** Called after a block with the variables that it has left. */
  after?: (text: string, variables: Readonly<Record<string, string>>) => Promise<void>;
};

/** The number of blocks that were run. */
export type PageReport = { run: number };

/**
 * Runs the blocks of shell commands of a page in order, as a reader would paste them into one shell: variables and
 * functions stay. Leaves out the blocks that say why they are not run.
 *
 * @throws at the first block that fails, or that leaves a variable empty which it exports.
 */
export const runPage = async (path: string, run: PageRun): Promise<PageReport> => {
  const report: PageReport = { run: 0 };
  const state = join(run.folder, ".state");
  writeFileSync(state, "");
  const bin = commandsFor(run);
  for (const fence of fencesOf(pageText(path))) {
    if (fence.language !== "sh" || reasonNotToRun(fence) !== undefined) continue;
    await runBlock(`${path}:${fence.line}`, fence.text, { ...run, bin, state });
    report.run++;
  }
  return report;
};

/** A folder with the commands that the pages name: `recado` is the program in question, `sudo` runs its arguments. */
const commandsFor = ({ folder, program }: PageRun): string => {
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  const quoted = program.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "recado"), `#!/bin/sh\nexec ${quoted} "$@"\n`);
  writeFileSync(join(bin, "sudo"), '#!/bin/sh\nexec "$@"\n');
  for (const name of ["recado", "sudo"]) chmodSync(join(bin, name), 0o755);
  return bin;
};

const runBlock = async (
  where: string,
  text: string,
  { bin, state, folder, url, env, after }: PageRun & { bin: string; state: string },
): Promise<void> => {
  const commands = text.replaceAll(SHOWN_ADDRESS, url);
  const keep = `export -p > '${state}'\ndeclare -f >> '${state}'\nenv -0 > '${state}.variables'\n`;
  const script = `set -eu\n. '${state}'\n${commands}\n${keep}`;
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: folder,
    env: { ...env, HOME: folder, PATH: `${bin}:${process.env["PATH"] ?? ""}` },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: LONGEST_MS,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${where} ended with ${code}\n${commands}\n${out}\n${err}`);
  const variables = variablesIn(await Bun.file(`${state}.variables`).text());
  const empty = [...text.matchAll(/\bexport ([A-Z_]+)=/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !variables[name]);
  if (empty.length > 0) throw new Error(`${where} leaves ${empty.join(", ")} empty\n${commands}\n${out}\n${err}`);
  await after?.(text, variables);
};

const variablesIn = (printed: string): Record<string, string> => {
  const pairs = printed.split("\0").filter((one) => one.includes("="));
  return Object.fromEntries(pairs.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]));
};
