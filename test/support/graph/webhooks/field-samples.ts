import type { Fields } from "../shape.ts";
import type { Change } from "../values.ts";
import { AT, chatValues, digitsOf, named, type SampleOwner } from "./chat-samples.ts";

/** A change that Meta sends beside those of `messages`. `name`: the field, and the event if it has several. */
export type FieldSample = { name: string; change: Change };

const TEMPLATE = {
  message_template_id: 1_689_556_908_129_832,
  message_template_name: "order_confirmation",
  message_template_language: "en-US",
};

/**
 * One value as Meta's documents show it for every field and event, for a test that hands all of them to the gateway
 * with `inbound.field(change)`.
 */
export const fieldSamples = (owner: SampleOwner): FieldSample[] =>
  Object.entries({
    ...accountValues(owner),
    ...numberValues(owner),
    ...templateValues(),
    ...flowValues(),
    ...chatValues(owner),
  }).map(([name, value]) => ({
    name,
    change: { businessAccountId: owner.businessAccountId, field: name.split(" ")[0] ?? name, value },
  }));

const accountValues = (owner: SampleOwner): Record<string, Fields> => {
  const waba = { waba_id: owner.businessAccountId, owner_business_id: "2329417887457253" };
  const solution = {
    solution_id: "1715120619246906",
    solution_partner_business_ids: ["2949482758682047", "520744086200222"],
  };
  const partner = { ...waba, partner_app_id: "5731794616896507" };
  const number = { phone_number: digitsOf(owner) };
  const events: Fields[] = [
    { event: "PARTNER_ADDED", waba_info: { ...waba, ...solution } },
    { event: "PARTNER_REMOVED", waba_info: waba },
    {
      event: "PARTNER_REMOVED",
      ...number,
      disconnection_info: { reason: "PRIMARY_INACTIVITY", initiated_by: "SYSTEM" },
    },
    { event: "PARTNER_APP_INSTALLED", waba_info: { ...partner, ...solution } },
    { event: "PARTNER_APP_UNINSTALLED", waba_info: partner },
    {
      event: "PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE",
      partner_client_certification_info: {
        client_business_id: "2729063490586005",
        status: "APPROVED",
        rejection_reasons: ["NONE"],
      },
    },
    { event: "ACCOUNT_DELETED" },
    { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "ADULT" } },
    {
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: AT + 86_400 }],
    },
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "April 17, 2025" } },
    { event: "VERIFIED_ACCOUNT", ...number },
    { event: "ACCOUNT_OFFBOARDED", ...number },
    { event: "ACCOUNT_RECONNECTED", ...number },
    { event: "AD_ACCOUNT_LINKED", waba_info: { ...waba, ad_account_linked: "980198427534243" } },
    { event: "MM_LITE_TERMS_SIGNED", waba_info: waba },
    { event: "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE", country: "BR" },
    {
      event: "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE",
      auth_international_rate_eligibility: {
        exception_countries: [{ country_code: "ID", start_time: AT }],
        start_time: AT,
      },
    },
  ];
  const alert = {
    alert_severity: "WARNING",
    alert_status: "ACTIVE",
    alert_type: "INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED",
    alert_description: "Limits cannot be increased for your business.",
  };
  return {
    ...named("account_update", events, (event) =>
      "disconnection_info" in event ? `${String(event["event"])} (inactivity)` : String(event["event"]),
    ),
    account_alerts: { entity_type: "BUSINESS", entity_id: "506914307656634", alert_info: alert },
    account_review_update: { decision: "APPROVED" },
    business_capability_update: { max_daily_conversations_per_business: 2000, max_phone_numbers_per_waba: 25 },
  };
};

