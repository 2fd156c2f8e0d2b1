import { dbSuite } from "../support/db-suite.ts";
import { libsqlServers } from "../support/libsql-servers.ts";

const servers = libsqlServers();
dbSuite({ newPlace: async () => (await servers.server()).url, open: servers.open });
