import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import {
  COEXISTENT,
  OFFICIAL,
  type Owned,
  ownNumber,
  signedUp,
  startSignupWorld,
  TROUBLES,
} from "../../../../support/customers/signup.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
let key: string;
let owned: Owned;
let id: string;
let begun: number;
beforeAll(async () => {
  w = await startSignupWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ key } = await w.account());
  await bring(COEXISTENT);
});

/** Signs up a number with a webhook. */
const bring = async (
  seed: typeof COEXISTENT,
  more: object = { webhook: { url: w.receiver().url, secret: WEBHOOK_SECRET } },
) => {
  owned = ownNumber(w, seed);
  ({ id } = await signedUp(w, key, owned, { phoneNumberId: owned.phoneNumberId, ...more }));
  begun = w.graph.journal.length;
};

const NOTHING = { ok: false, flagPersisted: false, requestId: null };
const sync = (body?: unknown, of = id) =>
  w.gateway(`/v1/phones/${of}/contacts/sync`, { key, method: "POST", ...(body === undefined ? {} : { body }) });
const asked = () =>
  w.graph.journal.slice(begun).map(({ body }) => (body as { sync_type?: string } | undefined)?.sync_type);
const flags = async () => {
  const { wabaContactsSyncAt, wabaHistorySyncAt } = (await w.gateway(`/v1/phones/${id}`, { key })).body;
  return [wabaContactsSyncAt, wabaHistorySyncAt];
};

describe("asking for what the business app has", () => {
  for (const [why, body] of [
    ["no body", undefined],
    ["an empty one", {}],
    ["unknown words", { calls: true }],
  ] as const) {
    test(`G-263 EP-G04 is for the contacts alone, unless more is said: ${why}`, async () => {
      const answer = await sync(body);
      expect([answer.status, answer.body]).toEqual([
        202,
        { contacts: { ok: true, flagPersisted: true, requestId: expect.stringMatching(/^\d+$/) }, history: NOTHING },
      ]);
      expect([asked(), await flags()]).toEqual([["smb_app_state_sync"], [iso(w.clock.now()), null]]);
    });
  }

  test("G-250 G-251 EP-G04 the history too, or alone, or nothing", async () => {
    expect((await sync({ contacts: false })).body).toEqual({ contacts: NOTHING, history: NOTHING });
    expect(asked()).toEqual([]);
    expect((await sync({ contacts: false, history: true })).body).toMatchObject({
      contacts: NOTHING,
      history: { ok: true, flagPersisted: true },
    });
    expect([asked(), await flags()]).toEqual([["history"], [null, iso(w.clock.now())]]);
  });

  test("EP-G04 2593107: a second time the network refuses, and when it was the first time stays", async () => {
    await sync();
    const before = await everyRow(w);
    w.clock.advance(MINUTE_MS);
    const again = await sync();
    expect([gatewaySays(again), again.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      2593107,
    ]);
    expect(await everyRow(w)).toEqual(before);
  });

  test("EP-G04 what is refused beside another hides nothing of it", async () => {
    await sync();
    expect(await sync({ history: true })).toMatchObject({
      status: 202,
      body: { contacts: NOTHING, history: { ok: true, flagPersisted: true } },
    });
    expect(await flags()).toEqual([iso(w.clock.now()), iso(w.clock.now())]);
    await bring(COEXISTENT);
    await sync({ contacts: false, history: true });
    expect(await sync({ history: true })).toMatchObject({
      status: 202,
      body: { contacts: { ok: true, flagPersisted: true }, history: NOTHING },
    });
  });

  test("EP-G04 2593108: a day after the number was brought in the network refuses", async () => {
    await bring({ ...COEXISTENT, onboardedAt: Date.now() - DAY_MS });
    const answer = await sync({ history: true });
    expect([gatewaySays(answer), answer.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      2593108,
    ]);
    expect(await flags()).toEqual([null, null]);
  });

  test("G-252 GAP-G26 without a webhook nobody is asked", async () => {
    await bring(COEXISTENT, {});
    const answer = await sync({ history: true });
    expect([answer.status, answer.body, asked(), await flags()]).toEqual([
      202,
      { contacts: NOTHING, history: NOTHING },
      [],
      [null, null],
    ]);
  });

  test("EP-G04 two at once are one", async () => {
    const answers = await Promise.all([sync(), sync(), sync()]);
    expect(answers.map(gatewaySays).toSorted()).toEqual([
      "202",
      "400 UPSTREAM_BAD_REQUEST",
      "400 UPSTREAM_BAD_REQUEST",
    ]);
    expect((await flags())[0]).toBe(iso(w.clock.now()));
  });
});

describe("where there is nothing to ask for", () => {
  test("EP-G04 a body of another kind is refused, and nobody is asked", async () => {
    expect(fieldsOf(await sync({ contacts: "true" }))).toEqual(["contacts"]);
    expect(fieldsOf(await sync({ history: 1 }))).toEqual(["history"]);
    for (const body of [[], "contacts", 5, true]) expect(gatewaySays(await sync(body))).toBe("400 VALIDATION_ERROR");
    expect([asked(), await flags()]).toEqual([[], [null, null]]);
  });

  test("EP-G04 phones that are unknown, another account's, dedicated or no official number: PHONE_NOT_FOUND, and nobody is asked", async () => {
    const mine = key;
    const theirs = id;
    ({ key } = await w.account());
    const session = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body.id;
    await bring(OFFICIAL);
    for (const one of [id, session, theirs, "00000000-0000-4000-8000-000000000000"])
      expect(gatewaySays(await sync({}, one))).toBe("404 PHONE_NOT_FOUND");
    expect([asked(), key === mine]).toEqual([[], false]);
  });

  test("EP-G04 a phone that is not connected: PHONE_NOT_CONNECTED, and nobody is asked", async () => {
    await w.gateway(`/v1/phones/${id}/logout`, { key, method: "POST" });
    const answer = await sync();
    expect([gatewaySays(answer), answer.body.error.details.status]).toEqual([
      "409 PHONE_NOT_CONNECTED",
      "DISCONNECTED",
    ]);
    expect([asked(), await flags()]).toEqual([[], [null, null]]);
  });

  for (const [why, failure] of Object.entries(TROUBLES)) {
    test(`GAP-G13 ${why}: UPSTREAM_UNAVAILABLE, and the phone does not say that anything was asked for`, async () => {
      const before = await everyRow(w);
      w.graph.failNext(1, failure, { operation: "number.sync", phoneNumberId: owned.phoneNumberId });
      expect(gatewaySays(await sync())).toBe("502 UPSTREAM_UNAVAILABLE");
      expect(await everyRow(w)).toEqual(before);
    });
  }
});
