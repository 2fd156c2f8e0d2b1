import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { NEWEST_GRAPH } from "../../../../../src/kernel/settings/graph-version.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import {
  APP_ID,
  askedSince,
  CONFIG_ID,
  DEDICATED,
  signedUp as made,
  newCode,
  type Owned,
  ownNumber,
  signUp,
  startSignupWorld,
} from "../../../../support/customers/signup.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { APP_SECRET, startWorld, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

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
const ROUTE = "/v1/phones/waba/embedded-signup";
const phone = async (id: string) => (await w.gateway(`/v1/phones/${id}`, { key })).body;
const signedUp = (more: object = named(), as: { key: string; of: Owned } = { key, of: owned }): Promise<any> =>
  made(w, as.key, as.of, more);
const registrations = () => askedSince(w, begun).filter((call) => call.endsWith("/register"));
const pinsTried = () =>
  w.graph.journal
    .slice(begun)
    .flatMap(({ path, body }) => (path.endsWith("/register") ? [(body as { pin: string }).pin] : []));

describe("what a browser needs to open the sign-up", () => {
  const config = (of: World, by: string) => of.gateway(`${ROUTE}/config`, { key: by });

  test("G-230 G-231 is the app, its configuration and the version; the business app's own onboarding unless the operator says otherwise", async () => {
    const v4 = { setup: {}, sessionInfoVersion: "3", version: "v4" };
    const extras = { ...v4, featureType: "whatsapp_business_app_onboarding" };
    const state = expect.any(String);
    expect((await config(w, key)).body).toEqual({
      appId: APP_ID,
      configId: CONFIG_ID,
      graphVersion: NEWEST_GRAPH,
      extras,
      state,
    });
    const other = await startSignupWorld({ env: { RECADO_META_SIGNUP: "dedicated", RECADO_META_CONFIG_ID: "" } });
    const { status, body } = await config(other, (await other.account()).key);
    expect([status, body]).toEqual([
      200,
      { appId: APP_ID, configId: null, graphVersion: NEWEST_GRAPH, extras: { ...v4, featureType: "" }, state },
    ]);
    await other.stop();
  });

  test("G-232 G-254 without an app id there is none, and nobody can be signed up; without the app's secret no code can be exchanged", async () => {
    for (const [env, said] of [
      [{ RECADO_META_APP_ID: "" }, "503 UPSTREAM_APP_ID_MISSING"],
      [{ RECADO_META_APP_SECRET: "" }, "200"],
    ] as const) {
      const other = await startSignupWorld({ env });
      const by = (await other.account()).key;
      const number = ownNumber(other, DEDICATED);
      expect(gatewaySays(await config(other, by))).toBe(said);
      const before = await everyRow(other);
      expect(gatewaySays(await signUp(other, by, number))).toBe("503 UPSTREAM_APP_NOT_CONFIGURED");
      expect([other.graph.journal.length, await everyRow(other)]).toEqual([0, before]);
      await other.stop();
    }
  });

  test("G-232 G-254 a demo signs nobody up", async () => {
    const demo = await startWorld({ simulated: true, env: { RECADO_META_APP_ID: APP_ID } });
    const by = (await demo.account()).key;
    expect(gatewaySays(await config(demo, by))).toBe("503 UPSTREAM_APP_NOT_CONFIGURED");
    expect(gatewaySays(await signUp(demo, by, owned))).toBe("503 UPSTREAM_APP_NOT_CONFIGURED");
    await demo.stop();
  });
});

describe("a sign-up that is not as it must be", () => {
  const BAD: [rule: string, field: string, change: object][] = [
    ["G-233", "code", { code: undefined }],
    ["G-233", "code", { code: "" }],
    ["G-234", "wabaId", { wabaId: undefined }],
    ["G-234", "wabaId", { wabaId: "../me" }],
    ["G-235", "phoneNumberId", { phoneNumberId: "1/2" }],
    ["G-236", "label", { label: "" }],
    ["G-236", "label", { label: "x".repeat(121) }],
    ["G-238", "pin", { pin: "12345" }],
    ["G-238", "pin", { pin: "1234567" }],
    ["G-238", "pin", { pin: "12345a" }],
    ["G-238", "pin", { pin: 123456 }],
    ["G-240", "permitirDedicado", { permitirDedicado: "true" }],
    ["G-241", "sync", { sync: { contacts: "yes" } }],
    ["G-241", "sync", { sync: true }],
    ["G-243", "webhook", { webhook: { url: "https://hooks.example.com/in" } }],
    ["G-243", "webhook", { webhook: { url: "https://hooks.example.com/in", secret: "fifteen letters" } }],
    ["G-243", "webhook", { webhook: { url: "http://hooks.example.com/in", secret: WEBHOOK_SECRET } }],
    [
      "G-243",
      "webhook",
      { webhook: { url: "https://hooks.example.com/in", secret: WEBHOOK_SECRET, events: ["nothing"] } },
    ],
  ];
  for (const [rule, field, change] of BAD) {
    test(`${rule} is refused before anybody is asked, and changes nothing: ${JSON.stringify(change)}`, async () => {
      const before = await everyRow(w);
      const answer = await signUp(w, key, owned, named(change));
      expect(fieldsOf(answer)).toEqual([field]);
      expect([askedSince(w, begun), await everyRow(w)]).toEqual([[], before]);
    });
  }
});

