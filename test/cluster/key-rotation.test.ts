import { expect, test } from "bun:test";
import { processes } from "../support/processes/process.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";

const servers = libsqlServers();
const tools = processes();
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64");

test("the master key of a libSQL server's database is rotated while no node serves it, and is refused while one does", async () => {
  const { url } = await servers.server();
  const settings = { RECADO_DATA_DIR: tools.dataDir(), RECADO_DATABASE_URL: url };
  const old = { ...settings, RECADO_MASTER_KEY: keyOf(1) };
  const next = { ...settings, RECADO_MASTER_KEY: keyOf(2), RECADO_MASTER_KEY_PREVIOUS: keyOf(1) };
  const db = await servers.open(url);
  const keys = () =>
    db.read((reader) => reader.rows("SELECT purpose, id, wrapped FROM wrapped_keys ORDER BY purpose, id"));
  const server = await tools.serve(old);
  const before = await keys();
  const refused = await tools.run(["key", "rotate", "--data"], next);
  expect([refused.code, refused.err]).toEqual([
    1,
    "a server is running on the database: stop every node before you rotate the master key\n",
  ]);
  expect(await keys()).toEqual(before);
  server.signal("SIGTERM");
  await server.ended;

  expect((await tools.run(["key", "rotate", "--data"], next)).err).toBe("");
  expect((await tools.run(["account", "create", "--name", "x"], old)).code).toBe(78);
  const again = await tools.serve({ ...settings, RECADO_MASTER_KEY: keyOf(2) });
  again.signal("SIGTERM");
  expect((await again.ended).code).toBe(0);
});
