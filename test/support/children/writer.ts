// Writes pairs of rows from many callers at once until it is killed, and says on stdout which are acknowledged. Given
// the database's path.
import { writeSync } from "node:fs";
import { openDatabase } from "../../../src/store/engine/db.ts";

const CALLERS = 32;
const [path = "", prefix = ""] = process.argv.slice(2);
const db = openDatabase(path, {
  nowMs: 0,
  onFatal: (error) => {
    throw error;
  },
});

const writeOn = async (caller: number): Promise<never> => {
  for (let index = 0; ; index++) {
    const name = `${prefix}-${caller}-${index}`;
    await db.write(async (tx) => {
      tx.run("INSERT INTO meta (name, value) VALUES (?1 || '/a', ?2)", [name, "x".repeat(300)]);
      tx.run("INSERT INTO meta (name, value) VALUES (?1 || '/b', ?2)", [name, "x".repeat(300)]);
    });
    writeSync(1, `${name}\n`);
  }
};
await Promise.all(Array.from({ length: CALLERS }, (_, caller) => writeOn(caller)));
