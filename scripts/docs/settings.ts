import { SETTING_NAMES, SETTINGS } from "../../src/kernel/settings/settings.ts";

/** The settings as a Markdown table, for docs/settings.md. */
export const settingsTable = (): string => {
  const rows = SETTING_NAMES.map((name) => `| \`${name}\` | ${SETTINGS[name].shown} | ${SETTINGS[name].meaning} |`);
  return ["| Name | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
};
