import { describe, expect, test } from "bun:test";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { KeyStoreLost } from "../../src/contract/ports/key-store.ts";
import { createOwners } from "../../src/core/channels/links/owners.ts";
import { openKeyStore } from "../../src/core/channels/settings/vault.ts";
import { secretsOf } from "../../src/kernel/crypto.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { deleteChannel } from "../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../src/store/tables/scope.ts";
import { expire, shared, testNode } from "../support/databases/nodes.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";

const temp = tempDatabases();
const ofKind = (kind: "SESSION" | "WABA") => ({ id: "channel-mine" as ChannelId, holdsConnection: kind === "SESSION" });

const begin = async (db: Db, processId: string) => {
  const one = testNode(db, processId);
  await one.node.enter(`http://10.0.0.1:${processId.length}`);
  const owners = createOwners({ db: shared(db), node: one.node });
  const env = { db, clock: manualClock(), owners, secrets: secretsOf(new Uint8Array(32).fill(7), seededRandom(1)) };
  return { ...one, owners, env };
};
const twoNodes = async () => {
  const db = temp.database();
  await db.write((tx) => insertEverythingOf(tx, "mine"));
  return { db, a: await begin(db, "a"), b: await begin(db, "bb") };
};
/** Sessions that must have a live link. */
const addSessions = (db: Db, count: number) =>
  db.write(async (tx) =>
    tx.run(
      `INSERT INTO channels (id, tenant_id, kind, holds_connection, label, state, is_webhook_configured, profile, validated_at, created_at, updated_at)
       SELECT 'session-' || value, 'mine', 'SESSION', 1, '', 'CONNECTED', 0, '{}', 1, 1, 1 FROM json_each(?1)`,
      [JSON.stringify(Array.from({ length: count }, (_, index) => index + 1))],
    ),
  );

describe("a channel", () => {
  test("that connects is the asked node's; a session is taken from no other that lives, any other channel is", async () => {
    const { db, a, b } = await twoNodes();
    await db.write((tx) => a.owners.claim(tx, ofKind("SESSION")));
    expect(db.write((tx) => b.owners.claim(tx, ofKind("SESSION")))).rejects.toMatchObject({
      code: "OVERLOADED",
      retryAfterSeconds: 1,
    });
    expect([await a.owners.holderOf("channel-mine"), await b.owners.holderOf("channel-mine")]).toEqual([
      undefined,
      { url: "http://10.0.0.1:1" },
    ]);
    await db.write((tx) => b.owners.claim(tx, ofKind("WABA")));
    expect(await a.owners.holderOf("channel-mine")).toEqual({ url: "http://10.0.0.1:2" });
    expect(await a.owners.lost(["channel-mine" as ChannelId])).toEqual(["channel-mine" as ChannelId]);
  });

  test("has a key store that only the node which has the channel may open; who opens it first has it", async () => {
    const { a, b } = await twoNodes();
    await openKeyStore(a.env, "channel-mine" as ChannelId, async () => {});
    expect(openKeyStore(b.env, "channel-mine" as ChannelId, async () => {})).rejects.toThrow(KeyStoreLost);
    const again = await openKeyStore(a.env, "channel-mine" as ChannelId, async () => {});
    await again.write({ rows: [{ kind: "session", id: "0", value: "still a's" }] });
  });

  test("of a dead node has a key store that the next opens; the dead one, should it still live, writes no more with its own", async () => {
    const { db, a, b } = await twoNodes();
    const stale = await openKeyStore(a.env, "channel-mine" as ChannelId, async () => {});
    await expire(db, "a");
    await b.pass(2500);
    await openKeyStore(b.env, "channel-mine" as ChannelId, async () => {});
    expect(stale.write({ rows: [{ kind: "session", id: "0", value: "stale" }] })).rejects.toThrow(KeyStoreLost);
    expect(openKeyStore(a.env, "channel-mine" as ChannelId, async () => {})).rejects.toThrow(KeyStoreLost);
  });

  test("that is deleted is nobody's", async () => {
    const { db, a, b } = await twoNodes();
    await db.write((tx) => a.owners.claim(tx, ofKind("SESSION")));
    await db.write((tx) => deleteChannel(tx, EVERY_TENANT, "channel-mine"));
    expect(await b.owners.holderOf("channel-mine")).toBeUndefined();
    expect(await a.owners.lost(["channel-mine" as ChannelId])).toEqual(["channel-mine" as ChannelId]);
  });
});

describe("channels that must have a link", () => {
  test("are taken by one node each, in shares, until all are taken", async () => {
    const { db, a, b } = await twoNodes();
    await Promise.all([a.pass(2500), b.pass(2500)]); // they count each other
    await addSessions(db, 60);
    const shares: string[][] = [];
    for (let look = 0; look < 8; look++)
      for (const { owners } of [a, b]) shares.push((await owners.takeFree()).map(({ id }) => id));
    const sizes = shares.map((share) => share.length).filter((size) => size > 0);
    expect(sizes.slice(0, 3)).toEqual([20, 14, 9]);
    expect(new Set(shares.flat()).size).toBe(60);
    expect(shares.flat()).toHaveLength(60);
    expect((await a.owners.mine()).length + (await b.owners.mine()).length).toBe(60);
  });

  test("are all one node's when it is alone, and free again when it ends", async () => {
    const { db, a, b } = await twoNodes();
    await addSessions(db, 5);
    expect(await a.owners.takeFree()).toHaveLength(5);
    expect(await b.owners.takeFree()).toEqual([]);
    await a.node.leave();
    expect(await a.owners.takeFree()).toEqual([]);
    expect(await b.owners.takeFree()).toHaveLength(5);
  });
});
