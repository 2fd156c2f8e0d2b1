import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingValues } from "./settings/settings.ts";
import { nearestName } from "./texts/nearest-name.ts";

/** The environment of a process, as `process.env` has it. */
export type Environment = Record<string, string | undefined>;
export type Source = "default" | "environment" | "file" | "credential";

/** What was read for one setting: its text, its source, and its value or fault. */
export type Reading = {
  name: SettingName;
  source: Source;
  text: string | undefined;
  value: unknown;
  fault: string | undefined;
};

/** The text found for a setting, and its source. `fault` says why there is no text. */
export type Found = { source: Source; text: string | undefined; fault?: string };

/** `as`: the operator's name for the file. */
const fileText = (source: "file" | "credential", as: string, path: string): Found => {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? { source, text: undefined, fault: `${as}: ${path} is empty` } : { source, text };
  } catch (thrown) {
    const reason = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unreadable";
    return { source, text: undefined, fault: `${as}: cannot read ${path} (${reason})` };
  }
};

/** The systemd credential of a secret: `master-key` for RECADO_MASTER_KEY. */
const credentialOf = (name: string): string => name.slice("RECADO_".length).toLowerCase().replaceAll("_", "-");

/** The path of a secret's credential file; undefined if there is none. */
const credentialPath = (
  name: string,
  isSecret: boolean,
  { CREDENTIALS_DIRECTORY: dir }: Environment,
): string | undefined => {
  const path = dir && isSecret ? join(dir, credentialOf(name)) : undefined;
  return path !== undefined && existsSync(path) ? path : undefined;
};

/**
 * Finds a setting's text in its credential (for a secret), its variable or the file that `<name>_FILE` names; else
 * `fallback`.
 */
export const findText = (
  name: string,
  env: Environment,
  { isSecret, fallback }: { isSecret: boolean; fallback: string | undefined },
): Found => {
  const credential = credentialPath(name, isSecret, env);
  if (credential !== undefined) return fileText("credential", `credential ${credentialOf(name)}`, credential);
  // an empty variable counts as unset: environment files switch settings off this way
  const text = env[name]?.trim();
  const path = env[`${name}_FILE`]?.trim();
  if (text && path)
    return { source: "environment", text: undefined, fault: `${name} and ${name}_FILE are both set; keep one of them` };
  if (path) return fileText("file", `${name}_FILE`, path);
  return text ? { source: "environment", text } : { source: "default", text: fallback };
};

const readSetting = (name: SettingName, env: Environment, dataDir: string): Reading => {
  const { kind, isSecret, fallback } = SETTINGS[name];
  const { source, text, fault } = findText(name, env, {
    isSecret,
    fallback: fallback?.replace("<data>", () => dataDir),
  });
  const value = text === undefined ? undefined : kind.parse(text);
  const misfit = text !== undefined && value === undefined ? `${name} must be ${kind.form}` : undefined;
  return { name, source, text, value, fault: fault ?? misfit };
};

/**
 * Reads every setting from its credential, its `_FILE`, its variable or its default. Never throws: each reading has its
 * own fault.
 */
export const readSettings = (env: Environment): Reading[] => {
  const { value } = readSetting("RECADO_DATA_DIR", env, "");
  const dataDir = typeof value === "string" ? value : "<data>";
  return SETTING_NAMES.map((name) => readSetting(name, env, dataDir));
};

/** The values of readings. A faulty reading gives undefined. */
export const valuesOf = (readings: readonly Reading[]): SettingValues =>
  Object.fromEntries(readings.map(({ name, value }) => [name, value])) as SettingValues;

/** The prefix of adapters' variables. `RECADO_PLUGIN_DIR` is Recado's own. */
export const ADAPTER_PREFIX = "RECADO_PLUGIN_";

/** The variables of commands that use the API of a server. */
export const OF_CLIENTS: readonly string[] = ["RECADO_API_KEY", "RECADO_URL"];
const KNOWN_NAMES: readonly string[] = [...SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]), ...OF_CLIENTS];

/** A fault for every unknown variable with Recado's prefix, with the setting that was probably meant. */
export const unknownNames = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith("RECADO_") && !name.startsWith(ADAPTER_PREFIX) && !KNOWN_NAMES.includes(name))
    .map((name) => {
      const meant = nearestName(name, KNOWN_NAMES, { prefix: "RECADO_" });
      return `${name} is not a setting${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    });
