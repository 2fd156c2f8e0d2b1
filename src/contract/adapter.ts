import type { Type } from "@sinclair/typebox";
import type { ChannelPlugin } from "./plugin.ts";

/**
 * A setting of the operator for an adapter that is loaded from `RECADO_PLUGIN_DIR`. It is read from the environment
 * variable `RECADO_PLUGIN_<ADAPTER>_<NAME>` (the adapter's name in capitals, `-` as `_`), from the file that
 * `RECADO_PLUGIN_<ADAPTER>_<NAME>_FILE` names, or, a secret, from the systemd credential `plugin-<adapter>-<name>`.
 * `readAdapterSettings` in `src/kernel/adapter-settings.ts` reads it.
 */
export type AdapterSetting = {
  /** Capital letters, digits and underscores, a letter first, such as `API_URL`. */
  name: string;
  /** The value where none is set; without it the setting may be missing. */
  fallback?: string;
  /**
   * A regular expression that the whole value matches, and in words what it must be: `form` follows "must be" in the
   * refusal, which never repeats the value.
   */
  pattern?: string;
  form?: string;
  /** True where only its presence may be shown. */
  isSecret?: boolean;
  /** What it is for, in one line. */
  meaning: string;
};

/** The values by the settings' names: each setting that has a value, as text. */
export type AdapterSettings = Readonly<Record<string, string>>;

/** What an adapter is given to be made of: it imports nothing of Recado but types. */
export type AdapterKit = { Type: typeof Type; settings: AdapterSettings };

/**
 * What the file of an adapter exports by default. `contract`, `name` and `settings` are read before any of its code is
 * called.
 */
export type AdapterModule = {
  /** The version of the contract that it was written for: `CONTRACT_VERSION` then. */
  contract: number;
  /**
   * The adapter's name: lower case letters, digits and `-`, a letter first, at most 32. The plugin that `create` makes
   * has the same.
   */
  name: string;
  settings?: readonly AdapterSetting[];
  /** Makes the adapter. No I/O. What it throws stops the start with its message. */
  create(kit: AdapterKit): ChannelPlugin;
};
