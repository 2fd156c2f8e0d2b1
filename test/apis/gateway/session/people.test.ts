import { afterAll, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { showTyping } from "../../../support/whatsapp/answers/people-iqs.ts";
import type { Stanza } from "../../../support/whatsapp/wire/stanza.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const call = (path: string, options: { method?: string; body?: unknown } = {}) =>
    s.w.gateway(`/v1/phones/${customer.phone.id}/${path}`, { key: customer.key, ...options });
  const status = async () => (await s.w.gateway(`/v1/phones/${customer.phone.id}`, customer)).body.status;
  return { call, status, hook, owner, ana: s.contact() };
};
const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
    .png()
    .toBuffer();

test("presence: online, writing and recording are shown; a chat's state needs the chat", async () => {
  const { call, owner, ana } = await setup();
  const show = (body: object) => call("presence", { method: "POST", body });
  expect(gatewaySays(await show({ state: "available" }))).toBe("400 UPSTREAM_BAD_REQUEST"); // no name is known yet
  await owner.say("sou eu", { to: ana });
  await untilTrue(async () => (await call("profile")).body.name !== null);
  for (const body of [
    { state: "available" },
    { state: "composing", to: ana.pn },
    { state: "recording", to: ana.pn },
    { state: "paused", to: ana.pn },
  ])
    expect((await show(body)).status).toBe(204);
  await s.net.until(() => owner.account.chatStates?.length === 3);
  expect(owner.account.presence).toBe("available");
  expect(owner.account.chatStates).toEqual([
    { to: ana.jid, state: "composing", media: undefined },
    { to: ana.jid, state: "composing", media: "audio" },
    { to: ana.jid, state: "paused", media: undefined },
  ]);
  expect(gatewaySays(await show({ state: "composing" }))).toBe("400 VALIDATION_ERROR");
  expect(gatewaySays(await show({ state: "asleep" }))).toBe("400 VALIDATION_ERROR");
  expect(gatewaySays(await show({ state: "composing", to: "5511900000000" }))).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(owner.account.chatStates).toHaveLength(3);
});

test("a restricted phone still blocks, and shows what it does", async () => {
  const { call, owner, ana } = await setup();
  owner.restrict({ until: 4_000_000_000 });
  await untilTrue(async () => (await call("")).body.status === "RESTRICTED");
  expect((await call("profile")).status).toBe(200);
  expect((await call("presence", { method: "POST", body: { state: "composing", to: ana.pn } })).status).toBe(204);
});

test("what others show is published for those who were asked about, and for nobody else", async () => {
  const { call, hook, owner, ana } = await setup();
  const [device, bia] = [owner.devices[0], s.contact()];
  if (!device) throw new Error("no device");
  showTyping(device, ana.account, "composing");
  expect((await call("presence/subscriptions", { method: "POST", body: { to: ana.pn } })).status).toBe(204);
  showTyping(device, bia.account, "composing");
  showTyping(device, ana.account, "composing", "audio");
  showTyping(device, ana.account, "paused");
  const events = await untilEvents(s.w, hook, "contact:presence", 2);
  expect(events.map(({ state, contact }) => [state, contact.canonicalKey])).toEqual([
    ["recording", `pn:${ana.pn}`],
    ["paused", `pn:${ana.pn}`],
  ]);
});

test("blocks: by LID with the number, which the network is asked for first; the list; unblock", async () => {
  const { call, owner, ana } = await setup();
  const seen: Stanza[] = [];
  const heal = s.net.faults.answerIq((iq) => {
    if (iq.attrs["xmlns"] === "blocklist" && iq.attrs["type"] === "set") seen.push(iq);
    return undefined;
  });
  expect((await call("blocks", { method: "POST", body: { to: ana.pn } })).status).toBe(204);
  expect(seen.flatMap(({ content }) => content as Stanza[]).map(({ attrs }) => attrs)).toEqual([
    { action: "block", jid: ana.lidJid, pn_jid: ana.jid },
  ]);
  expect([...(owner.account.blocked ?? [])]).toEqual([ana.account]);
  expect((await call("blocks")).body).toEqual({ items: [{ canonicalKey: `pn:${ana.pn}` }] });
  expect((await call("blocks", { method: "DELETE", body: { to: ana.pn } })).status).toBe(204);
  expect((await call("blocks")).body).toEqual({ items: [] });
  heal();
});

test("blocks: somebody of whom only a LID is known cannot be blocked, and nothing is sent", async () => {
  const { call } = await setup();
  const before = s.net.stat.iqs["blocklist"] ?? 0;
  const refused = await call("blocks", { method: "POST", body: { to: "lid:987650001" } });
  expect(gatewaySays(refused)).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(s.net.stat.iqs["blocklist"] ?? 0).toBe(before);
});

