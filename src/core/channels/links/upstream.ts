import type { UpstreamFailure, UpstreamResult } from "../../../contract/upstream.ts";
import { AppError, type CoreCode } from "../../../kernel/errors.ts";
import { type ChannelRow, readVault } from "../../../store/tables/channels/channels.ts";
import type { ChannelsEnv } from "../env.ts";

type CredentialEnv = Pick<ChannelsEnv, "db" | "registry">;

const missingOf = async (
  env: CredentialEnv,
  channel: Pick<ChannelRow, "id" | "kind">,
): Promise<{ required: string[]; missing: string[] }> => {
  const required = (env.registry.ofKind(channel.kind)?.credentials?.["required"] ?? []) as string[];
  const stored = await env.db.read((reader) => readVault(reader, channel.id));
  return { required, missing: required.filter((name) => stored.every(({ field }) => field !== name)) };
};

/** Whether some credentials that the channel's adapter requires are missing. */
export const lacksCredentials = async (
  env: CredentialEnv,
  channel: Pick<ChannelRow, "id" | "kind">,
): Promise<boolean> => (await missingOf(env, channel)).missing.length > 0;

/**
 * Requires all credentials of a channel that the caller names.
 * @throws AppError CREDENTIALS_MISSING when it has none, or CREDENTIALS_INCOMPLETE when some are missing
 */
export const requireCredentials = async (
  env: CredentialEnv,
  channel: Pick<ChannelRow, "id" | "kind">,
): Promise<void> => {
  const { required, missing } = await missingOf(env, channel);
  if (missing.length === 0) return;
  const code = missing.length === required.length ? "CREDENTIALS_MISSING" : "CREDENTIALS_INCOMPLETE";
  throw new AppError(code, { message: `The channel lacks credentials: ${missing.join(", ")}.`, details: { missing } });
};

/**
 * The network's answer to a call that a client waits for. After UPSTREAM_UNAVAILABLE the call may be repeated.
 * @throws AppError UPSTREAM_REFUSED with the network's own words in `details.upstreamError`, UPSTREAM_TOKEN_REFUSED,
 *   CREDENTIALS_LOST (or the code that the caller's API has for it), UPSTREAM_UNAVAILABLE, or UPSTREAM_PACE_REACHED
 */
export const requireValue = <T>(
  result: UpstreamResult<T>,
  withoutCredentials: "CREDENTIALS_LOST" | "CREDENTIALS_MISSING" = "CREDENTIALS_LOST",
): T => {
  if (result.ok) return result.value;
  throw refusalOf(result, withoutCredentials);
};

const refusalOf = (failure: UpstreamFailure, withoutCredentials: CoreCode): AppError => {
  switch (failure.kind) {
    case "refused":
      return new AppError("UPSTREAM_REFUSED", {
        message: failure.error.error_user_msg ?? failure.error.message,
        details: { upstreamError: failure.error },
      });
    case "token":
      return new AppError("UPSTREAM_TOKEN_REFUSED", {
        message: "The network no longer accepts the channel's token; rotate it.",
      });
    case "credentials":
      return new AppError(withoutCredentials, { message: "The channel has no credentials that can be read." });
    case "unavailable":
      if (failure.isOwnLimit)
        return new AppError("UPSTREAM_PACE_REACHED", {
          message: failure.reason,
          ...retryOf(failure),
        });
      return new AppError("UPSTREAM_UNAVAILABLE", {
        message: "The network could not be asked, or did not answer; try again later.",
        ...retryOf(failure),
      });
  }
};

const retryOf = ({ retryAfterMs }: { retryAfterMs?: number }) =>
  retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
