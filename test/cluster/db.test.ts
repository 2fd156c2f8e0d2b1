import { dbSuite } from "../support/databases/db-suite.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";

const servers = libsqlServers();
dbSuite({ newPlace: async () => (await servers.server()).url, open: servers.open });
