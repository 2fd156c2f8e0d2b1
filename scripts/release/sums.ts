import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

const SUMS = "SHA256SUMS";

const sha256 = async (path: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

/** Writes SHA256SUMS over every file of a folder, without its subfolders, in the form of `sha256sum --check`. */
export const writeSums = async (folder: string): Promise<void> => {
  const names = (await readdir(folder, { withFileTypes: true }))
    .flatMap((entry) => (entry.isFile() && !entry.name.startsWith(SUMS) ? [entry.name] : []))
    .sort();
  const lines: string[] = [];
  for (const name of names) lines.push(`${await sha256(join(folder, name))}  ${name}\n`);
  await Bun.write(join(folder, SUMS), lines.join(""));
};

/** A secret key file of minisign, and its password. */
export type SigningKey = { file: string; password: string };

/**
 * Signs a file beside it, with the ending .minisig; the comment is signed too. Throws the message of minisign if key or
 * password is wrong.
 */
export const sign = async (path: string, comment: string, { file, password }: SigningKey): Promise<void> => {
  await run(["minisign", "-S", "-s", file, "-t", comment, "-m", path], { input: `${password}\n` });
};

/** Signs SHA256SUMS, as SHA256SUMS.minisig. */
export const signSums = (folder: string, comment: string, key: SigningKey): Promise<void> =>
  sign(join(folder, SUMS), comment, key);
