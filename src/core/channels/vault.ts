import type { Vault } from "../../contract/plugin.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { findChannel, readVault, type vault, writeVault } from "../../store/channels.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { Env } from "../env.ts";

type SealingEnv = Pick<Env, "db" | "secrets">;

/** The row that a field's text is bound to: it opens nowhere else. */
const vaultRow = (channelId: string, field: string): string => `vault:${channelId}:${field}`;

export const sealedFields = ({ secrets }: Pick<Env, "secrets">, channelId: ChannelId, fields: Record<string, string>): (typeof vault.$inferInsert)[] =>
  Object.entries(fields).map(([field, value]) => ({ channelId, field, sealed: secrets.seal(vaultRow(channelId, field), value) }));

/** A channel's secrets. Reading throws when they were sealed under another master key; what is written for a channel that is gone is lost with it. */
export const vaultOf = (env: SealingEnv, channelId: ChannelId): Vault => ({
  async read() {
    const rows = await env.db.read((reader) => readVault(reader, channelId));
    return Object.fromEntries(rows.map(({ field, sealed }) => [field, env.secrets.open(vaultRow(channelId, field), sealed)]));
  },
  write: (fields) =>
    env.db.write(async (tx) => {
      if (await findChannel(tx, EVERY_TENANT, channelId)) await writeVault(tx, sealedFields(env, channelId, fields));
    }),
});
