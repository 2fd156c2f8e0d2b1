import { expect, test } from "bun:test";
import { createEventStream } from "../../../src/core/events/stream.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { createLog } from "../../../src/kernel/log.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { shared, testNode } from "../../support/databases/nodes.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const TENANT = "t" as TenantId;

/** What another process has written: it wakes nobody here. */
const written = (db: Db, id: string): Promise<void> =>
  db.write(async (tx) =>
    tx.run(
      `INSERT INTO events (id, tenant_id, audience, type, body, chat, created_at)
        VALUES (?1, ?2, 'gateway', 'message:received', '{}', 'c', 1)`,
      [id, TENANT],
    ),
  );

test("events of other processes before the first look at the log come once; those before the start do not", async () => {
  const db = temp.database();
  await written(db, "before the start");
  const { node, pass } = testNode(db, "process");
  const stream = createEventStream({ db: shared(db), node, log: createLog("silent") });
  await stream.begin();
  await node.enter(null);
  const received: string[] = [];
  stream.listen(TENANT, { onEvent: ({ id }) => void received.push(id), onEnd: () => {} });
  await written(db, "before the first look");
  await pass(1000);
  await written(db, "later");
  await pass(1000);
  expect(received).toEqual(["before the first look", "later"]);
  await node.leave();
});
