import { run } from "./run.ts";

/**
 * Paths below a folder. `time`: the time of every file, in seconds. `owner`: the user and group of every file.
 * Everybody may read each file, unless its mode is kept.
 */
type Archive = { folder: string; paths: readonly string[]; time: number; owner?: number; isModeKept?: boolean };

/** Writes an archive of the format ustar; the same files give the same bytes, on any machine and at any time. */
export const tarOf = async (
  outfile: string,
  { folder, paths, time, owner = 0, isModeKept = false }: Archive,
): Promise<void> => {
  const level = ["--format=ustar", "--sort=name", `--mtime=@${time}`, "--numeric-owner"];
  const own = [`--owner=${owner}`, `--group=${owner}`, ...(isModeKept ? [] : ["--mode=u=rwX,go=rX"])];
  await run(["tar", ...level, ...own, "-C", folder, "-cf", outfile, ...paths]);
};
