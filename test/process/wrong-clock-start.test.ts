import { test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, systemClock } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { processes } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";

const { serve, dataDir } = processes();

test("a start with a clock that is before what the database has already warns of it, and serves", async () => {
  const dir = dataDir();
  mkdirSync(dir, { mode: 0o700 });
  const now = systemClock().now();
  const db = openDatabase(join(dir, "recado.db"), {
    nowMs: now,
    onFatal: (error) => {
      throw new Error("the database broke down", { cause: error });
    },
  });
  await db.write(async (tx) =>
    tx.run("INSERT INTO audit_entries (at, actor, action, details, hash) VALUES (?1, 'local', 'a', '{}', 'h')", [
      now + DAY_MS,
    ]),
  );
  await db.close();
  const server = await serve({ RECADO_DATA_DIR: dir });
  await untilTrue(() =>
    /the clock says .*, and the database was written at .*: synchronise/.test(server.out() + server.err()),
  );
});
