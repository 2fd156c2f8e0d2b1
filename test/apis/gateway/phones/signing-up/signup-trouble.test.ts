import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rowsOf } from "../../../../support/customers/customer.ts";
import {
  askedSince,
  DEDICATED,
  signedUp as made,
  newCode,
  type Owned,
  ownNumber,
  signUp,
  startSignupWorld,
  TROUBLES,
} from "../../../../support/customers/signup.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { APP_SECRET, untilConnected, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
let key: string;
let owned: Owned;
let begun: number;
beforeAll(async () => {
  w = await startSignupWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ key } = await w.account());
  owned = ownNumber(w, DEDICATED);
  begun = w.graph.journal.length;
});

const named = (more: object = {}) => ({ phoneNumberId: owned.phoneNumberId, ...more });
const signedUp = (more: object = named(), as: { key: string; of: Owned } = { key, of: owned }): Promise<any> =>
  made(w, as.key, as.of, more);

describe("an upstream in trouble", () => {
  const STEPS = { "code.exchange": 1, "token.debug": 2, "number.list": 3, "subscription.add": 4 } as const;
  for (const [operation, asked] of Object.entries(STEPS)) {
    for (const [why, failure] of Object.entries(TROUBLES)) {
      test(`GAP-G13 ${why} at ${operation}: UPSTREAM_UNAVAILABLE, nothing is stored, and no further call is made`, async () => {
        const before = await everyRow(w);
        w.graph.failNext(1, failure, { operation });
        const answer = await signUp(w, key, owned, named());
        expect(gatewaySays(answer)).toBe("502 UPSTREAM_UNAVAILABLE");
        expect(answer.headers.get("retry-after")).toBe(why === "a rate limit" ? "30" : null);
        expect([askedSince(w, begun).length, await everyRow(w)]).toEqual([asked, before]);
      });
    }

    test(`G-244 GAP-G27 a refusal at ${operation} is answered in the network's own words, nothing is stored, and no further call is made`, async () => {
      for (const [code, subcode] of [
        [100, 36009],
        [190, 463],
        [200, 1],
      ] as const) {
        begun = w.graph.journal.length;
        const before = await everyRow(w);
        w.graph.failNext(1, { kind: "error", code, subcode }, { operation });
        const answer = await signUp(w, key, owned, named());
        expect([gatewaySays(answer), answer.body.error.details.upstreamError]).toMatchObject([
          "400 UPSTREAM_BAD_REQUEST",
          { code, error_subcode: subcode },
        ]);
        expect([askedSince(w, begun).length, await everyRow(w)]).toEqual([asked, before]);
      }
    });
  }

  test("GAP-G27 a code that is unknown, used or of another app is the network's to refuse", async () => {
    const { code } = newCode(w, owned);
    await signedUp(named({ code }));
    for (const bad of [code, "AQBnobody"]) {
      const answer = await signUp(w, key, owned, named({ code: bad }));
      expect([gatewaySays(answer), answer.body.error.details.upstreamError.code]).toEqual([
        "400 UPSTREAM_BAD_REQUEST",
        100,
      ]);
    }
  });
});

test("G-255 no answer, event or log line shows the token, the code's secret or the PIN", async () => {
  const loud = await startSignupWorld({ logLevel: "debug" });
  const { id: accountId, key: by } = await loud.account();
  const hook = loud.receiver();
  const number = ownNumber(loud, DEDICATED);
  const { code, token } = newCode(loud, number);
  const pin = "271828";
  const words = [token, APP_SECRET, pin];
  const answers = [
    await signUp(loud, by, number, {
      phoneNumberId: number.phoneNumberId,
      code,
      pin,
      webhook: { url: hook.url, secret: WEBHOOK_SECRET },
    }),
  ];
  const id = answers[0]?.body.id;
  await untilConnected(loud, id);
  for (const operation of ["code.exchange", "number.list", "subscription.add", "number.register"] as const) {
    const fresh = ownNumber(loud, DEDICATED);
    const echoed = newCode(loud, fresh);
    words.push(echoed.token);
    // the network repeats what it was given
    loud.graph.failNext(
      1,
      {
        kind: "error",
        code: 100,
        details: operation === "code.exchange" ? `client_secret ${APP_SECRET}` : `access token ${echoed.token}`,
      },
      { operation },
    );
    answers.push(await signUp(loud, by, fresh, { phoneNumberId: fresh.phoneNumberId, code: echoed.code, pin }));
  }
  await loud.gateway("/v1/messages", {
    key: by,
    body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
  });
  await loud.settle();
  answers.push(
    await loud.gateway(`/v1/phones/${id}`, { key: by }),
    await loud.gateway("/v1/phones", { key: by }),
    await loud.gateway("/v1/events", { key: by }),
  );
  const said = [
    ...answers.map(({ text }) => text),
    ...hook.arrived.map(({ raw }) => raw),
    ...loud.logs,
    ...(await rowsOf(loud, "SELECT * FROM vault")).map((row) => JSON.stringify(row)),
  ];
  expect(said.join("\n")).toContain(accountId);
  for (const secret of words) expect([secret, said.filter((text) => text.includes(secret))]).toEqual([secret, []]);
  await loud.stop();
});
