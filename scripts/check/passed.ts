import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The folder that notes which steps of the check passed, and for which inputs. It lies beside the packages of this
 * working copy.
 */
const FOLDER = "node_modules/.cache/recado-check";

/** One value for the names and contents of all files of these globs. */
export const digestOfFiles = async (root: string, globs: readonly string[]): Promise<string> => {
  const paths = globs
    .flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })])
    .filter((path) => !path.includes("node_modules/"));
  const digest = createHash("sha256");
  for (const path of [...new Set(paths)].sort())
    digest.update(`${path}\0`).update(
      createHash("sha256")
        .update(await readFile(join(root, path)))
        .digest(),
    );
  return digest.digest("hex");
};

const fileOf = (root: string, step: string): string => join(root, FOLDER, step.replaceAll(" ", "-"));

export const wasPassedFor = async (root: string, step: string, digest: string): Promise<boolean> => {
  const file = Bun.file(fileOf(root, step));
  return (await file.exists()) && (await file.text()) === digest;
};

export const passedFor = async (root: string, step: string, digest: string): Promise<void> => {
  await mkdir(join(root, FOLDER), { recursive: true });
  await Bun.write(fileOf(root, step), digest);
};
