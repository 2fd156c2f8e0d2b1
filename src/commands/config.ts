import { readConfig } from "../kernel/settings/config.ts";
import { describeConfig } from "../kernel/settings/described-config.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";

/**
 * Prints every setting with its value and source, secrets only as set or unset. Exit code 78, with every fault on
 * stderr, when the configuration is wrong.
 */
export const configCommand = command(
  { name: "config", about: "print every setting with its value and its source", flags: { json: JSON_FLAG } },
  async ({ env, out, err }, { flags }) => {
    const read = readConfig(env);
    if (!read.ok) {
      for (const fault of read.faults) err(fault);
      return EXIT.config;
    }
    const views = describeConfig(env);
    for (const line of flags.json
      ? [JSON.stringify(views, undefined, 2)]
      : aligned([["NAME", "VALUE", "SOURCE"], ...views.map(({ name, value, source }) => [name, value, source])]))
      out(line);
    return EXIT.ok;
  },
);

/** Rows as text, each column as wide as its widest cell. */
const aligned = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
