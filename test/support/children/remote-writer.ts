// Writes pairs of rows to a server from many callers at once until it is killed, and says on stdout which are
// acknowledged. It repeats refused writes.
import { writeSync } from "node:fs";
import { openRemoteDatabase } from "../../../src/store/engine/remote/remote-db.ts";

const CALLERS = 16;
const [url = "", prefix = ""] = process.argv.slice(2);
const db = await openRemoteDatabase({ url }, { nowMs: 0 });

const writeOn = async (caller: number): Promise<never> => {
  for (let index = 0; ; index++) {
    const name = `${prefix}-${caller}-${index}`;
    const written = db.write(async (tx) => {
      tx.run("INSERT INTO meta (name, value) VALUES (?1 || '/a', ?2)", [name, "x".repeat(300)]);
      const [half] = await tx.rows<{ name: string }>("SELECT name FROM meta WHERE name = ?1 || '/a'", [name]);
      tx.run("INSERT INTO meta (name, value) VALUES (replace(?1, '/a', '/b'), ?2)", [half?.name, "x".repeat(300)]);
    });
    await written.then(
      () => writeSync(1, `${name}\n`),
      () => {},
    );
  }
};
await Promise.all(Array.from({ length: CALLERS }, (_, caller) => writeOn(caller)));