test("profile: about and picture are set, read and removed", async () => {
  const { call, owner } = await setup();
  expect((await call("profile")).body).toEqual({ name: null, about: null, pictureUrl: null });
  const base64 = (await picture()).toString("base64");
  const set = await call("profile", { method: "PUT", body: { about: "Aberto", picture: { base64 } } });
  expect([set.status, set.body]).toEqual([
    200,
    { name: null, about: "Aberto", pictureUrl: expect.stringContaining("https://") },
  ]);
  expect(owner.account.picture?.bytes.slice(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  for (const wrong of [{}, { base64, mediaUrl: "https://example.com/a.png" }, { mediaUrl: "ftp://x" }])
    expect(gatewaySays(await call("profile", { method: "PUT", body: { picture: wrong } }))).toBe(
      "400 VALIDATION_ERROR",
    );
  expect((await call("profile", { method: "PUT", body: { picture: null } })).body.pictureUrl).toBeNull();
  expect(owner.account.picture).toBeUndefined();
});

test("profile: the name is changed in the phone's app and on the presence; too long a one changes nothing", async () => {
  const { call, owner } = await setup();
  await owner.appState.share();
  await untilTrue(() => owner.devices[0]?.isActive === true);
  const put = (name: string) => call("profile", { method: "PUT", body: { name } });
  expect(gatewaySays(await put("x".repeat(26)))).toBe("400 VALIDATION_ERROR");
  expect(gatewaySays(await put(""))).toBe("400 VALIDATION_ERROR");
  expect(owner.appState.value(["setting_pushName"])).toBeUndefined();
  let answer = await put("Padaria Estrela");
  await untilTrue(async () => {
    if (answer.status === 200) return true;
    answer = await put("Padaria Estrela"); // the keys of the phone's chats are on their way
    return false;
  });
  expect(answer.body.name).toBe("Padaria Estrela");
  await s.net.until(() => owner.account.name === "Padaria Estrela");
  expect(owner.appState.value(["setting_pushName"])?.pushNameSetting?.name).toBe("Padaria Estrela");
  expect(owner.appState.broken).toEqual([]);
  await owner.appState.set({
    name: "critical_block",
    index: ["setting_pushName"],
    version: 1,
    action: { pushNameSetting: { name: "Estrela" } },
  });
  await untilTrue(async () => (await call("profile")).body.name === "Estrela");
});

test("profile: a name is not changed while the phone has not shared the keys of its chats", async () => {
  const { call, owner } = await setup();
  const answer = await call("profile", { method: "PUT", body: { name: "Padaria Estrela" } });
  expect(answer.status).toBe(502);
  expect((await call("profile")).body.name).toBeNull();
  expect(owner.account.name).not.toBe("Padaria Estrela");
});

test("a contact's picture: shown, none, hidden; the answer holds for a day", async () => {
  const { call, ana } = await setup();
  const [bia, caio] = [s.contact(), s.contact()];
  ana.account.picture = { id: "1", bytes: await picture() };
  caio.account.hidesPicture = true;
  const pictureOf = async (pn = "") => (await call(`contacts/${pn}/profile-picture`)).body;
  const first = await pictureOf(ana.pn);
  expect(first).toEqual({ url: expect.stringContaining("https://") });
  expect(await pictureOf(bia.pn)).toEqual({ url: null, reason: "none" });
  expect(await pictureOf(caio.pn)).toEqual({ url: null, reason: "hidden" });
  const asked = s.net.stat.iqs["w:profile:picture"];
  expect(await pictureOf(ana.pn)).toEqual(first);
  expect(s.net.stat.iqs["w:profile:picture"]).toBe(asked);
  s.w.clock.advance(DAY_MS);
  expect(await pictureOf(ana.pn)).not.toEqual(first);
});

test("official numbers have none of it, and an unlinked session answers that it is not connected", async () => {
  const official = await newCustomer(s.w);
  const asked = await s.w.gateway(`/v1/phones/${official.phone.id}/blocks`, { key: official.key });
  expect(gatewaySays(asked)).toBe("400 UPSTREAM_BAD_REQUEST");
  const { id } = (await s.w.gateway("/v1/phones", { key: official.key, body: { type: "SESSION", label: "A phone" } }))
    .body;
  expect(gatewaySays(await s.w.gateway(`/v1/phones/${id}/profile`, { key: official.key }))).toBe(
    "409 PHONE_NOT_CONNECTED",
  );
});

test("W26-4 a restricted phone still shows and asks: it is connected", async () => {
  const { call, status, owner } = await setup();
  owner.restrict({ until: 4_000_000_000, type: "RESTRICT_ALL_COMPANIONS" });
  await untilTrue(async () => (await status()) === "RESTRICTED");
  expect(gatewaySays(await call("blocks"))).toBe("200");
});

test("profile: a picture that is none is refused by its own field", async () => {
  const { call } = await setup();
  const { status, body } = await call("profile", { method: "PUT", body: { picture: {} } });
  expect([status, body.error.details.fieldErrors]).toEqual([
    400,
    { picture: ["mediaUrl exactly one of mediaUrl and base64 is required"] },
  ]);
});
