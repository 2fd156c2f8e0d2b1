import { beforeEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../src/contract/events.ts";
import { KeyStoreLost } from "../../../src/contract/ports/key-store.ts";
import { createOwners } from "../../../src/core/channels/links/owners.ts";
import { forgetKeyRows, openKeyStore } from "../../../src/core/channels/settings/vault.ts";
import { secretsOf } from "../../../src/kernel/crypto.ts";
import type { ChannelId } from "../../../src/kernel/ids.ts";
import { soleNode } from "../../../src/runtime/node.ts";
import type { Db, Tx } from "../../../src/store/engine/db.ts";
import { deleteChannel } from "../../../src/store/tables/channels/channels.ts";
import { deleteCachedMessagesOf, pruneCachedMessages } from "../../../src/store/tables/channels/key-store.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { insertEverythingOf } from "../../support/tenants/rows.ts";

const temp = tempDatabases();
const channelId = "channel-mine" as ChannelId;
const key = (text: string) => text as ProviderMessageId;
const received: ChannelEvent = { kind: "unknown", at: 1, what: "something" };
const PREKEYS = Array.from({ length: 812 }, (_, index) => ({
  kind: "pre-key",
  id: String(index),
  value: `{"n":${index}}`,
}));

let db: Db;
let clock: ReturnType<typeof manualClock>;
let taken: ChannelEvent[];
beforeEach(async () => {
  db = temp.database();
  clock = manualClock();
  taken = [];
  await db.write((tx) => insertEverythingOf(tx, "mine"));
});

const open = (
  of: ChannelId = channelId,
  ingest = async (_: Tx, events: readonly ChannelEvent[]): Promise<void> => void taken.push(...events),
) =>
  openKeyStore(
    {
      db,
      clock,
      owners: createOwners({ db, node: soleNode("process-1") }),
      secrets: secretsOf(new Uint8Array(32).fill(7), seededRandom(1)),
    },
    of,
    ingest,
  );
const rows = <Row = Record<string, unknown>>(sql: string): Promise<Row[]> =>
  db.read(async (reader) => reader.rows<Row>(sql));
const read = async (keyStore: Awaited<ReturnType<typeof open>>, kind: string, ids: string[]) =>
  Object.fromEntries(await keyStore.read(kind, ids));

describe("a channel's keys", () => {
  test("are read by kind and id as they were written, in any number; missing ids are left out", async () => {
    const keyStore = await open();
    await keyStore.write({ rows: [...PREKEYS, { kind: "session", id: "0", value: "other" }] });
    expect(await read(keyStore, "pre-key", ["0", "811", "812"])).toEqual({ "0": '{"n":0}', "811": '{"n":811}' });
    expect(await read(keyStore, "session", ["0", "1"])).toEqual({ "0": "other" });
    expect(await read(keyStore, "session", [])).toEqual({});
  });

  test("are replaced by a new value, and deleted without one; of two in one write the later counts", async () => {
    const keyStore = await open();
    await keyStore.write({ rows: [...PREKEYS] });
    await keyStore.write({
      rows: [
        { kind: "pre-key", id: "0", value: "new" },
        { kind: "pre-key", id: "1", value: null },
        { kind: "pre-key", id: "2", value: null },
        { kind: "pre-key", id: "2", value: "again" },
        { kind: "pre-key", id: "nobody's", value: null },
      ],
    });
    expect(await read(keyStore, "pre-key", ["0", "1", "2", "3"])).toEqual({ "0": "new", "2": "again", "3": '{"n":3}' });
  });

  test("are sealed on disk, and cannot be opened in another row", async () => {
    const keyStore = await open();
    await keyStore.write({
      rows: [{ kind: "creds", id: "creds", value: "the private key" }],
      messages: [{ key: key("k"), value: "the private message" }],
    });
    const stored = JSON.stringify([
      await rows("SELECT sealed FROM key_rows"),
      await rows("SELECT sealed FROM cached_messages"),
    ]);
    expect(stored).not.toContain("private");
    await db.write(async (tx) => tx.run("UPDATE key_rows SET id = 'moved'"));
    expect(keyStore.read("creds", ["moved"])).rejects.toThrow();
    await db.write(async (tx) => tx.run("UPDATE key_rows SET id = 'creds', kind = 'session'"));
    expect(keyStore.read("session", ["creds"])).rejects.toThrow();
    await db.write(async (tx) => tx.run("UPDATE cached_messages SET provider_message_id = 'moved'"));
    expect(keyStore.cachedMessage(key("moved"))).rejects.toThrow();
  });

  test("are wiped before the rows of the same write are added; cached messages stay", async () => {
    const keyStore = await open();
    await keyStore.write({ rows: [...PREKEYS], messages: [{ key: key("k"), value: "message" }] });
    await keyStore.write({ wipe: true, rows: [{ kind: "creds", id: "creds", value: "new" }] });
    expect(await rows("SELECT kind, id FROM key_rows")).toEqual([{ kind: "creds", id: "creds" }]);
    expect(await keyStore.cachedMessage(key("k"))).toBe("message");
  });
});

/** The number of writes, and a way to refuse the next one before it begins. */
const countWrites = () => {
  const real = db;
  const counted = { writes: 0, isRefused: false };
  db = {
    ...real,
    write: async (body, options) => {
      counted.writes += 1;
      if (!counted.isRefused) return real.write(body, options);
      counted.isRefused = false;
      throw new Error("too much is waiting");
    },
  };
  return counted;
};

describe("keys that change at once", () => {
  const session = (id: string, value: string) => ({ rows: [{ kind: "session", id, value }] });

  test("are one write, and each is there when its own write says so", async () => {
    const counted = countWrites();
    const keyStore = await open();
    counted.writes = 0;
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        await keyStore.write({ ...session(`${n}`, `${n}`), messages: [{ key: key(`m${n}`), value: `message ${n}` }] });
        expect(await rows(`SELECT 1 AS one FROM key_rows WHERE id = '${n}'`)).toEqual([{ one: 1 }]);
        expect(await keyStore.cachedMessage(key(`m${n}`))).toBe(`message ${n}`);
      }),
    );
    expect(counted.writes).toBe(1);
  });

  test("end as the last of them, in the order in which they came, whatever fails between them", async () => {
    const keyStore = await open(channelId, async (_, [event]) => {
      if (event?.at === 2) throw new Error("no room");
    });
    await keyStore.write(session("a", "0"));
    await read(keyStore, "session", ["a"]);
    const ends = await Promise.allSettled([
      keyStore.write(session("a", "1")),
      keyStore.write({ ...session("a", "2"), events: [{ ...received, at: 1 }] }),
      keyStore.write(session("a", "3")),
      keyStore.write({ ...session("a", "4"), events: [{ ...received, at: 2 }] }),
      keyStore.write(session("b", "5")),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(await read(keyStore, "session", ["a", "b"])).toEqual({ a: "3", b: "5" });
    expect(await read(await open(), "session", ["a", "b"])).toEqual({ a: "3", b: "5" });
  });

  test("that are refused before their write begins do not keep later ones from disk", async () => {
    const counted = countWrites();
    const keyStore = await open();
    counted.isRefused = true;
    await keyStore.write(session("a", "1")).catch(() => {});
    expect(counted.isRefused).toBe(false);
    await keyStore.write(session("a", "2"));
    expect(await read(keyStore, "session", ["a"])).toEqual({ a: "2" });
  });
});

