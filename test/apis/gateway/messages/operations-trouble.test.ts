import { beforeEach, describe, expect, test } from "bun:test";
import { discardOperation } from "../../../../src/core/messaging/sending/operations.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId, MessageId } from "../../../../src/kernel/ids.ts";
import {
  type Customer,
  holdBack,
  newCustomer,
  receivedBy,
  release,
  rowsOf,
  sendsOf,
} from "../../../support/customers/customer.ts";
import { operate, received } from "../../../support/customers/operations.ts";
import { reconnect } from "../../../support/customers/scheduled.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { World } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
let id: string;
beforeEach(async () => {
  c = await newCustomer(w);
  id = await c.sent();
  c.hook.arrived.length = 0;
});

type Failure = Parameters<World["graph"]["failNext"]>[1];
const ERROR = (code: number): Failure => ({ kind: "error", code });
const RETRIES = [2, 10, 30, 120];

/** The next `count` calls of the customer's phone fail so. */
const failing = (count: number, failure: Failure) =>
  w.graph.failNext(count, failure, { phoneNumberId: c.phone.phoneNumberId, operation: "any" });
const queue = () => `channel:${c.phone.id}`;
const reactions = () => sendsOf(w, c).flatMap(({ reaction }) => (reaction ? [reaction.emoji] : []));
const react = async (emoji: string) => {
  expect((await operate(w, c, ["react", id], { emoji })).status).toBe(202);
  await w.settle();
};
const published = () => receivedBy(c.hook).map(({ emoji, code, status }) => emoji ?? code ?? status);

describe("a reaction", () => {
  test("G-441 that was accepted survives the end of the process, and is done once", async () => {
    await holdBack(w, queue());
    await react("👍");
    await w.restart();
    await release(w, queue());
    expect([reactions(), published()]).toEqual([["👍"], ["👍"]]);
  });

  test("whose process died while the network was asked is asked for again, and published once", async () => {
    failing(1, { kind: "reset", isAccepted: true });
    await react("👍");
    // as a kill between the upstream's call and the note of its end leaves it
    await w.app.env.db.write(async (tx) => {
      tx.run(
        "UPDATE jobs SET owner = 'a dead process', claims = claims + 1, run_at = created_at WHERE unique_key = ?1",
        [`operate:${id}:react`],
      );
      tx.run("UPDATE queues SET running = 1, next_at = NULL WHERE key = ?1", [queue()]);
    });
    await w.restart();
    await w.settle();
    expect([reactions(), published()]).toEqual([["👍", "👍"], ["👍"]]);
  });

  test.each([
    ["is refused for now", ERROR(131000)],
    ["has no answer", { kind: "reset", isAccepted: true }],
    ["has an answer that cannot be read", { kind: "garbage", isAccepted: true }],
  ] as [string, Failure][])(
    "that %s is tried 5 times, after 2, 10, 30 and 120 s, and then published as failed",
    async (_, failure) => {
      failing(5, failure);
      await react("👍");
      for (const [index, seconds] of RETRIES.entries()) {
        await w.advance(seconds * SECOND_MS - 1);
        expect([reactions().length, published()]).toEqual([index + 1, []]);
        await w.advance(1);
      }
      expect(reactions()).toHaveLength(5);
      expect(receivedBy(c.hook)).toEqual([
        {
          messageId: id,
          operation: "react",
          code: expect.stringMatching(/^(UPSTREAM_UNAVAILABLE|OUTCOME_UNKNOWN)$/),
          reason: expect.any(String),
        },
      ]);
      await w.advance(DAY_MS);
      expect([reactions().length, published().length]).toEqual([5, 1]);
    },
  );

  test("that the network will never take is published as failed at once, with the network's reason", async () => {
    failing(1, ERROR(131026));
    await react("👍");
    expect(receivedBy(c.hook)).toEqual([
      { messageId: id, operation: "react", code: "UPSTREAM_BAD_REQUEST", reason: expect.stringContaining("(#131026)") },
    ]);
    expect((await c.message(id)).status).toBe("SENT");
    await w.advance(HOUR_MS);
    expect(reactions()).toHaveLength(1);
  });

  test("that is newer takes the place of one that has yet to be done: an older one never comes last", async () => {
    failing(1, ERROR(131000));
    await react("👎");
    expect([reactions(), published()]).toEqual([["👎"], []]);
    await react("👍");
    await w.advance(HOUR_MS);
    expect([reactions(), published()]).toEqual([["👎", "👍"], ["👍"]]);
    await holdBack(w, queue());
    for (const emoji of ["1", "2", ""]) await react(emoji);
    await release(w, queue());
    expect([reactions().slice(2), published().slice(1)]).toEqual([[""], [""]]);
  });

  test("goes out after what was sent to the same chat before it, and before what is sent after it", async () => {
    await holdBack(w, queue());
    await c.send({ content: { text: "before" } });
    await react("👍");
    await c.send({ content: { text: "after" } });
    await release(w, queue());
    expect(
      sendsOf(w, c)
        .slice(1)
        .map((body) => body.reaction?.emoji ?? body.text.body),
    ).toEqual(["before", "👍", "after"]);
  });

  test("that meets a rate limit has the phone wait for 30 s, and goes out before what came after it", async () => {
    failing(1, ERROR(130429));
    await react("👍");
    expect((await c.send({ content: { text: "after" } })).status).toBe(202);
    await w.advance(30 * SECOND_MS - 1);
    expect(sendsOf(w, c)).toHaveLength(2);
    await w.advance(1);
    expect(
      sendsOf(w, c)
        .slice(2)
        .map((body) => body.reaction?.emoji ?? body.text.body),
    ).toEqual(["👍", "after"]);
    expect(published()).toEqual(["👍", "sent"]);
  });

  test("that meets a refused token waits until the phone is connected again", async () => {
    failing(1, ERROR(190));
    await react("👍");
    expect(receivedBy(c.hook)).toEqual([{ reason: "TOKEN_EXPIRED" }]);
    await w.advance(HOUR_MS);
    expect(reactions()).toHaveLength(1);
    await reconnect(w, c);
    expect(reactions()).toEqual(["👍", "👍"]);
    expect(receivedBy(c.hook, "message:reaction")).toHaveLength(1);
  });

  test("is published as failed when the phone does not connect within a day", async () => {
    failing(1, ERROR(190));
    await react("👍");
    await w.advance(DAY_MS - 1);
    expect(receivedBy(c.hook, "message:operation_failed")).toEqual([]);
    await w.advance(1);
    expect(receivedBy(c.hook, "message:operation_failed")).toMatchObject([
      { messageId: id, operation: "react", code: "CHANNEL_UNAVAILABLE" },
    ]);
  });

  test("ends with its phone when that is deleted", async () => {
    await holdBack(w, queue());
    await react("👍");
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    await w.settle();
    expect(reactions()).toEqual([]);
    expect(await rowsOf(w, "SELECT id FROM jobs WHERE kind = 'message.operate'")).toEqual([]);
  });

  test("whose job is given up is published as failed; a read is not published then either", async () => {
    const of = { messageId: id as MessageId, channelId: c.phone.id as ChannelId, chat: "pn:5511999990001" };
    await w.app.env.db.write((tx) =>
      discardOperation(w.app.env, tx, { ...of, action: { name: "react", emoji: "👍" } }, "a bug"),
    );
    await w.app.env.db.write((tx) => discardOperation(w.app.env, tx, { ...of, action: { name: "read" } }, "a bug"));
    await w.settle();
    expect(receivedBy(c.hook)).toEqual([
      { messageId: id, operation: "react", code: "INTERNAL_ERROR", reason: "a bug" },
    ]);
  });
});

