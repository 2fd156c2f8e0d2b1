import { join } from "node:path";

/** The command line that starts this program. */
export const PROGRAM: readonly string[] = [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? [] : [join(import.meta.dir, "..", "..", "main.ts")]),
];

/** The environment of this process without Recado's settings. */
export const foreignEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RECADO_")));
