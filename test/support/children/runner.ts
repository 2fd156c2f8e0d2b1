// Runs jobs that never end, as many as are due, says on stdout how many have begun, and waits to be killed. Given the
// database's path and a processId id.
import { writeSync } from "node:fs";
import { Type } from "@sinclair/typebox";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import { versioned } from "../../../src/kernel/versioned.ts";
import type { JobKinds } from "../../../src/runtime/jobs.ts";
import { soleNode } from "../../../src/runtime/node.ts";
import { createRunner } from "../../../src/runtime/runner.ts";
import { openDatabase } from "../../../src/store/engine/db.ts";
import { commonQueue } from "../../../src/store/tables/queues.ts";

const [path = "", processId = ""] = process.argv.slice(2);
const db = openDatabase(path, {
  nowMs: 0,
  onFatal: (error) => {
    throw error;
  },
});
const kinds: JobKinds<object, { work: { name: string } }> = {
  work: {
    maxAttempts: 3,
    payload: versioned(Type.Object({ name: Type.String() })),
    concurrencyLimit: 1000,
    queue: () => commonQueue("queue"),
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
  node: soleNode(processId),
  kinds,
  env: () => ({}),
});
await runner.start();
setInterval(() => {}, 60_000); // lives until it is killed
