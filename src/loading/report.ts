import type { Log } from "../kernel/log.ts";
import type { Folder } from "./loader.ts";

/** Logs what the plugin folder holds, so that the log says which code ran, and what cannot be used. */
export const reportFolder = ({ loaded, unavailable, unowned }: Folder, log: Log): void => {
  for (const { plugin, version, contract, hosts, sha256, warnings } of loaded) {
    log.info({ plugin: plugin.name, version, kind: plugin.kind, contract, hosts, sha256 }, "an adapter is loaded");
    for (const warning of warnings) log.warn({ plugin: plugin.name, warning }, "an adapter declares in vain");
  }
  for (const { name, fault } of unavailable)
    log.error({ plugin: name, fault }, "an adapter cannot be used; all others can");
  for (const fault of unowned) log.warn({ fault }, "a variable is of no adapter in the plugin folder");
};
