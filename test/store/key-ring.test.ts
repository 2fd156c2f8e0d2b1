import { beforeEach, describe, expect, test } from "bun:test";
import type { ChannelEvent, NativeKey } from "../../src/contract/events.ts";
import { RingLost } from "../../src/contract/key-ring.ts";
import { createOwners } from "../../src/core/channels/owners.ts";
import { openRing } from "../../src/core/channels/vault.ts";
import { secretsOf } from "../../src/kernel/crypto.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import { soleNode } from "../../src/runtime/node.ts";
import { deleteChannel } from "../../src/store/channels.ts";
import type { Db, Tx } from "../../src/store/db.ts";
import { deleteCopiesOf, pruneCopies } from "../../src/store/key-ring.ts";
import { EVERY_TENANT } from "../../src/store/scope.ts";
import { manualClock } from "../support/manual-clock.ts";
import { insertEverythingOf } from "../support/rows.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const channelId = "channel-mine" as ChannelId;
const key = (text: string) => text as NativeKey;
const told: ChannelEvent = { kind: "unknown", at: 1, what: "something" };
const PREKEYS = Array.from({ length: 812 }, (_, index) => ({ kind: "pre-key", id: String(index), value: `{"n":${index}}` }));

let db: Db;
let clock: ReturnType<typeof manualClock>;
let taken: ChannelEvent[];
beforeEach(async () => {
  db = temp.database();
  clock = manualClock();
  taken = [];
  await db.write((tx) => insertEverythingOf(tx, "mine"));
});

const open = (of: ChannelId = channelId, takeIn = async (_: Tx, events: readonly ChannelEvent[]) => void taken.push(...events)) =>
  openRing({ db, clock, owners: createOwners({ db, node: soleNode("boot") }), secrets: secretsOf(new Uint8Array(32).fill(7), seededRandom(1)) }, of, takeIn);
const rows = <Row = Record<string, unknown>>(sql: string): Promise<Row[]> => db.read(async (reader) => reader.rows<Row>(sql));
const read = async (ring: Awaited<ReturnType<typeof open>>, kind: string, ids: string[]) => Object.fromEntries(await ring.read(kind, ids));

describe("a channel's keys", () => {
  test("are read by kind and id as they were written, however many; what has none is left out", async () => {
    const ring = await open();
    await ring.write({ rows: [...PREKEYS, { kind: "session", id: "0", value: "other" }] });
    expect(await read(ring, "pre-key", ["0", "811", "812"])).toEqual({ "0": '{"n":0}', "811": '{"n":811}' });
    expect(await read(ring, "session", ["0", "1"])).toEqual({ "0": "other" });
    expect(await read(ring, "session", [])).toEqual({});
  });

  test("are replaced by a new value, and go without one; of two in one write the later counts", async () => {
    const ring = await open();
    await ring.write({ rows: [...PREKEYS] });
    await ring.write({
      rows: [
        { kind: "pre-key", id: "0", value: "new" },
        { kind: "pre-key", id: "1", value: null },
        { kind: "pre-key", id: "2", value: null },
        { kind: "pre-key", id: "2", value: "again" },
        { kind: "pre-key", id: "nobody's", value: null },
      ],
    });
    expect(await read(ring, "pre-key", ["0", "1", "2", "3"])).toEqual({ "0": "new", "2": "again", "3": '{"n":3}' });
  });

  test("lie sealed on disk, and open in no other row", async () => {
    const ring = await open();
    await ring.write({ rows: [{ kind: "creds", id: "creds", value: "the private key" }], copies: [{ key: key("k"), value: "the private message" }] });
    const stored = JSON.stringify([await rows("SELECT sealed FROM ring_rows"), await rows("SELECT sealed FROM message_copies")]);
    expect(stored).not.toContain("private");
    await db.write(async (tx) => tx.run("UPDATE ring_rows SET id = 'moved'"));
    expect(ring.read("creds", ["moved"])).rejects.toThrow();
    await db.write(async (tx) => tx.run("UPDATE ring_rows SET id = 'creds', kind = 'session'"));
    expect(ring.read("session", ["creds"])).rejects.toThrow();
    await db.write(async (tx) => tx.run("UPDATE message_copies SET native_key = 'moved'"));
    expect(ring.copyOf(key("moved"))).rejects.toThrow();
  });

  test("are wiped before what the same write brings; copies stay", async () => {
    const ring = await open();
    await ring.write({ rows: [...PREKEYS], copies: [{ key: key("k"), value: "message" }] });
    await ring.write({ wipe: true, rows: [{ kind: "creds", id: "creds", value: "new" }] });
    expect(await rows("SELECT kind, id FROM ring_rows")).toEqual([{ kind: "creds", id: "creds" }]);
    expect(await ring.copyOf(key("k"))).toBe("message");
  });
});

