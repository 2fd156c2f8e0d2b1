import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../../../../src/kernel/clock.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import {
  askedSince,
  COEXISTENT,
  DEDICATED,
  newCode,
  OFFICIAL,
  type Owned,
  ownNumber,
  signedUp,
  signUp,
  startSignupWorld,
  TROUBLES,
} from "../../../../support/customers/signup.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import type { Receiver } from "../../../../support/servers/receiver.ts";
import { WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
let key: string;
let owned: Owned;
let hook: Receiver;
let begun: number;
beforeAll(async () => {
  w = await startSignupWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ key } = await w.account());
  hook = w.receiver();
  owned = ownNumber(w, COEXISTENT);
  begun = w.graph.journal.length;
});

const NOTHING = { ok: false, flagPersisted: false, requestId: null };
const webhook = () => ({ url: hook.url, secret: WEBHOOK_SECRET });
const both = { contacts: true, history: true };
const read = async (id: string) => (await w.gateway(`/v1/phones/${id}`, { key })).body;
const remove = (id: string, query = "") => w.gateway(`/v1/phones/${id}${query}`, { key, method: "DELETE" });
const calls = (end: string) => askedSince(w, begun).filter((call) => call.endsWith(end));
/** What was asked to be synchronised, in its order. */
const synced = () =>
  w.graph.journal
    .slice(begun)
    .flatMap(({ path, body }) => (path.endsWith("/smb_app_data") ? [(body as { sync_type: string }).sync_type] : []));

describe("a number that its owner's app goes on using", () => {
  test("G-235 G-245 G-246 G-247 G-248 GAP-G26 is found in its account, subscribed and never registered, whatever PIN is given", async () => {
    const { code } = newCode(w, owned);
    const body = await signedUp(w, key, owned, { code, pin: "314159" });
    expect(askedSince(w, begun).slice(0, 4)).toEqual([
      "GET oauth/access_token",
      "GET debug_token",
      `GET ${owned.wabaId}/phone_numbers`,
      `POST ${owned.wabaId}/subscribed_apps`,
    ]);
    expect(calls("/register")).toEqual([]);
    expect(body).toMatchObject({
      status: "CONNECTED",
      wabaPhoneNumberId: owned.phoneNumberId,
      phoneNumber: owned.number,
      wabaCoexistence: true,
    });
    expect(body.registration).toEqual({
      ok: true,
      coexistence: true,
      reconnected: false,
      platformType: "CLOUD_API",
      reason: "COEXISTENT",
    });
  });

  test("G-248 G-253 the app may come to use a dedicated number, and leave it again: the phone says so", async () => {
    owned = ownNumber(w, OFFICIAL);
    const { id, wabaCoexistence } = await signedUp(w, key, owned, { phoneNumberId: owned.phoneNumberId });
    const seed = {
      phoneNumberId: owned.phoneNumberId,
      businessAccountId: owned.wabaId,
      displayPhoneNumber: `+${owned.number}`,
    };
    w.graph.addNumber({ ...seed, ...COEXISTENT });
    expect(await signedUp(w, key, owned)).toMatchObject({
      id,
      wabaCoexistence: true,
      registration: { coexistence: true, reconnected: true },
    });
    w.graph.addNumber({ ...seed, ...OFFICIAL });
    expect(gatewaySays(await signUp(w, key, owned))).toBe("409 COEXISTENCE_EXPECTED");
    expect((await read(id)).wabaCoexistence).toBe(true);
    expect(await signedUp(w, key, owned, { permitirDedicado: true })).toMatchObject({ id, wabaCoexistence: false });
    expect(wabaCoexistence).toBe(false);
  });

  test("G-245 an app on a number that the official API does not have yet is no coexistence", async () => {
    owned = ownNumber(w, { ...DEDICATED, isOnBizApp: true });
    expect(gatewaySays(await signUp(w, key, owned))).toBe("409 COEXISTENCE_EXPECTED");
    expect(calls("/subscribed_apps")).toEqual([]);
  });
});

