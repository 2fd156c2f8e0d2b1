import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { WAHA_ENV, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import { untilTrue } from "../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const ask = (path: string, body?: object, method = body === undefined ? "GET" : "POST") =>
    client.ask(`/api/{session}${path}`, { method, ...(body === undefined ? {} : { body }) });
  return { customer, hook, owner, ask, ana: s.contact() };
};

test("presences are shown in WAHA's words, in a chat or to everybody, but never both", async () => {
  const { ask, owner, ana } = await setup();
  const chatId = `${ana.pn}@c.us`;
  await owner.say("sou eu", { to: ana });
  await untilTrue(async () => (await ask("/profile")).body.name !== null);
  expect((await ask("/presence", { presence: "online" })).status).toBe(201);
  for (const presence of ["typing", "recording", "paused"])
    expect((await ask("/presence", { presence, chatId })).status).toBe(201);
  await s.net.until(() => owner.account.chatStates?.length === 3);
  expect(owner.account.presence).toBe("available");
  expect(wahaSays(await ask("/presence", { presence: "typing" }))).toBe('400 chatId is required for "typing"');
  expect((await ask("/presence", { presence: "offline", chatId })).status).toBe(400);
  expect((await ask("/presence", { presence: "asleep" })).status).toBe(400);
  expect([owner.account.presence, owner.account.chatStates?.length]).toEqual(["available", 3]);
});

test("a presence is subscribed to, and comes as an event", async () => {
  const { ask, ana } = await setup();
  const chatId = `${ana.pn}@c.us`;
  expect((await ask(`/presence/${chatId}/subscribe`, {})).status).toBe(201);
  expect((await ask(`/presence/${chatId}`)).body).toEqual({ id: chatId, presences: [] });
  expect((await ask("/presence")).status).toBe(501);
});

test("the profile is read; its text and picture change", async () => {
  const { ask, owner } = await setup();
  expect((await ask("/profile/status", { status: "Pães e bolos" }, "PUT")).body).toEqual({ success: true });
  expect((await ask("/profile")).body).toMatchObject({ id: `${owner.pn}@c.us`, about: "Pães e bolos", picture: null });
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const file = { mimetype: "image/png", filename: "a.png", data: bytes.toString("base64") };
  expect((await ask("/profile/picture", { file }, "PUT")).body).toEqual({ success: true });
  expect((await ask("/profile")).body.picture).toBeString();
  expect((await ask("/profile/picture", undefined, "DELETE")).body).toEqual({ success: true });
  expect((await ask("/profile/picture", { file: { url: "http://10.0.0.1/a.png" } }, "PUT")).status).toBe(400);
  expect((await ask("/profile")).body).toMatchObject({ about: "Pães e bolos", picture: null });
});

test("the profile's name changes in the phone's app too, once the phone has shared its keys", async () => {
  const { ask, owner } = await setup();
  expect((await ask("/profile/name", { name: "Outro" }, "PUT")).status).toBe(502);
  await owner.appState.share();
  await untilTrue(async () => (await ask("/profile/name", { name: "Padaria Sol" }, "PUT")).status === 200);
  await s.net.until(() => owner.account.name === "Padaria Sol");
  expect((await ask("/profile")).body.name).toBe("Padaria Sol");
  expect((await ask("/profile/name", { name: "" }, "PUT")).status).toBe(400);
  expect((await ask("/profile/name", { name: "Padaria Sol" }, "PUT")).body).toEqual({ success: true });
});

test("a call that rings is rejected, by the session that it rings on alone", async () => {
  const { ask, hook, owner, ana } = await setup();
  const { call } = ana.call(owner);
  const [{ callId }] = await untilEvents(s.w, hook, "call:ringing");
  const from = `${ana.pn}@c.us`;
  const stranger = await setup();
  expect((await stranger.ask("/calls/reject", { from, id: callId })).status).toBe(404);
  expect(call.end).toBeNull();
  expect((await ask("/calls/reject", { from, id: callId })).status).toBe(201);
  expect(call.end).toBe("rejected");
  expect(wahaSays(await ask("/calls/reject", { from, id: callId }))).toStartWith("409");
});

test("calls of one id on two phones of an account are rejected each on its own phone", async () => {
  const one = await setup();
  const { accountId: id, key } = one.customer;
  const other = await pairedPhone(s, { account: { id, key } });
  const client = wahaClientOf(s.w, other.customer);
  const bia = s.contact();
  const calls = [one.ana.call(one.owner, { id: "SAME" }), bia.call(other.owner, { id: "SAME" })].map(
    ({ call }) => call,
  );
  await untilEvents(s.w, one.hook, "call:ringing");
  await untilEvents(s.w, other.hook, "call:ringing");
  const bodyOf = ({ pn }: typeof bia) => ({ from: `${pn}@c.us`, id: "SAME" });
  expect((await one.ask("/calls/reject", bodyOf(one.ana))).status).toBe(201);
  expect(calls.map(({ end }) => end)).toEqual(["rejected", null]);
  expect((await client.ask("/api/{session}/calls/reject", { body: bodyOf(bia) })).status).toBe(201);
  expect(calls.map(({ end }) => end)).toEqual(["rejected", "rejected"]);
});
