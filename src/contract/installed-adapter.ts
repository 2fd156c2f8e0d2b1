import type { ChannelKind } from "./kind.ts";

/**
 * An adapter of the plugin folder that is in use: what its module says of itself. `hosts`: those that it may ask.
 * `sha256`: of its folder. `warnings`: what it declares in vain.
 */
export type InstalledAdapter = {
  name: string;
  version: string;
  author: string | undefined;
  homepage: string | undefined;
  kind: ChannelKind;
  label: string;
  contract: string;
  hosts: readonly string[];
  sha256: string;
  warnings: readonly string[];
};
