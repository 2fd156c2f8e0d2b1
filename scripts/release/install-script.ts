import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./run.ts";
import type { SigningKey } from "./sums.ts";

/**
 * The public key of a secret key file of minisign, as one line. Throws the message of minisign if the password is
 * wrong.
 */
export const publicKeyOf = async ({ file, password }: SigningKey): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-key-"));
  const path = join(folder, "public");
  try {
    await run(["minisign", "-R", "-s", file, "-p", path], { input: `${password}\n` });
    const [, key = ""] = (await Bun.file(path).text()).split("\n");
    return key.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * The script that installs a release and verifies it with this public key. `from`: the address of the release; if
 * empty, the script asks for it.
 */
export const installScript = async (values: { version: string; key: string; from: string }): Promise<string> => {
  let script = await Bun.file(join(import.meta.dir, "install.sh")).text();
  for (const [name, value] of Object.entries(values)) {
    const [place, filled] = [`\n${name.toUpperCase()}=''\n`, `\n${name.toUpperCase()}='${value}'\n`];
    if (!script.includes(place) || /['\n]/.test(value)) throw new Error(`install.sh cannot be given ${name} ${value}`);
    script = script.replace(place, () => filled);
  }
  return script;
};
