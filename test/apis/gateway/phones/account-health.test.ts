import { describe, expect, test } from "bun:test";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf, sendsOf, tracesOf } from "../../../support/customers/customer.ts";
import { accountOf, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { addWabaNumber, untilConnected, untilTrue, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** Has the network send a notification about the phone's account, now or at another time. */
const notify = async (value: object, { field = "account_update", at = w.clock.now(), customer = c } = {}) =>
  post(w, [{ field, value }], { accountId: await accountOf(w, customer), at });
const phone = async (id = c.phone.id) => (await w.gateway(`/v1/phones/${id}`, { key: c.key })).body;
const profile = async () =>
  JSON.parse(
    (await rowsOf<{ profile: string }>(w, "SELECT profile FROM channels WHERE id = ?1", [c.phone.id]))[0]?.profile ??
      "{}",
  );
const channelEvents = () => c.hook.arrived.map(({ body }) => [body.type, body.data.reason ?? body.data.phoneNumber]);

/** A second phone of the same account at the network. */
const sibling = async () => {
  const accountId = await accountOf(w, c);
  const number = `155577${String(w.graph.journal.length).padStart(5, "0")}`;
  const credentials = {
    phoneNumberId: `77${number}`,
    businessAccountId: accountId,
    accessToken: `EAAsibling${number}`,
  };
  w.graph.addNumber({
    phoneNumberId: credentials.phoneNumberId,
    businessAccountId: accountId,
    displayPhoneNumber: `+${number}`,
    tokens: [credentials.accessToken],
  });
  const hook = w.receiver();
  const made = await w.gateway("/v1/phones", {
    key: c.key,
    body: { type: "WABA", label: "Sibling", credentials, webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
  });
  await hook.received(1);
  hook.arrived.length = 0;
  return { id: made.body.id as string, number, hook };
};

describe("what ends an account", () => {
  test.each([
    [{ event: "PARTNER_REMOVED" }, "PARTNER_REMOVED"],
    [
      { event: "PARTNER_REMOVED", disconnection_info: { reason: "PRIMARY_INACTIVITY", initiated_by: "SYSTEM" } },
      "PRIMARY_INACTIVITY",
    ],
    [{ event: "ACCOUNT_DELETED" }, "ACCOUNT_DELETED"],
    [{ event: "ACCOUNT_OFFBOARDED" }, "ACCOUNT_OFFBOARDED"],
    [{ event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE" } }, "BANNED"],
  ])("G-625 %j disconnects the phone, with the reason, once; a send is refused", async (value, reason) => {
    await notify(value);
    await notify({ ...value, extra: "another envelope" });
    expect(channelEvents()).toEqual([["channel:disconnected", reason]]);
    expect(await phone()).toMatchObject({
      status: "DISCONNECTED",
      disconnectedAt: new Date(w.clock.now()).toISOString(),
    });
    expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
    expect(sendsOf(w, c)).toEqual([]);
  });

  test("ends all phones of the account, or the one whose number is named; none of another account", async () => {
    const [other, mine] = [await newCustomer(w), await sibling()];
    await notify({ event: "ACCOUNT_OFFBOARDED", phone_number: mine.number });
    expect([(await phone()).status, (await phone(mine.id)).status]).toEqual(["CONNECTED", "DISCONNECTED"]);
    await notify({ event: "ACCOUNT_DELETED" });
    expect([(await phone()).status, receivedBy(mine.hook, "channel:disconnected"), receivedBy(other.hook)]).toEqual([
      "DISCONNECTED",
      [{ reason: "ACCOUNT_OFFBOARDED" }],
      [],
    ]);
  });

  test("G-009 is not published to an account with another's token, nor are its webhooks kept subscribed", async () => {
    const accountId = await accountOf(w, c);
    const [stranger, hook, { number: _, ...own }] = [await w.account("Stranger"), w.receiver(), addWabaNumber(w.graph)];
    const body = {
      type: "WABA",
      label: "Mine",
      credentials: { ...own, businessAccountId: accountId },
      webhook: { url: hook.url, secret: WEBHOOK_SECRET },
    };
    const { id } = (await w.gateway("/v1/phones", { key: stranger.key, body })).body;
    await untilConnected(w, id);
    hook.arrived.length = 0;
    await notify({ event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "ADULT" } });
    await notify({ event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE" } });
    expect([channelEvents(), receivedBy(hook)]).toEqual([[["channel:disconnected", "BANNED"]], []]);
    expect(
      (await rowsOf<{ profile: string }>(w, "SELECT profile FROM channels WHERE id = ?1", [id]))[0]?.profile,
    ).not.toContain("ADULT");
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    expect(
      w.graph.journal.filter(
        ({ method, path }) => method === "DELETE" && path.endsWith(`/${accountId}/subscribed_apps`),
      ),
    ).toHaveLength(1);
  });

  test("is reported under the partner's id, and is of the account that it names inside", async () => {
    const accountId = await accountOf(w, c);
    await post(
      w,
      [
        {
          field: "account_update",
          value: { event: "PARTNER_REMOVED", waba_info: { waba_id: accountId, owner_business_id: "1" } },
        },
      ],
      { accountId: "2949482758682047" },
    );
    expect(channelEvents()).toEqual([["channel:disconnected", "PARTNER_REMOVED"]]);
  });

  test("is ignored when it comes from before the phone last connected", async () => {
    await notify({ event: "ACCOUNT_DELETED" }, { at: w.clock.now() - HOUR_MS });
    expect([receivedBy(c.hook), (await phone()).status]).toEqual([[], "CONNECTED"]);
    await notify({ event: "ACCOUNT_DELETED" }, { at: w.clock.now() - MINUTE_MS }); // our clock and the network's differ
    expect((await phone()).status).toBe("DISCONNECTED");
  });
});

describe("what may have brought an account back", () => {
  test.each([
    { event: "ACCOUNT_RECONNECTED" },
    { event: "PARTNER_ADDED" },
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } },
  ])("%j has the network asked, and the phone that the network had ended is connected again", async (value) => {
    await notify({ event: "ACCOUNT_OFFBOARDED" });
    await notify(value);
    await c.hook.received(2);
    expect(channelEvents()).toEqual([
      ["channel:disconnected", "ACCOUNT_OFFBOARDED"],
      ["channel:connected", c.phone.number],
    ]);
    expect((await c.send()).status).toBe(202);
  });

  test("brings no phone back that its owner disconnected, also after the network had", async () => {
    const env = w.app.env;
    const { disconnectChannel } = await import("../../../../src/core/channels/links/connection.ts");
    await notify({ event: "ACCOUNT_OFFBOARDED" });
    await disconnectChannel(env, callerIn(c.accountId, LOCAL), c.phone.id);
    const before = w.graph.journal.length;
    await notify({ event: "ACCOUNT_RECONNECTED" });
    expect([(await phone()).status, w.graph.journal.length]).toEqual(["DISCONNECTED", before]);
  });

  test("leaves a phone that works as it is, and nothing is published to its owner", async () => {
    await notify({ event: "ACCOUNT_RECONNECTED" });
    await w.graph.webhooks.settled();
    expect([(await phone()).status, receivedBy(c.hook)]).toEqual(["CONNECTED", []]);
    expect((await c.send()).status).toBe(202);
  });
});

describe("details of a number and its account", () => {
  test("a restriction, a violation and a ban to come are kept, and end nothing", async () => {
    await notify({
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: 1800000000 }],
    });
    await notify({
      event: "DISABLED_UPDATE",
      ban_info: { waba_ban_state: "SCHEDULE_FOR_DISABLE", waba_ban_date: "May 1" },
    });
    expect([(await phone()).status, receivedBy(c.hook)]).toEqual(["CONNECTED", []]);
    expect(await profile()).toMatchObject({
      wabaRestrictions: [{ type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }],
      wabaDisabledFrom: "May 1",
    });
  });

  test("a quality update has the network asked for the rating, which the phone shows then", async () => {
    const { number, phoneNumberId } = c.phone;
    const asked = () =>
      w.graph.journal.filter(({ method, path }) => method === "GET" && path.endsWith(`/${phoneNumberId}`)).length;
    const before = asked();
    w.graph.addNumber({
      phoneNumberId,
      businessAccountId: await accountOf(w, c),
      displayPhoneNumber: `+${number}`,
      tokens: [c.phone.accessToken],
      qualityRating: "YELLOW",
      messagingLimit: "TIER_2K",
    });
    await notify(
      { display_phone_number: number, event: "FLAGGED", current_limit: "TIER_2K" },
      { field: "phone_number_quality_update" },
    );
    await untilTrue(async () => (await profile()).wabaQualityRating === "YELLOW");
    expect(await profile()).toMatchObject({ wabaMessagingLimit: "TIER_2K" });
    expect(asked()).toBe(before + 1);
    expect((await phone()).status).toBe("CONNECTED");
  });

  test("updates of one number of the account are not published to its other phones", async () => {
    const mine = await sibling();
    await notify(
      { display_phone_number: mine.number, decision: "APPROVED", requested_verified_name: "Lucky Shrub" },
      { field: "phone_number_name_update" },
    );
    expect((await profile()).wabaVerifiedName).not.toBe("Lucky Shrub");
    await notify(
      { display_phone_number: c.phone.number, decision: "APPROVED", requested_verified_name: "Lucky Shrub" },
      { field: "phone_number_name_update" },
    );
    expect((await profile()).wabaVerifiedName).toBe("Lucky Shrub");
  });
});

test("what is not understood, or of nobody, is kept whole and changes nothing", async () => {
  const before = await tracesOf(w, c);
  const values = [{ event: "VERIFIED_ACCOUNT" }, { event: "SOMETHING_NEW" }, {}];
  for (const value of values) await notify(value);
  await notify({ display_phone_number: "19995550000", event: "FLAGGED" }, { field: "phone_number_quality_update" });
  await post(w, [
    ofNumber(c, { calls: [{ id: "wacid.1" }] }, "calls"),
    ofNumber(c, { groups: [{}] }, "group_lifecycle_update"),
  ]);
  expect(await tracesOf(w, c)).toEqual({ ...before, envelopes: (before.envelopes ?? 0) + values.length + 2 });
  expect(await rowsOf(w, "SELECT id FROM upstream_envelopes WHERE body LIKE '%wacid.1%'")).toHaveLength(1);
});
