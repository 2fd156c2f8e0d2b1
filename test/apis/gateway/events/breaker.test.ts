import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import type { Arrived } from "../../../support/servers/receiver.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const OTHER = "5511999990002";

const receive = async (words: readonly string[], from = TO) => {
  await post(words, from);
  await w.settle();
};
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}`);
const answer = (status: number) => c.hook.reply(() => new Response("", { status }));
const firstAttempts = () =>
  receivedBy({ arrived: c.hook.arrived.filter(({ headers }) => headers["x-gateway-attempt"] === "1") }).map(
    ({ content }) => content.text,
  );
const attemptsOf = (words: string) =>
  c.hook.arrived
    .filter(({ body }: Arrived) => body.data.content.text === words)
    .map(({ headers }) => headers["x-gateway-attempt"]);

describe("an endpoint that fails ten times in a row", () => {
  test("gets no further first attempt, and those that wait have used up none", async () => {
    answer(500);
    await receive(numbered(1, 15));
    expect(firstAttempts()).toEqual(numbered(1, 10));
    const waiting = await rowsOf(
      w,
      "SELECT attempts, status FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE e.channel_id = ?1 AND attempts = 0",
      [c.phone.id],
    );
    expect(waiting).toEqual(Array.from({ length: 5 }, () => ({ attempts: 0, status: "PENDING" })));
  });

  test("G-591 GAP-G52 nextRetryAt is the end of the pause for a new delivery, and its own time for a retry", async () => {
    answer(500);
    await receive(numbered(1, 15));
    const times = async () =>
      (await c.events("?type=message:received")).map(({ attempts, nextRetryAt }) => [
        attempts,
        Date.parse(nextRetryAt) - w.clock.now(),
      ]);
    expect(await times()).toEqual([
      ...Array.from({ length: 5 }, () => [0, 30 * SECOND_MS]),
      ...Array.from({ length: 10 }, () => [1, 5 * SECOND_MS]),
    ]);
    const [{ id }] = await c.events("?type=message:received");
    const [{ nextRetryAt }] = (await c.event(id)).deliveries;
    expect(Date.parse(nextRetryAt)).toBe(w.clock.now() + 30 * SECOND_MS);
  });

  test("stays paused by its owner when the pause after its failures is over; activating it lifts both", async () => {
    const hook = w.receiver();
    const body = { label: "A", url: hook.url, secret: WEBHOOK_SECRET, events: ["message:received"], allPhones: true };
    const made = await w.gateway("/v1/webhooks", { key: c.key, body });
    const change = (active: boolean) =>
      w.gateway(`/v1/webhooks/${made.body.id}`, { key: c.key, method: "PATCH", body: { active } });
    hook.reply(() => new Response("", { status: 500 }));
    await receive(numbered(1, 12));
    expect((await change(false)).status).toBe(200);
    hook.reply(() => new Response("ok"));
    hook.arrived.length = 0;
    await w.advance(60 * MINUTE_MS);
    expect(hook.arrived).toEqual([]);
    expect((await change(true)).status).toBe(200);
    await w.settle();
    const texts: string[] = receivedBy(hook).map(({ content }) => content.text);
    expect(texts.toSorted()).toEqual(numbered(1, 12).toSorted());
  });

  test("gets its retries at their own times all the same", async () => {
    answer(500);
    await receive(numbered(1, 15));
    await w.advance(5 * SECOND_MS);
    expect(attemptsOf("message 1")).toEqual(["1", "2"]);
    expect(firstAttempts()).toHaveLength(10);
    await w.advance(25 * SECOND_MS);
    expect(attemptsOf("message 10")).toEqual(["1", "2", "3"]);
  });

  test("is tried with one new event after 30 s; if that fails too, with none for the next minute", async () => {
    answer(500);
    await receive(numbered(1, 15));
    await w.advance(30 * SECOND_MS - 1);
    expect(firstAttempts()).toHaveLength(10);
    await w.advance(1);
    expect(firstAttempts()).toHaveLength(11);
    await w.advance(MINUTE_MS - 1);
    expect(firstAttempts()).toHaveLength(11);
    await w.advance(1);
    expect(firstAttempts()).toHaveLength(12);
  });

  test("gets everything that waits, in event order per chat, as soon as one attempt succeeds", async () => {
    answer(500);
    await receive(numbered(1, 10));
    await receive(["a 1", "a 2", "a 3", "a 4"]);
    await receive(["b 1", "b 2", "b 3", "b 4"], OTHER);
    expect(firstAttempts()).toHaveLength(10);
    answer(200);
    await w.advance(5 * SECOND_MS); // the retries of the first ten
    const later = firstAttempts().slice(10);
    expect(later.filter((words) => words.startsWith("a"))).toEqual(["a 1", "a 2", "a 3", "a 4"]);
    expect(later.filter((words) => words.startsWith("b"))).toEqual(["b 1", "b 2", "b 3", "b 4"]);
    expect(
      await rowsOf(
        w,
        "SELECT DISTINCT status FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE e.channel_id = ?1",
        [c.phone.id],
      ),
    ).toEqual([{ status: "DELIVERED" }]);
  });

  test("loses nothing over a restart", async () => {
    answer(500);
    await receive(numbered(1, 15));
    await w.restart();
    await w.settle();
    expect(firstAttempts()).toHaveLength(10);
    answer(200);
    await w.advance(5 * SECOND_MS);
    expect(firstAttempts()).toEqual(numbered(1, 15));
  });

  test("delays no other endpoint", async () => {
    const other = await newCustomer(w);
    answer(500);
    await receive(numbered(1, 15));
    await w.graph.inbound.text({ to: other.phone.phoneNumberId, from: TO, text: "theirs" });
    await w.settle();
    expect(receivedBy(other.hook)).toHaveLength(1);
  });
});

test("nine failures in a row hold nothing back, and neither do failures with a success between them", async () => {
  answer(500);
  await receive(numbered(1, 9));
  answer(200);
  await receive(["good"]);
  answer(500);
  await receive(numbered(10, 18));
  answer(200);
  await receive(["good again"]);
  expect(firstAttempts()).toEqual([...numbered(1, 9), "good", ...numbered(10, 18), "good again"]);
});

test("a success closes it although its attempt began before the failures", async () => {
  const slow = Promise.withResolvers<Response>();
  answer(200);
  await receive(["warm up"]); // from now on it gets several at once
  c.hook.reply(({ body }) => (body.data.content.text === "slow" ? slow.promise : new Response("", { status: 500 })));
  await post(["slow"], OTHER);
  await c.hook.received(2);
  await post(numbered(1, 12));
  await until(async () => (await failures()) === 7); // as many as had been begun beside it
  w.clock.advance(5 * SECOND_MS);
  await until(async () => (await failures()) === 14); // their retries too, of which the third has opened it
  expect(await isOpen()).toBe(true);
  answer(200);
  slow.resolve(new Response("ok"));
  await w.settle();
  expect(await isOpen()).toBe(false);
  expect(firstAttempts().slice(2)).toEqual(numbered(1, 12));
});

const post = (words: readonly string[], from = TO) =>
  w.graph.inbound.batch(words.map((text) => ({ kind: "text", to: c.phone.phoneNumberId, from, text })));
const breaker = async () =>
  (
    await rowsOf<{ failures: number; openUntil: number }>(
      w,
      "SELECT breaker_failures AS failures, breaker_open_until AS openUntil FROM subscriptions WHERE channel_id = ?1",
      [c.phone.id],
    )
  )[0];
const failures = async () => (await breaker())?.failures;
const isOpen = async () => Number((await breaker())?.openUntil) > w.clock.now();

/**
 * Lets the event loop turn until something has come about; the test's own time limit ends a wait for what never does.
 */
const until = async (hasComeAbout: () => Promise<boolean>) => {
  await untilTrue(hasComeAbout);
};
