import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { AFTER_MINUTES, newTwoPhones } from "../support/customers/failover.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../support/session/scripted-sends.ts";
import { startWorld, type World } from "../support/world.ts";

// Whatever happens to the phone, to its network and to the process, in any order: never does both the message and its
// template leave, unless the caller lets both arrive; and nothing leaves twice.

let network: SessionNetwork;
let w: World;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({
    plugins: [network.plugin],
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" },
  });
});
afterAll(() => w.stop());

const failed = (
  kind: "refused" | "retry" | "unknown",
  code: Extract<SendOutcome, { ok: false }>["code"],
): SendOutcome => ({
  ok: false,
  kind,
  code,
  reason: "scripted",
});
/** TABLE: how a try of the session may end; `undefined` is a success. */
const OUTCOMES: Record<string, SendOutcome | undefined> = {
  taken: undefined,
  silent: failed("unknown", "UPSTREAM_UNAVAILABLE"),
  restricted: failed("refused", "UPSTREAM_ACCOUNT_RESTRICTED"),
  bad: failed("refused", "UPSTREAM_BAD_REQUEST"),
  later: failed("retry", "UPSTREAM_UNAVAILABLE"),
  away: failed("retry", "CHANNEL_UNAVAILABLE"),
};

const happening = fc.oneof(
  fc.record({ is: fc.constant("wait" as const), minutes: fc.integer({ min: 0, max: AFTER_MINUTES + 2 }) }),
  fc.constantFrom(
    { is: "lost" as const },
    { is: "back" as const },
    { is: "delivered" as const },
    { is: "restricted" as const },
    { is: "crash" as const },
    { is: "look" as const },
  ),
);
const history = fc.record({
  isAwayFirst: fc.boolean(),
  outcomes: fc.array(fc.constantFrom(...Object.keys(OUTCOMES)), { maxLength: 4 }),
  happenings: fc.array(happening, { maxLength: 8 }),
  when: fc.subarray(["lost", "restricted", "silent"], { minLength: 1 }),
  mayArriveTwice: fc.boolean(),
});

test("a message and its template never both leave, and neither leaves twice, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ isAwayFirst, outcomes, happenings, when, mayArriveTwice }) => {
      network.sent.length = 0;
      network.pace = () => 0;
      const c = await newTwoPhones(w, network);
      const run = async (is: string) => {
        if (is === "lost") await c.lost();
        else if (is === "back") await c.back();
        else if (is === "restricted")
          await reported(w, network, c.phone.id, {
            state: "RESTRICTED",
            reason: "X",
            restriction: { reason: "X", until: null, allows: "none" },
          });
      };
      if (isAwayFirst) await c.lost();
      network.outcomes = outcomes.map((name) => OUTCOMES[name]) as SendOutcome[]; // without one, the network takes the message
      const said = await c.send({ fallback: c.fallback({ when, mayArriveTwice }) });
      if (said.status !== 202) return;
      const id: string = said.body.messageId;
      await w.settle();
      for (const one of happenings) {
        if (one.is === "wait") await w.advance(one.minutes * MINUTE_MS);
        else if (one.is === "delivered") {
          if ((await c.message(id)).status === "SENT") await c.receipt(id, "delivered");
        } else if (one.is === "crash") await crashed(id);
        else if (one.is === "look") await lookedAt(id);
        else await run(one.is);
        await w.settle();
      }
      await c.back();
      await w.advance(3 * DAY_MS);
      await w.settle();
      const tries = network.sent.filter(({ channelId }) => channelId === c.phone.id);
      // what each try ended as: a message of the run before may still have taken an outcome of this one
      const ended = tries.map(({ ended: end }) => end);
      const mayHaveLeft = ended.some((end) => end === undefined || end.ok || end.kind === "unknown");
      const templates = c.templates().length;
      expect(templates).toBeLessThanOrEqual(1);
      if (!mayArriveTwice && templates > 0) expect(mayHaveLeft).toBe(false);
      const { fallback } = await c.message(id);
      expect(fallback.status === "TAKEN").toBe(templates === 1);
      if (templates === 1) expect(fallback.mayHaveArrived || !mayHaveLeft).toBe(true);
      // a message that the network has taken is not sent again
      expect(ended.slice(0, -1).some((end) => end === undefined || end.ok)).toBe(false);
    }),
    { numRuns: 40 },
  );
}, 120_000);

/** The job of the look is lost by a dead process, and runs again. */
const crashed = (id: string) =>
  w.app.env.db.write(async (tx) =>
    tx.run("UPDATE jobs SET claims = claims + 1, attempts = attempts + 1 WHERE unique_key = ?1 AND owner IS NULL", [
      `fall-back:${id}`,
    ]),
  );

/** A look that comes too early, as after a clock that was set forward and back. */
const lookedAt = async (id: string) => {
  await w.app.env.db.write(async (tx) => {
    tx.run("UPDATE jobs SET run_at = created_at WHERE unique_key = ?1 AND owner IS NULL", [`fall-back:${id}`]);
    tx.run("UPDATE queues SET next_at = 0 WHERE key LIKE 'fallback:%' AND running = 0");
  });
  w.app.runner.wake();
  await w.settle();
};
