import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../../support/customers/customer.ts";
import {
  askedSince,
  DEDICATED,
  signedUp as made,
  newCode,
  OFFICIAL,
  type Owned,
  ownNumber,
  signUp,
  startSignupWorld,
} from "../../../../support/customers/signup.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { untilConnected, untilStatus, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

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
const phone = async (id: string) => (await w.gateway(`/v1/phones/${id}`, { key })).body;
const signedUp = (more: object = named(), as: { key: string; of: Owned } = { key, of: owned }): Promise<any> =>
  made(w, as.key, as.of, more);
const registrations = () => askedSince(w, begun).filter((call) => call.endsWith("/register"));
/** What the network was asked to change. */
const written = () => w.graph.journal.slice(begun).filter(({ method }) => method !== "GET");

describe("a number that the official API has already", () => {
  beforeEach(() => {
    owned = ownNumber(w, OFFICIAL);
  });

  test("G-247 GAP-G26 is not registered again", async () => {
    const { registration } = await signedUp();
    expect(registration).toEqual({
      ok: true,
      coexistence: false,
      reconnected: false,
      platformType: "CLOUD_API",
      reason: "ALREADY_ON_OFFICIAL_API",
    });
    expect(registrations()).toEqual([]);
  });

  test("G-240 GAP-G26 who names no number expects that its app goes on using it: COEXISTENCE_EXPECTED, and nothing is written anywhere", async () => {
    const before = await everyRow(w);
    const answer = await signUp(w, key, owned);
    expect([gatewaySays(answer), answer.body.error.details.platformType]).toEqual([
      "409 COEXISTENCE_EXPECTED",
      "CLOUD_API",
    ]);
    expect(gatewaySays(await signUp(w, key, owned, { permitirDedicado: false }))).toBe("409 COEXISTENCE_EXPECTED");
    expect(written()).toEqual([]);
    expect(await everyRow(w)).toEqual(before);
  });

  test("G-235 G-240 with permitirDedicado it is found in the account and taken", async () => {
    const { wabaPhoneNumberId, registration } = await signedUp({ permitirDedicado: true });
    expect([wabaPhoneNumberId, registration.coexistence]).toEqual([owned.phoneNumberId, false]);
  });
});

describe("which number is meant", () => {
  test("G-235 GAP-G27 an account without numbers, or with several of which none is named, or without the one that is: phoneNumberId is refused, and nothing is written", async () => {
    const second = ownNumber(w, { ...OFFICIAL, businessAccountId: owned.wabaId });
    const stranger = ownNumber(w, OFFICIAL);
    const empty = ownNumber(w, OFFICIAL);
    w.graph.addNumber({
      phoneNumberId: empty.phoneNumberId,
      businessAccountId: stranger.wabaId,
      displayPhoneNumber: `+${empty.number}`,
    }); // it has moved
    const before = await everyRow(w);
    for (const [of, more] of [
      [owned, {}],
      [owned, { permitirDedicado: true }],
      [owned, { phoneNumberId: stranger.phoneNumberId }],
      [empty, { permitirDedicado: true }],
    ] as const)
      expect(fieldsOf(await signUp(w, key, of, more))).toEqual(["phoneNumberId"]);
    expect(written()).toEqual([]);
    expect(await everyRow(w)).toEqual(before);
    expect((await signedUp({ phoneNumberId: second.phoneNumberId })).wabaPhoneNumberId).toBe(second.phoneNumberId);
  });
});

