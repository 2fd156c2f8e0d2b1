import { expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";
import { roundsOf } from "../../support/rounds.ts";

const temp = tempDatabases();
const KILLS = roundsOf(20);
const WRITER = join(import.meta.dir, "../../support/children/writer.ts");

/** Has a process write, kills it once it has acknowledged about so much, and returns what it acknowledged. */
const killWhileWriting = async (path: string, prefix: string, afterBytes: number): Promise<string[]> => {
  const child = Bun.spawn([process.execPath, WRITER, path, prefix], { stdout: "pipe", stderr: "inherit" });
  let said = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (said.length > afterBytes) child.kill("SIGKILL");
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return said.split("\n").slice(0, -1); // the last line may be cut
};

test(`a process that is killed while it writes, ${KILLS} times over, loses no acknowledged write and leaves none half done`, async () => {
  const path = temp.path();
  const random = seededRandom(20_261_120);
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    acknowledged.push(...(await killWhileWriting(path, `${kill}`, random.float() * 20_000)));
    const reader = openReader(path); // what the next process finds, before anything is repaired
    const names = new Set(
      reader
        .prepare("SELECT name FROM meta")
        .rows([])
        .map(([name]) => name),
    );
    expect(acknowledged.filter((name) => !names.has(`${name}/a`) || !names.has(`${name}/b`))).toEqual([]);
    const halves = reader
      .prepare("SELECT name FROM meta GROUP BY substr(name, 1, length(name) - 2) HAVING count(*) <> 2")
      .rows([]);
    expect(halves).toEqual([]);
    expect(valueOf(reader, "PRAGMA integrity_check")).toBe("ok");
    reader.close();
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS * 10);
  const db = temp.database(path);
  expect(
    await db.read(async (reader) => (await reader.rows<{ n: number }>("SELECT count(*) AS n FROM meta"))[0]?.n),
  ).toBeGreaterThanOrEqual(acknowledged.length * 2);
}, 120_000);