describe("a row that something else erases", () => {
  test("is gone for its owner too, once that is said", async () => {
    const keyStore = await open();
    await keyStore.write({ rows: [{ kind: "session", id: "a", value: "1" }] });
    expect(await read(keyStore, "session", ["a"])).toEqual({ a: "1" });
    await db.write(async (tx) => {
      tx.run("DELETE FROM key_rows");
      tx.atCommit(forgetKeyRows);
    });
    expect(await read(keyStore, "session", ["a"])).toEqual({});
  });
});

describe("the owner of a key store", () => {
  test("is the last to open it: the earlier owner can read, but neither write nor emit events", async () => {
    const first = await open();
    await first.write({ rows: [{ kind: "creds", id: "creds", value: "old" }] });
    const second = await open();
    const late = first.write({
      wipe: true,
      rows: [{ kind: "session", id: "a", value: "late" }],
      messages: [{ key: key("k"), value: "late" }],
      events: [received],
    });
    expect(late).rejects.toThrow(KeyStoreLost);
    await second.write({ rows: [{ kind: "session", id: "b", value: "new" }] });
    expect(await read(first, "creds", ["creds"])).toEqual({ creds: "old" });
    expect(await rows("SELECT kind, id FROM key_rows ORDER BY kind")).toEqual([
      { kind: "creds", id: "creds" },
      { kind: "session", id: "b" },
    ]);
    expect([taken, await rows("SELECT 1 FROM cached_messages")]).toEqual([[], []]);
  });

  test("of one channel does not affect another channel", async () => {
    await db.write((tx) => insertEverythingOf(tx, "other"));
    const [mine, other] = [await open(), await open("channel-other" as ChannelId)];
    await other.write({ rows: [{ kind: "creds", id: "creds", value: "other" }] });
    await mine.write({ wipe: true, rows: [{ kind: "creds", id: "creds", value: "mine" }] });
    expect(await read(other, "creds", ["creds"])).toEqual({ creds: "other" });
    expect(await read(mine, "creds", ["creds"])).toEqual({ creds: "mine" });
  });
});

