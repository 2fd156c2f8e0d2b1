// Moves amounts between the rows of a database until it is ended, from several callers at once. Nearly every page
// changes again and again, while the sum stays. Given the database's path and the number of rows.
import { openDatabase } from "../../../src/store/engine/db.ts";

const CALLERS = 8;
const [path = "", rows = ""] = process.argv.slice(2);
const db = openDatabase(path, {
  nowMs: 0,
  onFatal: (error) => {
    throw error;
  },
});
await db.write(async (tx) => {
  tx.run(
    `INSERT OR IGNORE INTO meta WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
      SELECT 'row ' || value, '100 ' || hex(randomblob(400)) FROM n`,
    [Number(rows)],
  );
});

const MOVE = `UPDATE meta SET value = (CAST(value AS INTEGER) + ?2) || ' ' || hex(randomblob(abs(random() % 600)))
  WHERE name = 'row ' || ?1`;
let isOver = false;
const anyRow = (): number => 1 + Math.floor(Math.random() * Number(rows));
const moving = async (): Promise<void> => {
  while (!isOver) {
    const failing = Math.random() < 0.02;
    await db
      .write(async (tx) => {
        tx.run(MOVE, [anyRow(), 7]);
        tx.run(MOVE, [anyRow(), -7]);
        tx.run("INSERT INTO meta VALUES ('moves', '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1");
        if (failing) throw new Error("taken back");
      })
      .catch((error: unknown) => {
        if (!failing) throw error;
      });
  }
};
process.on("SIGTERM", () => {
  isOver = true;
});
console.log("moving");
await Promise.all(Array.from({ length: CALLERS }, moving));
await db.close();
