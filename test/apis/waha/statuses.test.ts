import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { WAHA_ENV, wahaClientOf } from "../../support/apis/waha.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const post = (path: string, body: object) => client.ask(`/api/{session}/status/${path}`, { body });
  return { hook, owner, client, post, ana: s.contact(), bia: s.contact() };
};
const statusesOf = ({ received }: Contact) => received.filter(({ chat }) => chat === "status@broadcast");

test("a text reaches the contacts that are named, in its colours, and is deleted for them", async () => {
  const { post, hook, ana, bia } = await setup();
  const answer = await post("text", {
    text: "Hoje tem pão",
    contacts: [`${ana.pn}@c.us`],
    backgroundColor: "#38b42f",
    font: 1,
  });
  expect([answer.status, answer.body]).toMatchObject([201, { fromMe: true, body: "Hoje tem pão", ackName: "PENDING" }]);
  expect(answer.body.id).toStartWith("true_status@broadcast_");
  await untilEvents(s.w, hook, "message:status");
  const { message } = await ana.until(({ chat }) => chat === "status@broadcast");
  expect(message.extendedTextMessage).toMatchObject({ text: "Hoje tem pão", backgroundArgb: 0xff38_b42f, font: 1 });
  expect(statusesOf(bia)).toEqual([]);
  const deleted = await post("delete", { id: answer.body.id, contacts: null });
  expect([deleted.status, deleted.text]).toEqual([201, ""]);
  await ana.until(({ message }) => message.protocolMessage?.type === 0);
});

test("without contacts it is for everybody whom the session knows, and refused if that is nobody", async () => {
  const { post, hook, owner, ana } = await setup();
  expect((await post("text", { text: "olá" })).status).toBe(400);
  await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  expect((await post("text", { text: "olá", contacts: null })).status).toBe(201);
  await ana.until(({ chat }) => chat === "status@broadcast");
});

test("a refusal names the contacts and the file as the client gave them", async () => {
  const { post, ana } = await setup();
  const file = { url: "http://10.0.0.1/a.png" };
  for (const [path, body, field] of [
    ["text", { text: "olá", contacts: ["@@"] }, "contacts.0"],
    ["image", { contacts: [`${ana.pn}@c.us`], file }, "file.url"],
    ["voice", { contacts: [`${ana.pn}@c.us`], file }, "file.url"],
  ] as const) {
    const { status, body: said } = await post(path, body);
    expect([status, [said.message].flat()[0].split(" ")[0]]).toEqual([400, field]);
  }
  expect(ana.received).toEqual([]);
});

test("what cannot be posted is refused, and nobody gets anything", async () => {
  const { post, client, ana } = await setup();
  const contacts = [`${ana.pn}@c.us`];
  for (const [path, body] of [
    ["text", { text: "", contacts }],
    ["text", { text: "x", contacts, backgroundColor: "green" }],
    ["text", { text: "x", contacts, id: "AAAA" }],
    ["image", { contacts, file: {} }],
    ["image", { contacts, file: { url: "http://10.0.0.1/a.png" } }],
    ["delete", { id: "true_status@broadcast_nothing" }],
  ] as const)
    expect((await post(path, body)).status).toBeGreaterThan(399);
  expect((await client.ask("/api/{session}/status/new-message-id")).status).toBe(501);
  await s.w.settle();
  expect(ana.received).toEqual([]);
});
