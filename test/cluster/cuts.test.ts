import { expect, test } from "bun:test";
import { createHrana } from "../../src/store/engine/remote/hrana.ts";
import { createRemoteWriter, type RemoteWriter } from "../../src/store/engine/remote/remote-writer.ts";
import { byteCutter, type Direction } from "../support/servers/byte-cutter.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";

const servers = libsqlServers();

/** So many bytes lie between two cuts: every field of a request and of an answer is longer. */
const EVERY_BYTES = 7;
const UNKNOWN = "The database did not answer: it is not known whether this was stored.";

const insertInto = (queue: RemoteWriter, name: string): Promise<void> =>
  queue.write(async (scope) => scope.run("INSERT INTO cuts (name) VALUES (?1)", [name]));

const countOf = async (queue: RemoteWriter, name: string): Promise<number> =>
  Number(
    (await queue.write(async (scope) => scope.objects("SELECT count(*) AS n FROM cuts WHERE name = ?1", [name])))[0]?.[
      "n"
    ],
  );

/** A write queue to a server through a connection that can be cut, one that goes there directly, and the size of a write. */
const cutQueue = async () => {
  const server = await servers.server();
  const cutter = servers.keep(await byteCutter(server.url));
  const direct = createRemoteWriter(servers.keep(createHrana({ url: server.url })));
  const queue = createRemoteWriter(servers.keep(createHrana({ url: cutter.url })));
  await direct.write(async (scope) => scope.run("CREATE TABLE cuts (name TEXT)", []));
  await insertInto(queue, "first on this connection");
  cutter.measure();
  await insertInto(queue, "measured");
  return { cutter, direct, queue, size: { ...cutter.passed } };
};

for (const [direction, stored] of [
  ["request", 0],
  ["answer", 1],
] as const satisfies [Direction, number][]) {
  test(`a write whose ${direction} is cut at any byte was sent once, is reported as unknown, and is stored ${stored} times`, async () => {
    const { cutter, direct, queue, size } = await cutQueue();
    expect(cutter.requests).toBe(1);
    for (let at = 1; at < size[direction]; at += EVERY_BYTES) {
      await insertInto(queue, "a connection is open");
      const name = `cut-${String(at).padStart(3, "0")}`;
      cutter.measure();
      cutter.cutAfter(direction, at);
      const said = await insertInto(queue, name).then(
        () => "done",
        (error: Error) => error.message,
      );
      expect([at, said, cutter.requests, await countOf(direct, name)]).toEqual([at, UNKNOWN, 1, stored]);
    }
  }, 60_000);
}
