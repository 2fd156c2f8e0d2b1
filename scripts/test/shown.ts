import { resolve } from "node:path";
import { TAIL_LENGTH } from "./portions.ts";

/** Runs a command of Bun whose output is shown as it comes. `tail`: the end of its output. */
export const runShown = async (command: readonly string[], env: Record<string, string>) => {
  const colors = process.stderr.isTTY && !process.env["NO_COLOR"] ? { FORCE_COLOR: "1" } : {};
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: resolve(import.meta.dir, "../.."),
    env: { ...process.env, ...colors, ...env },
    stdio: ["inherit", "inherit", "pipe"],
  });
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of child.stderr) {
    await Bun.write(Bun.stderr, chunk); // the end of this process drops what process.stderr has not written yet
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_LENGTH);
  }
  return { code: await child.exited, tail };
};
