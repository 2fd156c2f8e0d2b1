import { DAY_MS } from "../../../src/kernel/clock.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { type ChannelId, newId, type TenantId } from "../../../src/kernel/ids.ts";
import { insertPairingLink } from "../../../src/store/tables/channels/pairing-links.ts";
import type { World } from "../world.ts";

/** The id of a stored pairing link of a channel, also of a channel that cannot be paired. */
export const storedPairingLink = async (w: World, tenantId: string, channelId: string): Promise<string> => {
  const { env } = w.app;
  const [id, createdAt] = [newId(env), env.clock.now()];
  await env.db.write((tx) =>
    insertPairingLink(tx, {
      id,
      hash: sha256(id),
      tenantId: tenantId as TenantId,
      channelId: channelId as ChannelId,
      label: "A label",
      createdBy: "system",
      createdAt,
      expiresAt: createdAt + DAY_MS,
      openedAt: null,
      endedAt: null,
      isRevoked: false,
    }),
  );
  return id;
};
