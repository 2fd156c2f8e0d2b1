import { ADAPTER_PREFIX, type Environment, findText } from "../reading.ts";
import { SETTING_NAMES } from "./settings.ts";

/** A setting that an adapter declares (`AdapterSetting` of the contract). */
export type DeclaredSetting = {
  name: string;
  fallback?: string;
  pattern?: string;
  form?: string;
  isSecret?: boolean;
  meaning: string;
};

/** The part of an adapter's declaration that is read before any of its code is called. */
export type DeclaredSettings = { name: string; settings?: readonly DeclaredSetting[] };

/** The variable of an adapter's setting: `RECADO_PLUGIN_TELEGRAM_API_URL` for `API_URL` of the adapter `telegram`. */
export const variableOf = (adapter: string, setting: string): string =>
  `${ADAPTER_PREFIX}${adapter.toUpperCase().replaceAll("-", "_")}_${setting}`;

/** The adapters' variables of an environment, and the variable with the folder of a service manager's credentials. */
export const adapterEnvironment = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => name === "CREDENTIALS_DIRECTORY" || (name.startsWith(ADAPTER_PREFIX) && !isOurs(name)),
    ),
  );

const isOurs = (name: string): boolean => SETTING_NAMES.some((known) => name === known || name === `${known}_FILE`);

export type AdapterReading = { ok: true; values: Readonly<Record<string, string>> } | { ok: false; faults: string[] };

/**
 * Reads an adapter's settings from their credentials, files, variables or defaults. Never throws. No fault repeats a
 * value.
 */
export const readAdapterSettings = (
  { name: adapter, settings = [] }: DeclaredSettings,
  env: Environment,
): AdapterReading => {
  const readings = settings.map((setting) => readOne(variableOf(adapter, setting.name), setting, env));
  const faults = readings.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    values: Object.fromEntries(readings.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]]))),
  };
};

type Read = { name: string; text: string | undefined; fault: string | undefined };

const readOne = (
  variable: string,
  { name, fallback, pattern, form, isSecret = false }: DeclaredSetting,
  env: Environment,
): Read => {
  const { text, fault } = findText(variable, env, { isSecret, fallback });
  const isMisfit = text !== undefined && pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(text);
  return {
    name,
    text,
    fault: fault ?? (isMisfit ? `${variable} must be ${form ?? `of the form ${pattern}`}` : undefined),
  };
};

/** The adapter variables that none of these adapters declares: misspelt ones, or those of adapters that are gone. */
export const unclaimedVariables = (env: Environment, adapters: readonly DeclaredSettings[]): string[] => {
  const claimed = new Set(
    adapters.flatMap(({ name, settings = [] }) => settings.map((setting) => variableOf(name, setting.name))),
  );
  return Object.keys(adapterEnvironment(env)).filter(
    (name) => name !== "CREDENTIALS_DIRECTORY" && !claimed.has(name) && !claimed.has(name.replace(/_FILE$/, "")),
  );
};

/** The fault of an unclaimed variable. */
export const unclaimedFault = (variable: string): string => `${variable} is not a setting of an adapter that is loaded`;

/** The values of all adapter variables. Only the adapters know which of them are secrets. */
export const adapterTexts = (env: Environment): string[] =>
  Object.keys(adapterEnvironment(env)).flatMap((name) =>
    name === "CREDENTIALS_DIRECTORY"
      ? []
      : (findText(name.replace(/_FILE$/, ""), env, { isSecret: true, fallback: undefined }).text ?? []),
  );
