import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

const SUMS = "SHA256SUMS";

const sha256 = async (path: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

/** Writes SHA256SUMS over every file of a folder, as `sha256sum --check` reads it. */
export const writeSums = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(SUMS)).sort();
  const lines: string[] = [];
  for (const name of names) lines.push(`${await sha256(join(folder, name))}  ${name}\n`);
  await Bun.write(join(folder, SUMS), lines.join(""));
};

/**
 * Signs SHA256SUMS with a secret key file of minisign, as SHA256SUMS.minisig; the comment is signed too. Throws what
 * minisign says when key or password is wrong.
 */
export const signSums = async (
  folder: string,
  comment: string,
  key: { file: string; password: string },
): Promise<void> => {
  await run(["minisign", "-S", "-s", key.file, "-t", comment, "-m", join(folder, SUMS)], {
    input: `${key.password}\n`,
  });
};
