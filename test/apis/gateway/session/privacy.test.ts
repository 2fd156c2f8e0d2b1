import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { newCustomer } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { stanza } from "../../../support/whatsapp/index.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterEach(() => {
  expect(s.net.stat.unhandled).toEqual([]);
  s.net.faults.clear();
});
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const path = `/v1/phones/${customer.phone.id}`;
  const read = () => s.w.gateway(`${path}/privacy`, customer);
  const change = (body: object) => s.w.gateway(`${path}/privacy`, { key: customer.key, method: "PATCH", body });
  return { customer, hook, owner, read, change };
};

const ASIS = {
  lastSeen: "all",
  online: "all",
  picture: "contacts",
  about: "all",
  readReceipts: "all",
  groupAdd: "all",
  callAdd: "all",
  defaultDisappearingSeconds: null,
};

test("the settings are read as the network has them, also what the owner has set on the phone", async () => {
  const { owner, read } = await setup();
  expect((await read()).body).toEqual(ASIS);
  Object.assign(owner.account.privacySettings, { last: "contact_allowlist", calladd: "known" });
  expect((await read()).body).toEqual({ ...ASIS, lastSeen: "contact_allowlist", callAdd: "known" });
});

test("each setting is changed at the network, and the others stay", async () => {
  const { owner, change } = await setup();
  const wanted = {
    lastSeen: "none",
    online: "match_last_seen",
    picture: "none",
    about: "contact_blacklist",
    groupAdd: "contacts",
    callAdd: "known",
    defaultDisappearingSeconds: 604_800,
  };
  expect((await change(wanted)).body).toEqual({ ...ASIS, ...wanted });
  expect(owner.account.privacySettings).toMatchObject({ last: "none", profile: "none", calladd: "known" });
  expect((await change({ defaultDisappearingSeconds: 0 })).body).toMatchObject({ defaultDisappearingSeconds: 0 });
});

test("readReceipts: none holds at once for what is read from now on", async () => {
  const { customer, hook, change } = await setup();
  const ana = s.contact();
  const owner = s.net.phone(customer.phone.number);
  const readOf = async (count: number) => {
    const id = await ana.say("oi", { to: owner });
    const event = (await untilEvents(s.w, hook, "message:received", count))[count - 1];
    const read = await s.w.gateway(`/v1/messages/${event.messageId}/read`, {
      key: customer.key,
      body: { phoneId: customer.phone.id },
    });
    expect(read.status).toBe(202);
    await untilTrue(async () => {
      await s.w.settle();
      return s.net.stat.receipts.some((one) => one.id === id && one.type.startsWith("read"));
    });
    return s.net.stat.receipts.find((one) => one.id === id && one.type.startsWith("read"))?.type;
  };
  expect(await readOf(1)).toBe("read");
  expect((await change({ readReceipts: "none" })).body.readReceipts).toBe("none");
  expect(await readOf(2)).toBe("read-self");
});

test("another value is refused by its name, and the network is asked for nothing; no change changes nothing", async () => {
  const { change } = await setup();
  const asked = s.net.stat.iqs["privacy"];
  expect(fieldsOf(await change({ online: "none", callAdd: "contacts" }))).toEqual(["callAdd", "online"]);
  expect(gatewaySays(await change({ defaultDisappearingSeconds: 60 }))).toBe("400 VALIDATION_ERROR");
  expect(s.net.stat.iqs["privacy"]).toBe(asked);
  expect((await change({})).body).toEqual(ASIS);
});

test("a refusal of the network is told, and the settings before it are changed", async () => {
  const { owner, change, read } = await setup();
  s.net.faults.answerIq((iq) =>
    JSON.stringify(iq).includes('"name":"profile"')
      ? stanza("iq", { type: "error" }, [stanza("error", { code: "405", text: "not-allowed" })])
      : undefined,
  );
  const refused = await change({ lastSeen: "none", picture: "none", about: "none" });
  expect([gatewaySays(refused), refused.body.error.details.upstreamError.code]).toEqual([
    "400 UPSTREAM_BAD_REQUEST",
    405,
  ]);
  expect((await read()).body).toMatchObject({ lastSeen: "none", picture: "contacts", about: "all" });
  expect(owner.account.privacySettings).toMatchObject({ last: "none", profile: "contacts", status: "all" });
});

test("official numbers have none of it, and a session that is not linked answers that it is not connected", async () => {
  const official = await newCustomer(s.w);
  const refused = await s.w.gateway(`/v1/phones/${official.phone.id}/privacy`, official);
  expect([gatewaySays(refused), refused.body.error.details.reason]).toEqual([
    "400 UPSTREAM_BAD_REQUEST",
    "NOT_OFFERED_BY_UPSTREAM",
  ]);
  const { id } = (await s.w.gateway("/v1/phones", { key: official.key, body: { type: "SESSION", label: "A" } })).body;
  expect(gatewaySays(await s.w.gateway(`/v1/phones/${id}/privacy`, official))).toBe("409 PHONE_NOT_CONNECTED");
});
