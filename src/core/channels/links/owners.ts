import { AppError } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Node } from "../../../runtime/node.ts";
import type { Db, Reader, Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel, listConnecting } from "../../../store/tables/channels/channels.ts";
import {
  acquireFreeChannels,
  acquireLease,
  countFreeChannels,
  findLeaseOwner,
  isLeasedElsewhere,
  listLostChannels,
  listOwnChannels,
  takeOverLease,
} from "../../../store/tables/leases.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";

/**
 * Which process owns a channel. Only the owner connects the channel's link and runs its jobs. A sole process on a
 * database owns all channels.
 */
export type Owners = {
  /**
   * Makes this process the owner. A living process keeps a channel whose link is its connection.
   * @throws AppError OVERLOADED in that case
   */
  claim(tx: Tx, channel: Pick<ChannelRow, "id" | "holdsConnection">): Promise<void>;
  /** The same for any channel, as a value: false when another process owns it. */
  take(tx: Tx, channelId: ChannelId): Promise<boolean>;
  /** Whether another process owns it. */
  isElsewhere(tx: Tx, channelId: ChannelId): Promise<boolean>;
  /** The other process that owns it, with its URL; null if that process cannot be reached. */
  holderOf(channelId: string): Promise<{ url: string | null } | undefined>;
  /** Takes this process's share of the unowned channels that must have a live link. */
  takeFree(): Promise<ChannelRow[]>;
  /** The channels of this process that must have a live link. */
  mine(): Promise<ChannelRow[]>;
  /** Those of these channels that this process no longer owns. */
  lost(ids: readonly ChannelId[]): Promise<ChannelId[]>;
};

/** A process takes up to this many channels without sharing them with others. */
const FEW = 8;

export const createOwners = ({ db, node }: { db: Db; node: Node }): Owners =>
  db.isShared ? sharingOwners(db, node) : soleOwner(db);

const soleOwner = (db: Db): Owners => {
  const connecting = () => db.read(listConnecting);
  return {
    claim: async () => {},
    take: async () => true,
    isElsewhere: async () => false,
    holderOf: async () => undefined,
    takeFree: connecting,
    mine: connecting,
    lost: async () => [],
  };
};

const sharingOwners = (db: Db, node: Node): Owners => {
  const { processId } = node;
  return {
    async claim(tx, { id, holdsConnection }) {
      if (!holdsConnection) return takeOverLease(tx, id, processId);
      if (!(await acquireLease(tx, id, processId)))
        throw new AppError("OVERLOADED", {
          message: "Another node is about to serve this channel.",
          retryAfterSeconds: 1,
        });
    },
    take: (tx, id) => acquireLease(tx, id, processId),
    isElsewhere: (tx, id) => isLeasedElsewhere(tx, id, processId),
    holderOf: (id) => db.read((reader) => findLeaseOwner(reader, id, processId)),
    async takeFree() {
      const free = await db.read(countFreeChannels);
      if (free === 0) return [];
      // a process that has just started, and is not counted yet, finds some
      const share = Math.max(FEW, Math.ceil(free / (node.count + 1)));
      return db.write(async (tx) => rowsOf(tx, await acquireFreeChannels(tx, processId, share)));
    },
    mine: () => db.read(async (reader) => rowsOf(reader, await listOwnChannels(reader, processId))),
    lost: async (ids) =>
      ids.length === 0 ? [] : ((await db.read((reader) => listLostChannels(reader, ids, processId))) as ChannelId[]),
  };
};

const rowsOf = async (r: Reader, ids: readonly string[]): Promise<ChannelRow[]> => {
  const rows: ChannelRow[] = [];
  for (const id of ids) {
    const row = await findChannel(r, EVERY_TENANT, id);
    if (row) rows.push(row);
  }
  return rows;
};
