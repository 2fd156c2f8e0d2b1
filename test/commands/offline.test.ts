import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { composeOffline } from "../../src/app.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createLog } from "../../src/kernel/log.ts";
import { openBeside } from "../../src/store/engine/connection.ts";
import { configOf } from "../support/config.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

test("work on the database without a server stores the counts of pictures before it closes, and writes nothing after", async () => {
  const dataDir = join(newFolder(), "data");
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  const { env, close } = await composeOffline(configOf({ RECADO_DATA_DIR: dataDir }), log);
  env.activity.note({ tenantId: newId(env), channelId: null }, "accepted");
  await close();
  await env.activity.flush();
  expect(lines.filter((line) => line.includes("could not be written"))).toEqual([]);
  const stored = openBeside(join(dataDir, "recado.db"));
  expect(stored.prepare("SELECT sum(accepted) > 0 FROM activity_hours").rows([])).toEqual([[1]]);
  stored.close();
});
