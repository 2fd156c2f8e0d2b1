import { afterEach, expect, test } from "bun:test";
import { giveBackUnsent } from "../../src/core/messaging/sending/unsent.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { updateTenant } from "../../src/store/tables/tenancy/tenants.ts";
import { startDatabaseProxy } from "../support/servers/database-proxy.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

// A try whose beginning is stored, but whose answer of the database is lost, never reached the network.

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});
const servers = libsqlServers(); // gone after the worlds that use them

/** A send whose beginning was stored while the answer of the database was lost. */
const begunWithoutAnswer = async () => {
  const server = await servers.server();
  const proxy = servers.keep(await startDatabaseProxy(server.url));
  const world = await startWorld({ env: { RECADO_DATABASE_URL: proxy.url } });
  worlds.push(world);
  const { id, key } = await world.account();
  const phone = await world.wabaPhone(key);
  let lost = 0;
  let isBegun = false;
  proxy.decide((body) => {
    isBegun ||= body.includes("send_state = 'SENDING'");
    return isBegun && body.includes('"COMMIT"') && lost++ === 0 ? "lose-answer" : "pass";
  });
  const { body } = await world.gateway("/v1/messages", {
    key,
    body: { phoneId: phone.id, to: "5511988887777", type: "text", content: { text: "Hello" } },
  });
  const row = async () => {
    const [found] = await world.app.env.db.read((reader) =>
      reader.rows<{ status: string; state: string; uncertain: number }>(
        "SELECT status, send_state AS state, uncertain_attempts AS uncertain FROM messages WHERE id = ?1",
        [body.messageId],
      ),
    );
    return found;
  };
  await untilTrue(() => lost > 0 && world.app.env.unsentTries.size > 0);
  await untilTrue(async () => (await row())?.state === "SENDING");
  // a write that shares the lost answer fails as well: those of the tests come after it
  const { db } = world.app.env;
  const write = () => db.write(async (tx) => tx.run("UPDATE meta SET value = value WHERE name = 'none'"));
  await untilTrue(() =>
    write().then(
      () => true,
      () => false,
    ),
  );
  return { world, row, accountId: id as TenantId };
};

test("it is sent once when the database is back, and was never uncertain", async () => {
  const { world, row } = await begunWithoutAnswer();
  await untilTrue(async () => {
    world.clock.advance(SECOND_MS); // the job waits for its database, as soon as it knows that it is away
    return (await row())?.status === "SENT";
  });
  expect(await row()).toMatchObject({ status: "SENT", uncertain: 0 });
  expect(world.graph.sent.size).toBe(1);
  expect(world.app.env.unsentTries.size).toBe(0);
});

test("it is as if it had not begun where the message has to wait when the database is back", async () => {
  const { world, row, accountId } = await begunWithoutAnswer();
  await world.app.env.db.write((tx) => updateTenant(tx, accountId, { dunningStage: "SUSPENDED" }));
  await untilTrue(async () => {
    world.clock.advance(SECOND_MS);
    return (await row())?.state === "NONE";
  });
  expect(await row()).toEqual({ status: "QUEUED", state: "NONE", uncertain: 0 });
  expect(world.graph.sent.size).toBe(0);
});

test("at a stop it goes back to the queue, so that the next process sends it", async () => {
  const { world, row } = await begunWithoutAnswer();
  await giveBackUnsent(world.app.env);
  expect(await row()).toEqual({ status: "QUEUED", state: "NONE", uncertain: 0 });
  expect(world.graph.sent.size).toBe(0);
  await untilTrue(async () => {
    world.clock.advance(SECOND_MS); // the job of this process waits for its database still
    return (await row())?.status === "SENT";
  });
  expect(world.graph.sent.size).toBe(1);
});

test("at a stop it stays as it is where its job was claimed anew meanwhile: that try may have arrived", async () => {
  const { world, row } = await begunWithoutAnswer();
  await world.app.env.db.write(async (tx) => {
    tx.run("UPDATE jobs SET claims = claims + 1, owner = 'another' WHERE kind = 'message.deliver'", []);
    tx.run("UPDATE messages SET send_state = 'UNKNOWN', uncertain_attempts = 1", []);
  });
  await giveBackUnsent(world.app.env);
  expect(await row()).toEqual({ status: "QUEUED", state: "UNKNOWN", uncertain: 1 });
  await untilTrue(() => {
    world.clock.advance(SECOND_MS); // the job of this process waits for its database still, and finds that it has it no more
    return world.app.runner.running === 0;
  });
  expect(world.graph.sent.size).toBe(0);
});
