import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../../src/kernel/clock.ts";
import {
  askedSince,
  CONFIG_ID,
  DEDICATED,
  newCode,
  type Owned,
  ownNumber,
  signedUp,
  signUp,
  startSignupWorld,
} from "../../../../support/customers/signup.ts";
import { SENT_CODE } from "../../../../support/graph/onboarding/ownership.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { fill } from "../../../../support/use-world.ts";
import type { World } from "../../../../support/world.ts";

const ROUTE = "/v1/phones/waba/embedded-signup";
const w = {} as World;
const random = {} as World;
let key: string;
let owned: Owned;
beforeAll(async () => {
  fill(w, await startSignupWorld());
  fill(random, await startSignupWorld({ env: { RECADO_META_SIGNUP_PIN: "random" } }));
});
afterAll(async () => {
  await w.stop();
  await random.stop();
});
beforeEach(async () => {
  ({ key } = await w.account());
  owned = ownNumber(w, DEDICATED);
});
const named = (more: object = {}) => ({ phoneNumberId: owned.phoneNumberId, ...more });

describe("the settings of Embedded Signup", () => {
  const extrasOf = async (env: Record<string, string>) => {
    const world = await startSignupWorld({ env });
    const { body } = await world.gateway(`${ROUTE}/config`, { key: (await world.account()).key });
    await world.stop();
    return { configId: body.configId, ...body.extras };
  };
  const V4 = { setup: {}, sessionInfoVersion: "3", version: "v4", configId: CONFIG_ID };

  test("M26-4 select v4; the feature is named for coexistence alone; the version is a setting", async () => {
    expect(await extrasOf({})).toEqual({ ...V4, featureType: "whatsapp_business_app_onboarding" });
    expect(await extrasOf({ RECADO_META_SIGNUP: "dedicated" })).toEqual({ ...V4, featureType: "" });
    expect(await extrasOf({ RECADO_META_SIGNUP_VERSION: "v5" })).toMatchObject({ version: "v5" });
  });
});

describe("what the network's window sends", () => {
  const read = async (event: string, data: object, more: object = {}) =>
    (
      await w.gateway(`${ROUTE}/events`, {
        key,
        body: { message: { type: "WA_EMBEDDED_SIGNUP", event, version: 3, data, ...more } },
      })
    ).body;
  const NOTHING = {
    wabaId: null,
    phoneNumberId: null,
    businessId: null,
    isCoexistent: false,
    step: null,
    error: null,
  };

  test("M26-4 every end of v4 and of older versions is read, with its ids", async () => {
    const ids = { phone_number_id: "106", waba_id: "102", business_id: "201", page_ids: ["1"] };
    const all = { wabaId: "102", phoneNumberId: "106", businessId: "201" };
    for (const event of ["FINISH", "FINISH_OBO_MIGRATION", "FINISH_GRANT_ONLY_API_ACCESS"])
      expect(await read(event, ids)).toEqual({ ...NOTHING, ...all, result: "FINISHED", event });
    expect(await read("FINISH_ONLY_WABA", { waba_id: "102" })).toMatchObject({
      result: "FINISHED",
      phoneNumberId: null,
    });
    expect(await read("FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING", { waba_id: "102" })).toMatchObject({
      result: "FINISHED",
      wabaId: "102",
      isCoexistent: true,
    });
  });

  test("M26-4 an owner who left is not an error that comes as CANCEL, whose words are shown", async () => {
    expect(await read("CANCEL", { current_step: "PHONE_NUMBER_VERIFICATION" })).toEqual({
      ...NOTHING,
      result: "CANCELLED",
      event: "CANCEL",
      step: "PHONE_NUMBER_VERIFICATION",
    });
    const data = { error_message: "Your account is restricted", error_code: "4", session_id: "s1", timestamp: "1" };
    const error = { code: "4", message: "Your account is restricted", sessionId: "s1" };
    expect(await read("CANCEL", data)).toMatchObject({ result: "FAILED", error });
    expect(await read("CANCEL", {}, data)).toMatchObject({ result: "FAILED", error });
    expect(await read("ERROR", {})).toMatchObject({ result: "FAILED", error: { message: "The sign-up failed." } });
  });

  test("M26-4 an unknown event is shown by its name; JSON as text is read; a stranger's message is none", async () => {
    expect(await read("SOMETHING_NEW", { waba_id: "102" })).toMatchObject({ result: "OTHER", event: "SOMETHING_NEW" });
    const say = async (message: unknown) => (await w.gateway(`${ROUTE}/events`, { key, body: { message } })).body;
    const text = JSON.stringify({ type: "WA_EMBEDDED_SIGNUP", event: "CANCEL", data: { current_step: "PERMISSIONS" } });
    expect(await say(text)).toMatchObject({ result: "CANCELLED", step: "PERMISSIONS" });
    for (const stranger of [{ type: "other", event: "FINISH" }, "cb=123", "7"])
      expect(await say(stranger)).toMatchObject({ result: "OTHER", wabaId: null });
  });
});

