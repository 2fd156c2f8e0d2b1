import { afterAll, beforeAll } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { packSdk, sdkName } from "../../../scripts/clients/pack.ts";
import { tempFolders } from "../temp-folders.ts";
import { fill } from "../use-world.ts";

export const ROOT = resolve(import.meta.dir, "../../..");
export const SDK_VERSION = "1.2.3";

/** The output of a program. @throws with its error output. */
export const printed = async (command: string[], cwd = ROOT, env: Record<string, string> = {}): Promise<string> => {
  const path = { PATH: process.env["PATH"] ?? "", HOME: cwd };
  const child = Bun.spawn(command, { cwd, env: { ...path, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${err}`);
  return out;
};

type SdkPackage = {
  /** The package in its released form. */
  archive: string;
  /** A folder in which it is installed in npm's way. */
  folder: string;
  newFolder(): string;
};

/** The TypeScript client's package, made and installed before the tests of a file. */
export const useSdkPackage = (): SdkPackage => {
  const sdk = {} as SdkPackage;
  const { newFolder, removeFolders } = tempFolders();
  beforeAll(async () => {
    const folder = newFolder();
    const archive = join(folder, sdkName(SDK_VERSION));
    await packSdk({ version: SDK_VERSION, time: 1_700_000_000 }, archive);
    const target = join(folder, "node_modules/@recado/sdk");
    mkdirSync(target, { recursive: true });
    await printed(["tar", "-xzf", archive, "-C", target, "--strip-components=1"]);
    fill(sdk, { archive, folder, newFolder });
  });
  afterAll(removeFolders);
  return sdk;
};