describe("a number that is new to the official API", () => {
  test("G-216 G-244 G-245 G-246 G-247 G-248 G-249 code, then what is read, then what is written; and the phone is CONNECTED", async () => {
    const hook = w.receiver();
    const body = await signedUp(named({ webhook: { url: hook.url, secret: WEBHOOK_SECRET } }));
    const { wabaId, phoneNumberId, number } = owned;
    expect(askedSince(w, begun).slice(0, 5)).toEqual([
      "GET oauth/access_token",
      "GET debug_token",
      `GET ${wabaId}/phone_numbers`,
      `POST ${wabaId}/subscribed_apps`,
      `POST ${phoneNumberId}/register`,
    ]);
    const nothing = { ok: false, flagPersisted: false, requestId: null };
    expect(body).toMatchObject({
      type: "WABA",
      status: "CONNECTED",
      label: "Business",
      phoneNumber: number,
      webhookUrl: hook.url,
      disconnectedAt: null,
    });
    expect(body).toMatchObject({
      wabaPhoneNumberId: phoneNumberId,
      wabaBusinessAccountId: wabaId,
      wabaCoexistence: false,
      wabaQualityRating: "GREEN",
      wabaThroughputLevel: "STANDARD",
    });
    expect(body.registration).toEqual({
      ok: true,
      coexistence: false,
      reconnected: false,
      platformType: "NOT_APPLICABLE",
      reason: null,
    });
    expect(body.sync).toEqual({ contacts: nothing, history: nothing });
    const { registration: _, sync: __, updatedAt: ___, ...shown } = body;
    // these two come with the link's first check
    const checked = { wabaCanSend: "AVAILABLE", wabaMessagingLimit: "TIER_1K" };
    expect(await phone(body.id)).toMatchObject({ ...shown, ...checked });
    await w.settle();
    expect(receivedBy(hook, "channel:connected")).toMatchObject([{ phoneNumber: number }]);
    expect(hook.arrived).toHaveLength(1);
  });

  test("G-244 the exchange names app, secret and code, and carries no token", async () => {
    const { code, token } = newCode(w, owned);
    await signedUp(named({ code }));
    const [exchange, check, ...others] = w.graph.journal.slice(begun);
    expect(exchange?.query).toEqual({ client_id: APP_ID, client_secret: APP_SECRET, code });
    expect(exchange?.headers["authorization"]).toBeUndefined();
    // what the token was granted, the app asks for itself
    expect(check?.headers["authorization"]).toBe(`Bearer ${APP_ID}|${APP_SECRET}`);
    expect(new Set(others.map(({ headers }) => headers["authorization"]))).toEqual(new Set([`Bearer ${token}`]));
  });

  test("G-239 without a pin the number is registered under 000000, with one under that", async () => {
    await signedUp();
    expect(pinsTried()).toEqual(["000000"]);
    const other = ownNumber(w, DEDICATED);
    await signedUp({ phoneNumberId: other.phoneNumberId, pin: "314159" }, { key, of: other });
    expect(pinsTried()).toEqual(["000000", "314159"]);
  });

  test("G-255 what is sent later carries the token behind the code", async () => {
    const { code, token } = newCode(w, owned);
    const { id } = await signedUp(named({ code }));
    const { messageId } = (
      await w.gateway("/v1/messages", {
        key,
        body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
      })
    ).body;
    await w.settle();
    expect((await w.gateway(`/v1/messages/${messageId}`, { key })).body.status).toBe("SENT");
    const sends = w.graph.journal.slice(begun).filter(({ path }) => path.endsWith("/messages"));
    expect(sends.map(({ path, headers }) => [path.split("/").at(-2), headers["authorization"]])).toEqual([
      [owned.phoneNumberId, `Bearer ${token}`],
    ]);
  });

  test("G-255 G-216 it outlives a restart", async () => {
    const { id } = await signedUp();
    await w.restart();
    await w.gateway("/v1/messages", {
      key,
      body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
    });
    await w.settle();
    expect(
      [...w.graph.sent.values()].filter(({ phoneNumberId }) => phoneNumberId === owned.phoneNumberId),
    ).toHaveLength(1);
  });

  for (const [label, stored] of [
    [undefined, "Business"],
    ["WhatsApp Business", "Business"],
    ["Padaria 🥖", "Padaria 🥖"],
    ["whatsapp business", "whatsapp business"],
  ] as const) {
    test(`G-236 G-237 GAP-G28 label ${label} is stored as ${stored}`, async () => {
      expect((await signedUp(named({ label }))).label).toBe(stored);
    });
  }

  test("G-242 G-241 it has nothing to synchronise, whatever is asked", async () => {
    const hook = w.receiver();
    const body = await signedUp(
      named({ sync: { contacts: true, history: true }, webhook: { url: hook.url, secret: WEBHOOK_SECRET } }),
    );
    expect(body.sync).toEqual({
      contacts: { ok: false, flagPersisted: false, requestId: null },
      history: { ok: false, flagPersisted: false, requestId: null },
    });
    expect(askedSince(w, begun).filter((call) => call.endsWith("/smb_app_data"))).toEqual([]);
  });

  for (const [why, refusal, reason] of [
    ["has another PIN already", 133005, "PIN_REJECTED"],
    ["is not verified", 133006, "REGISTER_FAILED"],
    ["was registered too often", 133016, "REGISTER_FAILED"],
    ["does not answer", undefined, "REGISTER_FAILED"],
  ] as const) {
    test(`G-248 GAP-G26 one that ${why} is signed up all the same, and reported as ${reason}`, async () => {
      w.graph.failNext(1, refusal === undefined ? { kind: "reset" } : { kind: "error", code: refusal }, {
        operation: "number.register",
        phoneNumberId: owned.phoneNumberId,
      });
      const body = await signedUp();
      expect(body.registration).toEqual({
        ok: false,
        coexistence: false,
        reconnected: false,
        platformType: "NOT_APPLICABLE",
        reason,
      });
      expect([body.status, registrations().length]).toEqual(["CONNECTED", 1]);
    });
  }
});