describe("whose sign-up it is", () => {
  test("M26-5 an account that the token was not granted is refused, and nothing is stored or written", async () => {
    const { code } = newCode(w, owned, { grantedIds: ["999"] });
    const [before, begun] = [await everyRow(w), w.graph.journal.length];
    expect(fieldsOf(await signUp(w, key, owned, named({ code })))).toEqual(["wabaId"]);
    expect(await everyRow(w)).toEqual(before);
    expect(askedSince(w, begun)).toEqual(["GET oauth/access_token", "GET debug_token"]);
  });

  test("M26-5 an attempt that another account began, an old one and a forged one are refused before anything is asked", async () => {
    const stateOf = async (by: string) => (await w.gateway(`${ROUTE}/config`, { key: by })).body.state as string;
    const [mine, theirs] = [await stateOf(key), await stateOf((await w.account()).key)];
    const begun = w.graph.journal.length;
    for (const state of [theirs, "forged", `${mine}x`])
      expect(fieldsOf(await signUp(w, key, owned, named({ state })))).toEqual(["state"]);
    await w.advance(DAY_MS + 1000);
    expect(fieldsOf(await signUp(w, key, owned, named({ state: mine })))).toEqual(["state"]);
    expect(askedSince(w, begun).filter((call) => call.includes("oauth"))).toEqual([]);
    expect((await signUp(w, key, owned, named({ state: await stateOf(key) }))).status).toBe(201);
  });
});

