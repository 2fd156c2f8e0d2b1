// Writes scripts/costs.md: the requests of each step of a message's life to the database.
//   bun scripts/costs.ts
import { resolve } from "node:path";
import { costsPage } from "../test/support/databases/costs.ts";

await Bun.write(resolve(import.meta.dir, "costs.md"), await costsPage());
