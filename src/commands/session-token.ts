import { restartWith } from "../adapters/machine/exec.ts";
import type { Environment } from "../kernel/reading.ts";
import type { Config } from "../kernel/settings/config.ts";
import { ConfigFault } from "../setup.ts";

/**
 * Bun signs every request to S3 with this variable of its environment, beside the keys of the settings. It reads the
 * variable once, when the process starts, so neither `delete` nor an empty option ends that.
 */
const SESSION_TOKEN = "AWS_SESSION_TOKEN";
/** Says that this process is the one that was restarted: a file such as .env may set the token again. */
const IS_DROPPED = "AWS_SESSION_TOKEN_DROPPED";

/**
 * Restarts this process without the session token of somebody else's keys, if it uses S3. A process without one goes
 * on.
 * @throws ConfigFault if the process cannot be restarted, or has the token again
 */
export const dropSessionToken = async (
  { media, backup }: Pick<Config, "media" | "backup">,
  env: Environment,
): Promise<void> => {
  const usesS3 = [media, backup?.place].some((place) => place?.kind === "s3");
  if (!usesS3 || env[SESSION_TOKEN] === undefined) return;
  if (env[IS_DROPPED] !== undefined)
    throw new ConfigFault(`unset ${SESSION_TOKEN}, also in files such as .env: requests to S3 would be signed with it`);
  const { [SESSION_TOKEN]: _, ...others } = env;
  await restartWith({ ...others, [IS_DROPPED]: "1" }).catch((cause: unknown) => {
    throw new ConfigFault(`unset ${SESSION_TOKEN}: requests to S3 would be signed with it`, { cause });
  });
};