describe("a received event", () => {
  test("is ingested in the write of the keys, in order; when it cannot be ingested, no key changes", async () => {
    const later: ChannelEvent = { ...received, at: 2 };
    await (await open()).write({ rows: [{ kind: "session", id: "a", value: "1" }], events: [received, later] });
    expect(taken).toEqual([received, later]);
    const keyStore = await open(channelId, () => Promise.reject(new Error("no room")));
    expect(
      keyStore.write({
        wipe: true,
        rows: [{ kind: "session", id: "a", value: "2" }],
        messages: [{ key: key("k"), value: "x" }],
        events: [received],
      }),
    ).rejects.toThrow("no room");
    expect(await read(keyStore, "session", ["a"])).toEqual({ a: "1" });
    expect(await keyStore.cachedMessage(key("k"))).toBeUndefined();
  });
});

describe("deletion", () => {
  test("of a channel deletes its keys at once, its cached messages in batches, and its key store for good", async () => {
    const keyStore = await open();
    await keyStore.write({
      rows: [...PREKEYS],
      messages: ["a", "b", "c"].map((name) => ({ key: key(name), value: name })),
    });
    await db.write(async (tx) => void (await deleteChannel(tx, EVERY_TENANT, channelId)));
    expect(await rows("SELECT 1 FROM key_rows UNION ALL SELECT 1 FROM key_stores")).toEqual([]);
    expect(keyStore.write({ rows: [{ kind: "session", id: "a", value: "late" }] })).rejects.toThrow(KeyStoreLost);
    expect(open()).rejects.toThrow(KeyStoreLost);
    expect(await rows("SELECT 1 FROM key_rows UNION ALL SELECT 1 FROM key_stores")).toEqual([]);
    expect(
      await db.write(async (tx) => [
        await deleteCachedMessagesOf(tx, channelId, 2),
        await deleteCachedMessagesOf(tx, channelId, 2),
      ]),
    ).toEqual([true, false]);
    expect(await rows("SELECT 1 FROM cached_messages")).toEqual([]);
  });

  test("by age deletes cached messages in batches; one that is written again counts as new", async () => {
    const keyStore = await open();
    const [startedAt] = [clock.now()];
    await keyStore.write({ messages: ["a", "b", "c", "again"].map((name) => ({ key: key(name), value: name })) });
    clock.advance(10);
    await keyStore.write({ messages: [{ key: key("again"), value: "newer" }] });
    expect(
      await db.write(async (tx) => [
        await pruneCachedMessages(tx, startedAt, 2),
        await pruneCachedMessages(tx, startedAt + 1, 2),
        await pruneCachedMessages(tx, startedAt + 1, 2),
      ]),
    ).toEqual([false, true, false]);
    expect(await rows("SELECT provider_message_id AS id FROM cached_messages")).toEqual([{ id: "again" }]);
    expect(await keyStore.cachedMessage(key("again"))).toBe("newer");
  });
});
