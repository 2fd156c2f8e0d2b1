import { beforeEach, expect, test } from "bun:test";
import { type ManualClock, manualClock } from "../../src/conformance/manual-clock.ts";
import { startHeartbeat } from "../../src/runtime/heartbeat.ts";

const EVERY_MS = 100;
let clock: ManualClock;
let received: string[];
let asked: { name: string; answer(): void; fail(error: Error): void }[];
beforeEach(() => {
  clock = manualClock();
  [received, asked] = [[], []];
});

/** A heartbeat whose proofs answer when the test says so. */
const heartbeatOf = (...names: string[]) => {
  const proofs = names.map(
    (name) =>
      [name, () => new Promise<void>((resolve, fail) => void asked.push({ name, answer: resolve, fail }))] as const,
  );
  return startHeartbeat({
    clock,
    everyMs: EVERY_MS,
    proofs: Object.fromEntries(proofs),
    onAlive: () => received.push("alive"),
    onMissed: (faults) => received.push(faults.join("; ")),
  });
};
const answersArrived = () => new Promise<void>((resolve) => void setImmediate(resolve));
const answer = async (...names: string[]) => {
  for (const { answer } of asked.filter(({ name }) => names.includes(name))) answer();
  asked = asked.filter(({ name }) => !names.includes(name));
  await answersArrived();
};

test("a process is alive when all that was asked has answered, and not before; it is asked at once, and then again and again", async () => {
  heartbeatOf("a", "b");
  await answer("a");
  expect(received).toEqual([]);
  await answer("b");
  expect(received).toEqual(["alive"]);
  clock.advance(EVERY_MS - 1);
  expect(asked).toEqual([]);
  clock.advance(1);
  await answer("a", "b");
  expect(received).toEqual(["alive", "alive"]);
});

test("what does not answer is named each time, nothing is asked on top of it, and what it says late counts for nothing", async () => {
  heartbeatOf("a", "b");
  await answer("a");
  clock.advance(2 * EVERY_MS);
  expect(received).toEqual(["b does not answer", "b does not answer"]);
  expect(asked.map(({ name }) => name)).toEqual(["b"]);
  await answer("b");
  expect(received).toHaveLength(2);
  clock.advance(EVERY_MS);
  await answer("a", "b");
  expect(received[2]).toBe("alive");
});

test("an answer that comes when the next question was due already is late, even where that could not be asked", async () => {
  heartbeatOf("a");
  await answer("a");
  clock.advance(EVERY_MS);
  const question = asked[0];
  question?.answer();
  clock.advance(EVERY_MS); // the answer gets its turn only now
  await answersArrived();
  expect(received.filter((one) => one === "alive")).toHaveLength(1);
});

test("what fails is reported with its reason, and asked again", async () => {
  heartbeatOf("a", "b");
  asked.find(({ name }) => name === "a")?.fail(new Error("full"));
  await answer("b");
  expect(received).toEqual(["a fails: Error: full"]);
  asked = [];
  clock.advance(EVERY_MS);
  await answer("a", "b");
  expect(received[1]).toBe("alive");
});

test("once it has ended nothing is asked or reported, not even of what was outstanding", async () => {
  const end = heartbeatOf("a");
  end();
  await answer("a");
  clock.advance(10 * EVERY_MS);
  expect([received, asked, clock.pendingTimers]).toEqual([[], [], 0]);
});

test("with nothing to prove it beats at once, and goes on", async () => {
  heartbeatOf();
  await answersArrived();
  clock.advance(EVERY_MS);
  await answersArrived();
  expect(received).toEqual(["alive", "alive"]);
});
