import type { PairingNotice } from "../../../contract/abilities/pairing.ts";
import { hmacSha256, sha256 } from "../../../kernel/crypto.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { insertPasskeyLink } from "../../../store/tables/channels/passkey-links.ts";
import type { ChannelsEnv } from "../env.ts";

type LinkEnv = Pick<ChannelsEnv, "secrets" | "passkeyPage">;

/**
 * The token of a ceremony's page. It is derived from the ceremony, so that a client can get it again although only its
 * hash is stored.
 */
export const tokenOf = ({ secrets }: Pick<LinkEnv, "secrets">, channelId: string, ceremonyId: string): string =>
  hmacSha256(secrets.derive("passkey-page"), `${channelId}/${ceremonyId}`, "hex");

/** The URL of a ceremony's page, which is a secret. */
export const bridgeUrlOf = (env: LinkEnv, channelId: string, ceremonyId: string): string =>
  env.passkeyPage(tokenOf(env, channelId, ceremonyId));

/** Opens the page of a ceremony until the ceremony is over. Returns its URL, which is a secret. */
export const openPasskeyPage = async (
  env: LinkEnv,
  tx: Tx,
  channelId: ChannelId,
  { at, until, passkeyId = "" }: PairingNotice,
): Promise<string> => {
  const token = tokenOf(env, channelId, passkeyId);
  await insertPasskeyLink(tx, {
    hash: sha256(token),
    channelId,
    ceremonyId: passkeyId,
    createdAt: at,
    expiresAt: until,
    usedAt: null,
  });
  return env.passkeyPage(token);
};
