import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, entriesOf, errorOf, graphBench, listOf, NUMBER_ID, valuesOf } from "../fixture.ts";
import type { Fields } from "../shape.ts";

const bench = graphBench();
const PATH = `/v25.0/${NUMBER_ID}/whatsapp_business_profile`;
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const write = (fields: Fields) => bench().call("POST", PATH, { messaging_product: "whatsapp", ...fields });
const read = async (fields?: string) =>
  listOf((await bench().call("GET", fields === undefined ? PATH : `${PATH}?fields=${fields}`)).body["data"])[0];

describe("a business profile", () => {
  const FULL = {
    about: "Plants",
    address: "Rua A, 1",
    description: "We sell them.",
    email: "ola@plantas.test",
    websites: ["https://plantas.test", "http://plantas.test/b"],
    vertical: "RETAIL",
  };

  test("is empty at first, is written in part, keeps the rest, and shows the fields asked for", async () => {
    expect(await read()).toEqual({ messaging_product: "whatsapp" });
    expect((await write(FULL)).body).toEqual({ success: true });
    expect((await write({ about: "Plants & more" })).status).toBe(200);
    expect(await read()).toEqual({ messaging_product: "whatsapp", ...FULL, about: "Plants & more" });
    expect(await read("email,vertical")).toEqual({
      messaging_product: "whatsapp",
      email: FULL.email,
      vertical: "RETAIL",
    });
  });

  test("loses what is written as empty, and gets a picture by a handle", async () => {
    await write(FULL);
    await write({ email: "", websites: [], vertical: "" });
    const { email: _e, websites: _w, vertical: _v, ...kept } = FULL;
    expect(await read()).toEqual({ messaging_product: "whatsapp", ...kept });
    expect((await write({ profile_picture_handle: "4::aW1hZ2U=" })).status).toBe(200);
    expect(await read("profile_picture_url")).toMatchObject({
      profile_picture_url: expect.stringMatching(/^https:\/\//),
    });
  });

  const REFUSED: [why: string, fields: Fields, code: number][] = [
    ["about that is empty", { about: "" }, 131008],
    ["about over 139", { about: "á".repeat(140) }, 100],
    ["an address over 256", { address: "a".repeat(257) }, 100],
    ["a description over 512", { description: "a".repeat(513) }, 100],
    ["an e-mail over 128", { email: `${"a".repeat(128)}@b.test` }, 100],
    ["an e-mail that is none", { email: "nobody" }, 100],
    ["three websites", { websites: ["https://a.test", "https://b.test", "https://c.test"] }, 131009],
    ["a website without http", { websites: ["plantas.test"] }, 100],
    ["a website over 256", { websites: [`https://a.test/${"a".repeat(256)}`] }, 100],
    ["an unknown vertical", { vertical: "PLANTS" }, 131009],
    ["a picture that was not uploaded", { profile_picture_handle: "https://a.test/a.png" }, 100],
  ];
  test.each(REFUSED)("is refused with %s, as a whole", async (_why, fields, code) => {
    expect(codeOf(await write({ description: "new", ...fields }))).toBe(code);
    expect(await read()).toEqual({ messaging_product: "whatsapp" });
  });

  test("is held to its limits exactly, and asks for the product and for known fields", async () => {
    expect(
      (await write({ about: "á".repeat(139), address: "a".repeat(256), description: "a".repeat(512) })).status,
    ).toBe(200);
    expect(codeOf(await bench().call("POST", PATH, { about: "x" }))).toBe(100);
    expect(codeOf(await bench().call("GET", `${PATH}?fields=about,nonsense`))).toBe(100);
  });

  test("can have the nested shape", async () => {
    await write({ about: "Plants" });
    bench().graph.configure({ profileShape: "nested" });
    expect(await read("about")).toEqual({
      business_profile: { messaging_product: "whatsapp", about: "Plants" },
      id: NUMBER_ID,
    });
  });
});

describe("a new display name", () => {
  const FIELDS = `/${NUMBER_ID}?fields=verified_name,new_display_name,new_name_status`;
  const ask = (name: string) =>
    bench().call("POST", `/v25.0/${NUMBER_ID}?new_display_name=${encodeURIComponent(name)}`);
  const shown = async () => (await bench().call("GET", FIELDS)).body;

  test("waits for review and becomes the name when it is approved; a webhook reports it", async () => {
    const { graph, receive, clock } = bench();
    const hooks = receive();
    expect(await shown()).toEqual({ id: NUMBER_ID, verified_name: "Test Business" });
    expect((await ask("Lucky Shrub")).body).toEqual({ success: true });
    expect(await shown()).toEqual({
      id: NUMBER_ID,
      verified_name: "Test Business",
      new_display_name: "Lucky Shrub",
      new_name_status: "PENDING_REVIEW",
    });
    await graph.decideName({ phoneNumberId: NUMBER_ID, decision: "APPROVED" });
    expect(await shown()).toMatchObject({ verified_name: "Lucky Shrub", new_name_status: "APPROVED" });
    expect(entriesOf(hooks[0])).toMatchObject([
      { id: ACCOUNT_ID, time: Math.floor(clock.now() / 1000), changes: [{ field: "phone_number_name_update" }] },
    ]);
    expect(valuesOf(hooks[0])).toEqual([
      {
        display_phone_number: "551140000000",
        decision: "APPROVED",
        requested_verified_name: "Lucky Shrub",
        rejection_reason: null,
      },
    ]);
  });

  test("may be deferred and rejected with a reason, and can be asked for again", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await ask("Best Shop");
    await graph.decideName({ phoneNumberId: NUMBER_ID, decision: "DEFERRED" });
    expect(await shown()).toMatchObject({ new_name_status: "PENDING_REVIEW" });
    await graph.decideName({ phoneNumberId: NUMBER_ID, decision: "REJECTED", reason: "NAME_NOT_CONSISTENT" });
    expect(await shown()).toMatchObject({ verified_name: "Test Business", new_name_status: "DECLINED" });
    expect(valuesOf(hooks[1])).toMatchObject([{ decision: "REJECTED", rejection_reason: "NAME_NOT_CONSISTENT" }]);
    await ask("Better Shop");
    expect(await shown()).toMatchObject({ new_display_name: "Better Shop", new_name_status: "PENDING_REVIEW" });
  });

  test("cannot be empty, and none is decided that nobody asked for; over HTTP as well", async () => {
    const { graph } = bench();
    expect(codeOf(await ask(""))).toBe(100);
    expect(codeOf(await bench().call("POST", `/${NUMBER_ID}`))).toBe(100);
    expect(await shown()).not.toHaveProperty("new_display_name");
    const order = { method: "POST", body: JSON.stringify({ phoneNumberId: NUMBER_ID, decision: "APPROVED" }) };
    expect((await fetch(`${graph.url}/_sim/names/decide`, order)).status).toBe(400);
    await ask("Lucky Shrub");
    expect((await fetch(`${graph.url}/_sim/names/decide`, order)).status).toBe(200);
  });
});
