import { describe, expect, test } from "bun:test";
import { accountDetails, eventsOf, OWN_NUMBER, WABA } from "../../support/networks/waba-envelope.ts";

const AT = 1739321024000;
const health = (field: string, value: object) => accountDetails(field, value).map(({ event }) => event);

describe("account_update", () => {
  const update = (value: object) => health("account_update", value);
  const ended = (reason: string) => [{ kind: "health", at: AT, state: "DISCONNECTED", reason }] as never;
  const inDoubt = [{ kind: "health", at: AT, isInDoubt: true }] as never;

  test("what ends an account ends its channels, with the reason", () => {
    expect(update({ event: "PARTNER_REMOVED" })).toEqual(ended("PARTNER_REMOVED"));
    expect(
      update({
        event: "PARTNER_REMOVED",
        disconnection_info: { reason: "PRIMARY_INACTIVITY", initiated_by: "SYSTEM" },
      }),
    ).toEqual(ended("PRIMARY_INACTIVITY"));
    expect(update({ event: "ACCOUNT_DELETED" })).toEqual(ended("ACCOUNT_DELETED"));
    expect(update({ event: "ACCOUNT_OFFBOARDED" })).toEqual(ended("ACCOUNT_OFFBOARDED"));
    expect(
      update({ event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "April 17, 2025" } }),
    ).toEqual(ended("BANNED"));
    expect(update({ event: "DISABLED_UPDATE", ban_info: { waba_ban_state: ["DISABLE"] } })).toEqual(ended("BANNED"));
    expect(update({ event: "DISABLED_UPDATE" })).toEqual(ended("BANNED"));
  });

  test("what may have brought it back has the network asked", () => {
    for (const event of ["ACCOUNT_RECONNECTED", "PARTNER_ADDED", "PARTNER_APP_INSTALLED", "PARTNER_APP_UNINSTALLED"])
      expect(update({ event })).toEqual(inDoubt);
    expect(update({ event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } })).toEqual(inDoubt);
  });

  test("restrictions, violations and a ban to come are shown and end nothing", () => {
    const restriction_info = [
      { restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: 1739321024 },
      { restriction_type: "RESTRICTED_ADD_PHONE_NUMBER_ACTION" },
    ];
    expect(update({ event: "ACCOUNT_RESTRICTION", restriction_info })).toMatchObject([
      {
        profile: {
          wabaRestrictions: [
            { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", until: "2025-02-12T00:43:44.000Z" },
            { type: "RESTRICTED_ADD_PHONE_NUMBER_ACTION", until: null },
          ],
        },
      },
    ]);
    expect(update({ event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "ADULT" } })).toMatchObject([
      { profile: { wabaViolation: "ADULT" } },
    ]);
    const scheduled = update({
      event: "DISABLED_UPDATE",
      ban_info: { waba_ban_state: "SCHEDULE_FOR_DISABLE", waba_ban_date: "May 1, 2026" },
    });
    expect(scheduled).toMatchObject([{ kind: "health", profile: { wabaDisabledFrom: "May 1, 2026" } }]);
    expect(scheduled[0]).not.toHaveProperty("state");
  });

  test.each(["VERIFIED_ACCOUNT", "AD_ACCOUNT_LINKED", "MM_LITE_TERMS_SIGNED", "SOMETHING_NEW", "constructor"])(
    "%s means nothing for a channel: it is unknown",
    (event) => {
      expect(update({ event })).toEqual([{ kind: "unknown", at: AT, what: `account_update ${event}` }]);
    },
  );

  test("updates of a partnership come under the partner's id and name the account inside", () => {
    const [routed] = accountDetails("account_update", {
      event: "PARTNER_REMOVED",
      waba_info: { waba_id: "980198427658004", owner_business_id: "2329417887457253" },
    });
    expect(routed?.route).toEqual({ by: "account", id: "980198427658004" });
    expect(accountDetails("account_update", { event: "ACCOUNT_DELETED" })[0]?.route).toEqual({
      by: "account",
      id: WABA,
    });
  });

  test("one that names a number means that one of the account's channels", () => {
    expect(
      accountDetails("account_update", { event: "ACCOUNT_OFFBOARDED", phone_number: `+${OWN_NUMBER}` })[0]?.route,
    ).toEqual({ by: "account", id: WABA, phoneNumber: OWN_NUMBER });
  });
});

