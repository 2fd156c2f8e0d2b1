import { createHrana, objectsOf } from "../../../src/store/engine/remote/hrana.ts";
import { clientOf } from "../client.ts";
import { type LibsqlServer, startLibsqlServer } from "../servers/libsql-server.ts";
import { pauses } from "../waiting.ts";
import { ADMIN_TOKEN } from "../world.ts";
import { askDatabase, askWaitingJobs, type Disk } from "./aftermath.ts";
import type { processes, Server, Settings } from "./process.ts";

export type NodeName = "a" | "b";

/** Recados in separate processes, on one libSQL server. */
export type Cluster<Name extends string = NodeName> = {
  readonly nodes: Readonly<Record<Name, Server>>;
  client(name: Name): ReturnType<typeof clientOf>;
  /** Starts a node that has ended, with the settings it had. */
  start(name: Name): Promise<void>;
  kill(name: Name): Promise<void>;
  /** The database's server. */
  readonly server: LibsqlServer;
  /** Rows of the database, from its server. */
  rows<Row>(sql: string): Promise<Row[]>;
  disk(): Promise<Disk>;
  /** Runs until no job is left: first due jobs, then waiting ones as time moves. Needs the test clock and all nodes. */
  settle(): Promise<void>;
  /** Resolves when the dead nodes' rows are deleted and so many nodes are left (default: all). */
  untilNodesLeft(left?: number): Promise<void>;
  end(): Promise<void>;
};

type Processes = Pick<ReturnType<typeof processes>, "dataDir" | "serve">;
const WAIT_MS = 61_000;
/** A machine that is busy with other tests may be slow. */
const TIMEOUT_MS = 60_000;
/** The time that a busy machine may need for all waiting work after a long traffic. */
const SETTLED_WITHIN_MS = 180_000;
const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");

const BOTH: readonly NodeName[] = ["a", "b"];

/**
 * `names`: the nodes. `own`: settings of some of them. `server`: another database than the usual one. `settled`:
 * resolves when the network has no more events.
 */
type Options<Name extends string> = {
  names: readonly Name[];
  own?: Partial<Record<Name, Settings>>;
  server?: LibsqlServer;
  settled?: () => Promise<void>;
};

/** Two nodes on a new server. */
export const startCluster = (
  processesOf: Processes,
  settings: Settings,
  settled?: () => Promise<void>,
): Promise<Cluster> => startNodes(processesOf, settings, { names: BOTH, ...(settled && { settled }) });

/** The first node applies the migrations, then the others start together. */
export const startNodes = async <Name extends string>(
  { dataDir, serve }: Processes,
  settings: Settings,
  { names, own = {}, server: given, settled = async () => {} }: Options<Name>,
): Promise<Cluster<Name>> => {
  const server = given ?? (await startLibsqlServer());
  if (!given) await server.makeDurable(); // as the unit that is shipped does
  const settingsOf = (name: Name): Settings => ({
    RECADO_DATABASE_URL: server.url,
    RECADO_MASTER_KEY: MASTER_KEY,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    ...(server.token !== undefined && { RECADO_DATABASE_TOKEN: server.token }),
    ...settings,
    ...own[name],
  });
  const folders = new Map(names.map((name) => [name, dataDir()]));
  const nodes = {} as Record<Name, Server>;
  const start = async (name: Name) => {
    nodes[name] = await serve({ RECADO_DATA_DIR: folders.get(name) ?? "", ...settingsOf(name) });
  };
  for (const name of names.slice(0, 1)) await start(name);
  await Promise.all(names.slice(1).map(start));
  const database = createHrana(server, { requestMs: TIMEOUT_MS });

  const rows = async <Row>(sql: string): Promise<Row[]> => {
    const [result] = await database.open().batch([{ sql, params: [], wantsRows: true }], { isLast: true });
    if (result?.is !== "done") throw new Error(`${sql} was not answered`, { cause: result });
    return objectsOf(result) as Row[];
  };
  const client = (name: Name) => clientOf(nodes[name], ADMIN_TOKEN);
  const advance = async (advanceMs: number): Promise<number> => {
    const clocks = names.map((name) => client(name).admin<{ now: string }>("/clock", { advanceMs }));
    return Math.min(...(await Promise.all(clocks)).map(({ now }) => Date.parse(now)));
  };
  return {
    nodes,
    server,
    client,
    rows,
    start,
    async kill(name) {
      nodes[name].signal("SIGKILL");
      await nodes[name].ended;
    },
    disk: () => askDatabase(rows),
    async settle() {
      for (const pause = pauses(SETTLED_WITHIN_MS); ; await pause()) {
        await settled();
        const { all: left, due } = await askWaitingJobs(rows, await advance(0));
        if (left === 0) return;
        if (due === 0) await advance(WAIT_MS);
      }
    },
    async untilNodesLeft(left = names.length) {
      for (const pause = pauses(); ; await pause()) {
        const all = await rows<{ isDead: number }>(
          "SELECT lease_until <= unixepoch('subsec') * 1000 AS isDead FROM processes",
        );
        if (all.length === left && all.every(({ isDead }) => isDead === 0)) return;
      }
    },
    async end() {
      database.close();
      await server.stop();
    },
  };
};
