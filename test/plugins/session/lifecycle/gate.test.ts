import { expect, test } from "bun:test";
import { createConnectLimiter } from "../../../../plugins/session/lifecycle/connect-limiter.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";

test("the limiter admits eight, and later one for each that leaves; leaving twice frees one place", async () => {
  const clock = manualClock();
  const connectLimiter = createConnectLimiter(8);
  const inside: (() => void)[] = [];
  const enter = async () => void inside.push(await connectLimiter.enter({ clock, random: seededRandom(1) }));
  for (let one = 0; one < 20; one += 1) void enter();
  await nextTurn();
  expect(inside.length).toBe(8);

  inside[0]?.();
  inside[0]?.();
  await nextTurn();
  expect(inside.length).toBe(8);
  clock.advance(SECOND_MS);
  await nextTurn();
  expect(inside.length).toBe(9);

  for (const leave of inside.slice(1)) leave();
  await nextTurn();
  clock.advance(SECOND_MS);
  await nextTurn();
  expect(inside.length).toBe(17);
});
