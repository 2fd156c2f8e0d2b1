// Runs jobs that never end, as many as are due, says on stdout how many have begun, and waits to be killed. Given the database's path and a boot id.
import { writeSync } from "node:fs";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import type { JobKinds } from "../../../src/runtime/jobs.ts";
import { soleNode } from "../../../src/runtime/node.ts";
import { createRunner } from "../../../src/runtime/runner.ts";
import { openDatabase } from "../../../src/store/db.ts";

const [path = "", boot = ""] = process.argv.slice(2);
const db = openDatabase(path, {
  nowMs: 0,
  onFatal: (error) => {
    throw error;
  },
});
const kinds: JobKinds<object, { work: { name: string } }> = {
  work: {
    maxAttempts: 3,
    cap: 1000,
    lane: () => "lane",
    run(_env, job) {
      writeSync(1, `${job.payload.name}\n`);
      return new Promise(() => {});
    },
  },
};
const runner = createRunner<object, { work: { name: string } }>({
  db,
  clock: systemClock(),
  log: createLog("silent"),
  metrics: createMetrics(),
  node: soleNode(boot),
  kinds,
  env: () => ({}),
});
await runner.start();
setInterval(() => {}, 60_000); // lives until it is killed
