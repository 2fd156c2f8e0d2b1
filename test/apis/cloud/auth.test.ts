import { describe, expect, test } from "bun:test";
import { type CloudCustomer, cloudClientOf, errorOf, useCloud } from "../../support/apis/cloud.ts";
import { newCustomer } from "../../support/customers/customer.ts";
import { useEach } from "../../support/use-world.ts";

const { w, customer } = useCloud();
const c = useEach((): Promise<CloudCustomer> => customer("official"));

describe("the token", () => {
  test("rule 2: a bearer or the query names the phone", async () => {
    const { ask, number, token } = c.client;
    expect((await ask(`/${number.numberId}`)).body.id).toBe(number.numberId);
    expect((await ask(`/${number.numberId}?access_token=${token}`, { token: null })).status).toBe(200);
  });

  test("rule 2: none, or a wrong one, is refused with 190", async () => {
    const { ask, number } = c.client;
    expect(errorOf(await ask(`/${number.numberId}`, { token: null }))).toEqual([401, 190, undefined]);
    expect(errorOf(await ask(`/${number.numberId}`, { token: "ck_live_wrong" }))).toEqual([401, 190, undefined]);
    expect(errorOf(await ask(`/${number.numberId}`, { token: c.key }))).toEqual([401, 190, undefined]);
  });

  test("rule 2: another phone's id does not exist", async () => {
    const other = await cloudClientOf(w, await newCustomer(w));
    for (const id of [other.number.numberId, other.number.accountId, "1", "x"])
      expect(errorOf(await c.client.ask(`/${id}`))).toEqual([400, 100, 33]);
  });
});

describe("the path", () => {
  test("rule 1: any version gives the same answer", async () => {
    const [old, young] = await Promise.all(["v13.0", "v26.0"].map((version) => cloudClientOf(w, c, version)));
    const path = `/${c.client.number.numberId}`;
    expect((await old?.ask(path))?.body).toEqual((await young?.ask(path))?.body);
  });

  test("rule 1: what is no path of the API is refused in its envelope", async () => {
    const { ask, number, token } = c.client;
    expect(errorOf(await ask(`/${number.numberId}/nothing`))).toEqual([400, 2500, undefined]);
    const { status, body } = await fetch(`${w.app.cloudUrl}/${number.numberId}/x`, {
      headers: { authorization: `Bearer ${token}` },
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as any }));
    expect(errorOf({ status, body })).toEqual([400, 2500, undefined]);
    expect(body.error).toMatchObject({
      type: "OAuthException",
      fbtrace_id: expect.stringMatching(/./),
      error_data: { messaging_product: "whatsapp", details: expect.stringMatching(/./) },
    });
  });
});
