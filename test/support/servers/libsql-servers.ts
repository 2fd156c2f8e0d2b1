import { afterEach } from "bun:test";
import type { Db } from "../../../src/store/engine/db.ts";
import { openRemoteDatabase, type RemoteOptions } from "../../../src/store/engine/remote/remote-db.ts";
import { tempFolders } from "../temp-folders.ts";
import { type LibsqlServer, startLibsqlServer } from "./libsql-server.ts";

/** Servers and their databases of one test file, removed after each test. Called once, at the top of the file. */
export const libsqlServers = () => {
  const servers: LibsqlServer[] = [];
  const { newFolder, removeFolders } = tempFolders();
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
    for (const server of servers.splice(0)) await server.stop();
    removeFolders();
  });
  const keep = <One extends { close(): unknown }>(one: One): One => {
    opened.push(one);
    return one;
  };
  return {
    keep,
    newFolder,
    async server(): Promise<LibsqlServer> {
      const server = await startLibsqlServer();
      servers.push(server);
      return server;
    },
    /** One more node on the database at this address. */
    open: async (url: string, options: Partial<RemoteOptions> = {}): Promise<Db> =>
      keep(await openRemoteDatabase({ url }, { nowMs: 0, ...options })),
  };
};
