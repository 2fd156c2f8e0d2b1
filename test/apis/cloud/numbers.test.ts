import { describe, expect, test } from "bun:test";
import { CLOUD_PHONES, cloudClientOf, errorOf, useCloud } from "../../support/apis/cloud.ts";
import { useEach } from "../../support/use-world.ts";

const { w, customer } = useCloud();

describe.each(CLOUD_PHONES)("what a client reads of a phone of the kind %s", (kind) => {
  const c = useEach(() => customer(kind));

  test("rule 11: the number, with texts where clients want texts", async () => {
    const { ask, number } = c.client;
    const { status, body } = await ask(`/${number.numberId}`);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id: number.numberId,
        display_phone_number: expect.stringMatching(/^\d+$/),
        verified_name: expect.stringMatching(/./),
        quality_rating: expect.any(String),
        code_verification_status: "VERIFIED",
        platform_type: "CLOUD_API",
        throughput: { level: expect.any(String) },
        status: "CONNECTED",
      }),
    ]);
  });

  test("rule 11: the numbers of the account: this one, as typebot asks for them", async () => {
    const { ask, number } = c.client;
    const fields = "fields=id,display_phone_number&limit=100&appsecret_proof=x";
    const { body } = await ask(`/${number.accountId}/phone_numbers?${fields}`);
    expect(body.data).toEqual([{ id: number.numberId, display_phone_number: expect.stringMatching(/^\d+$/) }]);
    expect(body.paging.next).toBe(undefined);
  });

  test("the account, with the fields that chatwoot asks for", async () => {
    const { ask, number } = c.client;
    const { body } = await ask(`/${number.accountId}?fields=id,name,owner_business_info`);
    expect(Object.keys(body).toSorted()).toEqual(["id", "name", "owner_business_info"]);
  });

  test("rule 12: a token learns of itself, and of no other", async () => {
    const { ask, number, token } = c.client;
    const { data } = (await ask(`/debug_token?input_token=${token}`)).body;
    expect(data).toMatchObject({
      app_id: number.appId,
      application: expect.any(String),
      expires_at: 0,
      is_valid: true,
      scopes: ["whatsapp_business_management", "whatsapp_business_messaging"],
    });
    const other = await cloudClientOf(w, c);
    expect((await ask(`/debug_token?input_token=${other.token}`)).body).toEqual({
      data: { is_valid: false, scopes: [] },
    });
    expect(errorOf(await ask("/debug_token"))).toEqual([400, 131008, undefined]);
  });

  test("rule 12: two tokens of a phone name one app", async () => {
    const other = await cloudClientOf(w, c);
    const appOf = async ({ ask, token }: typeof other) =>
      (await ask(`/debug_token?input_token=${token}`)).body.data.app_id;
    expect(await appOf(other)).toBe(await appOf(c.client));
  });

  test.each(["register", "deregister", "request_code", "verify_code"])("rule 21: %s is refused", async (act) => {
    const { ask, number } = c.client;
    const refused = await ask(`/${number.numberId}/${act}`, { body: { messaging_product: "whatsapp", pin: "123456" } });
    expect(errorOf(refused)).toEqual([403, 10, undefined]);
    expect(refused.body.error.error_data.details).toContain("Recado");
  });

  test("rule 2: nothing is found under the ids of another", async () => {
    const { number } = (await customer(kind)).client;
    const paths = [
      `/${number.numberId}`,
      `/${number.accountId}`,
      `/${number.accountId}/phone_numbers`,
      `/${number.numberId}/phone_numbers`,
      `/${number.accountId}/message_templates`,
      `/${number.numberId}/whatsapp_business_profile`,
      `/${number.appId}`,
    ];
    for (const path of paths) expect([path, ...errorOf(await c.client.ask(path))]).toEqual([path, 400, 100, 33]);
    const refused = await c.client.ask(`/${number.numberId}/register`, { body: {} });
    expect(errorOf(refused)).toEqual([400, 100, 33]);
  });
});

describe("the profile of a number", () => {
  test("is read and written on an official one", async () => {
    const { ask, number } = (await customer("official")).client;
    const path = `/${number.numberId}/whatsapp_business_profile`;
    const changed = await ask(path, {
      body: { messaging_product: "whatsapp", about: "Padaria", websites: ["https://a.example"] },
    });
    expect([changed.status, changed.body]).toEqual([200, { success: true }]);
    const { data } = (await ask(`${path}?fields=about,websites`)).body;
    expect(data).toEqual([{ messaging_product: "whatsapp", about: "Padaria", websites: ["https://a.example"] }]);
  });
});
