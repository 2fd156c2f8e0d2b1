import type { UpstreamResult } from "../upstream.ts";

/** Never throws. */
export type SettingsApi = {
  /** The channel's own settings have changed in the vault. The link reads them anew, and does at once what they want. */
  changed(): Promise<UpstreamResult<true>>;
};