describe("who holds the ring", () => {
  test("is the last to open it: whoever held it before reads on and writes no more, nor tells anything", async () => {
    const first = await open();
    await first.write({ rows: [{ kind: "creds", id: "creds", value: "old" }] });
    const second = await open();
    const late = first.write({ wipe: true, rows: [{ kind: "session", id: "a", value: "late" }], copies: [{ key: key("k"), value: "late" }], events: [told] });
    expect(late).rejects.toThrow(RingLost);
    await second.write({ rows: [{ kind: "session", id: "b", value: "new" }] });
    expect(await read(first, "creds", ["creds"])).toEqual({ creds: "old" });
    expect(await rows("SELECT kind, id FROM ring_rows ORDER BY kind")).toEqual([
      { kind: "creds", id: "creds" },
      { kind: "session", id: "b" },
    ]);
    expect([taken, await rows("SELECT 1 FROM message_copies")]).toEqual([[], []]);
  });

  test("of two channels does not concern the other", async () => {
    await db.write((tx) => insertEverythingOf(tx, "other"));
    const [mine, other] = [await open(), await open("channel-other" as ChannelId)];
    await other.write({ rows: [{ kind: "creds", id: "creds", value: "other" }] });
    await mine.write({ wipe: true, rows: [{ kind: "creds", id: "creds", value: "mine" }] });
    expect(await read(other, "creds", ["creds"])).toEqual({ creds: "other" });
    expect(await read(mine, "creds", ["creds"])).toEqual({ creds: "mine" });
  });
});

describe("what was read", () => {
  test("is told in the write of the keys, in order; when it cannot be taken in, no key changes", async () => {
    const later: ChannelEvent = { ...told, at: 2 };
    await (await open()).write({ rows: [{ kind: "session", id: "a", value: "1" }], events: [told, later] });
    expect(taken).toEqual([told, later]);
    const ring = await open(channelId, () => Promise.reject(new Error("no room")));
    expect(ring.write({ wipe: true, rows: [{ kind: "session", id: "a", value: "2" }], copies: [{ key: key("k"), value: "x" }], events: [told] })).rejects.toThrow("no room");
    expect(await read(ring, "session", ["a"])).toEqual({ a: "1" });
    expect(await ring.copyOf(key("k"))).toBeUndefined();
  });
});

describe("what goes", () => {
  test("with a channel: its keys at once, its copies in batches, and its ring for good", async () => {
    const ring = await open();
    await ring.write({ rows: [...PREKEYS], copies: ["a", "b", "c"].map((name) => ({ key: key(name), value: name })) });
    await db.write(async (tx) => void (await deleteChannel(tx, EVERY_TENANT, channelId)));
    expect(await rows("SELECT 1 FROM ring_rows UNION ALL SELECT 1 FROM key_rings")).toEqual([]);
    expect(ring.write({ rows: [{ kind: "session", id: "a", value: "late" }] })).rejects.toThrow(RingLost);
    expect(open()).rejects.toThrow(RingLost);
    expect(await rows("SELECT 1 FROM ring_rows UNION ALL SELECT 1 FROM key_rings")).toEqual([]);
    expect(await db.write(async (tx) => [await deleteCopiesOf(tx, channelId, 2), await deleteCopiesOf(tx, channelId, 2)])).toEqual([true, false]);
    expect(await rows("SELECT 1 FROM message_copies")).toEqual([]);
  });

  test("with time: copies from before a moment, in batches; a copy that is written again is new", async () => {
    const ring = await open();
    const [startedAt] = [clock.now()];
    await ring.write({ copies: ["a", "b", "c", "again"].map((name) => ({ key: key(name), value: name })) });
    clock.advance(10);
    await ring.write({ copies: [{ key: key("again"), value: "newer" }] });
    expect(await db.write(async (tx) => [await pruneCopies(tx, startedAt, 2), await pruneCopies(tx, startedAt + 1, 2), await pruneCopies(tx, startedAt + 1, 2)])).toEqual([
      false,
      true,
      false,
    ]);
    expect(await rows("SELECT native_key AS id FROM message_copies")).toEqual([{ id: "again" }]);
    expect(await ring.copyOf(key("again"))).toBe("newer");
  });
});
