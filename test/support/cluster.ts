import { createHrana, objectsOf } from "../../src/store/hrana.ts";
import { askDatabase, askWaitingJobs, type Disk } from "./aftermath.ts";
import { clientOf } from "./client.ts";
import { type LibsqlServer, startLibsqlServer } from "./libsql-server.ts";
import type { processes, Server, Settings } from "./process.ts";
import { attempts } from "./waiting.ts";
import { ADMIN_TOKEN } from "./world.ts";

export type NodeName = "a" | "b";

/** Two Recados in processes of their own, on one libSQL server. */
export type Cluster = {
  readonly nodes: Readonly<Record<NodeName, Server>>;
  client(name: NodeName): ReturnType<typeof clientOf>;
  /** Starts a node that has ended, with the settings it had. */
  start(name: NodeName): Promise<void>;
  kill(name: NodeName): Promise<void>;
  /** The database's server. */
  readonly server: LibsqlServer;
  /** Rows of the database, asked of its server. */
  rows<Row>(sql: string): Promise<Row[]>;
  disk(): Promise<Disk>;
  /**
   * Runs until no job is left: first the due ones, then time moves to those that wait. Needs the test clock and both
   * nodes.
   */
  settle(): Promise<void>;
  /** Resolves when the dead nodes' rows are deleted and so many nodes are left (default 2). */
  untilNodesLeft(left?: number): Promise<void>;
  end(): Promise<void>;
};

type Processes = Pick<ReturnType<typeof processes>, "dataDir" | "serve">;
const WAIT_MS = 61_000;
/** A machine that is busy with other tests may be slow. */
const TIMEOUT_MS = 60_000;
const MASTER_KEY = Buffer.alloc(32, 3).toString("base64");

export const startCluster = async (
  { dataDir, serve }: Processes,
  settings: Settings,
  settled: () => Promise<void> = async () => {},
): Promise<Cluster> => {
  const server = await startLibsqlServer();
  const all = (): Settings => ({
    RECADO_DATA_DIR: dataDir(),
    RECADO_DATABASE_URL: server.url,
    RECADO_MASTER_KEY: MASTER_KEY,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    ...settings,
  });
  const settingsOf = { a: all(), b: all() };
  const nodes = { a: await serve(settingsOf.a), b: await serve(settingsOf.b) };
  const database = createHrana({ url: server.url }, TIMEOUT_MS);

  const rows = async <Row>(sql: string): Promise<Row[]> => {
    const [result] = await database.open().batch([{ sql, params: [], wantsRows: true }], { isLast: true });
    if (result?.is !== "done") throw new Error(`${sql} was not answered`, { cause: result });
    return objectsOf(result) as Row[];
  };
  const client = (name: NodeName) => clientOf(nodes[name], ADMIN_TOKEN);
  const advance = async (advanceMs: number): Promise<number> => {
    const [{ now }] = (await Promise.all(
      [client("a"), client("b")].map((one) => one.admin<{ now: string }>("/clock", { advanceMs })),
    )) as [{ now: string }];
    return Date.parse(now);
  };
  return {
    nodes,
    server,
    client,
    rows,
    async start(name) {
      nodes[name] = await serve(settingsOf[name]);
    },
    async kill(name) {
      nodes[name].signal("SIGKILL");
      await nodes[name].ended;
    },
    disk: () => askDatabase(rows),
    async settle() {
      for (const checkLimit = attempts(); ; checkLimit()) {
        await settled();
        const { all: left, due } = await askWaitingJobs(rows, await advance(0));
        if (left === 0) return;
        if (due === 0) await advance(WAIT_MS);
      }
    },
    async untilNodesLeft(left = 2) {
      for (const checkLimit = attempts(); ; checkLimit()) {
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