describe("what the app has is asked for", () => {
  test("G-241 not unless somebody wants it", async () => {
    for (const sync of [undefined, {}, { contacts: false, history: false }])
      expect((await signedUp(w, key, owned, { webhook: webhook(), sync })).sync).toEqual({
        contacts: NOTHING,
        history: NOTHING,
      });
    expect(synced()).toEqual([]);
  });

  for (const [rule, what, type, at, other] of [
    ["G-250", "contacts", "smb_app_state_sync", "wabaContactsSyncAt", "wabaHistorySyncAt"],
    ["G-251", "history", "history", "wabaHistorySyncAt", "wabaContactsSyncAt"],
  ] as const) {
    test(`G-249 ${rule} ${what} alone, and the phone says when`, async () => {
      const body = await signedUp(w, key, owned, { webhook: webhook(), sync: { [what]: true } });
      expect(body.sync[what]).toEqual({ ok: true, flagPersisted: true, requestId: expect.stringMatching(/^\d+$/) });
      expect(body.sync[what === "contacts" ? "history" : "contacts"]).toEqual(NOTHING);
      expect(synced()).toEqual([type]);
      for (const shown of [body, await read(body.id)])
        expect([shown[at], shown[other]]).toEqual([iso(w.clock.now()), null]);
    });
  }

  test("G-249 G-250 G-251 both, each with its request", async () => {
    const { sync } = await signedUp(w, key, owned, { webhook: webhook(), sync: both });
    expect([sync.contacts.ok, sync.history.ok, sync.contacts.requestId === sync.history.requestId]).toEqual([
      true,
      true,
      false,
    ]);
    expect(synced()).toEqual(["smb_app_state_sync", "history"]);
  });

  test("G-252 GAP-G26 not without a webhook to notify", async () => {
    for (const given of [undefined, {}]) {
      const body = await signedUp(w, key, owned, { webhook: given, sync: both });
      expect([body.sync, body.wabaContactsSyncAt, body.wabaHistorySyncAt]).toEqual([
        { contacts: NOTHING, history: NOTHING },
        null,
        null,
      ]);
    }
    expect(synced()).toEqual([]);
  });

  test("G-252 G-253 the webhook that the phone has already will do, and so will a shared one", async () => {
    const { id } = await signedUp(w, key, owned);
    const shared = (await w.gateway("/v1/webhooks", { key, body: { label: "Shared", ...webhook() } })).body.id;
    await w.gateway(`/v1/phones/${id}`, { key, method: "PATCH", body: { sharedWebhookId: shared } });
    expect((await signedUp(w, key, owned, { sync: { contacts: true } })).sync.contacts.ok).toBe(true);
    await w.gateway(`/v1/phones/${id}`, { key, method: "PATCH", body: { webhook: webhook() } });
    expect((await signedUp(w, key, owned, { sync: { history: true } })).sync.history.ok).toBe(true);
  });

  test("G-249 GAP-G26 a second time the network refuses; the phone is signed up all the same, and keeps when it was the first time", async () => {
    const first = await signedUp(w, key, owned, { webhook: webhook(), sync: both });
    w.clock.advance(60_000);
    const again = await signedUp(w, key, owned, { sync: both });
    expect([again.id, again.status, again.sync]).toEqual([
      first.id,
      "CONNECTED",
      { contacts: NOTHING, history: NOTHING },
    ]);
    expect([again.wabaContactsSyncAt, again.wabaHistorySyncAt]).toEqual([
      first.wabaContactsSyncAt,
      first.wabaHistorySyncAt,
    ]);
  });

  test("G-249 GAP-G26 a day after it was brought in the network refuses as well", async () => {
    owned = ownNumber(w, { ...COEXISTENT, onboardedAt: Date.now() - DAY_MS });
    const body = await signedUp(w, key, owned, { webhook: webhook(), sync: both });
    expect([body.status, body.sync, body.wabaContactsSyncAt]).toEqual([
      "CONNECTED",
      { contacts: NOTHING, history: NOTHING },
      null,
    ]);
    expect(synced()).toEqual(["smb_app_state_sync", "history"]);
  });

  for (const [why, failure] of Object.entries(TROUBLES)) {
    test(`G-249 ${why} does not undo the sign-up, and is not reported as requested`, async () => {
      w.graph.failNext(1, failure, { operation: "number.sync", phoneNumberId: owned.phoneNumberId });
      const body = await signedUp(w, key, owned, { webhook: webhook(), sync: both });
      expect([body.status, body.sync.contacts, body.sync.history.ok]).toEqual(["CONNECTED", NOTHING, true]);
      expect([body.wabaContactsSyncAt, typeof body.wabaHistorySyncAt]).toEqual([null, "string"]);
    });
  }
});

describe("deleting it", () => {
  for (const query of ["", "?deregister=false", "?deregister=true"]) {
    test(`G-145 G-149 leaves to its owner what only the app can do, and never takes it off the network: DELETE${query}`, async () => {
      const { id } = await signedUp(w, key, owned, { webhook: webhook() });
      await w.settle();
      const { status, body } = await remove(id, query);
      expect([status, body]).toEqual([
        200,
        { deleted: true, pending: { action: "DISCONNECT_IN_BUSINESS_APP", reason: expect.stringMatching(/\w/) } },
      ]);
      expect(calls("/deregister")).toEqual([]);
      expect(gatewaySays(await read(id).then(() => remove(id)))).toBe("404 PHONE_NOT_FOUND");
      await w.settle();
      expect(receivedBy(hook, "channel:disconnected")).toMatchObject([{ reason: "MANUAL_DELETE" }]);
    });
  }

  test("G-150 the account's webhooks end with its last number, not before", async () => {
    const second = ownNumber(w, { ...COEXISTENT, businessAccountId: owned.wabaId });
    const ids = [];
    for (const { phoneNumberId } of [owned, second]) ids.push((await signedUp(w, key, owned, { phoneNumberId })).id);
    const unsubscriptions = () =>
      askedSince(w, begun).filter((call) => call === `DELETE ${owned.wabaId}/subscribed_apps`).length;
    expect([(await remove(ids[0] ?? "")).status, unsubscriptions()]).toEqual([200, 0]);
    expect([(await remove(ids[1] ?? "")).status, unsubscriptions()]).toEqual([200, 1]);
  });
});
