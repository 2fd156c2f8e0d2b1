import { variableOf } from "../kernel/settings/adapter-settings.ts";
import { SETTING_NAMES } from "../kernel/settings/settings.ts";
import { isRecord } from "../kernel/texts/json.ts";

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string";

const isOwnName = (name: string): boolean => (SETTING_NAMES as readonly string[]).includes(name);

const isPattern = (pattern: unknown): boolean => {
  if (pattern === undefined) return true;
  try {
    return typeof pattern === "string" && new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
};

/** The faults of the settings that an adapter declares. */
export const settingsShapeFaults = (settings: unknown, adapter: string): string[] => {
  if (settings === undefined) return [];
  if (!Array.isArray(settings)) return ["settings must be a list"];
  return settings.flatMap((one: unknown, place) => {
    const at = `settings[${place}]`;
    if (!isRecord(one)) return [`${at} must be an object`];
    const { name, fallback, pattern, form, isSecret, meaning } = one;
    const isNamed = typeof name === "string" && NAME.test(name);
    return [
      isNamed ? "" : `${at}.name must be capital letters, digits and _, a letter first`,
      isNamed && isOwnName(variableOf(adapter, name))
        ? `${at}.name: ${variableOf(adapter, name)} is a setting of Recado itself`
        : "",
      isTextOrNone(fallback) ? "" : `${at}.fallback must be a text`,
      isPattern(pattern) ? "" : `${at}.pattern must be a regular expression as text`,
      isTextOrNone(form) && (pattern !== undefined || form === undefined)
        ? ""
        : `${at}.form must be a text, beside a pattern`,
      isSecret === undefined || typeof isSecret === "boolean" ? "" : `${at}.isSecret must be true or false`,
      typeof meaning === "string" && meaning !== "" ? "" : `${at}.meaning is missing`,
    ].filter(Boolean);
  });
};
