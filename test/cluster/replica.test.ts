import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import type { Db, Reader, Tx } from "../../src/store/engine/db.ts";
import { columnsOf, statement } from "../../src/store/engine/statement.ts";
import { meta } from "../../src/store/tables/meta.ts";
import { EVERY_TENANT } from "../../src/store/tables/scope.ts";
import { findKeyByHash, revokeKey } from "../../src/store/tables/tenancy/keys.ts";
import { startCountingProxy } from "../support/servers/counting-proxy.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";
import { untilTrue } from "../support/world.ts";

const servers = libsqlServers();

const put = (name: string, value: string) => async (tx: Tx) =>
  tx.run("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", [name, value]);
const valueOf = (db: Db, name: string) =>
  db.read(
    async (reader) =>
      (await reader.rows<{ value: string }>("SELECT value FROM meta WHERE name = ?1", [name]))[0]?.value,
  );
const every = statement<typeof meta.$inferSelect>("SELECT * FROM meta", columnsOf(meta));

/** A node with a replica that follows its server; `asked` counts what it asked the server since. */
const nodeWithReplica = async (path = join(servers.newFolder(), "replica.db")) => {
  const server = await servers.server();
  const proxy = servers.keep(await startCountingProxy(server.url));
  const other = await servers.open(server.url);
  await other.write(put("known", "v"));
  const troubles: unknown[] = [];
  const db = await servers.open(proxy.url, { replica: { path, onTrouble: (error) => void troubles.push(error) } });
  const asked = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = proxy.requests;
    await ask();
    return proxy.requests - before;
  };
  const untilReplicated = (name = "known") =>
    untilTrue(async () => (await asked(() => valueOf(db.replicaReads, name))) === 0);
  await untilReplicated();
  return { server, other, db, replicaReads: db.replicaReads, path, troubles, asked, untilReplicated };
};

describe("a node with a replica", () => {
  test("answers requests from it without asking the server, in every way a query can be asked; jobs ask the server", async () => {
    const { db, replicaReads, asked } = await nodeWithReplica();
    const ways: ((reader: Reader) => Promise<unknown>)[] = [
      (reader) => reader.rows("SELECT name, value FROM meta WHERE name = 'known'"),
      (reader) => every.all(reader),
      async (reader) => [await every.get(reader)],
    ];
    for (const way of ways) {
      expect(
        await asked(async () => expect(await replicaReads.read(way)).toEqual([{ name: "known", value: "v" }])),
      ).toBe(0);
      expect(await asked(async () => expect(await db.read(way)).toEqual([{ name: "known", value: "v" }]))).toBe(1);
    }
  });

  test("reads its own writes at once, whatever the replica has of them, and goes on with the replica afterwards", async () => {
    const { replicaReads, untilReplicated } = await nodeWithReplica();
    const random = seededRandom(7);
    for (let index = 0; index < 150; index++) {
      await replicaReads.write(put("counter", String(index)));
      for (let reads = Math.floor(random.float() * 5); reads >= 0; reads--) {
        expect(await valueOf(replicaReads, "counter")).toBe(String(index));
        for (let turns = Math.floor(random.float() * 30); turns > 0; turns--)
          await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await untilReplicated("counter");
    expect(await valueOf(replicaReads, "counter")).toBe("149");
  }, 120_000);

  test("asks the server only for the tables that it has just written", async () => {
    const { replicaReads, asked } = await nodeWithReplica();
    await replicaReads.write(put("another", "v"));
    expect(await asked(() => valueOf(replicaReads, "known"))).toBe(1);
    expect(await asked(() => replicaReads.read((reader) => reader.rows("SELECT tag FROM migrations")))).toBe(0);
  });

  test("finds a row at once that another node has just made, and sees soon what another has changed", async () => {
    const { other, replicaReads } = await nodeWithReplica();
    for (let index = 0; index < 20; index++) {
      await other.write(put(`made ${index}`, "v"));
      expect(await valueOf(replicaReads, `made ${index}`)).toBe("v");
    }
    for (let index = 0; index < 5; index++) {
      await other.write(put("known", `changed ${index}`));
      await untilTrue(async () => (await valueOf(replicaReads, "known")) === `changed ${index}`);
    }
  });

  test("refuses a key soon that another node has revoked, although it was just used", async () => {
    const { other, replicaReads } = await nodeWithReplica();
    const { keyId } = await other.write((tx) => insertEverythingOf(tx, "a"));
    const hash = (
      await other.read((reader) =>
        reader.rows<{ hash: string; api: "gateway" }>("SELECT hash, api FROM api_keys WHERE id = ?1", [keyId]),
      )
    )[0];
    const isRevoked = async () =>
      (await replicaReads.read((reader) => findKeyByHash(reader, hash?.api ?? "gateway", hash?.hash ?? "")))?.key
        .revokedAt !== null;
    await untilTrue(async () => !(await isRevoked()));
    await other.write((tx) => revokeKey(tx, EVERY_TENANT, { api: hash?.api ?? "gateway", id: keyId, atMs: 5 }));
    await untilTrue(isRevoked);
  });

  test("serves from the replica for a moment when the server is away, then refuses; and goes on when it is back", async () => {
    const { server, replicaReads, troubles, untilReplicated } = await nodeWithReplica();
    await server.kill();
    await untilTrue(() =>
      valueOf(replicaReads, "known").then(
        () => false,
        () => true,
      ),
    );
    await untilTrue(() => troubles.length > 0);
    await server.restart();
    await untilReplicated();
    expect(troubles).toHaveLength(1);
    await replicaReads.write(put("later", "v"));
    expect(await valueOf(replicaReads, "later")).toBe("v");
  }, 120_000);

  test("follows again from where it was after a restart, and starts over when the copy is damaged", async () => {
    const { server, db, path, other } = await nodeWithReplica();
    await db.close();
    await other.write(put("meanwhile", "v"));
    const troubles: unknown[] = [];
    const open = () => servers.open(server.url, { replica: { path, onTrouble: (error) => void troubles.push(error) } });
    const again = await open();
    await untilTrue(async () => (await valueOf(again.replicaReads, "meanwhile")) === "v");
    expect(troubles).toEqual([]);
    await again.close();
    for (const file of [path, `${path}-wal`]) if (existsSync(file)) writeFileSync(file, "no database ".repeat(5000));
    const damaged = await open();
    expect(await valueOf(damaged.replicaReads, "known")).toBe("v"); // the server knows
    await untilTrue(() => troubles.length > 0);
    await other.write(put("known", "still followed"));
    await untilTrue(async () => (await valueOf(damaged.replicaReads, "known")) === "still followed");
  }, 120_000);

  test("takes no file for a replica that is none, and leaves it as it is", async () => {
    const server = await servers.server();
    const path = join(servers.newFolder(), "precious.db");
    writeFileSync(path, "precious");
    expect(servers.open(server.url, { replica: { path, onTrouble: () => {} } })).rejects.toThrow("is no replica");
    await servers.open(server.url, { replica: { path, onTrouble: () => {} } }).catch(() => {});
    expect(await Bun.file(path).text()).toBe("precious");
  });
});
