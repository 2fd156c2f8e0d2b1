import { AppError } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Node } from "../../runtime/node.ts";
import { type ChannelRow, findChannel, listConnecting } from "../../store/channels.ts";
import type { Db, Reader, Tx } from "../../store/db.ts";
import {
  acquireFreeChannels,
  acquireLease,
  countFreeChannels,
  findLeaseOwner,
  isLeasedElsewhere,
  listLostChannels,
  listOwnChannels,
  takeOverLease,
} from "../../store/leases.ts";
import { EVERY_TENANT } from "../../store/scope.ts";

/**
 * Which process has a channel: it alone connects the channel's link and runs the channel's jobs. Where one process
 * serves the database, that one has them all.
 */
export type Owners = {
  /**
   * Has the channel be this process's. One that is connected by its link alone is taken from no other that lives: then
   * throws OVERLOADED.
   */
  claim(tx: Tx, channel: Pick<ChannelRow, "id" | "holdsConnection">): Promise<void>;
  /** The same for any channel, as a value: false when another process has it. */
  take(tx: Tx, channelId: ChannelId): Promise<boolean>;
  /** Whether another process has it. */
  isElsewhere(tx: Tx, channelId: ChannelId): Promise<boolean>;
  /** The other process that has it: where it is reached, null where it is not. */
  holderOf(channelId: string): Promise<{ url: string | null } | undefined>;
  /**
   * Those that must have a live link and are nobody's, this process's from now on: its share of them, if there are
   * several processes.
   */
  takeFree(): Promise<ChannelRow[]>;
  /** Those that must have a live link and are this process's. */
  mine(): Promise<ChannelRow[]>;
  /** Those of the channels that are not this process's any more. */
  lost(ids: readonly ChannelId[]): Promise<ChannelId[]>;
};

/** So few are not shared. */
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
      // who has just started, and is not counted yet, finds some
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
