import { dbSuite } from "../../support/databases/db-suite.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
dbSuite({ newPlace: async () => temp.path(), open: async (place) => temp.database(place) });