describe("updates of a number", () => {
  const number = { display_phone_number: "+55 11 98765-4321" };

  test("its limits and its throughput are in the webhook; the rating is not, so the network is asked", () => {
    const upgraded = accountDetails("phone_number_quality_update", {
      ...number,
      event: "THROUGHPUT_UPGRADE",
      current_limit: "TIER_UNLIMITED",
    });
    expect(upgraded).toEqual([
      {
        route: { by: "account", id: WABA, phoneNumber: OWN_NUMBER },
        event: {
          kind: "health",
          at: AT,
          profile: { wabaMessagingLimit: "TIER_UNLIMITED", newPeoplePerDay: null, wabaThroughputLevel: "HIGH" },
          isInDoubt: true,
        },
      },
    ]);
    expect(
      health("phone_number_quality_update", {
        ...number,
        event: "FLAGGED",
        old_limit: "TIER_10K",
        current_limit: "TIER_2K",
        max_daily_conversations_per_business: "TIER_1K",
      }),
    ).toMatchObject([{ profile: { wabaMessagingLimit: "TIER_1K" }, isInDoubt: true }]);
  });

  test("what became of a name: an approved one is the name", () => {
    const name = { ...number, requested_verified_name: "Lucky Shrub" };
    expect(health("phone_number_name_update", { ...name, decision: "APPROVED", rejection_reason: null })).toMatchObject(
      [{ kind: "health", profile: { wabaNameDecision: "APPROVED", wabaVerifiedName: "Lucky Shrub" } }],
    );
    const [rejected] = health("phone_number_name_update", {
      ...name,
      decision: "REJECTED",
      rejection_reason: "NAME_NOT_CONSISTENT",
    });
    expect(rejected).toMatchObject({
      profile: { wabaNameDecision: "REJECTED", wabaNameRejection: "NAME_NOT_CONSISTENT" },
    });
    expect(rejected).not.toHaveProperty("profile.wabaVerifiedName");
  });

  test("usernames, reviews and capabilities are shown", () => {
    expect(
      health("business_username_update", { ...number, username: "lucky_shrub", status: "approved" }),
    ).toMatchObject([{ profile: { wabaUsername: "lucky_shrub" } }]);
    expect(health("business_username_updates", { ...number, status: "deleted" })).toMatchObject([
      { profile: { wabaUsername: null } },
    ]);
    expect(health("account_review_update", { decision: "APPROVED" })).toMatchObject([
      { profile: { wabaReviewDecision: "APPROVED" } },
    ]);
    expect(
      health("business_capability_update", {
        max_daily_conversations_per_business: 2000,
        max_phone_numbers_per_waba: 25,
      }),
    ).toMatchObject([{ profile: { wabaMessagingLimit: "2000" } }]);
  });
});

