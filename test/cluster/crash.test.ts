import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Db } from "../../src/store/engine/db.ts";
import { roundsOf } from "../support/rounds.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { untilTrue } from "../support/waiting.ts";

const servers = libsqlServers();
const KILLS = roundsOf(5);
const ACKNOWLEDGED_BEFORE_KILL = 4000;

const child = (name: string, ...args: string[]) =>
  Bun.spawn([process.execPath, join(import.meta.dir, `../support/children/${name}.ts`), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });

const check = async (db: Db, acknowledged: readonly string[]): Promise<void> => {
  const names = new Set(
    (await db.read((reader) => reader.rows<{ name: string }>("SELECT name FROM meta"))).map(({ name }) => name),
  );
  expect(acknowledged.filter((name) => !names.has(`${name}/a`) || !names.has(`${name}/b`))).toEqual([]);
  const halves = "SELECT substr(name, 1, length(name) - 2) AS pair FROM meta GROUP BY pair HAVING count(*) <> 2";
  expect(await db.read((reader) => reader.rows(halves))).toEqual([]);
  expect(await db.read((reader) => reader.rows("PRAGMA integrity_check"))).toEqual([{ integrity_check: "ok" }]);
};

test(`a server that is killed under two nodes that write, ${KILLS} times over, loses nothing that was acknowledged and leaves nothing half done`, async () => {
  const server = await servers.server();
  const db = await servers.open(server.url);
  const acknowledged: string[] = [];
  const writers = ["a", "b"].map((prefix) => child("remote-writer", server.url, prefix));
  const said = { text: "" };
  const listening = writers.map(async ({ stdout }) => {
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
      said.text += chunk;
      acknowledged.push(...chunk.split("\n").slice(1, -1)); // the first and the last may be cut
    }
  });
  for (let kill = 1; kill <= KILLS; kill++) {
    await untilTrue(() => said.text.length >= kill * ACKNOWLEDGED_BEFORE_KILL);
    await server.kill();
    await server.restart();
    await check(db, [...acknowledged]);
  }
  for (const writer of writers) writer.kill("SIGKILL");
  await Promise.all(listening);
  await check(db, acknowledged);
  expect(acknowledged.length).toBeGreaterThan(KILLS * 100);
}, 120_000);

test("a node that is killed in the middle of a transaction holds others up for seconds only, and has changed nothing", async () => {
  const server = await servers.server();
  const db = await servers.open(server.url);
  const holder = child("holder", server.url);
  for await (const chunk of holder.stdout.pipeThrough(new TextDecoderStream())) if (chunk.includes("held")) break;
  holder.kill("SIGKILL");
  await holder.exited;
  // the server waits for five seconds; the test's own limit is 30
  await db.write(async (tx) => tx.run("INSERT INTO meta (name, value) VALUES ('next', 'v')"));
  expect(await db.read((reader) => reader.rows("SELECT name FROM meta"))).toEqual([{ name: "next" }]);
}, 30_000);
