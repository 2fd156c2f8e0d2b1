import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256, sha256Of } from "../kernel/crypto.ts";
import { piecesOfFile } from "../kernel/local-files.ts";

/**
 * The SHA-256 of a folder of an adapter: of a line for each file, with its path and its SHA-256, in the order of the
 * paths. Two folders with the same files have the same.
 */
export const hashOfFolder = async (folder: string): Promise<string> => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
    .sort();
  const lines: string[] = [];
  for (const path of paths) lines.push(`${await sha256Of(piecesOfFile(join(folder, path)))}  ${path}\n`);
  return sha256(lines.join(""));
};