describe("templates", () => {
  const TEMPLATE = {
    message_template_id: 1689556908129832,
    message_template_name: "order_confirmation",
    message_template_language: "en-US",
  };
  const changed = {
    kind: "template",
    at: AT,
    nativeId: "1689556908129832",
    name: "order_confirmation",
    language: "en_US",
  };
  const received = (value: object, field = "message_template_status_update") =>
    health(field, { ...TEMPLATE, ...value });

  test.each([
    ["APPROVED", "APPROVED"],
    ["REINSTATED", "APPROVED"],
    ["UNARCHIVED", "APPROVED"],
    ["PENDING", "PENDING"],
    ["IN_APPEAL", "PENDING"],
    ["PAUSED", "PAUSED"],
    ["FLAGGED", "PAUSED"],
    ["DISABLED", "PAUSED"],
    ["LOCKED", "PAUSED"],
    ["ARCHIVED", "PAUSED"],
    ["REJECTED", "REJECTED"],
    ["LIMIT_EXCEEDED", "REJECTED"],
    ["PENDING_DELETION", "REJECTED"],
    ["DELETED", "REJECTED"],
  ])("GAP-G42 %s is %s, in one spelling of the language, with the category as it is now", (event, status) => {
    expect(received({ event, message_template_category: "UTILITY" })).toMatchObject([
      { ...changed, status, category: "UTILITY" },
    ]);
    expect(received({ event, message_template_language: "pt_BR" })).toMatchObject([{ language: "pt_BR" }]);
  });

  test("a reason is shown where there is one; NONE is none", () => {
    const rejection_info = { reason: "Parameters are next to each other.", recommendation: "Separate them." };
    expect(received({ event: "REJECTED", reason: "INVALID_FORMAT", rejection_info })).toMatchObject([
      { reason: "INVALID_FORMAT: Parameters are next to each other." },
    ]);
    expect(
      received({
        event: "PAUSED",
        reason: "NONE",
        other_info: { title: "FIRST_PAUSE", description: "Paused for 3 hours." },
      }),
    ).toMatchObject([{ reason: "FIRST_PAUSE: Paused for 3 hours." }]);
    expect(received({ event: "DELETED", reason: null })).toMatchObject([{ reason: "DELETED" }]);
    expect(received({ event: "APPROVED", reason: "NONE" })[0]).not.toHaveProperty("reason");
  });

  test("a category that has changed, and one that is only going to: new_category is the present one", () => {
    expect(received({ previous_category: "UTILITY", new_category: "MARKETING" }, "template_category_update")).toEqual([
      { ...changed, category: "MARKETING" },
    ] as never);
    expect(
      received(
        { new_category: "UTILITY", correct_category: "MARKETING", category_update_timestamp: 1746169200 },
        "template_category_update",
      ),
    ).toEqual([{ ...changed, category: "UTILITY" }] as never);
  });

  test("other components, without a status", () => {
    expect(
      received(
        { message_template_element: "Hi {{1}}", message_template_title: "Hello" },
        "message_template_components_update",
      ),
    ).toEqual([changed] as never);
  });

  test.each(["message_template_quality_update", "message_template_status_update"])(
    "a quality is no status, also under the field %s",
    (field) => {
      expect(received({ previous_quality_score: "GREEN", new_quality_score: "YELLOW" }, field)).toEqual([
        { kind: "unknown", at: AT, what: `${field} YELLOW` },
      ]);
    },
  );

  test("an event that is new, and a template without an id or a name, are unknown", () => {
    expect(received({ event: "VAPORISED" })).toMatchObject([
      { kind: "unknown", what: "message_template_status_update VAPORISED" },
    ]);
    expect(received({ event: "APPROVED", message_template_id: undefined })).toMatchObject([{ kind: "unknown" }]);
    expect(received({ event: "APPROVED", message_template_name: "" })).toMatchObject([{ kind: "unknown" }]);
  });
});

describe("users", () => {
  test("whose ids are others now, in both shapes of the value", () => {
    const update = {
      wa_id: "16505551234",
      detail: "updated",
      user_id: { previous: "US.OLD", current: "US.NEW" },
      parent_user_id: { previous: "US.ENT.1", current: "US.ENT.2" },
      timestamp: 1739321024,
    };
    expect(eventsOf("user_id_update", { user_id_update: [update] })).toEqual([
      {
        kind: "known",
        at: AT,
        identity: { pn: "16505551234", bsuid: "US.NEW", parentBsuid: "US.ENT.2" },
        before: { bsuid: "US.OLD", parentBsuid: "US.ENT.1" },
      },
    ]);
    expect(
      eventsOf("user_id_update", { user_id_update: [{ user_id: "US.ONLY", parent_user_id: "US.ENT.3" }, {}] }),
    ).toMatchObject([
      { kind: "known", identity: { bsuid: "US.ONLY", parentBsuid: "US.ENT.3" } },
      { kind: "unknown", what: "user id update of nobody" },
    ]);
    expect(accountDetails("user_id_update", [update])).toMatchObject([
      { event: { kind: "unknown", what: "user_id_update without a phone_number_id" } },
    ]);
  });

  test("who stop marketing messages: who they are is learned, what they want is kept", () => {
    const contacts = [{ profile: { name: "Sheena" }, wa_id: "16505551234", user_id: "US.1" }];
    const user_preferences = [
      { wa_id: "16505551234", category: "marketing_messages", value: "stop", timestamp: 1739321024 },
    ];
    expect(eventsOf("user_preferences", { contacts, user_preferences })).toEqual([
      { kind: "known", at: 0, identity: { pn: "16505551234", bsuid: "US.1" }, name: "Sheena" },
      { kind: "unknown", at: AT, what: "preference marketing_messages stop" },
    ]);
  });
});
