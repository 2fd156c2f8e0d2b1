import { type Environment, readSettings, type Source } from "../reading.ts";
import { adapterTexts } from "./adapter-settings.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/**
 * A setting as an operator may see it. `value` is `set` or `unset` for a secret, and `refused` for an invalid setting.
 */
export type SettingView = { name: SettingName; value: string; source: Source; meaning: string };

/** Every setting with its value and source. Never contains a secret or an invalid value. */
export const describeConfig = (env: Environment): SettingView[] =>
  readSettings(env).map(({ name, source, text, fault }) => ({
    name,
    value: fault === undefined ? shownValue(name, text) : "refused",
    source,
    meaning: SETTINGS[name].meaning,
  }));

/**
 * A setting as the console and the admin API show it. `fallback`: the value while it is not set; null without a
 * default.
 */
export type SettingShown = SettingView & { isSecret: boolean; fallback: string | null };

/** Every setting, as `describeConfig` gives it, with its default. */
export const showSettings = (env: Environment): SettingShown[] =>
  describeConfig(env).map((view) => {
    const { isSecret, shown } = SETTINGS[view.name];
    return { ...view, isSecret, fallback: shown === "–" ? null : shown.replaceAll("`", "") };
  });

/** A shorter text may be an ordinary word of a log line. */
const SHORTEST_SECRET = 8;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it was not encoded
  }
};

/** The texts that must not be printed: every secret, each part of a secret list, and the password of a URL. */
export const secretTexts = (env: Environment): string[] => {
  const own = readSettings(env).flatMap(({ name, text }) =>
    SETTINGS[name].isSecret && text !== undefined ? [text] : [],
  );
  const texts = [...own, ...adapterTexts(env)].flatMap((text) => [text, ...text.split(",").map((part) => part.trim())]);
  const passwords = texts.map((text) => URL.parse(text)?.password ?? "");
  return [...texts, ...passwords, ...passwords.map(decoded)]
    .filter((text) => text.length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
};

const shownValue = (name: SettingName, text: string | undefined): string => {
  const { isSecret, shown } = SETTINGS[name];
  if (isSecret) return text === undefined ? "unset" : "set";
  if (text === undefined) return shown === "–" ? "unset" : shown.replaceAll("`", "");
  return text.split("\n", 1)[0] ?? text; // of certificates given as text, the first line
};
