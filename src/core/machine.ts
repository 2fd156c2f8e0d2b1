import { countLiveChannels } from "../store/tables/channels/channels.ts";
import { totalCount } from "../store/tables/collections.ts";
import { listNodes, type NodeRow } from "../store/tables/nodes.ts";
import { clientsInUse } from "./channels/links/clients.ts";
import type { Env } from "./env.ts";
import { readGrowth } from "./growth.ts";

/** A process that serves the database. `isSelf`: this process. */
export type NodeNow = NodeRow & { isSelf: boolean };

/** The processes that serve this database; on a local file only this one. */
export const nodesNow = ({ db, node }: Pick<Env, "db" | "node">, startedAt: number): Promise<NodeNow[]> =>
  db.read(async (reader) => {
    if (db.isShared) return (await listNodes(reader)).map((row) => ({ ...row, isSelf: row.id === node.processId }));
    const channels = await countLiveChannels(reader);
    return [{ id: node.processId, url: null, startedAt, isLive: true, channels, isSelf: true }];
  });

/**
 * The storage of the machine, and its client versions. `storedBytes`: files that accounts keep. `fullInMs`: when the
 * disk is full if it fills as in the last week.
 */
export type MachineNow = {
  disk: { freeBytes: number; totalBytes: number };
  storedBytes: number;
  fullInMs: number | undefined;
  clients: Awaited<ReturnType<typeof clientsInUse>>;
};

export const machineNow = (env: Pick<Env, "db" | "disk" | "registry">): Promise<MachineNow> =>
  env.db.read(async (reader) => ({
    disk: env.disk(),
    storedBytes: await totalCount(reader, "stored-bytes"),
    fullInMs: (await readGrowth(reader))?.fullInMs,
    clients: await clientsInUse(reader, env.registry.kinds),
  }));
