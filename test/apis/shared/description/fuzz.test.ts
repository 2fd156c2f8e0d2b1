import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { callsOn, type FuzzCall, type FuzzRoute } from "../../../support/fuzz/calls.ts";
import { type Ground, meaningIn, startGround } from "../../../support/fuzz/ground.ts";
import { STATED, STATED_EVERYWHERE, textsOf } from "../../../support/fuzz/stated.ts";
import { foretold, verdictOf } from "../../../support/fuzz/verdict.ts";
import { nextSeed } from "../../../support/seeds.ts";

// Calls that nobody has written: made of the schemas of both descriptions, right and wrong, in any order on one server
// whose upstreams are simulated. Every answer is as described, and the server refuses what its schemas forbid alone.

const NUMBER_OF_CALLS = process.env["CI"] ? 10_000 : 1_000;
const MINUTE_MS = 60_000;

/** TABLE: operations that are left out, and why. */
const LEFT_OUT: Record<string, string> = {
  advanceClock: "it would end every token and key",
  renewAdminToken: "the token of the other calls would end",
};

const seed = Number(process.env["FUZZ_SEED"] ?? nextSeed());
let ground: Ground;
let routes: readonly FuzzRoute[];
beforeAll(async () => {
  ground = await startGround(seed);
  routes = ground.routes.filter(({ operation }) => !(operation.operationId in LEFT_OUT));
});
afterAll(() => ground.stop());

const isStated = ({ operationId, field }: { operationId: string; field: string }): boolean =>
  (STATED[operationId]?.[field] ?? STATED_EVERYWHERE[field]) !== undefined;

/** @throws Error for an answer that is not as described, and for one that the request does not deserve. */
const tryCall = async (call: FuzzCall): Promise<void> => {
  const route = routes.find(({ api, operation }) => api === call.api && operation.operationId === call.operationId);
  if (!route) throw new Error(`there is no operation ${call.operationId}`);
  const { sent, answer } = await ground.make(call);
  const foretelling = foretold(ground.descriptions[call.api], route, sent);
  const fault = verdictOf(foretelling, { call, route, answer }, isStated);
  if (fault !== undefined) throw new Error(`${fault}: ${answer.status} ${answer.text.slice(0, 2000)}`);
};

test(
  `whatever is called, no answer is a fault of the server, undocumented or stricter than the schemas (FUZZ_SEED=${seed})`,
  async () => {
    const terms = (api: FuzzCall["api"]) => ({ description: ground.descriptions[api], meaning: meaningIn(api) });
    const calls = callsOn(routes, { gateway: terms("gateway"), platform: terms("platform") });
    await fc.assert(fc.asyncProperty(calls, tryCall), { seed, numRuns: NUMBER_OF_CALLS, endOnFailure: false });
    expect(routes.length).toBeGreaterThan(250);
  },
  (NUMBER_OF_CALLS / 1000) * 5 * MINUTE_MS,
);

test("every rule that a schema cannot say is in the text of its operation", () => {
  const said = (operationId: string): string =>
    routes
      .filter(({ operation }) => operation.operationId === operationId)
      .map(({ api, operation }) => textsOf(ground.descriptions[api], operation))
      .join("\n");
  const missing = Object.entries(STATED).flatMap(([operationId, fields]) =>
    Object.entries(fields)
      .filter(([, words]) => !words.test(said(operationId)))
      .map(([field, words]) => `${operationId} ${field} ${words}`),
  );
  expect(missing).toEqual([]);
});
