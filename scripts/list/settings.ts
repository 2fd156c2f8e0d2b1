import { SETTING_NAMES, SETTINGS } from "../../src/kernel/settings/settings.ts";

/** The rows of `npm run list -- settings`, with the names of their columns before them. */
export const settingRows = (): string[][] => [
  ["setting", "default", "meaning"],
  ...SETTING_NAMES.map((name) => [name, SETTINGS[name].shown, SETTINGS[name].meaning]),
];
