import type { ChannelHost } from "../../src/contract/plugin.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import type { SendFailure } from "../meta/fault.ts";

/** What the vault of a SOCIAL channel holds. Times in milliseconds, 0 where they are not known. */
export type Credentials = { igUserId: string; accessToken: string; issuedAt: number; expiresAt: number };

export type NoCredentials = "missing" | "unreadable";

/** Read at every use, so that a new token counts from the next call on. */
export const readCredentials = async (host: ChannelHost): Promise<Credentials | NoCredentials> => {
  try {
    const { igUserId, accessToken, tokenIssuedAt, tokenExpiresAt } = await host.vault.read();
    return igUserId && accessToken ? { igUserId, accessToken, issuedAt: Number(tokenIssuedAt ?? 0), expiresAt: Number(tokenExpiresAt ?? 0) } : "missing";
  } catch (thrown) {
    host.log.error({ channelId: host.channelId, reason: reasonOf(thrown) }, "credentials could not be read");
    return "unreadable";
  }
};

/** What becomes of what was asked of a channel without them. */
export const FAILURE_WITHOUT: Record<NoCredentials, SendFailure> = {
  missing: { ok: false, kind: "refused", code: "IG_CREDS_MISSING", reason: "the channel has no credentials" },
  unreadable: { ok: false, kind: "retry", code: "INTERNAL_ERROR", reason: "the channel's credentials could not be read" },
};
