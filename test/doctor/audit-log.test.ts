import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { LOCAL, recordAct } from "../../src/core/tenancy/audit/audit.ts";
import { auditLog } from "../../src/doctor/database/audit-log.ts";
import { createLog } from "../../src/kernel/log.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";

const temp = tempDatabases();
const { report } = places();

/** What is found of an audit log of so many acts that somebody has changed. */
const found = async (acts: number, meddling = "SELECT 1") => {
  const path = temp.path();
  const db = temp.database(path);
  const env = { clock: manualClock(), log: createLog("silent") };
  for (let n = 0; n < acts; n++)
    await db.write((tx) => recordAct(env, tx, LOCAL, { action: "job.run", target: String(n) }));
  await db.close();
  const writer = openWriter(path);
  writer.exec(meddling);
  writer.close();
  return report(auditLog, { RECADO_DATA_DIR: dirname(path) });
};

test("an audit log that is whole is reported with the hash of its last entry", async () => {
  expect(await found(0)).toEqual({ name: "audit-log", outcome: "ok", found: "nothing has been recorded yet" });
  expect(await found(3)).toMatchObject({
    outcome: "ok",
    found: expect.stringMatching(/^3 acts, the last with the hash [0-9a-f]{64}$/),
  });
});

test("an audit log that was changed is a fault, and where", async () => {
  expect(await found(3, "UPDATE audit_entries SET actor = 'system' WHERE id = 2")).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("at entry 2"),
    remedy: expect.stringContaining("log"),
  });
  expect(await found(3, "DELETE FROM audit_entries WHERE id = 3")).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("last entries"),
  });
});
