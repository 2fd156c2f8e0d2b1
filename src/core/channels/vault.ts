import type { ChannelEvent } from "../../contract/events.ts";
import { type KeyRing, type RestoredRing, type RingChanges, RingLost } from "../../contract/key-ring.ts";
import type { Vault } from "../../contract/plugin.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { findChannel, readVault, type vault, writeVault } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { findCopy, holdsRing, listRingIds, readRing, takeRing, wipeRing, writeCopy, writeRing } from "../../store/key-ring.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { ChannelsEnv } from "./env.ts";

type SealingEnv = Pick<ChannelsEnv, "db" | "secrets">;
type RingEnv = SealingEnv & Pick<ChannelsEnv, "clock" | "owners">;

/** The rows that sealed texts are bound to: a text opens in its own row alone. */
export const vaultRow = (channelId: string, field: string): string => `vault:${channelId}:${field}`;
export const ringRow = (channelId: string, kind: string, id: string): string => `ring:${channelId}:${kind}:${id}`;
export const copyRow = (channelId: string, nativeKey: string): string => `copy:${channelId}:${nativeKey}`;

export const sealedFields = ({ secrets }: Pick<ChannelsEnv, "secrets">, channelId: ChannelId, fields: Record<string, string>): (typeof vault.$inferInsert)[] =>
  Object.entries(fields).map(([field, value]) => ({ channelId, field, sealed: secrets.seal(vaultRow(channelId, field), value) }));

/** A channel's secrets. Reading throws when they were sealed under another master key; what is written for a channel that is gone is lost with it. */
export const vaultOf = (env: SealingEnv, channelId: ChannelId): Omit<Vault, "openRing"> => ({
  async read() {
    const rows = await env.db.read((reader) => readVault(reader, channelId));
    return Object.fromEntries(rows.map(({ field, sealed }) => [field, env.secrets.open(vaultRow(channelId, field), sealed)]));
  },
  write: (fields) =>
    env.db.write(async (tx) => {
      if (await findChannel(tx, EVERY_TENANT, channelId)) await writeVault(tx, sealedFields(env, channelId, fields));
    }),
});

type TakeIn = (tx: Tx, events: readonly ChannelEvent[]) => Promise<void>;

/** Takes over a channel's key ring. `takeIn` takes in the events that are written with its keys. Throws RingLost when the channel is gone, or another process's. */
export const openRing = async (env: RingEnv, channelId: ChannelId, takeIn: TakeIn): Promise<KeyRing> => {
  const epoch = await env.db.write(async (tx) => ((await env.owners.take(tx, channelId)) ? takeRing(tx, channelId) : undefined));
  if (epoch === undefined) throw new RingLost();
  return ringOf(env, { channelId, epoch }, takeIn);
};

/** A channel's key ring as it came from a backup. Throws RingLost when the channel is gone. */
export const openRestoredRing = async (env: RingEnv, channelId: ChannelId): Promise<RestoredRing> => ({
  ...(await openRing(env, channelId, async () => {})),
  idsOf: (kind) => env.db.read(async (reader) => listRingIds(reader, channelId, kind)),
});

const ringOf = (env: RingEnv, { channelId, epoch }: { channelId: ChannelId; epoch: number }, takeIn: TakeIn): KeyRing => ({
  async read(kind, ids) {
    const rows = await env.db.read((reader) => readRing(reader, channelId, kind, ids));
    return new Map(rows.map(({ id, sealed }) => [id, env.secrets.open(ringRow(channelId, kind, id), sealed)]));
  },
  async copyOf(key) {
    const sealed = await env.db.read((reader) => findCopy(reader, channelId, key));
    return sealed === undefined ? undefined : env.secrets.open(copyRow(channelId, key), sealed);
  },
  async write(changes) {
    const { rows, copies } = sealedChanges(env, channelId, changes);
    await env.db.write(async (tx) => {
      if (!(await holdsRing(tx, channelId, epoch))) throw new RingLost();
      if (changes.wipe) wipeRing(tx, channelId);
      writeRing(tx, channelId, rows);
      for (const copy of copies) writeCopy(tx, copy);
      await takeIn(tx, changes.events ?? []);
    });
  },
});

/** Sealed before the write begins, so that the others need not wait for it. */
const sealedChanges = ({ secrets, clock }: RingEnv, channelId: ChannelId, { rows = [], copies = [] }: RingChanges) => ({
  rows: rows.map(({ kind, id, value, until }) => ({ kind, id, sealed: value === null ? null : secrets.seal(ringRow(channelId, kind, id), value), until })),
  copies: copies.map(({ key, value }) => ({ channelId, nativeKey: key, sealed: secrets.seal(copyRow(channelId, key), value), keptAt: clock.now() })),
});
