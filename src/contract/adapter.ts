import type { Type } from "@sinclair/typebox";
import type { ChannelPlugin } from "./plugin.ts";

/**
 * A setting of the operator for an adapter that is loaded from `RECADO_PLUGIN_DIR`. It is read from the environment
 * variable `RECADO_PLUGIN_<ADAPTER>_<NAME>` (the adapter's name in capitals, `-` as `_`), from the file that
 * `RECADO_PLUGIN_<ADAPTER>_<NAME>_FILE` names, or, a secret, from the systemd credential `plugin-<adapter>-<name>`.
 */
export type AdapterSetting = {
  /** Capital letters, digits and underscores, a letter first, such as `API_URL`. */
  name: string;
  /** The value if none is set. A setting without a fallback may be missing. */
  fallback?: string;
  /**
   * A regular expression that the whole value must match. `form` says the same in words: it follows "must be" in the
   * refusal, which never repeats the value.
   */
  pattern?: string;
  form?: string;
  /** True for a secret: only whether it is set may be shown. */
  isSecret?: boolean;
  /** What the setting is for, in one line. */
  meaning: string;
};

/** The values by name. Holds each setting that has a value, as text. */
export type AdapterSettings = Readonly<Record<string, string>>;

/** What an adapter gets from Recado. An adapter imports only types. */
export type AdapterKit = { Type: typeof Type; settings: AdapterSettings };

/** The default export of an adapter's file. Everything beside `create` is read before any of its code is called. */
export type AdapterModule = {
  /** The lowest `CONTRACT_VERSION` that the adapter needs, such as `"2.0"`. */
  contract: string;
  /**
   * The adapter's name: lower case letters, digits and `-`, a letter first, at most 32. The plugin that `create` makes
   * has the same name.
   */
  name: string;
  /** The adapter's own version, such as `"1.4.0"`. */
  version: string;
  /** Who made it, and where it is described: shown to operators. */
  author?: string;
  homepage?: string;
  /**
   * The hosts that it asks through `host.http`: `api.example.com`, `*.example.com` for all below it, or `*` for any. The
   * hosts of URLs in its settings need not be named. A request to another host is refused.
   */
  hosts: readonly string[];
  settings?: readonly AdapterSetting[];
  /** Makes the adapter. No I/O. An error thrown here stops the start of Recado with its message. */
  create(kit: AdapterKit): ChannelPlugin;
};
