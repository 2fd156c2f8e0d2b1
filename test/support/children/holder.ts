// Begins a transaction on a server, changes something in it, says so on stdout, and goes no further.
import { createHrana } from "../../../src/store/engine/remote/hrana.ts";
import { beginOn } from "../../../src/store/engine/remote/remote-transaction.ts";

const [url = ""] = process.argv.slice(2);
const transaction = beginOn(createHrana({ url }).open());
transaction.add({ sql: "INSERT INTO meta (name, value) VALUES ('never', 'v')" });
await transaction.send();
process.stdout.write("held\n");
setInterval(() => {}, 1000);
