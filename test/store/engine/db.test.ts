import { dbSuite } from "../../support/db-suite.ts";
import { tempDatabases } from "../../support/temp-database.ts";

const temp = tempDatabases();
dbSuite({ newPlace: async () => temp.path(), open: async (place) => temp.database(place) });
