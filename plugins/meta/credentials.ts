import type { ChannelHost } from "../../src/contract/plugin.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import type { SendFailure } from "./fault.ts";

export type NoCredentials = "missing" | "unreadable";

/**
 * Makes the reader of a channel's vault. `credentialsIn` takes the credentials from its fields; undefined if some
 * are missing. The vault is read at every use, so a new token counts from the next call on.
 */
export const credentialsBy =
  <Credentials extends object>(credentialsIn: (fields: Record<string, string>) => Credentials | undefined) =>
  async (host: ChannelHost): Promise<Credentials | NoCredentials> => {
    try {
      return credentialsIn(await host.vault.read()) ?? "missing";
    } catch (thrown) {
      host.log.error({ channelId: host.channelId, reason: reasonOf(thrown) }, "credentials could not be read");
      return "unreadable";
    }
  };

/**
 * The failures of requests to a channel whose credentials are missing or unreadable. `code`: the code for missing
 * credentials.
 */
export const failuresWithout = (code: SendFailure["code"]): Record<NoCredentials, SendFailure> => ({
  missing: { ok: false, kind: "refused", code, reason: "the channel has no credentials" },
  unreadable: {
    ok: false,
    kind: "retry",
    code: "INTERNAL_ERROR",
    reason: "the channel's credentials could not be read",
  },
});