describe("what is only shown to the other side", () => {
  const calls = () => sendsOf(w, c).filter(({ status }) => status === "read");

  test("G-463 a read that the network does not take is tried 5 times in all, and not published", async () => {
    const { messageId } = await received(w, c);
    c.hook.arrived.length = 0;
    failing(9, ERROR(131000));
    await operate(w, c, ["read", messageId]);
    for (const seconds of [0, ...RETRIES, 3600]) await w.advance(seconds * SECOND_MS);
    expect([calls().length, published()]).toEqual([5, []]);
    w.graph.clearFailures();
  });

  test("G-462 G-463 typing is given up when its 25 seconds are over, and not published", async () => {
    const { messageId } = await received(w, c);
    c.hook.arrived.length = 0;
    failing(9, ERROR(131000));
    await operate(w, c, ["typing", messageId]);
    for (const seconds of [0, ...RETRIES, 3600]) await w.advance(seconds * SECOND_MS);
    expect([calls().length, published()]).toEqual([3, []]);
    w.graph.clearFailures();
    await holdBack(w, queue());
    await operate(w, c, ["typing", messageId]);
    await w.advance(25 * SECOND_MS + 1);
    await release(w, queue());
    expect([calls().length, published()]).toEqual([3, []]);
  });
});

test("G-298 a reply to a message whose stored key is damaged is refused with 500, and nothing happens; without the quote it is sent", async () => {
  const { messageId } = await received(w, c);
  await w.app.env.db.write(async (tx) =>
    tx.rows("UPDATE inbox SET provider_message_id = 'half of a k' WHERE message_id = ?1", [messageId]),
  );
  const before = sendsOf(w, c).length;
  const refused = await c.send({ quotedMessageId: messageId, idempotencyKey: "a-key-of-a-reply" });
  expect([refused.status, refused.body.error.code]).toEqual([500, "QUOTED_KEY_INVALID"]);
  await w.settle();
  expect(sendsOf(w, c)).toHaveLength(before);
  expect((await c.send({ idempotencyKey: "a-key-of-a-reply" })).status).toBe(202);
  await w.settle();
});
