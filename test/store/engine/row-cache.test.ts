import { expect, test } from "bun:test";
import { findChannel, updateChannel } from "../../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../src/store/tables/scope.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { insertEverythingOf } from "../../support/tenants/rows.ts";

const temp = tempDatabases();

test("a cached row is removed at the commit: a write of the same group that is answered sooner reads no old row", async () => {
  const db = temp.database();
  const { channelId } = await db.write((tx) => insertEverythingOf(tx, "a"));
  const stateNow = async () => (await db.read((reader) => findChannel(reader, EVERY_TENANT, channelId)))?.state;
  expect(await stateNow()).toBe("CONNECTED");
  const change = db.write((tx) => updateChannel(tx, EVERY_TENANT, channelId, { state: "PENDING_QR" }));
  await db.write(async () => {}, { isDurable: false }); // as a job is claimed that the change has enqueued
  expect(await stateNow()).toBe("PENDING_QR");
  await change;
  expect(await stateNow()).toBe("PENDING_QR");
});

test("a cached row survives a failed write", async () => {
  const db = temp.database();
  const { channelId } = await db.write((tx) => insertEverythingOf(tx, "a"));
  const find = () => db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  const kept = await find();
  const failed = db.write(async (tx) => {
    await updateChannel(tx, EVERY_TENANT, channelId, { state: "FAILED" });
    throw new Error("thought better of it");
  });
  expect(failed).rejects.toThrow("thought better");
  await Promise.allSettled([failed]);
  expect(await find()).toBe(kept);
});
