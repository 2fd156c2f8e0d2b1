import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../../..");

/**
 * The path of the binary for this machine. A file that runs alone compiles it; `npm run test:system` compiles it once,
 * and names it: two files that compiled it at once would take it away from each other.
 */
export const builtBinary = async (): Promise<string> => {
  const { RECADO_TEST_BINARY } = process.env;
  if (RECADO_TEST_BINARY !== undefined) return RECADO_TEST_BINARY;
  const build = Bun.spawn([process.execPath, "scripts/build.ts"], { cwd: ROOT, stdout: "ignore", stderr: "inherit" });
  if ((await build.exited) !== 0) throw new Error("the binary could not be built");
  return join(ROOT, "dist/recado");
};
