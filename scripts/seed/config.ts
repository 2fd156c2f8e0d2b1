import { type Config, readConfig } from "../../src/kernel/settings/config.ts";

/** The settings of a seeded directory, with further ones. Throws if they are wrong. */
export const configOf = (dataDir: string, settings: Readonly<Record<string, string>> = {}): Config => {
  const read = readConfig({ RECADO_DATA_DIR: dataDir, RECADO_LISTEN: "127.0.0.1:0", ...settings });
  if (!read.ok) throw new Error(read.faults.join("; "));
  return read.config;
};
