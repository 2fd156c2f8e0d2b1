import type { PairingNotice } from "../../../contract/abilities/pairing.ts";
import { recordOf } from "../../../kernel/texts/json.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import type { ChannelsEnv } from "../env.ts";
import { openPasskeyPage } from "./passkey-link.ts";
import { shownHint } from "./shown-hint.ts";

/** The QR code was scanned, and has changed. */
const SCAN_AGAIN = "SCAN_AGAIN";

/** The current step for the person who links the channel, from its profile; undefined when it is over. */
export const noticeIn = ({ profile }: Pick<ChannelRow, "profile">, now: number): string | undefined => {
  const { code, until } = recordOf(profile["pairingNotice"]);
  return typeof code === "string" && Number(until) > now ? code : undefined;
};

/** Publishes the step for the person who links the channel: scan another code, use a passkey, or compare a code. */
export const announcePairing = async (
  env: PublishEnv & Pick<ChannelsEnv, "jobs" | "secrets" | "passkeyPage" | "registry">,
  tx: Tx,
  channel: ChannelRow,
  notice: PairingNotice,
): Promise<void> => {
  if (notice.code === SCAN_AGAIN) env.jobs.replace(tx, "channel.announce-qr", { channelId: channel.id });
  if (notice.passkeyId === undefined) return;
  const bridgeUrl = await openPasskeyPage(env, tx, channel.id, notice);
  const hint = shownHint(env, channel, { code: notice.code });
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel },
    { type: "channel.passkey_required", bridgeUrl, expiresAt: notice.until, hint },
  );
};
