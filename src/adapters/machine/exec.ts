import { readFileSync } from "node:fs";
import type { Environment } from "../../kernel/reading.ts";
import { openLibc } from "./libc.ts";

/**
 * Replaces this process by the same program with the same arguments and another environment; the process id stays.
 * https://man7.org/linux/man-pages/man2/execve.2.html
 *
 * @throws when that fails; nothing has changed then.
 */
export const restartWith = async (env: Environment): Promise<never> => {
  const { execve, ptr } = await openLibc();
  const args = readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(0, -1);
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const terminated = (text: string) => Buffer.from(`${text}\0`);
  const [program, argTexts, envTexts] = [terminated(process.execPath), args.map(terminated), variables.map(terminated)];
  const table = (texts: readonly Uint8Array[]) => BigUint64Array.from([...texts.map((text) => BigInt(ptr(text))), 0n]);
  execve(ptr(program), ptr(table(argTexts)), ptr(table(envTexts)));
  throw new Error(`${process.execPath} could not be restarted`);
};
