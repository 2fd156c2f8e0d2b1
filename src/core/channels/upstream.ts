import type { UpstreamFailure, UpstreamResult } from "../../contract/upstream.ts";
import { AppError, type CoreCode } from "../../kernel/errors.ts";
import { type ChannelRow, readVault } from "../../store/channels.ts";
import type { ChannelsEnv } from "./env.ts";

type CredentialEnv = Pick<ChannelsEnv, "db" | "registry">;

const missingOf = async (
  env: CredentialEnv,
  channel: Pick<ChannelRow, "id" | "kind">,
): Promise<{ required: string[]; missing: string[] }> => {
  const required = (env.registry.ofKind(channel.kind)?.credentials?.["required"] ?? []) as string[];
  const stored = await env.db.read((reader) => readVault(reader, channel.id));
  return { required, missing: required.filter((name) => stored.every(({ field }) => field !== name)) };
};

/** Whether a channel has not all credentials that its adapter requires. */
export const lacksCredentials = async (
  env: CredentialEnv,
  channel: Pick<ChannelRow, "id" | "kind">,
): Promise<boolean> => (await missingOf(env, channel)).missing.length > 0;

/**
 * Refuses a call for which a channel that the caller names has not all credentials: throws CREDENTIALS_MISSING when it
 * has none, CREDENTIALS_INCOMPLETE when some are missing.
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
 * What a network gave to a call that somebody waits for. Throws UPSTREAM_REFUSED with the network's own words in
 * `details.upstreamError`, UPSTREAM_TOKEN_REFUSED, CREDENTIALS_LOST (or what the caller's document has for it), and
 * UPSTREAM_UNAVAILABLE, after which the call may be repeated.
 */
export const valueOf = <T>(
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
      return new AppError("UPSTREAM_UNAVAILABLE", {
        message: "The network could not be asked, or did not answer; try again later.",
        ...(failure.retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(failure.retryAfterMs / 1000) }),
      });
  }
};