describe("a number that has a channel already", () => {
  test("G-247 G-253 GAP-G26 the same phone comes back with the new token; it is not registered again, and keeps its label and its webhook", async () => {
    const hook = w.receiver();
    const first = await signedUp(
      named({ label: "Loja", webhook: { url: hook.url, secret: WEBHOOK_SECRET, events: ["channel:connected"] } }),
    );
    begun = w.graph.journal.length;
    const { code, token } = newCode(w, owned);
    const again = await signedUp(named({ code, label: "Outra" }));
    expect(again).toMatchObject({
      id: first.id,
      label: "Loja",
      status: "CONNECTED",
      webhookUrl: hook.url,
      webhookEvents: ["channel:connected"],
    });
    expect(again.registration).toMatchObject({ ok: true, reconnected: true, reason: "RECONNECTED" });
    expect(registrations()).toEqual([]);
    await w.gateway("/v1/messages", {
      key,
      body: { phoneId: first.id, to: "5511999990001", type: "text", content: { text: "olá" } },
    });
    await w.settle();
    expect(w.graph.journal.at(-1)?.headers["authorization"]).toBe(`Bearer ${token}`);
    expect(receivedBy(hook)).toHaveLength(1); // it was connected all the time
  });

  test("G-243 G-253 a webhook that is given replaces the one it had, an empty one takes it away", async () => {
    const [old, next] = [w.receiver(), w.receiver()];
    const { id } = await signedUp(named({ webhook: { url: old.url, secret: WEBHOOK_SECRET } }));
    expect((await signedUp(named({ webhook: { url: next.url, secret: WEBHOOK_SECRET } }))).webhookUrl).toBe(next.url);
    expect((await signedUp(named({ webhook: {} }))).webhookUrl).toBeNull();
    expect((await phone(id)).webhookUrl).toBeNull();
  });

  for (const state of ["DISCONNECTED", "TOKEN_EXPIRED"] as const) {
    test(`G-216 G-253 one that is ${state} is CONNECTED again, says so once, and sends what waited`, async () => {
      const hook = w.receiver();
      const { code, token } = newCode(w, owned);
      const { id } = await signedUp(named({ code, webhook: { url: hook.url, secret: WEBHOOK_SECRET } }));
      const { messageId } = await leave(state, id, token);
      hook.arrived.length = 0;
      const again = await signedUp();
      expect(again).toMatchObject({
        id,
        status: "CONNECTED",
        disconnectedAt: null,
        registration: { reconnected: true },
      });
      await w.settle();
      expect(receivedBy(hook, "channel:connected")).toHaveLength(1);
      expect((await w.gateway(`/v1/messages/${messageId}`, { key })).body.status).toBe("SENT");
    });
  }

  /** Has the phone end so, with a message that waits. */
  const leave = async (state: "DISCONNECTED" | "TOKEN_EXPIRED", id: string, token: string) => {
    const send = () =>
      w.gateway("/v1/messages", {
        key,
        body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
      });
    if (state === "TOKEN_EXPIRED") w.graph.invalidateToken(token);
    else w.graph.failNext(1, { kind: "error", code: 2 }, { phoneNumberId: owned.phoneNumberId });
    const { messageId } = (await send()).body;
    await w.settle();
    if (state === "DISCONNECTED") await w.gateway(`/v1/phones/${id}/logout`, { key, method: "POST" });
    await untilStatus(w, id, state);
    await w.advance(MINUTE_MS);
    return { messageId };
  };

  test("G-253 one made from credentials that never worked becomes the phone of the sign-up", async () => {
    const made = await w.gateway("/v1/phones", {
      key,
      body: {
        type: "WABA",
        label: "Antiga",
        credentials: { phoneNumberId: owned.phoneNumberId, businessAccountId: owned.wabaId, accessToken: "EAAwrong" },
      },
    });
    await untilStatus(w, made.body.id, "TOKEN_EXPIRED");
    expect(await signedUp()).toMatchObject({
      id: made.body.id,
      label: "Antiga",
      status: "CONNECTED",
      phoneNumber: owned.number,
    });
  });

  test("GAP-G27 one of another account is ALREADY_EXISTS, and nothing is written anywhere", async () => {
    const other = await w.account();
    await signedUp(named(), { key: other.key, of: owned });
    const [before, since] = [await everyRow(w), w.graph.journal.length];
    const answer = await signUp(w, key, owned, named());
    expect([gatewaySays(answer), answer.body.error.details]).toEqual([
      "409 ALREADY_EXISTS",
      { fields: ["phoneNumberId"] },
    ]);
    expect(w.graph.journal.slice(since).map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
    expect(await everyRow(w)).toEqual(before);
  });

  test("GAP-G27 a claim of another account that the network never confirmed keeps nobody out", async () => {
    const other = await w.account();
    const credentials = {
      phoneNumberId: owned.phoneNumberId,
      businessAccountId: owned.wabaId,
      accessToken: "EAAnotmine",
    };
    const claim = (
      await w.gateway("/v1/phones", { key: other.key, body: { type: "WABA", label: "Mine", credentials } })
    ).body.id;
    await untilStatus(w, claim, "TOKEN_EXPIRED");
    const { id, registration } = await signedUp();
    expect([id === claim, registration.reconnected]).toEqual([false, false]);
    expect((await w.gateway(`/v1/phones/${claim}`, { key: other.key })).body.status).toBe("TOKEN_EXPIRED");
  });
});

describe("two at once", () => {
  test("G-253 two sign-ups of one number make one phone", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => signUp(w, key, owned, named())));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.registration.reconnected)).toHaveLength(1);
    expect((await w.gateway("/v1/phones", { key })).body).toHaveLength(1);
    await untilConnected(w, answers[0]?.body.id);
  });

  test("GAP-G27 of two accounts one gets the number, the other nothing", async () => {
    const other = await w.account();
    const answers = await Promise.all([key, other.key].map((by) => signUp(w, by, owned, named())));
    expect(answers.map(gatewaySays).toSorted()).toEqual(["201", "409 ALREADY_EXISTS"]);
    expect(await rowsOf(w, "SELECT id FROM channels WHERE number_id = ?1", [owned.phoneNumberId])).toHaveLength(1);
  });

  test("G-244 a code is good once: the second who brings it gets nothing", async () => {
    const { code } = newCode(w, owned);
    const answers = await Promise.all([1, 2].map(() => signUp(w, key, owned, named({ code }))));
    expect(answers.map(gatewaySays).toSorted()).toEqual(["201", "400 UPSTREAM_BAD_REQUEST"]);
  });
});
