import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy } from "../../../support/customers/customer.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Contact, Phone } from "../../../support/whatsapp/index.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterEach(() => {
  expect(s.net.stat.unhandled).toEqual([]);
});
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const path = `/v1/phones/${customer.phone.id}`;
  const set = (body: object) => s.w.gateway(`${path}/settings`, { key: customer.key, method: "PATCH", body });
  const ana = s.contact();
  /** The network has given the account's name. */
  const named = async () => {
    await owner.say("sou eu", { to: ana });
    await untilTrue(async () => (await s.w.gateway(`${path}/profile`, customer)).body.name !== null);
  };
  return { customer, set, named, hook, owner, ana };
};

const logins = (owner: Phone) => owner.devices[0]?.logins ?? 0;
const isRead = (ana: Contact, id: string) =>
  ana.receivedReceipts.some((receipt) => receipt.id === id && receipt.type === "read");

test("alwaysOnline holds at once and after each reconnect; off shows the account as away", async () => {
  const { set, named, owner } = await setup();
  await named();
  expect(owner.account.presence).toBeUndefined();
  expect((await set({ alwaysOnline: "on" })).body).toMatchObject({ alwaysOnline: "on" });
  await s.net.until(() => owner.account.presence === "available");
  const before = logins(owner);
  delete owner.account.presence; // the network forgets it with the connection
  owner.cut();
  // on a busy machine the clock may end a first try to connect, which the network has counted
  await untilTrue(async () => {
    s.w.clock.advance(SECOND_MS);
    return logins(owner) > before && owner.account.presence === "available";
  });
  const after = logins(owner);
  await set({ alwaysOnline: null });
  await s.net.until(() => owner.account.presence === "unavailable");
  expect(logins(owner)).toBe(after);
});

test("alwaysOnline waits for the account's name, without which the network takes no presence", async () => {
  const { set, named, owner } = await setup();
  await set({ alwaysOnline: "on" });
  await s.w.settle();
  expect(owner.account.presence).toBeUndefined();
  await named();
  await s.net.until(() => owner.account.presence === "available");
});

test("readAutomatically marks what comes from now on as read, after some seconds, and nothing of before", async () => {
  const { set, hook, owner, ana } = await setup();
  const before = await ana.say("antes", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  await set({ readAutomatically: "on" });
  const ids = [await ana.say("um", { to: owner }), await ana.say("dois", { to: owner })];
  await untilEvents(s.w, hook, "message:received", 3);
  expect(ids.map((id) => isRead(ana, id))).toEqual([false, false]);
  await untilTrue(async () => {
    s.w.clock.advance(6 * SECOND_MS);
    await s.w.settle();
    return ids.every((id) => isRead(ana, id));
  });
  expect(isRead(ana, before)).toBe(false);
});

test("readAutomatically: an account without read receipts tells nobody, and off marks nothing", async () => {
  const { set, hook, owner, ana } = await setup();
  await set({ readAutomatically: "on" });
  const id = await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  await set({ readAutomatically: "off" });
  s.w.clock.advance(6 * SECOND_MS);
  await s.w.settle();
  const later = await ana.say("oi?", { to: owner });
  await untilEvents(s.w, hook, "message:received", 2);
  s.w.clock.advance(6 * SECOND_MS);
  await s.w.settle();
  expect([isRead(ana, id), isRead(ana, later)]).toEqual([false, false]);
});

test("ignoreGroups: messages of groups and acts on them are no events; changes of groups and people are", async () => {
  const { set, hook, owner, ana } = await setup();
  const group = s.net.group({ subject: "Equipe", members: [owner, ana] });
  await set({ ignoreGroups: "on" });
  const id = await ana.say("no grupo", { to: group });
  await ana.react(group, { id, fromMe: true }, "👍");
  await ana.say("a sós", { to: owner });
  const [received, ...others] = await untilEvents(s.w, hook, "message:received");
  expect([received.content.text, others]).toEqual(["a sós", []]);
  expect(receivedBy(hook, "message:reaction")).toEqual([]);
  group.rename("Nova");
  await untilEvents(s.w, hook, "group:settings");
  await set({ ignoreGroups: null });
  await ana.say("de novo", { to: group });
  expect((await untilEvents(s.w, hook, "message:received", 2))[1].content.text).toBe("de novo");
});

test("a setting with another value is refused by its name, and changes nothing", async () => {
  const { customer, set } = await setup();
  expect(fieldsOf(await set({ alwaysOnline: "yes", rejectCallsText: "" }))).toEqual([
    "alwaysOnline",
    "rejectCallsText",
  ]);
  expect((await s.w.gateway(`/v1/phones/${customer.phone.id}/settings`, customer)).body).toMatchObject({
    alwaysOnline: null,
    readAutomatically: null,
    ignoreGroups: null,
    rejectCalls: null,
    rejectCallsText: null,
  });
});
