import { isOpenState } from "../../../contract/events.ts";
import type { FailureCode } from "../../../contract/outcome.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { changeLinkState } from "./report.ts";

const REFUSED: FailureCode = "CREDENTIALS_REFUSED";

/**
 * Ends a channel's connection when its network has refused its credentials in a call that began at `begunAt`. The
 * channel then says so, its owner is notified as of every lost channel, and its sends wait for new credentials. A
 * refusal of credentials that were replaced meanwhile changes nothing.
 */
export const noteRefusedToken = async (
  env: Parameters<typeof changeLinkState>[0],
  tx: Tx,
  channelId: ChannelId,
  { code, begunAt }: { code: FailureCode; begunAt: number },
): Promise<void> => {
  if (code !== REFUSED) return;
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (!channel || !isOpenState(channel.state)) return;
  const { credentialsAt } = channel.profile;
  if (typeof credentialsAt === "number" && credentialsAt >= begunAt) return;
  await changeLinkState(env, tx, channel, { state: "TOKEN_EXPIRED", reason: REFUSED });
};
