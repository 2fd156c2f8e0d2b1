import { join } from "node:path";

/** This very program, for a process of its own. */
export const PROGRAM: readonly string[] = [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? [] : [join(import.meta.dir, "..", "main.ts")]),
];

/** Our environment without our settings. */
export const foreignEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RECADO_")));