const numberValues = (owner: SampleOwner): Record<string, Fields> => {
  const number = { display_phone_number: digitsOf(owner) };
  const quality = { ...number, current_limit: "TIER_2K", max_daily_conversations_per_business: "TIER_2K" };
  const name = { ...number, requested_verified_name: "Lucky Shrub" };
  return {
    ...named("phone_number_quality_update", [
      { ...quality, event: "ONBOARDING" },
      { ...quality, event: "THROUGHPUT_UPGRADE" },
      { ...quality, event: "FLAGGED", current_limit: "TIER_10K" },
      { ...quality, event: "UNFLAGGED" },
      { ...quality, event: "UPGRADE", old_limit: "TIER_250" },
      { ...quality, event: "DOWNGRADE", old_limit: "TIER_10K" },
    ]),
    "phone_number_name_update APPROVED": { ...name, decision: "APPROVED", rejection_reason: null },
    "phone_number_name_update REJECTED": { ...name, decision: "REJECTED", rejection_reason: "NAME_NOT_CONSISTENT" },
    ...named(
      "security",
      ["PIN_CHANGED", "PIN_RESET_REQUEST", "PIN_REQUEST_SUCCESS"].map((event) => ({
        ...number,
        event,
        requester: "61555822107539",
      })),
    ),
    business_username_update: { ...number, username: "lucky_shrub", status: "approved" },
    // the same under the name that other sources give it; without the username once it is gone
    business_username_updates: { ...number, status: "deleted" },
  };
};

const templateValues = (): Record<string, Fields> => {
  const category = { message_template_category: "UTILITY", reason: "NONE" };
  const rejection = {
    reason: "INVALID_FORMAT",
    rejection_info: { reason: "The variables are not sequential.", recommendation: "Number them from 1." },
  };
  const extras: Record<string, Fields> = {
    REJECTED: rejection,
    DISABLED: { disable_info: { disable_date: AT } },
    PAUSED: {
      other_info: { title: "FIRST_PAUSE", description: "Your template was paused for 3 hours because of its quality." },
    },
  };
  const events =
    "APPROVED REJECTED PENDING PAUSED DISABLED FLAGGED IN_APPEAL REINSTATED LOCKED LIMIT_EXCEEDED PENDING_DELETION DELETED ARCHIVED UNARCHIVED".split(
      " ",
    );
  const buttons = [
    {
      message_template_button_type: "URL",
      message_template_button_text: "Support",
      message_template_button_url: "https://www.luckyshrub.com/support",
    },
  ];
  return {
    ...named(
      "message_template_status_update",
      events.map((event) => ({ ...TEMPLATE, ...category, ...extras[event], event })),
    ),
    message_template_quality_update: { ...TEMPLATE, previous_quality_score: "GREEN", new_quality_score: "YELLOW" },
    message_template_components_update: {
      ...TEMPLATE,
      message_template_title: "Confirmed",
      message_template_element: "Order {{1}} is on its way.",
      message_template_footer: "Lucky Shrub",
      message_template_buttons: buttons,
    },
    template_category_update: { ...TEMPLATE, previous_category: "UTILITY", new_category: "MARKETING" },
    "template_category_update (announced)": {
      ...TEMPLATE,
      new_category: "UTILITY",
      correct_category: "MARKETING",
      category_update_timestamp: AT + 86_400,
    },
  };
};

const flowValues = (): Record<string, Fields> => {
  const flow_id = "6627390910605886";
  const alert = { flow_id, alert_state: "ACTIVATED", error_rate: 14.28, threshold: 10 };
  return named("flows", [
    {
      event: "FLOW_STATUS_CHANGE",
      message: "Sign up changed status from DRAFT to PUBLISHED",
      flow_id,
      old_status: "DRAFT",
      new_status: "PUBLISHED",
    },
    {
      event: "CLIENT_ERROR_RATE",
      message: "The flow client request error rate has reached the 10% threshold.",
      ...alert,
      errors: [{ error_type: "PUBLIC_KEY_MISSING", error_rate: 33.33, error_count: 1 }],
    },
    {
      event: "ENDPOINT_ERROR_RATE",
      message: "The flow endpoint request error rate has reached the 10% threshold.",
      ...alert,
      errors: [{ error_type: "TIMEOUT", error_rate: 33.33, error_count: 1 }],
    },
    {
      event: "ENDPOINT_LATENCY",
      message: "Flow endpoint latency has reached the p90 threshold.",
      flow_id,
      alert_state: "ACTIVATED",
      threshold: 7000,
      p90_latency: 8000,
      p50_latency: 500,
      requests_count: 34,
    },
    {
      event: "ENDPOINT_AVAILABILITY",
      message: "The flow endpoint availability has breached the 90% threshold.",
      flow_id,
      alert_state: "ACTIVATED",
      availability: 75,
      threshold: 90,
    },
    { event: "FLOW_VERSION_EXPIRY_WARNING", message: "Flow JSON version 2.1 will expire.", flow_id },
  ]);
};
