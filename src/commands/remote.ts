import type { Environment } from "../kernel/reading.ts";
import { readConfig } from "../kernel/settings/config.ts";
import { withoutTrailing } from "../kernel/texts/texts.ts";
import { servingOf } from "../setup.ts";

/** The gateway API of a server, here or elsewhere, and the key of the account that the command works for. */
export type Remote = { url: string; key: string };

/** The flag of every command that works through the gateway API. */
export const URL_FLAG = {
  value: "URL",
  about: "address of the gateway API; default: RECADO_URL, else the server that runs on this machine",
} as const;

/**
 * Finds the server and the key. The key comes from `RECADO_API_KEY` alone, because other users of the machine can read
 * command lines. A string says what is missing.
 */
export const remoteOf = (env: Environment, flags: { url: string | undefined }): Remote | string => {
  const key = env["RECADO_API_KEY"]?.trim();
  if (!key) return "RECADO_API_KEY is missing: set it to an API key of the account";
  const url = flags.url ?? env["RECADO_URL"]?.trim() ?? urlHere(env);
  if (!url) return "no server runs on this machine: name its gateway API with --url or RECADO_URL";
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? { url: withoutTrailing(url, "/"), key }
    : "the address of the server must be an http:// or https:// URL";
};

const urlHere = (env: Environment): string | undefined => {
  const read = readConfig(env);
  return read.ok ? servingOf(read.config)?.gatewayUrl : undefined;
};