describe("a number that its owner has not verified", () => {
  const unverified = () => ownNumber(w, { ...DEDICATED, codeVerificationStatus: "NOT_VERIFIED" });
  const calls = (edge: string) =>
    w.graph.journal.filter(({ path }) => path.endsWith(`/${edge}`)).map(({ body }) => body);

  test("M26-5 is stored without a registration, and registered once the code is entered", async () => {
    owned = unverified();
    const begun = w.graph.journal.length;
    const phone = await signedUp(w, key, owned, named({ pin: "135790" }));
    expect(phone.registration).toMatchObject({ ok: false, reason: "VERIFICATION_REQUIRED" });
    expect(askedSince(w, begun).filter((call) => call.endsWith("/register"))).toEqual([]);

    const at = `/v1/phones/${phone.id}/verification`;
    const asked = await w.gateway(at, { key, body: { method: "SMS" } });
    expect([asked.status, asked.body]).toEqual([202, { status: "sent" }]);
    expect(calls("request_code").at(-1)).toEqual({ code_method: "SMS", language: "pt_BR" });
    const wrong = await w.gateway(`${at}/confirm`, { key, body: { code: "000001" } });
    expect(gatewaySays(wrong)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(askedSince(w, begun).filter((call) => call.endsWith("/register"))).toEqual([]);

    const confirmed = await w.gateway(`${at}/confirm`, { key, body: { code: SENT_CODE } });
    expect([confirmed.status, confirmed.body]).toEqual([200, { isRegistered: true, reason: null }]);
    expect(calls("register").at(-1)).toMatchObject({ pin: "135790" });
    expect((await w.gateway(at, { key, body: { method: "VOICE" } })).body).toEqual({ status: "already" });
  });

  test("M26-5 another account's number cannot be verified", async () => {
    const phone = await signedUp(w, key, owned, named());
    const begun = w.graph.journal.length;
    const stranger = (await w.account()).key;
    const at = `/v1/phones/${phone.id}/verification`;
    for (const [path, body] of [
      [at, { method: "SMS" }],
      [`${at}/confirm`, { code: SENT_CODE }],
    ] as const)
      expect(gatewaySays(await w.gateway(path, { key: stranger, body }))).toBe("404 PHONE_NOT_FOUND");
    expect(askedSince(w, begun)).toEqual([]);
  });
});

describe("a PIN of the number's own", () => {
  test("M26-5 is made where the operator wants it, shown once, kept sealed, and is another for each number", async () => {
    const pins: string[] = [];
    for (let n = 0; n < 2; n++) {
      const by = (await random.account()).key;
      const mine = ownNumber(random, DEDICATED);
      const phone = await signedUp(random, by, mine, { phoneNumberId: mine.phoneNumberId });
      const { pin } = phone.registration;
      expect(pin).toMatch(/^\d{6}$/);
      expect(random.graph.journal.findLast(({ path }) => path.endsWith("/register"))?.body).toMatchObject({ pin });
      expect(JSON.stringify((await random.gateway(`/v1/phones/${phone.id}`, { key: by })).body)).not.toContain(pin);
      expect((await everyRow(random)).filter((row: string) => row.includes(`"${pin}"`))).toEqual([]);
      pins.push(pin);
    }
    expect(new Set(pins).size).toBe(2);
  });

  test("M26-5 a PIN that the client gives is used, and not repeated", async () => {
    const by = (await random.account()).key;
    const mine = ownNumber(random, DEDICATED);
    const phone = await signedUp(random, by, mine, { phoneNumberId: mine.phoneNumberId, pin: "246802" });
    expect(phone.registration).toMatchObject({ ok: true });
    expect(phone.registration.pin).toBeUndefined();
  });
});

describe("the username of a number", () => {
  test("M26-11 is claimed, transferred, suggested and released; the webhook shows what became of it", async () => {
    const sibling = ownNumber(w, { ...DEDICATED, businessAccountId: owned.wabaId });
    const [mine, other] = [
      await signedUp(w, key, owned, named()),
      await signedUp(w, key, sibling, { phoneNumberId: sibling.phoneNumberId }),
    ];
    const at = (id: string) => `/v1/phones/${id}/username`;
    const name = `padaria${owned.number}`;
    expect((await w.gateway(at(mine.id), { key })).body).toEqual({ username: null, isReserved: false });
    expect((await w.gateway(at(mine.id), { key, body: { username: name } })).body).toEqual({
      username: name,
      isReserved: true,
    });
    const taken = await w.gateway(at(other.id), { key, body: { username: name } });
    expect([gatewaySays(taken), taken.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      147005,
    ]);
    expect((await w.gateway(at(other.id), { key, body: { username: name, transfer: true } })).status).toBe(200);
    expect((await w.gateway(at(mine.id), { key })).body.username).toBeNull();
    expect((await w.gateway(`${at(other.id)}/suggestions`, { key })).body.suggestions).toContain("testbusiness");
    expect((await w.gateway(at(other.id), { key, method: "DELETE" })).status).toBe(204);
    expect((await w.gateway(at(other.id), { key })).body.username).toBeNull();
    for (const username of ["ab", "Upper", "a..b", ".ab"])
      expect(fieldsOf(await w.gateway(at(mine.id), { key, body: { username } }))).toEqual(["username"]);
  });
});
