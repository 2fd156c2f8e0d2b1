import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, tracesOf } from "../../../support/customers/customer.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { startWorld, type World } from "../../../support/world.ts";

const GROUP = "120363041234567890@g.us";
const ANA = "5511999990001";

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
});
afterAll(() => w.stop());

const send = (to: string, mentions: unknown, type = "text", content: object = { text: `Oi @${ANA}` }) =>
  c.send({ to, type, content: { ...content, mentions } });

test("GAP-C12 the people whom a text mentions reach the network with it, and lists show them", async () => {
  const mentions = [ANA, `+${ANA}`, "98765432@lid", "lid:98765432", "120363049999999999@g.us", "all"];
  const { status, body } = await send(GROUP, mentions);
  expect(status).toBe(202);
  await w.settle();
  expect(network.sent.map(({ order }) => order.content)).toEqual([{ text: `Oi @${ANA}`, mentions }] as never);
  const { body: listed } = await w.gateway(`/v1/messages?phoneId=${c.phone.id}`, { key: c.key });
  expect(listed.items).toMatchObject([{ id: body.messageId, content: { mentions } }]);
});

describe("a mention is refused, and nothing is sent,", () => {
  test.each([
    ["of what is no address", GROUP, [ANA, "maria"], "mentions.1"],
    ["of a channel", GROUP, ["120363041234567890@newsletter"], "mentions.0"],
    ["of a channel by its canonical key", GROUP, ["newsletter:120363041234567890"], "mentions.0"],
    ["of the statuses", GROUP, [ANA, "status@broadcast"], "mentions.1"],
    ["of six groups", GROUP, Array.from({ length: 6 }, (_, at) => `12036304999999990${at}@g.us`), "mentions.5"],
    ["of all in a chat of two", ANA, ["all"], "mentions.0"],
    ["of too many", GROUP, Array.from({ length: 257 }, () => ANA), "mentions"],
    ["that is no list", GROUP, ANA, "mentions"],
  ])("%s", async (_, to, mentions, path) => {
    const before = await tracesOf(w, c);
    const { status, body } = await send(to, mentions);
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(body)).toContain(path);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("on a type of phone without mentions, which says so in its capabilities", async () => {
    const official = await newCustomer(w);
    const before = await tracesOf(w, official);
    const { status, body } = await official.send({ content: { text: "Oi", mentions: [ANA] } });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(body)).toContain("mentions");
    expect(await tracesOf(w, official)).toEqual(before);
  });
});

test("a phone shows its own LID, and its own number and LID are found by either", async () => {
  const resolve = (key: string) => w.gateway(`/v1/phones/${c.phone.id}/identities/resolve?key=${key}`, { key: c.key });
  expect((await resolve("5511977770000")).status).toBe(404);
  network.report(c.phone.id, {
    state: "CONNECTED",
    phoneNumber: "5511977770000",
    profile: { lid: "777700001111@lid" },
  });
  await w.settle();
  const { body } = await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key });
  expect(body).toMatchObject({ phoneNumber: "5511977770000", lid: "777700001111@lid" });
  const own = { canonicalKey: "pn:5511977770000", pn: "5511977770000@s.whatsapp.net", lid: "777700001111@lid" };
  for (const key of ["5511977770000", "pn:5511977770000", "777700001111@lid", "lid:777700001111"])
    expect((await resolve(key)).body).toMatchObject(own);
});
